import { onceEach } from '../../base/once.ts';
import type { Instant } from '../../base/instant.ts';
import { dig } from '../../base/json.ts';
import type { ListRead } from '../../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, inNamespace, objectKey, OBSERVED, refOf, shows } from '../../model/kube-object.ts';
import type { SeenEvent } from './events.ts';
import { isListed, readEvent } from './events.ts';
import { isReady } from '../objects/pods.ts';
import type { Scene } from '../survey/scene.ts';

/**
 * The events about pods, old ones too: whoever asks knows which of them still count. Where pods could not be listed, events
 * may also be all that is seen of a pod.
 */
export class PodEvents {
  readonly #byPod: ReadonlyMap<string, readonly SeenEvent[]>;
  /** Pods that only events tell of, as objects that show nothing. */
  readonly unseen: readonly KubeObject[];
  /** Pods of whose containers only events tell: unseen ones, and those of which no source shows the containers and that are not ready. */
  readonly blind: readonly KubeObject[];
  /** Pods that are ready and of which no source shows the containers: events may tell that these keep being restarted. */
  readonly bareReady: readonly KubeObject[];
  readonly #unread: readonly string[] | 'all';

  /** `unread`: keys of the pods whose events were not read whole. */
  constructor(
    byPod: ReadonlyMap<string, readonly SeenEvent[]>,
    seen: { readonly unseen: readonly KubeObject[]; readonly bare: readonly KubeObject[] },
    unread: readonly string[] | 'all',
  ) {
    this.#byPod = byPod;
    this.unseen = seen.unseen;
    this.blind = [...seen.unseen, ...seen.bare.filter((pod) => isReady(pod) !== true)];
    this.bareReady = seen.bare.filter((pod) => isReady(pod) === true);
    this.#unread = unread;
  }

  /** Whether all events about the pod were read that there are: only then does it mean something that one is not among them. */
  isWhole(pod: KubeObject): boolean {
    return this.#unread !== 'all' && !this.#unread.includes(objectKey(pod));
  }

  /** Events about a pod of just this uid, oldest first. */
  of(pod: KubeObject): readonly SeenEvent[] {
    const { uid } = pod.metadata;
    return (this.#byPod.get(objectKey(pod)) ?? []).filter(
      ({ involved }) => uid === undefined || involved.uid === undefined || involved.uid === uid,
    );
  }

  /** All pods that have events, whether they exist or not. */
  all(): readonly SeenEvent[] {
    return [...this.#byPod.values()].flat();
  }
}

/** Reads what `collectEvents` reads as well: no more requests. */
export const podEvents = onceEach(readAll);

async function readAll(scene: Scene): Promise<PodEvents> {
  const byPod = new Map<string, SeenEvent[]>();
  const { objects, unread } = await eventObjects(scene);
  for (const object of objects) {
    const event = readEvent(object);
    if (event.involved.kind !== 'Pod') continue;
    const key = formatRef(event.involved);
    const list = byPod.get(key);
    if (list === undefined) byPod.set(key, [event]);
    else list.push(event);
  }
  for (const list of byPod.values()) list.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  return new PodEvents(byPod, { unseen: await unseenPods(scene, byPod), bare: scene.judged.filter(isBare) }, unread);
}

/** A pod that has not ended, and of which no source shows the containers. */
function isBare(pod: KubeObject): boolean {
  if (
    shows(pod, 'spec.containers.name') ||
    dig(pod, 'spec', 'containers') !== undefined ||
    dig(pod, 'metadata', 'deletionTimestamp') !== undefined
  )
    return false;
  const phase = dig(pod, 'status', 'phase');
  return phase !== 'Succeeded' && phase !== 'Failed';
}

interface EventObjects {
  readonly objects: readonly KubeObject[];
  readonly unread: readonly string[] | 'all';
}

async function eventObjects(scene: Scene): Promise<EventObjects> {
  const { target, namespace } = scene.request;
  // What a source has counts as all there was, unless the reading went wrong.
  const isUnread = (list: ListRead): boolean => (list.ok ? list.brokeOff === true : !scene.survey.stored);
  if (target === undefined) {
    const list = await scene.survey.list('Event', inNamespace(namespace));
    return { objects: list.ok ? list.value : [], unread: isUnread(list) ? 'all' : [] };
  }
  const lists = await Promise.all(scene.judged.map(async (pod) => ({ pod, list: await scene.survey.eventsAbout(refOf(pod)) })));
  return {
    objects: lists.flatMap(({ list }) => (list.ok ? list.value : [])),
    unread: lists.flatMap(({ pod, list }) => (isUnread(list) ? objectKey(pod) : [])),
  };
}

/** An event about a pod that is not there is about one that is gone, unless the pods of its namespace could not be listed. */
async function unseenPods(scene: Scene, byPod: ReadonlyMap<string, readonly SeenEvent[]>): Promise<readonly KubeObject[]> {
  // Most pods are out by their names: to make the keys of all takes long.
  const names = new Set([...byPod.values()].map(([event]) => event?.involved.name));
  const seen = new Set(scene.pods.filter(({ metadata }) => names.has(metadata.name)).map(objectKey));
  const now = scene.survey.now();
  const unseen: KubeObject[] = [];
  for (const [key, events] of byPod) {
    const involved = events.at(-1)?.involved;
    if (involved === undefined || seen.has(key) || scene.superseded.has(key) || !events.some(({ at }) => isRecent(at, now))) continue;
    if (!(await isListed(involved, scene))) unseen.push(stubOf(involved));
  }
  return unseen;
}

/** The time that counts for a pod of which only events tell: that of the last of them, where all of a source may be old. */
export function latestOf(events: readonly SeenEvent[], now: Instant): Instant {
  let latest: Instant | undefined;
  for (const { at } of events) if (at !== undefined && (latest === undefined || at > latest)) latest = at;
  return latest ?? now;
}

const RECENT_SECONDS = 900;

/** Whether an event is young enough to tell of the present when nothing else does; one without a time is taken as it is. */
export function isRecent(at: Instant | undefined, now: Instant): boolean {
  return at === undefined || now - at <= RECENT_SECONDS * 1000;
}

function stubOf({ kind, namespace, name, uid }: ObjectRef): KubeObject {
  return {
    apiVersion: 'v1',
    kind,
    metadata: { name, ...inNamespace(namespace), ...(uid === undefined ? {} : { uid }) },
    [OBSERVED]: ['metadata.name', 'metadata.namespace'],
  };
}
