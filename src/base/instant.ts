/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/**
 * Reads what Kubernetes writes (RFC 3339, with or without fractions); undefined for anything else. A time without a zone is taken as UTC,
 * because the zone of the machine that reads it says nothing.
 */
export function parseInstant(text: unknown): Instant | undefined {
  if (typeof text !== 'string' || text.length > LONGEST) return undefined;
  const zone = RFC_3339.exec(text);
  return zone === null ? undefined : within(Date.parse(zone[1] === undefined ? `${text}Z` : text));
}

/**
 * Reads a time as certificates, HTTP headers and terminals write it: `Nov 20 09:00:00 2026 GMT`. It must name its zone. Undefined for
 * anything else.
 */
export function parseDate(text: string | undefined): Instant | undefined {
  return text === undefined || text.length > LONGEST || !NAMED_ZONE.test(text) || NO_YEAR.test(text) ? undefined : within(Date.parse(text));
}

/** Whether RFC 3339 can write it. Arithmetic with foreign numbers may give a number that is not. */
export function isInstant(instant: number): instant is Instant {
  return instant >= FIRST && instant <= LAST;
}

/** A day and a time of day in UTC. */
export interface CalendarTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  /** From 1. */
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
}

/** The point in time; undefined for a day or a time of day that does not exist. A leap second is the second after it. */
export function instantOf({ year, month, day, hour = 0, minute = 0, second = 0 }: CalendarTime): Instant | undefined {
  if (![year, month, day, hour, minute, second].every((part) => Number.isInteger(part) && part >= 0)) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 60) return undefined;
  return within(date.setUTCHours(hour, minute, second));
}

/** The calendar in UTC; `weekday` 0 is Sunday. An instant beyond every calendar is taken as 1970. */
export function calendarOf(instant: Instant): Required<CalendarTime> & { readonly weekday: number } {
  const date = new Date(within(instant) ?? 0);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
  };
}

/**
 * RFC 3339 in UTC, to the second, as Kubernetes' metav1.Time writes it; kubectl's `<invalid>` for an instant beyond the years 0 to 9999.
 */
export function formatInstant(instant: Instant): string {
  const text = formatMilliseconds(instant);
  return text === INVALID ? text : `${text.slice(0, -MILLISECONDS_LENGTH)}Z`;
}

/** RFC 3339 in UTC, to the millisecond; kubectl's `<invalid>` for an instant beyond the years 0 to 9999. */
export function formatMilliseconds(instant: Instant): string {
  return within(instant) === undefined ? INVALID : new Date(instant).toISOString();
}

/** As HTTP's Date header has it: `Fri, 20 Nov 2026 09:00:00 GMT`; of an instant beyond the years 0 to 9999 the first of 1970. */
export function formatHttpDate(instant: Instant): string {
  return new Date(within(instant) ?? 0).toUTCString();
}

/** No text that says a time is longer. */
const LONGEST = 64;
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,12})?)?(?: ?([Zz]|[+-]\d\d:?\d\d)(?: UTC)?)?$/;
const NAMED_ZONE = /(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/;
/** Go's zero time, which is no time; `Date.parse` takes its year for 2001. */
const NO_YEAR = /\b0001\b/;
const INVALID = '<invalid>';
/** `.123Z`, which ISO text always ends with. */
const MILLISECONDS_LENGTH = 5;

/** The first and the last millisecond that RFC 3339 can write: of the years 0 and 9999. */
const [FIRST, LAST] = [-62_167_219_200_000, 253_402_300_799_999];

function within(instant: number): Instant | undefined {
  return isInstant(instant) ? instant : undefined;
}

/** Whether no more than these milliseconds have passed since then. A clock that was set back cannot say: then they have. */
export function isRecent(at: Instant, now: Instant, milliseconds: number): boolean {
  return now >= at && now - at < milliseconds;
}
