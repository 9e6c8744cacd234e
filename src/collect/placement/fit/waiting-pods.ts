import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import { asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { inNamespace, objectKey, shows } from '../../../model/kube-object.ts';
import { isGated } from '../../objects/scheduling-gates.ts';
import type { Scene } from '../../survey/scene.ts';
import type { PodEvents } from '../../events/pod-events.ts';
import { podEvents } from '../../events/pod-events.ts';
import { involvedIn } from '../../../model/event-fields.ts';
import { conditionOf } from '../../objects/pods.ts';

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
  /** The pod that took its place, where the event names it: `namespace/name`. */
  readonly displacedBy: string | undefined;
}

/** A pod that had to make room for another, by its event. */
interface Preempted {
  /** `namespace/name`. */
  readonly name: string;
  readonly uid: string | undefined;
  readonly by: string | undefined;
}

/** The pods of the scene that wait for a node; those that are being deleted or have ended do not wait. */
export async function waitingPods(scene: Scene): Promise<readonly WaitingPod[]> {
  const pods = scene.suspects.filter(isWaiting);
  if (pods.length === 0) return [];
  const events = await podEvents(scene);
  const preempted = await preemptedPods(scene, pods);
  return pods.map((pod) => waitingPod(pod, events, preempted));
}

function isWaiting(pod: KubeObject): boolean {
  if (dig(pod, 'spec', 'nodeName') !== undefined || !(shows(pod, 'spec.nodeName') || isGated(pod))) return false;
  const phase = dig(pod, 'status', 'phase');
  return (phase === undefined || phase === 'Pending') && dig(pod, 'metadata', 'deletionTimestamp') === undefined;
}

async function preemptedPods(scene: Scene, pods: readonly KubeObject[]): Promise<readonly Preempted[]> {
  const { target, namespace } = scene.request;
  const namespaces = [...new Set(pods.map(({ metadata }) => metadata.namespace ?? 'default'))];
  const scopes =
    target === undefined ? [inNamespace(namespace)] : namespaces.map((one) => ({ namespace: one, fieldSelector: 'reason=Preempted' }));
  const found: Preempted[] = [];
  for (const scope of scopes) {
    for (const event of await scene.survey.seen('Event', scope)) if (dig(event, 'reason') === 'Preempted') found.push(preemptedBy(event));
  }
  return found;
}

function preemptedBy(event: KubeObject): Preempted {
  const [victim, by] = [involvedIn(event), dig(event, 'related')];
  const byName = asText(dig(by, 'name'));
  return {
    name: `${asText(dig(victim, 'namespace')) ?? event.metadata.namespace ?? ''}/${asText(dig(victim, 'name')) ?? ''}`,
    uid: asText(dig(victim, 'uid')),
    by: byName === undefined ? undefined : `${asText(dig(by, 'namespace')) ?? ''}/${byName}`,
  };
}

function waitingPod(pod: KubeObject, events: PodEvents, preempted: readonly Preempted[]): WaitingPod {
  const ref = objectKey(pod);
  const condition = conditionOf(pod, 'PodScheduled');
  const failed = events.of(pod).findLast(({ reason }) => reason === 'FailedScheduling');
  const fromCondition = asText(dig(condition, 'message')) ?? '';
  const untried = shows(pod, 'status.conditions.status') ? false : undefined;
  const inCondition = {
    said: fromCondition,
    saidAt: parseInstant(dig(condition, 'lastTransitionTime')),
    source: `${ref} condition PodScheduled`,
  };
  const inEvent =
    failed === undefined
      ? { said: undefined, saidAt: undefined, source: `${ref} status` }
      : { said: failed.message, saidAt: failed.at, source: `event on ${ref}` };
  const place = preempted.findLast((other) => isPredecessor(other, pod));
  return {
    pod,
    tried: condition !== undefined || failed !== undefined ? true : untried,
    ...(fromCondition === '' ? inEvent : inCondition),
    displaced: place !== undefined,
    displacedBy: place?.by,
  };
}

/** Pods of one controller share everything before their last dash; those of a StatefulSet have the name of the pod they replace. */
function isPredecessor({ name, uid }: Preempted, pod: KubeObject): boolean {
  const own = `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`;
  if (name === own) return uid !== undefined && pod.metadata.uid !== undefined && uid !== pod.metadata.uid;
  const family = familyOf(own);
  return family !== undefined && familyOf(name) === family;
}

function familyOf(name: string): string | undefined {
  return /^(.+)-[a-z0-9]{5}$/.exec(name)?.[1];
}
