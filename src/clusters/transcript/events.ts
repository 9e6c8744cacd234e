import { parseDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { OBSERVED } from '../../model/kube-object.ts';
import { IMPLIED_EVENT } from '../../model/record-kinds.ts';
import { resourceNamed, resourceOfKind } from '../../model/resources.ts';
import type { Line } from './clean-lines.ts';
import { given, integer } from './draft.ts';
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
  const { about, at } = printed;
  const [, last, times, over] = AGE.exec(printed.age.trim()) ?? [];
  const lastSeconds = parseDuration(last ?? '');
  const firstSeconds = parseDuration(over ?? printed.firstAge ?? '') ?? lastSeconds;
  const prefix = FIELD_PATH.exec(printed.message);
  const fieldPath = printed.fieldPath ?? prefix?.[1];
  const message = prefix === null ? printed.message : printed.message.slice(prefix[0].length);
  const [component = '', host] = printed.source.split(/,\s*/);
  const namespace = about.namespace ?? 'default';
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: printed.name ?? `${about.name}.${line.toString(16)}`,
      namespace,
      ...(printed.alone === undefined ? {} : { annotations: { [IMPLIED_EVENT]: 'message' } }),
    },
    involvedObject: {
      kind: about.kind,
      name: about.name,
      ...(about.namespace === undefined ? {} : { namespace: about.namespace }),
      ...(about.uid === undefined ? {} : { uid: about.uid }),
      ...(fieldPath === undefined ? {} : { fieldPath }),
    },
    type: printed.type,
    reason: printed.reason,
    message,
    ...(lastSeconds === undefined ? {} : { lastTimestamp: formatInstant(at - lastSeconds * 1000) }),
    ...(firstSeconds === undefined ? {} : { firstTimestamp: formatInstant(at - firstSeconds * 1000) }),
    count: integer(times) ?? printed.count ?? 1,
    ...(component === '' ? {} : { source: { component, ...(host === undefined ? {} : { host }) }, reportingComponent: component }),
    [OBSERVED]: component === '' ? SHOWN : SHOWN_WITH_SOURCE,
  };
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
export function tableEvents({ rows }: Table, namespace: string | undefined, at: Instant): ReadRows {
  const read: KubeObject[] = [];
  const unread: number[] = [];
  for (const row of rows) {
    const event = rowEvent(row, namespace, at);
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

function rowEvent({ cells, line }: Row, namespace: string | undefined, at: Instant): KubeObject | undefined {
  const about = aboutOf(
    cells.get('OBJECT') ?? `${cells.get('KIND') ?? ''}/${withoutStamp(cells.get('NAME') ?? '')}`,
    given(cells.get('NAMESPACE')) ?? namespace,
  );
  const [reason, age] = [cells.get('REASON'), cells.get('LAST SEEN') ?? cells.get('LASTSEEN')];
  const isMisplaced = cells.has('TYPE') && !/^(?:Normal|Warning)?$/.test(cells.get('TYPE') ?? '');
  if (about === undefined || reason === undefined || age === undefined || isMisplaced || /\s/.test(about.name) || /[\s:]/.test(reason))
    return undefined;
  const [fieldPath, count] = [given(cells.get('SUBOBJECT')), integer(cells.get('COUNT'))];
  const [first, name] = [given(cells.get('FIRST SEEN')), cells.has('OBJECT') ? given(cells.get('NAME')) : undefined];
  return eventObject(
    {
      about,
      at,
      reason,
      age,
      type: cells.get('TYPE') ?? '',
      message: cells.get('MESSAGE') ?? '',
      source: given(cells.get('SOURCE')) ?? '',
      ...(fieldPath === undefined ? {} : { fieldPath }),
      ...(count === undefined ? {} : { count }),
      ...(first === undefined ? {} : { firstAge: first }),
      ...(name === undefined ? {} : { name }),
    },
    line,
  );
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
  return about === undefined ? undefined : eventObject({ about, at, type, reason, message, age, source: '' }, number);
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
