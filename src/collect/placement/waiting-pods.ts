import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf, shows } from '../../model/kube-object.ts';
import type { Scene } from '../scene.ts';

/** A pod without a node, with what its scheduler did about it as far as conditions and events tell. */
export interface WaitingPod {
  readonly pod: KubeObject;
  /** Undefined when neither its conditions nor its events were shown. */
  readonly tried: boolean | undefined;
  /** Why no node was found, in the scheduler's words. */
  readonly said: string | undefined;
  readonly saidAt: Instant | undefined;
  /** Where that was read. */
  readonly source: string;
  /** A pod of the same controller was preempted. */
  readonly displaced: boolean;
}

/** The pods of the scene that wait for a node; those that are being deleted or have ended do not wait. */
export async function waitingPods(scene: Scene): Promise<readonly WaitingPod[]> {
  const pods = scene.pods.filter(isWaiting);
  if (pods.length === 0) return [];
  const events = await podEvents(scene, pods);
  return pods.map((pod) => waitingPod(pod, events));
}

function isWaiting(pod: KubeObject): boolean {
  if (dig(pod, 'spec', 'nodeName') !== undefined || !shows(pod, 'spec.nodeName')) return false;
  const phase = dig(pod, 'status', 'phase');
  return (phase === undefined || phase === 'Pending') && dig(pod, 'metadata', 'deletionTimestamp') === undefined;
}

interface PodEvents {
  /** Events about a pod; undefined when they could not be read. */
  readonly about: (pod: KubeObject) => readonly KubeObject[] | undefined;
  /** Names of preempted pods by namespace. */
  readonly preempted: (namespace: string | undefined) => readonly string[];
}

async function podEvents(scene: Scene, pods: readonly KubeObject[]): Promise<PodEvents> {
  const byPod = new Map<string, readonly KubeObject[]>();
  const preempted = new Map<string, string[]>();
  const note = (event: KubeObject): void => {
    const namespace = asText(dig(event, 'involvedObject', 'namespace')) ?? event.metadata.namespace ?? '';
    if (dig(event, 'reason') === 'Preempted') preempted.set(namespace, [...(preempted.get(namespace) ?? []), asText(dig(event, 'involvedObject', 'name')) ?? '']);
  };
  if (scene.request.target === undefined) {
    const { namespace } = scene.request;
    const list = await scene.survey.list('Event', namespace === undefined ? {} : { namespace });
    if (list.ok) for (const event of list.value) note(event);
    const index = list.ok ? byInvolved(list.value) : undefined;
    return { about: (pod) => (index === undefined ? undefined : (index.get(formatRef(refOf(pod))) ?? [])), preempted: (where) => preempted.get(where ?? '') ?? [] };
  }
  for (const pod of pods) {
    const { namespace, name } = pod.metadata;
    const list = await scene.survey.list('Event', { namespace: namespace ?? 'default', fieldSelector: `involvedObject.kind=Pod,involvedObject.name=${name}` });
    if (list.ok) byPod.set(formatRef(refOf(pod)), list.value);
  }
  for (const namespace of new Set(pods.map(({ metadata }) => metadata.namespace ?? 'default'))) {
    const list = await scene.survey.list('Event', { namespace, fieldSelector: 'reason=Preempted' });
    if (list.ok) for (const event of list.value) note(event);
  }
  return { about: (pod) => byPod.get(formatRef(refOf(pod))), preempted: (where) => preempted.get(where ?? '') ?? [] };
}

function byInvolved(events: readonly KubeObject[]): ReadonlyMap<string, readonly KubeObject[]> {
  const index = new Map<string, KubeObject[]>();
  for (const event of events) {
    if (dig(event, 'involvedObject', 'kind') !== 'Pod') continue;
    const namespace = asText(dig(event, 'involvedObject', 'namespace')) ?? event.metadata.namespace;
    const key = formatRef({ kind: 'Pod', ...(namespace === undefined ? {} : { namespace }), name: asText(dig(event, 'involvedObject', 'name')) ?? '' });
    const list = index.get(key);
    if (list === undefined) index.set(key, [event]);
    else list.push(event);
  }
  return index;
}

function waitingPod(pod: KubeObject, events: PodEvents): WaitingPod {
  const ref = formatRef(refOf(pod));
  const condition = asList(dig(pod, 'status', 'conditions')).find((candidate) => dig(candidate, 'type') === 'PodScheduled');
  const about = events.about(pod)?.filter((event) => isSame(event, pod));
  const failed = about?.filter((event) => dig(event, 'reason') === 'FailedScheduling').toSorted((a, b) => (seenAt(a) ?? 0) - (seenAt(b) ?? 0)).at(-1);
  const fromCondition = asText(dig(condition, 'message'));
  const fromEvent = asText(dig(failed, 'message')) ?? asText(dig(failed, 'note'));
  const untried = shows(pod, 'status.conditions') ? false : undefined;
  const useCondition = fromCondition !== undefined && fromCondition !== '';
  return {
    pod,
    tried: condition !== undefined || failed !== undefined ? true : untried,
    said: useCondition ? fromCondition : fromEvent,
    saidAt: useCondition ? parseInstant(dig(condition, 'lastTransitionTime')) : failed === undefined ? undefined : seenAt(failed),
    source: useCondition ? `${ref} condition PodScheduled` : failed === undefined ? `${ref} status` : `event on ${ref}`,
    displaced: isDisplaced(pod, events.preempted(pod.metadata.namespace)),
  };
}

function isSame(event: KubeObject, pod: KubeObject): boolean {
  const uid = asText(dig(event, 'involvedObject', 'uid'));
  return uid === undefined || uid === '' || pod.metadata.uid === undefined || uid === pod.metadata.uid;
}

function seenAt(event: KubeObject): Instant | undefined {
  return parseInstant(dig(event, 'series', 'lastObservedTime')) ?? parseInstant(dig(event, 'lastTimestamp')) ?? parseInstant(dig(event, 'eventTime')) ?? parseInstant(dig(event, 'firstTimestamp'));
}

/** Pods of one controller share everything before their last dash. */
function isDisplaced(pod: KubeObject, preempted: readonly string[]): boolean {
  const family = familyOf(pod.metadata.name);
  return family !== undefined && preempted.some((name) => name !== pod.metadata.name && familyOf(name) === family);
}

function familyOf(name: string): string | undefined {
  return /^(.+)-[a-z0-9]{5}$/.exec(name)?.[1];
}
