import { calendarOf } from '../../../base/instant.ts';
import type { Instant } from '../../../base/instant.ts';
import { parseInteger } from '../../../base/number.ts';

/** A schedule as cron writes it: minutes, hours, days of the month, months and days of the week (0 is Sunday). */
export interface CronSchedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** When both are restricted, a day fits when either does. */
  readonly eitherDay: boolean;
}

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Reads `0,30 8-18 * * mon-fri` and `@hourly`; undefined for what it does not know. Source: github.com/robfig/cron/v3 parser.go. */
export function parseCron(text: string): CronSchedule | undefined {
  const fields = (MACROS[text.trim()] ?? text).trim().toLowerCase().split(/\s+/);
  if (fields.length !== 5 || text.length > 200) return undefined;
  const read = FIELDS.map(([from, to, names], index) => parseField(fields[index] ?? '', from, to, names));
  const [minutes, hours, days, months, weekdays] = read.filter((field) => field !== undefined);
  // All five are there when the last one is.
  if (minutes === undefined || hours === undefined || days === undefined || months === undefined || weekdays === undefined)
    return undefined;
  if (weekdays.has(7)) weekdays.add(0);
  return { minutes, hours, days, months, weekdays, eitherDay: !isAny(fields[2] ?? '') && !isAny(fields[4] ?? '') };
}

/** Minute, hour, day of the month, month, day of the week: the smallest value, the largest, and names. */
const FIELDS: readonly (readonly [from: number, to: number, names: readonly string[]])[] = [
  [0, 59, []],
  [0, 23, []],
  [1, 31, []],
  [1, 12, MONTHS],
  [0, 7, WEEKDAYS],
];

/**
 * Minutes after `from` and not after `to` at which the schedule starts something, counted up to `limit`. Times are in UTC, as the
 * controller's usually are.
 */
export function startsBetween(schedule: CronSchedule, from: number, to: number, limit: number): number {
  let count = 0;
  const first = Math.floor(from / MINUTE) * MINUTE + MINUTE;
  for (let at = first, steps = 0; at <= to && count < limit && steps < STEP_LIMIT; at += MINUTE, steps++)
    if (startsAt(schedule, at)) count++;
  return count;
}

/** Whether there is a date at all that fits: `31 2` is none. */
export function hasDate({ months, days, eitherDay }: CronSchedule): boolean {
  return eitherDay || [...months].some((month) => [...days].some((day) => day <= (LONGEST[month - 1] ?? 0)));
}

/** Days of the months of a leap year. */
const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const MINUTE = 60_000;
/** A month of minutes: what was due longer ago says nothing more. */
const STEP_LIMIT = 45_000;

function startsAt({ minutes, hours, days, months, weekdays, eitherDay }: CronSchedule, at: Instant): boolean {
  const calendar = calendarOf(at);
  if (!minutes.has(calendar.minute) || !hours.has(calendar.hour) || !months.has(calendar.month)) return false;
  const [day, weekday] = [days.has(calendar.day), weekdays.has(calendar.weekday)];
  return eitherDay ? day || weekday : day && weekday;
}

function isAny(field: string): boolean {
  return field.startsWith('*') || field === '?';
}

function parseField(text: string, low: number, high: number, names: readonly string[]): Set<number> | undefined {
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step] = part.split('/');
    const [from, to] = rangeOf(range, low, high, names);
    const every = step === undefined ? 1 : parseInteger(step);
    if (from === undefined || to === undefined || every === undefined || every < 1 || from < low || to > high || from > to)
      return undefined;
    for (let value = from; value <= (step !== undefined && !range.includes('-') && !isAny(range) ? high : to); value += every)
      found.add(value);
  }
  return found;
}

function rangeOf(range: string, low: number, high: number, names: readonly string[]): readonly [number | undefined, number | undefined] {
  if (isAny(range)) return [low, high];
  const [first = '', last = first] = range.split('-');
  return [valueOf(first, low, names), valueOf(last, low, names)];
}

function valueOf(word: string, low: number, names: readonly string[]): number | undefined {
  const named = names.indexOf(word);
  if (named >= 0) return named + (low === 1 ? 1 : 0);
  return /^\d{1,2}$/.test(word) ? parseInteger(word) : undefined;
}
