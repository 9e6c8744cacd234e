import { parseDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/instant.ts';
import { parseDate, parseInstant } from '../../base/instant.ts';
import { parseInteger } from '../../base/number.ts';
import { withoutUndefined } from '../../base/without-undefined.ts';
import type { Segment } from './segments.ts';

/** When each segment was printed, as far as can be told, and when the transcript ended. */
export interface Times {
  readonly of: (segment: Segment) => Instant;
  readonly now: Instant;
  /** Minutes east of UTC in which kubectl printed its times, if it printed any. */
  readonly zoneMinutes?: number;
}

/** A session of commands lasts at most so long where its own times are followed from command to command. */
const SESSION_MILLISECONDS = 15 * 60_000;
/** A log's own clock may be wrong: beyond this it does not decide what time it is. */
const LOG_LEAD_MILLISECONDS = 60 * 60_000;

/**
 * Ages in a transcript are relative to when a command ran, which is rarely written down. Every absolute time is a lower bound for
 * it, and so is the beginning of an object plus the age of an event about it; the newest of these is taken. `now` decides all when given;
 * `fallback` when nothing else does.
 */
export function segmentTimes(segments: readonly Segment[], now: Instant | undefined, fallback: Instant): Times {
  let zoneMinutes: number | undefined;
  const bounds = segments.map((segment) => {
    const found = boundOf(segment);
    zoneMinutes ??= found.zoneMinutes;
    return found;
  });
  const known = newest(bounds.map(({ seen }) => seen));
  const logged = newest(
    bounds.map(({ logged: at }) => (at !== undefined && (known === undefined || at <= known + LOG_LEAD_MILLISECONDS) ? at : undefined)),
  );
  const end = now ?? newest([known, logged, ...segments.map(({ at }) => at)]) ?? fallback;
  const times = new Map<Segment, Instant>();
  let running: Instant | undefined;
  for (const [index, segment] of segments.entries()) {
    running = newest([running, segment.at, bounds[index]?.seen]);
    const recent = running !== undefined && running <= end && end - running <= SESSION_MILLISECONDS ? running : end;
    times.set(segment, now ?? segment.at ?? recent);
  }
  return withoutUndefined({ of: (segment: Segment) => times.get(segment) ?? end, now: end, zoneMinutes });
}

interface Bound {
  readonly seen?: Instant;
  readonly logged?: Instant;
  readonly zoneMinutes?: number;
}

const RFC1123 =
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d\d:\d\d:\d\d) ([+-])(\d\d)(\d\d)\b/;
const ISO = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/;
/** Times that lie ahead, or are no times of the cluster. */
const NOT_SEEN = /deletionTimestamp|notAfter|not-after|expir|renewal|valid|build|release|nextSchedule/i;
const BEGAN = /^\s*(?:Start Time|CreationTimestamp): /;
/** Begins the next describe where it is not indented further than the one before: volumes have names too. */
const NAME = /^(\s*)Name: /;
/** Rows of events: how long ago the first one was. `Scheduled` is the only one of a pod that cannot be from before its start. */
const EVENT_ROW = /^ {1,8}(?:Normal|Warning) +(\w{1,60}) +(\w{2,12})(?: \(x\d{1,9} over (\w{2,12})\))? /;

function boundOf(segment: Segment): Bound {
  const { command } = segment;
  if (command?.tool === 'cat' || command?.tool === 'systemctl' || command?.tool === 'journalctl') return {};
  return command?.verb === 'logs' || command?.verb === 'log' ? logBound(segment) : outputBound(segment);
}

/** The newest time in the output of any other command. */
function outputBound({ output }: Segment): Bound {
  let [seen, zoneMinutes]: (number | undefined)[] = [];
  let started: Started | undefined;
  for (const { text } of output) {
    // Every time has a colon; the row of a `Scheduled` event need not.
    if (text.length > 4096 || (!text.includes(':') && started === undefined) || NOT_SEEN.test(text)) continue;
    const at = rfc1123(text);
    if (at !== undefined) {
      zoneMinutes ??= at.zoneMinutes;
      seen = newest([seen, at.instant]);
      if (BEGAN.test(text))
        started = { instant: at.instant, isPod: text.includes('Start Time'), indent: text.length - text.trimStart().length };
      continue;
    }
    seen = newest([seen, parseInstant(ISO.exec(text)?.[0])]);
    if (started === undefined) continue;
    if (isNextObject(text, started)) started = undefined;
    else seen = newest([seen, eventTime(text, started)]);
  }
  return withoutUndefined({ seen, zoneMinutes });
}

/** When the object that is being described began. */
interface Started {
  readonly instant: Instant;
  readonly isPod: boolean;
  readonly indent: number;
}

function isNextObject(text: string, { indent }: Started): boolean {
  const name = NAME.exec(text);
  return name !== null && (name[1]?.length ?? 0) <= indent;
}

/** The time of the describe, by the age of an event that cannot be older than its object. */
function eventTime(text: string, { instant, isPod }: Started): Instant | undefined {
  const row = EVENT_ROW.exec(text);
  if (row === null || (isPod && row[1] !== 'Scheduled')) return undefined;
  const age = parseDuration(row[3] ?? row[2] ?? '');
  return age === undefined ? undefined : instant + age * 1000;
}

/** A time that stands at the beginning of a log's last lines. */
function logBound({ output }: Segment): Bound {
  for (const { text } of output.slice(-3).toReversed()) {
    const iso = ISO.exec(text.slice(0, 120))?.[0];
    const logged = parseInstant(iso);
    if (logged !== undefined) return { logged };
  }
  return {};
}

/** A time as kubectl's describe prints it (RFC 1123 with a numeric zone). */
export function rfc1123(text: string): { readonly instant: Instant; readonly zoneMinutes: number } | undefined {
  const parts = RFC1123.exec(text);
  if (parts === null) return undefined;
  const [, day, month, year, time, sign, hours, minutes] = parts;
  const zoneMinutes = (sign === '-' ? -1 : 1) * ((parseInteger(hours) ?? 0) * 60 + (parseInteger(minutes) ?? 0));
  const local = parseDate(`${day} ${month} ${year} ${time} UTC`);
  return local === undefined ? undefined : { instant: local - zoneMinutes * 60_000, zoneMinutes };
}

function newest(instants: readonly (Instant | undefined)[]): Instant | undefined {
  let best: Instant | undefined;
  for (const instant of instants)
    if (instant !== undefined && !Number.isNaN(instant) && (best === undefined || instant > best)) best = instant;
  return best;
}
