import type { Instant } from '../base/instant.ts';
import { formatInstant, isInstant, parseInstant } from '../base/instant.ts';
import type { Json, JsonObject } from '../base/json.ts';

/**
 * The time of the cluster and that of the wall clock part as soon as time is paused or moved on, and clients reckon ages by the
 * wall clock: an event of a moment ago would be `<invalid>`. So every timestamp goes over the wire as far from the wall clock's now
 * as it is from the cluster's, and comes back the same way. Only fields that Kubernetes keeps times in are touched.
 */
export class TimeShift {
  readonly #virtual: () => Instant;
  readonly #wall: () => Instant;
  readonly #steady: boolean;
  #seconds = 0;
  readonly #written = new Map<string, string>();

  /** With `steady`, the distance of the beginning stays: no timestamp ever changes, and those of a fast cluster run ahead of the wall clock. */
  constructor(virtual: () => Instant, wall: () => Instant, steady = false) {
    this.#virtual = virtual;
    this.#wall = wall;
    this.#steady = steady;
    this.#seconds = Math.round(this.#behind());
  }

  /** How many seconds the cluster is behind the wall clock; the same as long as both pass alike, so that nothing seems to change. */
  get seconds(): number {
    if (this.#steady) return this.#seconds;
    const behind = this.#behind();
    if (Math.abs(behind - this.#seconds) > TOLERANCE_SECONDS) {
      this.#seconds = Math.round(behind);
      this.#written.clear();
    }
    return this.#seconds;
  }

  /** JSON of the cluster with the times of the wall clock. */
  toWall(text: string): string {
    const { seconds } = this;
    return text.replace(
      TIMES,
      (_whole, field: string, time: string, fraction: string) => `"${field}":"${this.#moved(time, seconds)}${fraction}Z"`,
    );
  }

  /** The Status of a refusal with the times of the wall clock, which is told in words. */
  refusedToWall(text: string): string {
    const { seconds } = this;
    if (seconds === 0 || text.length > LONGEST_FAILURE) return text;
    const moved = (_whole: string, before: string, time: string): string => `${before}${this.#moved(time, seconds)}`;
    return text.replace(REFUSED, moved).replace(IN_CAUSE, moved);
  }

  /** An instant of the cluster by the wall clock. */
  instantToWall(instant: Instant): Instant {
    return instant + this.seconds * 1000;
  }

  instantToVirtual(instant: Instant): Instant {
    return instant - this.seconds * 1000;
  }

  /** What a client sent, with the times of the cluster. */
  toVirtual(body: Json): Json {
    const { seconds } = this;
    return seconds === 0 ? body : movedBack(body, seconds);
  }

  #behind(): number {
    return (this.#wall() - this.#virtual()) / 1000;
  }

  /** Times come again and again: each is reckoned once. */
  #moved(time: string, seconds: number): string {
    const known = this.#written.get(time);
    if (known !== undefined) return known;
    if (this.#written.size > MAX_WRITTEN) this.#written.clear();
    const moved = moveText(time, seconds);
    this.#written.set(time, moved);
    return moved;
  }
}

const TOLERANCE_SECONDS = 2;
const MAX_WRITTEN = 20_000;

/** Every field of a built-in object that holds a time. Source: staging/src/k8s.io/api, fields of type metav1.Time and metav1.MicroTime. */
const FIELDS = [
  'acquireTime',
  'allocationTimestamp',
  'completionTime',
  'creationTimestamp',
  'deletionTimestamp',
  'eventTime',
  'expirationTimestamp',
  'finishedAt',
  'firstTimestamp',
  'lastHeartbeatTime',
  'lastPhaseTransitionTime',
  'lastObservedTime',
  'lastProbeTime',
  'lastScaleTime',
  'lastScheduleTime',
  'lastSuccessfulTime',
  'lastTimestamp',
  'lastTransitionTime',
  'lastUpdateTime',
  'renewTime',
  'startedAt',
  'startTime',
  'time',
  'timeAdded',
  'timestamp',
];
const LONGEST_FAILURE = 10_000;
/** In words about a time that was sent, and in a value as Go or JSON has it, which is text here. */
const REFUSED = new RegExp(
  String.raw`((?:parsing time |\b(?:${FIELDS.join('|')})(?:\\+")?: ?(?:Invalid value: )?)(?:\\+")?)(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)`,
  'g',
);
/** The same in a cause, which names its field after its message. */
const IN_CAUSE = new RegExp(
  String.raw`(Invalid value: \\")(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?=[.\d]*Z\\"[^"]*","field":"[^"]*\b(?:${FIELDS.join('|')})")`,
  'g',
);
/** An escaped quote inside a string is no quote here, so text of users cannot be taken for a field. */
const TIMES = new RegExp(`"(${FIELDS.join('|')})":"(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)((?:\\.\\d{1,9})?)Z"`, 'g');
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)((?:\.\d{1,9})?)Z$/;
/** Of another zone. */
const ELSEWHERE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?[+-]\d\d:\d\d$/;
const HELD: ReadonlySet<string> = new Set(FIELDS);

/** No clock was ever there: it is a time that somebody made up, or none. */
const FIRST_YEAR = '0100';

function moveText(time: string, seconds: number): string {
  if (time < FIRST_YEAR) return time;
  const instant = parseInstant(`${time}Z`);
  const moved = instant === undefined ? Number.NaN : instant + seconds * 1000;
  return isInstant(moved) ? formatInstant(moved).slice(0, 19) : time;
}

function movedTime(text: string, seconds: number): string {
  const time = TIME.exec(text);
  if (time !== null) return `${moveText(time[1] ?? '', -seconds)}${time[2] ?? ''}Z`;
  const elsewhere = ELSEWHERE.exec(text);
  const instant = elsewhere === null ? undefined : parseInstant(text);
  return instant === undefined ? text : `${moveText(formatInstant(instant).slice(0, 19), -seconds)}${elsewhere?.[1] ?? ''}Z`;
}

function movedBack(value: Json | undefined, seconds: number): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => movedBack(item, seconds));
  if (typeof value !== 'object' || value === null) return value ?? null;
  const moved: Record<string, Json> = {};
  const { op, path } = value as JsonObject;
  // A step of a JSON patch.
  const target = typeof op === 'string' && typeof path === 'string' ? path.slice(path.lastIndexOf('/') + 1) : '';
  for (const [field, inner] of Object.entries(value as JsonObject)) {
    moved[field] =
      typeof inner === 'string' && HELD.has(field === 'value' ? target : field) ? movedTime(inner, seconds) : movedBack(inner, seconds);
  }
  return moved;
}
