import { parseDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/instant.ts';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { withoutUndefined } from '../../base/without-undefined.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { OBSERVED } from '../../model/kube-object.ts';
import { IMPLIED_EVENT } from '../../model/record-kinds.ts';
import { resourceNamed, resourceOfKind } from '../../model/resources.ts';
import type { Line } from './clean-lines.ts';
import { given, integer } from './draft.ts';
import { inOwnNamespace, namedIn } from './loose/named-objects.ts';
import type { Row, Table } from './tables.ts';

/** An event as a table prints it. */
export interface PrintedEvent {
  readonly about: ObjectRef;
  readonly at: Instant;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** `5m (x3 over 10m)`. */
  readonly age: string;
  /** `kubelet`, in older layouts `kubelet, worker-1`. */
  readonly source: string;
  readonly fieldPath?: string;
  readonly count?: number;
  /** The table does not tell how often: `kubectl get events` has no such column. */
  readonly uncounted?: true;
  readonly firstAge?: string;
  readonly name?: string;
  /** Only its message was seen: that there was such an event is what the message implies. */
  readonly alone?: true;
}

const AGE = /^(\S+)(?: ago)?(?: \(x(\d+) over (\S+)\))?$/;
/** kubectl 1.35 and newer put the field path in front of the message. */
const FIELD_PATH = /^(spec\.(?:containers|initContainers|ephemeralContainers)\{[^}\s]{1,253}\}): /;

/** The Event object a printed row stands for; the name is made up where the row has none. */
export function eventObject(printed: PrintedEvent, line: number): KubeObject {
  const { about } = printed;
  const prefix = FIELD_PATH.exec(printed.message);
  const [component = '', host] = printed.source.split(/,\s*/);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: withoutUndefined({
      name: printed.name ?? `${about.name}.${line.toString(16)}`,
      namespace: about.namespace ?? 'default',
      annotations: printed.alone === undefined ? undefined : { [IMPLIED_EVENT]: 'message' },
    }),
    involvedObject: withoutUndefined({
      kind: about.kind,
      name: about.name,
      namespace: about.namespace,
      uid: about.uid,
      fieldPath: printed.fieldPath ?? prefix?.[1],
    }),
    type: printed.type,
    reason: printed.reason,
    message: spaced(prefix === null ? printed.message : printed.message.slice(prefix[0].length)),
    ...seriesOf(printed),
    ...(component === '' ? {} : { source: withoutUndefined({ component, host }), reportingComponent: component }),
    [OBSERVED]: component === '' ? SHOWN : SHOWN_WITH_SOURCE,
  };
}

