import { assignedSpans } from './assigned.ts';
import { commandSpans } from './command-flags.ts';
import { privateKeySpans } from './private-keys.ts';
import type { Span } from './span.ts';
import { tokenSpans } from './tokens.ts';
import { urlSpans } from './url-logins.ts';

/** What stands where a password, a token or a key stood. */
export const MASK = '***';

/**
 * The text with what opens something replaced: passwords, tokens, keys, by the words before them or by their own shape. Names
 * stay, because they are what a diagnosis is about. Takes time that grows with the text alone. A masked text stays as it is.
 */
export function masked(text: string): string {
  if (text.length < SHORTEST) return text;
  const spans = [...privateKeySpans(text), ...tokenSpans(text), ...urlSpans(text), ...commandSpans(text), ...assignedSpans(text)];
  return spans.length === 0 ? text : without(text, spans);
}

/** `pwd=x`: nothing shorter has a secret. */
const SHORTEST = 5;

function without(text: string, spans: Span[]): string {
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  let [safe, at] = ['', 0];
  for (const { start, end, shown } of spans) {
    if (end <= at) continue;
    // A piece that begins within the last one only makes it longer.
    safe += start < at ? '' : text.slice(at, start) + (shown ?? MASK);
    at = end;
  }
  return safe + text.slice(at);
}
