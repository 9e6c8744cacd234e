import { WORKLOAD_KINDS } from '../../model/workload-kinds.ts';
import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import type { Json } from '../../base/json.ts';
import { asNumber, asText, dig } from '../../base/json.ts';
import { eventTime, involvedIn } from '../../model/event-fields.ts';
import { unseenIn } from '../../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, inNamespace, objectKey, refOf } from '../../model/kube-object.ts';
import { ANYTHING } from '../../model/fact.ts';
import { IMPLIED_EVENT } from '../../model/record-kinds.ts';
import { volumeNamed } from '../volumes/volume-named.ts';
import type { FactSink, Proof } from '../survey/fact-sink.ts';
import { isReady, lastTransition } from '../objects/pods.ts';
import type { Scene } from '../survey/scene.ts';
import { countsOf } from '../objects/workloads.ts';

const COMBINED = '(combined from similar events): ';

/** An `event` fact for every event that says something about the present state of an object in the scene. */
export async function collectEvents(scene: Scene, sink: FactSink): Promise<void> {
  const subjects = [...scene.judged, ...scene.started, ...scene.workloads, ...scene.others];
  if (scene.request.target === undefined) await eventsOfScope(scene, sink, subjects);
  else for (const subject of subjects) await eventFactsOf(subject, scene, sink);
}

/** Events about one object, for collectors that read objects of their own. */
export async function eventFactsOf(subject: KubeObject, scene: Scene, sink: FactSink): Promise<void> {
  const list = await scene.survey.eventsAbout(refOf(subject));
  const unseen = unseenIn(list);
  if (unseen !== undefined) sink.gap('event', refOf(subject), unseen);
  for (const event of list.ok ? list.value : []) await eventFact(event, subject, scene, sink);
}

async function eventsOfScope(scene: Scene, sink: FactSink, subjects: readonly KubeObject[]): Promise<void> {
  const { namespace } = scene.request;
  const list = await scene.survey.list('Event', inNamespace(namespace));
  const anything = { kind: 'Event', ...inNamespace(namespace), name: ANYTHING };
  const unseen = unseenIn(list);
  if (unseen !== undefined) sink.gap('event', anything, unseen);
  if (!list.ok) return;
  const byName = new Map(subjects.map((subject) => [objectKey(subject), subject] as const));
  for (const event of list.value) {
    const involved = involvedOf(event);
    const subject = byName.get(formatRef(involved));
    if (subject !== undefined) await eventFact(event, subject, scene, sink);
    else if (scene.superseded.has(formatRef(involved))) continue;
    else if (!SCENE_KINDS.has(involved.kind) || !(await isListed(involved, scene))) await eventFact(event, undefined, scene, sink);
  }
}

/** Kinds that the scene lists whole, if it can: an event about one of these that is not there is about an object that is gone. */
const SCENE_KINDS: ReadonlySet<string> = new Set(['Pod', ...WORKLOAD_KINDS]);

/** Whether all objects of this kind in its namespace were seen, so that one which is not there does not exist (any more). */
export async function isListed({ kind, namespace }: ObjectRef, scene: Scene): Promise<boolean> {
  if (!scene.unlisted.has(kind)) return true;
  const list = await scene.survey.list(kind, inNamespace(namespace));
  return unseenIn(list) === undefined;
}

/** An Event of either API group, read. */
export interface SeenEvent {
  readonly involved: ObjectRef;
  readonly type: string;
  readonly reason: string;
  /** Without the prefix that says that it stands for several. */
  readonly message: string;
  /** Who says it. */
  readonly component: string | undefined;
  /** 1 where the source does not tell. */
  readonly count: number;
  /** The source tells how often it was seen. */
  readonly counted: boolean;
  readonly at: Instant | undefined;
  /** When it was first seen. */
  readonly since: Instant | undefined;
  /** The container its field path names. */
  readonly container: string | undefined;
  /** That container is an init container. */
  readonly isInit: boolean;
  /** Only its message was seen. */
  readonly implied: boolean;
}

