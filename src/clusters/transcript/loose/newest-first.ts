import type { Instant } from '../../../base/instant.ts';
import { parseDate, parseInstant } from '../../../base/instant.ts';
import { parseDuration } from '../../../base/duration.ts';
import type { Line } from '../clean-lines.ts';

/**
 * Lines in the order in which they were written, each with those behind it that have no time. Consoles list the newest first: no time is
 * later than the one before, and some are earlier. Lines with both a date and how long ago are no list.
 */
export function oldestFirst(lines: readonly Line[]): readonly Line[] {
  const entries: Line[][] = [[]];
  let before: Instant | undefined;
  let falls = false;
  for (const line of lines) {
    const at = timeIn(line.text.slice(0, 500));
    if (at !== undefined) {
      if (at > (before ?? at) || at > 0 !== (before ?? at) > 0) return lines;
      falls ||= at < (before ?? at);
      before = at;
      entries.push([]);
    }
    entries.at(-1)?.push(line);
  }
  return falls ? entries.toReversed().flat() : lines;
}

const AGO = /\b(\d{1,9}|an?) (s|min|h|d)(?:econds?|ecs?|utes?|s|ours?|ays?)? ago\b/;
const STAMP = /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/;
const DATE = /\b[A-Z][a-z]{2} \d{1,2},? \d{4},? \d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?\b/;

/** A time in a line, or one before an unknown moment; lines have one of a kind. */
function timeIn(text: string): Instant | undefined {
  const [, amount = '', unit = ''] = AGO.exec(text) ?? [];
  if (unit !== '') return -(parseDuration(`${amount.replace(/^an?$/, '1')}${unit.charAt(0)}`) ?? 0);
  const [, day, time = ''] = STAMP.exec(text) ?? [];
  return day === undefined ? parseDate(`${DATE.exec(text)?.[0] ?? ''} UTC`) : parseInstant(`${day}T${time}Z`);
}