/** Kubernetes prints a space before this colon, which people leave out. Source: pkg/volume/util/types (GenerateError). */
function spaced(message: string): string {
  return message.replace(/( failed for volume "[^"\s]{1,253}"): (?=\S)/, '$1 : ');
}

/** When the event was first and last seen, and how often. */
function seriesOf({ at, age, firstAge, count, uncounted }: PrintedEvent): JsonObject {
  const [, last = '', times, over] = AGE.exec(age.trim()) ?? [];
  const before = (seconds: number | undefined): string | undefined =>
    seconds === undefined ? undefined : formatInstant(at - seconds * 1000);
  const lastSeconds = parseDuration(last);
  const stamp = parseInstant(last);
  return withoutUndefined({
    lastTimestamp: stamp === undefined ? before(lastSeconds) : formatInstant(stamp),
    firstTimestamp: before(parseDuration(over ?? firstAge ?? '') ?? lastSeconds),
    count: integer(times) ?? count ?? (uncounted === true ? undefined : 1),
  });
}

const SHOWN: readonly string[] = [
  'metadata.namespace',
  'involvedObject.kind',
  'involvedObject.name',
  'involvedObject.namespace',
  'type',
  'reason',
  'message',
  'lastTimestamp',
  'firstTimestamp',
  'count',
];
const SHOWN_WITH_SOURCE: readonly string[] = [...SHOWN, 'source', 'reportingComponent'];

/** Rows of `kubectl get events` and `kubectl events`, whatever columns they have. */
export function tableEvents({ rows, columns }: Table, namespace: string | undefined, at: Instant): ReadRows {
  const read: KubeObject[] = [];
  const unread: number[] = [];
  const counted = columns.includes('COUNT') || rows.some(({ cells }) => /\(x\d/.test(cells.get('LAST SEEN') ?? ''));
  for (const row of rows) {
    const event = rowEvent(row, namespace, at, counted);
    if (event === undefined) unread.push(row.line);
    else read.push(event);
  }
  return { read, unread };
}

/** Events of a table, and the lines whose cells do not stand under its titles. */
interface ReadRows {
  readonly read: readonly KubeObject[];
  readonly unread: readonly number[];
}

function rowEvent({ cells, line }: Row, namespace: string | undefined, at: Instant, counted: boolean): KubeObject | undefined {
  const about = aboutOfRow(cells, namespace);
  const [reason, type = ''] = [cells.get('REASON'), cells.get('TYPE')];
  const age = cells.get('LAST SEEN') ?? cells.get('LASTSEEN') ?? (cells.has('MESSAGE') ? '' : undefined);
  if (about === undefined || reason === undefined || age === undefined) return undefined;
  const isMisplaced = !/^(?:Normal|Warning)?$/.test(type) || /\s/.test(about.name) || /[\s:]/.test(reason);
  if (isMisplaced) return undefined;
  const printed: PrintedEvent = withoutUndefined({
    about,
    at,
    reason,
    age,
    type,
    message: cells.get('MESSAGE') ?? '',
    source: given(cells.get('SOURCE')) ?? '',
    fieldPath: given(cells.get('SUBOBJECT')),
    count: integer(cells.get('COUNT')),
    uncounted: counted ? undefined : true,
    firstAge: given(cells.get('FIRST SEEN')),
    name: cells.has('OBJECT') ? given(cells.get('NAME')) : undefined,
  });
  return eventObject(printed, line);
}

/** Tables before 1.13 have the object's kind and, in the event's name, the object's; those of 1.13 have only its kind. */
function aboutOfRow(cells: Row['cells'], namespace: string | undefined): ObjectRef | undefined {
  const [kind = '', named] = [cells.get('KIND'), namedIn(cells.get('MESSAGE') ?? '')];
  const name = withoutStamp(cells.get('NAME') ?? '') || (kind === 'Pod' && named.pod?.name) || `<${kind.toLowerCase()}>`;
  const about = aboutOf(cells.get('OBJECT') ?? `${kind}/${name}`, given(cells.get('NAMESPACE')) ?? namespace);
  return about === undefined ? undefined : inOwnNamespace(about, named);
}

/** Tables before 1.13 name the event, which is the object's name with a time behind it. */
export function withoutStamp(name: string): string {
  return name.replace(/\.[0-9a-f]{14,16}$/, '');
}

const HEADLESS =
  /^(?:([a-z0-9][\w.-]*)\s{2,})?((?:\d\S*|<unknown>|<invalid>)(?: ago)?(?: \(x\d+ over \S+\))?)\s{2,}(Normal|Warning)\s{2,}(\S+)\s{2,}([A-Za-z][\w.]*\/\S+)\s+(.*)/;

/** A row whose title line was cut off, by `tail` for instance. */
export function headlessEvent({ text, number }: Line, namespace: string | undefined, at: Instant): KubeObject | undefined {
  const parts = HEADLESS.exec(text);
  if (parts === null) return undefined;
  const [, ownNamespace, age = '', type = '', reason = '', object = '', message = ''] = parts;
  const about = aboutOf(object, ownNamespace ?? namespace);
  if (about === undefined) return undefined;
  const own = inOwnNamespace(about, namedIn(message));
  return eventObject({ about: own, at, type, reason, message, age, source: '', uncounted: true }, number);
}

/** `pod/web-1`, `Pod/web-1`, `deployment.apps/web`. */
function aboutOf(text: string, namespace: string | undefined): ObjectRef | undefined {
  const slash = text.indexOf('/');
  const [word, name] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash <= 0 || name === '') return undefined;
  const kind = resourceNamed(word)?.kind ?? `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const scoped = resourceOfKind(kind)?.namespaced === false ? undefined : namespace;
  return { kind, ...(scoped === undefined ? {} : { namespace: scoped }), name };
}
