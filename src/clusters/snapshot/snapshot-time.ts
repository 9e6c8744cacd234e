import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import type { Json } from '../../base/json.ts';
import { asList, asObject, dig, isJsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { resourceOfKind } from '../../model/resources.ts';

/**
 * The newest time at which something is said to have happened: creations, what managers wrote when, states, events, annotations,
 * renewals of leases. Times that are set for the future (ends of certificates, deadlines, next runs) do not count.
 */
export function newestTime(objects: readonly KubeObject[]): Instant | undefined {
  let newest: Instant | undefined;
  for (const object of objects) {
    for (const at of timesOf(object)) if (newest === undefined || at > newest) newest = at;
  }
  return newest;
}

/** Whether anything but creations is dated: what was made long ago says nothing of when it was read. */
export function tellsItsTime(objects: readonly KubeObject[]): boolean {
  return objects.some((object) => laterTimesOf(object).next().done !== true);
}

function* timesOf(object: KubeObject): Generator<Instant> {
  yield* time(object.metadata['creationTimestamp']);
  yield* laterTimesOf(object);
}

function* laterTimesOf(object: KubeObject): Generator<Instant> {
  const { metadata } = object;
  for (const entry of asList(metadata['managedFields'])) yield* time(dig(entry, 'time'));
  for (const [key, value] of Object.entries(asObject(metadata['annotations']))) if (!PLANNED.test(key)) yield* time(value);
  if (object.kind === 'Event') {
    for (const field of EVENT_TIMES) yield* time(object[field]);
    yield* time(dig(object, 'series', 'lastObservedTime'));
  } else if (object.kind === 'Lease') yield* time(dig(object, 'spec', 'renewTime'));
  else if (resourceOfKind(object.kind) !== undefined && object.kind !== 'Certificate') yield* statusTimes(object['status']);
  else for (const condition of asList(dig(object, 'status', 'conditions'))) yield* time(dig(condition, 'lastTransitionTime'));
}

const EVENT_TIMES = ['firstTimestamp', 'lastTimestamp', 'eventTime', 'deprecatedFirstTimestamp', 'deprecatedLastTimestamp'] as const;
const PLANNED = /not-?after|expir|renew|until|valid|next|schedule|deadline|certificate/i;
const MAX_STATUS_DEPTH = 8;

function* statusTimes(value: Json | undefined, depth = 0): Generator<Instant> {
  if (depth > MAX_STATUS_DEPTH) return;
  if (Array.isArray(value)) for (const member of value as readonly Json[]) yield* statusTimes(member, depth + 1);
  else if (isJsonObject(value)) {
    for (const [field, member] of Object.entries(value)) {
      if (typeof member === 'object') yield* statusTimes(member, depth + 1);
      else if (/(?:Time|Timestamp|At)$/.test(field) && !PLANNED.test(field.replace('lastSchedule', ''))) yield* time(member);
    }
  }
}

function* time(value: Json | undefined): Generator<Instant> {
  const at = parseInstant(value);
  if (at !== undefined) yield at;
}
