import { createHash } from 'node:crypto';
import { MASK, masked } from '../base/mask/masked.ts';
import { printable } from '../base/text.ts';

/** Characters of an output that are kept: its beginning and its end. */
const KEPT = 16_384;
const SHORTEST_SECRET = 3;

export interface Kept {
  readonly text: string;
  /** Of the whole, before anything was left out. */
  readonly digest: string;
  readonly cut: boolean;
}

/** An output as it may be written down: harmless, without secrets, and bounded. */
export function keptOutput(text: string, secrets: Iterable<string>): Kept {
  const digest = sha256(text);
  // Before it is cut: a value is known by the words before it, a line of a key by the lines around it.
  const safe = printable(withoutSecrets(text, secrets));
  if (safe.length <= KEPT) return { text: safe, digest, cut: false };
  return { text: `${safe.slice(0, KEPT / 2)}\n…\n${safe.slice(-KEPT / 2)}`, digest, cut: true };
}

/** The text with the values of these secrets, and whatever looks like one, left out. */
export function withoutSecrets(text: string, secrets: Iterable<string>): string {
  let safe = text;
  for (const secret of secrets) if (secret.length >= SHORTEST_SECRET) safe = safe.replaceAll(secret, MASK);
  return masked(safe);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
