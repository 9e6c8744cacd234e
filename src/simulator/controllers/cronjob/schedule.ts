import type { Instant } from '../../../base/instant.ts';
import { calendarOf } from '../../../base/instant.ts';
import { parseDecimal, parseInteger } from '../../../base/number.ts';

/** When a schedule is due. Source: vendor/github.com/robfig/cron/v3/{parser,spec}.go (standard parser: five fields or a descriptor). */
export interface Schedule {
  /** The first due moment after this one, to the minute; undefined when there is none within five years. */
  next(after: Instant): Instant | undefined;
}

export type Parsed = { readonly ok: true; readonly schedule: Schedule } | { readonly ok: false; readonly error: string };

/** `offsetOf` gives how far local time is ahead of UTC at an instant, in milliseconds. */
export function parseSchedule(text: string, offsetOf: (at: Instant) => number = () => 0): Parsed {
  const every = /^@every\s+(\S+)$/.exec(text);
  if (every !== null) return everyOf(text, every[1] ?? '');
  const spec = text.startsWith('@') ? DESCRIPTORS[text] : text;
  if (spec === undefined) return { ok: false, error: `unrecognized descriptor: ${text}` };
  const fields = spec
    .trim()
    .split(/\s+/)
    .filter((field) => field !== '');
  if (fields.length !== 5)
    return {
      ok: false,
      error: fields.length === 0 ? 'empty spec string' : `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`,
    };
  const parsed = fields.map((field, index) => parseField(field, BOUNDS[index] ?? BOUNDS_OF_MINUTES));
  const wrong = parsed.find((field) => 'error' in field);
  if (wrong !== undefined && 'error' in wrong) return { ok: false, error: wrong.error };
  const [minutes, hours, days, months, weekdays] = parsed.map((field) =>
    'error' in field ? { values: new Set<number>(), star: true } : field,
  );
  if (minutes === undefined || hours === undefined || days === undefined || months === undefined || weekdays === undefined)
    return { ok: false, error: 'empty spec string' };
  return { ok: true, schedule: { next: (after) => nextOf({ minutes, hours, days, months, weekdays }, after, offsetOf) } };
}

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Source: spec.go (Next): gives up after five years. */
const HORIZON_DAYS = 5 * 366;

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const BOUNDS_OF_MINUTES: Bounds = { min: 0, max: 59, names: [] };
const MONTHS = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const BOUNDS: readonly Bounds[] = [
  BOUNDS_OF_MINUTES,
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

interface Field {
  readonly values: ReadonlySet<number>;
  /** Written as a star: for days, that the other of the two fields decides alone. */
  readonly star: boolean;
}

function parseField(text: string, bounds: Bounds): Field | { readonly error: string } {
  const values = new Set<number>();
  let star = false;
  for (const part of text.split(',')) {
    const range = parseRange(part, bounds);
    if ('error' in range) return range;
    const { all, from, to, by } = range;
    if (from < bounds.min) return { error: `beginning of range (${from}) below minimum (${bounds.min}): ${part}` };
    if (to > bounds.max) return { error: `end of range (${to}) above maximum (${bounds.max}): ${part}` };
    if (from > to) return { error: `beginning of range (${from}) beyond end of range (${to}): ${part}` };
    if (by === 0) return { error: `step of range should be a positive number: ${part}` };
    if (all && by === 1) star = true;
    for (let value = from; value <= to; value += by) values.add(value);
  }
  return { values, star };
}

interface Range {
  readonly all: boolean;
  readonly from: number;
  readonly to: number;
  readonly by: number;
}

/** A star, a number or a range, each with a step or without one. */
function parseRange(part: string, bounds: Bounds): Range | { readonly error: string } {
  const [range = '', step, more] = part.split('/');
  if (more !== undefined) return { error: `too many slashes: ${part}` };
  const [low = '', high, rest] = range.split('-');
  if (rest !== undefined) return { error: `too many hyphens: ${part}` };
  const by = stepOf(step);
  if (low === '*' || low === '?') return stepped({ all: true, from: bounds.min, to: bounds.max }, step, by);
  const from = numberOf(low, bounds);
  const upTo = step === undefined ? from : bounds.max;
  const to = high === undefined ? upTo : numberOf(high, bounds);
  if (from === undefined) return notANumber(low);
  if (to === undefined) return notANumber(high ?? '');
  return stepped({ all: false, from, to }, step, by);
}

function stepped(range: Omit<Range, 'by'>, step: string | undefined, by: number | undefined): Range | { readonly error: string } {
  return by === undefined ? notANumber(step ?? '') : { ...range, by };
}

function stepOf(step: string | undefined): number | undefined {
  if (step === undefined) return 1;
  return /^\d+$/.test(step) ? parseInteger(step) : undefined;
}

function notANumber(text: string): { readonly error: string } {
  return { error: `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax` };
}

function numberOf(text: string, { names }: Bounds): number | undefined {
  const name = text === '' ? -1 : names.indexOf(text.toLowerCase());
  if (name >= 0) return name;
  return /^\d+$/.test(text) ? parseInteger(text) : undefined;
}

interface Fields {
  readonly minutes: Field;
  readonly hours: Field;
  readonly days: Field;
  readonly months: Field;
  readonly weekdays: Field;
}

function nextOf(fields: Fields, after: Instant, offsetOf: (at: Instant) => number): Instant | undefined {
  const start = Math.floor(after / MINUTE) * MINUTE + MINUTE;
  const local = start + offsetOf(start);
  let day = Math.floor(local / DAY) * DAY;
  for (let count = 0; count < HORIZON_DAYS; count++, day += DAY) {
    if (!isDay(fields, calendarOf(day))) continue;
    for (const hour of [...fields.hours.values].sort((a, b) => a - b)) {
      for (const minute of [...fields.minutes.values].sort((a, b) => a - b)) {
        const at = day + hour * 60 * MINUTE + minute * MINUTE;
        if (at < local) continue;
        return at - offsetOf(at - offsetOf(at));
      }
    }
  }
  return undefined;
}

/** When both days of the month and of the week are given, either will do. */
function isDay({ days, months, weekdays }: Fields, { month, day, weekday }: ReturnType<typeof calendarOf>): boolean {
  if (!months.values.has(month)) return false;
  const [ofMonth, ofWeek] = [days.values.has(day), weekdays.values.has(weekday)];
  return days.star || weekdays.star ? ofMonth && ofWeek : ofMonth || ofWeek;
}

function everyOf(text: string, duration: string): Parsed {
  const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000 };
  const parts = [...duration.matchAll(/(\d{1,20}(?:\.\d{1,20})?)([hms])/g)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== duration)
    return { ok: false, error: `failed to parse duration ${text}: time: invalid duration "${duration}"` };
  const milliseconds = Math.max(
    1000,
    parts.reduce((sum, [, amount, unit]) => sum + (parseDecimal(amount) ?? 0) * (units[unit ?? 's'] ?? 1000), 0),
  );
  return { ok: true, schedule: { next: (after) => Math.floor(after / 1000) * 1000 + milliseconds } };
}
