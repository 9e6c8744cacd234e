import type { Instant } from '../../../base/instant.ts';
import { parseDate, parseInstant } from '../../../base/instant.ts';
import { parseDuration } from '../../../base/duration.ts';
import type { Line } from '../clean-lines.ts';

/** Whether lines, as consoles list them, begin with the newest: no time in them is later than the one before, and some are earlier. */
export function isNewestFirst(lines: readonly Line[]): boolean {
  let before: Instant | undefined;
  let falls = false;
  for (const { text } of lines) {
    const at = timeIn(text.slice(0, 500));
    if (at === undefined) continue;
    if (before !== undefined && at > before) return false;
    falls ||= before !== undefined && at < before;
    before = at;
  }
  return falls;
}

/** Lines, each with those behind it that have no time, in the order in which they were written. */
export function oldestFirst(lines: readonly Line[]): readonly Line[] {
  if (!isNewestFirst(lines)) return lines;
  const entries: Line[][] = [];
  for (const line of lines) {
    const last = entries.at(-1);
    if (last === undefined || timeIn(line.text.slice(0, 500)) !== undefined) entries.push([line]);
    else last.push(line);
  }
  return entries.toReversed().flat();
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
