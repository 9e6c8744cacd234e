import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import type { Json } from '../../base/json.ts';
import { asList, asObject, dig, isJsonObject } from '../../base/json.ts';
import { onceFor } from '../../base/once.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { resourceOfKind } from '../../model/resources.ts';

/**
 * The newest time at which something is said to have happened: creations, what managers wrote when, states, events, annotations,
 * renewals of leases. Times that are set for the future (ends of certificates, deadlines, next runs) do not count.
 */
export function newestTime(objects: readonly KubeObject[]): Instant | undefined {
  const [newest, fields] = [new Newest(), new TimeFields()];
  const take = (value: Json | undefined): void => newest.take(value);
  for (const object of objects) {
    newest.take(object.metadata['creationTimestamp']);
    eachLaterTime(object, fields, take);
  }
  return newest.at;
}

/** Times as the API server writes them stand in the order of their texts: of a million of them only the newest so far are parsed. */
class Newest {
  at: Instant | undefined;
  #text = '';

  take(value: Json | undefined): void {
    if (typeof value !== 'string') return;
    const isUsual = value.length === USUAL.length && value.charAt(10) === 'T' && value.endsWith('Z');
    if (isUsual && value <= this.#text) return;
    const at = parseInstant(value);
    if (at === undefined) return;
    if (isUsual) this.#text = value;
    if (this.at === undefined || at > this.at) this.at = at;
  }
}

const USUAL = '2026-11-20T09:00:00Z';

/** Whether anything but creations is dated: what was made long ago says nothing of when it was read. */
export function tellsItsTime(objects: readonly KubeObject[]): boolean {
  const fields = new TimeFields();
  return objects.some((object) => {
    let isDated = false;
    eachLaterTime(object, fields, (value) => (isDated ||= parseInstant(value) !== undefined));
    return isDated;
  });
}

type Take = (value: Json | undefined) => unknown;

/** What may be the time of something that happened to the object after its creation. */
function eachLaterTime(object: KubeObject, fields: TimeFields, take: Take): void {
  const { metadata } = object;
  for (const entry of asList(metadata['managedFields'])) take(dig(entry, 'time'));
  const annotations = asObject(metadata['annotations']);
  for (const key in annotations) if (fields.mayBePast(key)) take(annotations[key]);
  if (object.kind === 'Event') {
    for (const field of EVENT_TIMES) take(object[field]);
    take(dig(object, 'series', 'lastObservedTime'));
  } else if (object.kind === 'Lease') take(dig(object, 'spec', 'renewTime'));
  else if (resourceOfKind(object.kind) !== undefined && object.kind !== 'Certificate') eachStatusTime(object['status'], fields, take);
  else for (const condition of asList(dig(object, 'status', 'conditions'))) take(dig(condition, 'lastTransitionTime'));
}

const EVENT_TIMES = ['firstTimestamp', 'lastTimestamp', 'eventTime', 'deprecatedFirstTimestamp', 'deprecatedLastTimestamp'] as const;
const PLANNED = /not-?after|expir|renew|until|valid|next|schedule|deadline|certificate/i;
const MAX_STATUS_DEPTH = 8;
/** RFC 3339 has a dash behind the year; no other text is a time. */
const [YEAR_END, DASH] = [4, 45];

function eachStatusTime(value: Json | undefined, fields: TimeFields, take: Take, depth = 0): void {
  if (depth > MAX_STATUS_DEPTH) return;
  if (Array.isArray(value)) for (const member of value as readonly Json[]) eachStatusTime(member, fields, take, depth + 1);
  else if (isJsonObject(value)) {
    for (const field in value) {
      const member = value[field];
      if (typeof member === 'object') eachStatusTime(member, fields, take, depth + 1);
      // A look at the text is cheaper than one at the field's name, of which a large cluster has millions.
      else if (typeof member === 'string' && member.charCodeAt(YEAR_END) === DASH && fields.isPast(field)) take(member);
    }
  }
}

/** Which names stand for a time that is past: a large cluster has millions of fields of a few hundred names. */
class TimeFields {
  readonly mayBePast = onceFor((name: string) => !PLANNED.test(name));
  readonly isPast = onceFor((name: string) => TIME_FIELD.test(name) && !PLANNED.test(name.replace('lastSchedule', '')));
}

const TIME_FIELD = /(?:Time|Timestamp|At)$/;
