import { counted } from '../../base/counted.ts';
import type { Instant } from '../../base/instant.ts';
import { append, largest } from '../../base/lists.ts';
import type { Quote } from '../../model/diagnosis.ts';
import { formatRef } from '../../model/kube-object.ts';
import { clusterBlock, clusterLine } from '../format/cluster-text.ts';
import { displayWidth, fit, wrap } from '../format/display-width.ts';
import type { Look } from '../format/text-style.ts';
import { mark, paint } from '../format/text-style.ts';
import { clockTime } from '../format/time-words.ts';

/** Quotes a person is shown, the lines each may take, and the lines after which no further quote begins; `wide` shows all there are. */
const QUOTES = 3;
const QUOTE_LINES = 3;
const ENOUGH_LINES = 4;
/** A line that wrapping left wider than so many times the room is one long word: not a path or an address, but data. */
const LONGEST_WORD = 2;

/** The evidence, quoted with its source; what says the same of several objects stands once, with a count. */
export function proofLines(evidence: readonly Quote[], now: Instant, look: Look, wide: boolean): readonly string[] {
  const groups = wide ? evidence.map((quote) => [quote]) : alike(evidence);
  const lines: string[] = [];
  let told = 0;
  for (const group of groups) {
    if (!wide && (told === QUOTES || lines.length >= ENOUGH_LINES)) break;
    append(lines, quoteLines(group, now, look, wide));
    told++;
  }
  const hidden = groups.length - told;
  return hidden === 0 ? lines : [...lines, `and ${hidden} more (-o wide)`];
}

/** All evidence, what says the same of several objects once, with a count. */
export function proofs(evidence: readonly Quote[], now: Instant): readonly { readonly source: string; readonly quote: string }[] {
  return alike(evidence).flatMap((group) =>
    group.slice(0, 1).map((first) => ({ source: sourceWords(first, group, now), quote: first.quote })),
  );
}

/** Quotes that differ only in the object they are about, its identifiers and in numbers, in the order of the first of each. */
function alike(evidence: readonly Quote[]): readonly (readonly Quote[])[] {
  const groups = new Map<string, Quote[]>();
  for (const quote of evidence) {
    const key = `${plainWords(quote.source, quote, IDENTIFIERS)}\n${plainWords(quote.quote, quote, IDENTIFIERS_AND_NUMBERS)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [quote]);
    else group.push(quote);
  }
  return [...groups.values()];
}

/** UIDs and container ids. */
const IDENTIFIERS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}/g;
const IDENTIFIERS_AND_NUMBERS = new RegExp(`${IDENTIFIERS.source}|\\d+`, 'g');

function quoteLines(group: readonly Quote[], now: Instant, look: Look, wide: boolean): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const bar = `${mark(look, 'bar')} `;
  const room = look.width - INDENT - bar.length;
  const quoted = wrap(clusterBlock(first.quote, wide), room).map((line) =>
    wide || displayWidth(line) <= LONGEST_WORD * room ? line : fit(line, room),
  );
  return [
    ...wrap(clusterLine(sourceWords(first, group, now), 300), look.width - INDENT),
    ...(wide ? quoted : shortened(quoted, room)).map((line) => paint(look, 'cyan', (bar + line).trimEnd())),
  ];
}

/** All but the last line from the beginning, and the end: an error that is wrapped in others names its own cause last. */
function shortened(quoted: readonly string[], room: number): readonly string[] {
  if (quoted.length <= QUOTE_LINES) return quoted;
  const words = quoted
    .slice(QUOTE_LINES - 1)
    .join(' ')
    .split(' ');
  let end: string | undefined;
  for (let from = words.length - 1; from > 0; from--) {
    const line = `… ${words.slice(from).join(' ')}`;
    if (displayWidth(line) > room) break;
    end = line;
  }
  return [...quoted.slice(0, QUOTE_LINES - 1), end ?? fit(words.join(' '), room)];
}

/** Columns of the label on the left. */
export const INDENT = 9;

function sourceWords(first: Quote, group: readonly Quote[], now: Instant): string {
  const objects = new Set(group.map(({ about }) => formatRef(about))).size;
  const source =
    objects === 1
      ? first.source
      : first.source.replace(
          formatRef(first.about),
          `${objects} ${first.about.kind}s${first.source.startsWith(formatRef(first.about)) ? ',' : ''}`,
        );
  const count = group.reduce((sum, quote) => sum + (quote.count ?? 1), 0);
  const times = group.flatMap(({ at }) => (at === undefined ? [] : [at]));
  const last = times.length === 0 ? '' : `, ${count > 1 ? 'last ' : ''}${clockTime(largest(times), now)}`;
  const same = group.every((quote) => plainWords(quote.quote, quote, IDENTIFIERS) === plainWords(first.quote, first, IDENTIFIERS));
  return `${source}${count > objects ? `, ${counted(count, 'time')}` : ''}${last}${same ? '' : ', for example'}`;
}

/** The words without the name of the object they are about, and without what varies. */
function plainWords(text: string, { about }: Quote, varying: RegExp): string {
  return text.replaceAll(about.name, '*').replaceAll(varying, '#');
}