export function readEvent(event: KubeObject): SeenEvent {
  const message = (asText(dig(event, 'message')) ?? asText(dig(event, 'note')) ?? '').trim();
  const fieldPath = asText(dig(involvedIn(event), 'fieldPath')) ?? '';
  const count = asNumber(dig(event, 'series', 'count')) ?? asNumber(dig(event, 'count'));
  return {
    involved: involvedOf(event),
    type: asText(dig(event, 'type')) ?? 'Normal',
    reason: asText(dig(event, 'reason')) ?? '',
    message: message.startsWith(COMBINED) ? message.slice(COMBINED.length) : message,
    component:
      asText(dig(event, 'source', 'component')) ?? asText(dig(event, 'reportingComponent')) ?? asText(dig(event, 'reportingController')),
    count: count ?? 1,
    counted: count !== undefined,
    at: eventTime(event),
    since: parseInstant(dig(event, 'firstTimestamp')) ?? parseInstant(dig(event, 'eventTime')),
    container: /\{([^{}]*)\}$/.exec(fieldPath)?.[1],
    isInit: fieldPath.startsWith('spec.initContainers'),
    implied: dig(event, 'metadata', 'annotations', IMPLIED_EVENT) !== undefined,
  };
}

/** What the source of a proof begins with that rests on words alone. */
export const TEXT_ALONE = 'text alone, about';

/** How an event is quoted, whichever fact it proves. */
export function eventProof({ type, reason, count, message, at, implied }: SeenEvent, about: ObjectRef): Proof {
  if (implied) return { source: `${TEXT_ALONE} ${formatRef(about)}`, quote: message, at, count };
  return { source: `event on ${formatRef(about)}`, quote: `${type} ${reason}: ${message}`, at, count };
}

/** An `event` fact for one event; without a subject it is about an object that the scene does not have. */
export async function eventFact(event: KubeObject, subject: KubeObject | undefined, scene: Scene, sink: FactSink): Promise<void> {
  const seen = readEvent(event);
  const { involved, type, reason, message, component, count, at, container } = seen;
  const { uid } = subject?.metadata ?? {};
  if (uid !== undefined && involved.uid !== undefined && uid !== involved.uid) return;
  if (isStale(event, subject, at, scene)) return;
  const about = subject === undefined ? involved : refOf(subject);
  sink.fact(
    'event',
    about,
    {
      type,
      reason,
      message,
      component,
      count,
      container,
      volume: subject?.kind === 'Pod' ? await volumeNamed(message, subject, scene) : undefined,
      ageSeconds: secondsSince(at, scene),
      firstAgeSeconds: secondsSince(seen.since, scene),
      alone: seen.implied || undefined,
    },
    eventProof(seen, about),
  );
}

function secondsSince(at: Instant | undefined, { survey }: Scene): number | undefined {
  return at === undefined ? undefined : Math.max(0, Math.round((survey.now() - at) / 1000));
}

function involvedOf(event: KubeObject): ObjectRef {
  const involved: Json | undefined = involvedIn(event);
  const [namespace, uid] = [asText(dig(involved, 'namespace')), asText(dig(involved, 'uid'))];
  return {
    kind: asText(dig(involved, 'kind')) ?? '',
    ...(namespace === undefined || namespace === '' ? {} : { namespace }),
    name: asText(dig(involved, 'name')) ?? '',
    ...(uid === undefined || uid === '' ? {} : { uid }),
  };
}

/** A warning from before the object was last well tells of a trouble that is over. */
function isStale(event: KubeObject, subject: KubeObject | undefined, at: Instant | undefined, scene: Scene): boolean {
  if (subject === undefined || dig(event, 'type') !== 'Warning') return false;
  if (subject.kind !== 'Pod') {
    const { desired, current, ready } = countsOf(subject, scene);
    return (
      desired !== undefined && (desired === 0 || (current !== undefined && ready !== undefined && current >= desired && ready >= desired))
    );
  }
  if (isReady(subject) !== true) return false;
  const wellSince = lastTransition(subject, 'Ready');
  return at === undefined || wellSince === undefined || at <= wellSince;
}
