import { printableUpTo, shorten } from '../../base/text.ts';

/** Characters of one quoted text in a report for a person. */
const QUOTE_LIMIT = 600;
/** Characters of one text in JSON, YAML and wide reports. */
const WHOLE_LIMIT = 8000;

/** Text that came from a cluster on one line of a report: harmless, and no longer than a person would read. */
export function clusterLine(text: string, limit = QUOTE_LIMIT): string {
  return shorten(
    printableUpTo(text, limit * 2).replaceAll(/\s+/g, (blank) => (/[\n\t]/.test(blank) ? ' ' : blank)),
    limit,
  ).trim();
}

/** Text that came from a cluster, with its lines: harmless and bounded. */
export function clusterBlock(text: string, wide: boolean): string {
  return printableUpTo(text, wide ? WHOLE_LIMIT : QUOTE_LIMIT).trimEnd();
}

/** Text for JSON and YAML, which carry newlines and control characters safely but still have to end. */
export function clusterValue(text: string): string {
  return shorten(text, WHOLE_LIMIT);
}
