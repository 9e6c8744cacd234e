import { asList, asNumber, asText, dig } from '../../base/json.ts';
import type { PodCounts, Target } from '../../model/diagnosis.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, controllerOf, formatRef, objectKey, refOf, sameObject, shows } from '../../model/kube-object.ts';
import { PRINTED_UNSETTLED } from '../../model/record-kinds.ts';
import { containersOf } from '../containers/containers.ts';
import type { SeenEvent } from '../events/events.ts';
import { evictionOf } from '../events/evictions.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { withMembers } from '../survey/with-members.ts';
import { podEvents } from '../events/pod-events.ts';
import { conditionStatus, isReady } from './pods.ts';
import { isGated } from './scheduling-gates.ts';
import type { Scene } from '../survey/scene.ts';
import { gatewayState } from './gateway-conditions.ts';
import { countsOf } from './workloads.ts';

/**
 * What may be asked about: top-level workloads with their pods, pods of their own, and whatever was asked for by name. Where the
 * workload above was not seen (one pasted pod), what is highest of what was seen stands for it.
 */
export async function collectTargets(scene: Scene, sink: FactSink): Promise<void> {
  const events = await podEvents(scene);
  const asked = scene.request.target;
  const seen = new Set(scene.workloads.map((workload) => objectKey(workload)));
  for (const workload of scene.workloads) {
    const top = scene.workloadOf(refOf(workload));
    const isTop = top === undefined || top.name === workload.metadata.name || !seen.has(formatRef(top));
    if (asked === undefined ? isTop : asked.kind === workload.kind && asked.name === workload.metadata.name)
      sink.target(workloadTarget(workload, scene));
  }
  const isAsked = ({ metadata: { name } }: KubeObject): boolean => asked?.kind === 'Pod' && asked.name === name;
  for (const pod of asked === undefined ? podsAlone(scene) : scene.judged.filter(isAsked))
    sink.target(podTarget(pod, events.of(pod), scene));
  for (const other of scene.others) {
    const state = gatewayState(other) ?? departure(other) ?? phaseState(other);
    if (state !== undefined) sink.target({ ref: refOf(other), ...state, members: [] });
  }
}

/** Pods without a workload that was listed. One that another stands for mostly has such a one. */
function podsAlone(scene: Scene): readonly KubeObject[] {
  const [pods, podsOf] = scene.unlisted.size === 0 ? [scene.judged, scene.judgedOf] : [scene.pods, scene.podsOf];
  const covered = new Set(scene.workloads.flatMap((workload) => podsOf(refOf(workload))));
  return pods.filter((pod) => !covered.has(pod));
}

/** An object of any kind that was deleted and is still there: its finalizers have not been removed yet. */
function departure(object: KubeObject): Pick<Target, 'state' | 'reason'> | undefined {
  return dig(object, 'metadata', 'deletionTimestamp') === undefined ? undefined : { state: 'progressing', reason: 'Terminating' };
}

/** Phases, by kind. Source: pkg/apis/core/types.go (PersistentVolumeClaimPhase, PersistentVolumePhase, NamespacePhase). */
const PHASES: Readonly<Record<string, Readonly<Record<string, Target['state']>>>> = {
  Namespace: { Active: 'healthy' },
  PersistentVolumeClaim: { Bound: 'healthy', Lost: 'unhealthy' },
  PersistentVolume: { Bound: 'healthy', Available: 'healthy', Failed: 'unhealthy' },
};

function phaseState(object: KubeObject): Pick<Target, 'state' | 'reason'> | undefined {
  if (object.kind === 'Node') return nodeState(object);
  const phase = asText(dig(object, 'status', 'phase')) ?? '';
  const state = PHASES[object.kind]?.[phase];
  return state === undefined ? undefined : { state, reason: phase };
}

function nodeState(node: KubeObject): Pick<Target, 'state' | 'reason'> | undefined {
  const ready = conditionStatus(node, 'Ready');
  if (ready === undefined) return undefined;
  const cordoned = dig(node, 'spec', 'unschedulable') === true ? ', cordoned' : '';
  return { state: ready === 'True' ? 'healthy' : 'unhealthy', reason: `${ready === 'True' ? 'Ready' : 'NotReady'}${cordoned}` };
}

function workloadTarget(workload: KubeObject, scene: Scene): Target {
  const ref = refOf(workload);
  const pods = scene.podsOf(ref);
  const owner = scene.workloadOf(ref);
  const above = owner === undefined || sameObject(owner, ref) ? [] : [owner];
  return withMembers({ ref, ...workloadState(workload, pods, scene) }, () => [
    ...[...scene.workloadsUnder(ref), ...pods].map(refOf),
    ...above,
  ]);
}

function workloadState(workload: KubeObject, pods: readonly KubeObject[], scene: Scene): Pick<Target, 'state' | 'reason' | 'pods'> {
  const { desired, updated, available, ready: counted } = countsOf(workload, scene);
  // kubectl describe prints how many are available; ready are at least as many.
  const ready =
    counted ??
    (available !== undefined && (available >= (desired ?? 1) || dig(workload, 'spec', 'minReadySeconds') === 0) ? available : undefined);
  switch (workload.kind) {
    case 'Job':
      return jobState(workload, pods);
    case 'CronJob': {
      const state = worst(pods);
      return state.state === 'healthy' && dig(workload, 'spec', 'suspend') === true ? { ...state, reason: 'suspended' } : state;
    }
    default:
      if (desired === undefined || ready === undefined) return { state: 'unknown', reason: 'its status was not seen' };
      return countedState(workload, scene.judgedOf(refOf(workload)), { ready, desired }, updated);
  }
}

function jobState(job: KubeObject, pods: readonly KubeObject[]): Pick<Target, 'state' | 'reason'> {
  if (conditionStatus(job, 'Complete') === 'True') return { state: 'healthy' };
  if (conditionStatus(job, 'Failed') === 'True') return { state: 'unhealthy', reason: 'failed' };
  if (dig(job, 'spec', 'suspend') === true) return { state: 'healthy', reason: 'suspended' };
  if (dig(job, 'spec', 'parallelism') === 0) return { state: 'healthy', reason: 'parallelism 0' };
  return pods.length === 0 ? podlessJob(job) : worst(pods);
}

/** A Job that has not ended and of which no pod was seen: it has not begun, or its pods were not looked for. */
function podlessJob(job: KubeObject): Pick<Target, 'state' | 'reason'> {
  const counted = asNumber(dig(job, 'status', 'succeeded')) ?? 0;
  if (counted > 0 && counted >= (asNumber(dig(job, 'spec', 'completions')) ?? 1)) return { state: 'healthy' };
  const begun = dig(job, 'status', 'startTime') !== undefined || !shows(job, 'status.startTime');
  return begun ? { state: 'unknown', reason: 'none of its pods was seen' } : { state: 'progressing', reason: 'not started' };
}

/** Why a workload wants no pods: those of a DaemonSet are counted by the nodes that match it. */
export function withoutPodsWords({ kind }: KubeObject): string {
  return kind === 'DaemonSet' ? 'no node matches it' : 'scaled to zero';
}

function countedState(
  workload: KubeObject,
  pods: readonly KubeObject[],
  counts: PodCounts,
  updated: number | undefined,
): Pick<Target, 'state' | 'reason' | 'pods'> {
  const { ready, desired } = counts;
  if (ready < desired) return { state: 'unhealthy', reason: `${String(ready)}/${String(desired)} ready`, pods: counts };
  if (desired === 0) return { state: 'healthy', reason: withoutPodsWords(workload) };
  const young = workload.kind === 'Deployment' && updated !== undefined && updated < desired;
  if (young && dig(workload, 'spec', 'paused') !== true)
    return { state: 'progressing', reason: `${String(updated)}/${String(desired)} updated`, pods: counts };
  const sick = pods.some((pod) => podState(pod).state === 'unhealthy');
  return sick ? { state: 'unhealthy', reason: 'a surplus pod is unhealthy', pods: counts } : { state: 'healthy', pods: counts };
}

function worst(pods: readonly KubeObject[]): Pick<Target, 'state' | 'reason'> {
  const states = pods.map((pod) => podState(pod));
  const reasons = states.filter(({ reason }) => reason !== undefined);
  return (
    reasons.find(({ state }) => state === 'unhealthy') ??
    reasons.find(({ state }) => state !== 'healthy') ??
    reasons[0] ?? { state: 'healthy' }
  );
}

function podTarget(pod: KubeObject, events: readonly SeenEvent[], scene: Scene): Target {
  const owner = scene.workloadOf(refOf(pod));
  return { ref: refOf(pod), ...podState(pod, events), members: owner === undefined ? [] : [owner] };
}

/** Not ready is unhealthy for a pod that should serve; one that has succeeded is well, and one being deleted is on its way out. */
export function podState(pod: KubeObject, events: readonly SeenEvent[] = []): Pick<Target, 'state' | 'reason'> {
  const phase = asText(dig(pod, 'status', 'phase'));
  if (phase === 'Succeeded') return doneState(pod, events);
  if (phase === 'Failed') return { state: 'unhealthy', reason: asText(dig(pod, 'status', 'reason')) ?? 'Failed' };
  if (dig(pod, 'metadata', 'deletionTimestamp') !== undefined) return { state: 'progressing', reason: 'Terminating' };
  // The scheduler does not look at it, because whoever made it said so.
  if (isGated(pod)) return { state: 'healthy', reason: 'has scheduling gates' };
  const ready = isReady(pod);
  if (ready === true) return readyState(pod);
  if (ready === undefined && (phase === undefined || !shows(pod, 'status.containerStatuses.ready')))
    return { state: 'unknown', reason: 'its status was not seen' };
  return { state: 'unhealthy', reason: waitingReason(pod) ?? (phase === 'Running' ? undefined : phase) ?? 'not ready' };
}

/** One that was deleted is still there only for its finalizers. */
function doneState(pod: KubeObject, events: readonly SeenEvent[]): Pick<Target, 'state' | 'reason'> {
  const { deletionTimestamp, finalizers } = pod.metadata;
  if (deletionTimestamp !== undefined && asList(finalizers).length > 0) return { state: 'progressing', reason: 'Terminating' };
  // What controllers' pods were evicted for does no harm once others are there.
  return controllerOf(pod) !== undefined || evictionOf(pod, events) === undefined
    ? { state: 'healthy' }
    : { state: 'unhealthy', reason: 'Evicted' };
}

function readyState(pod: KubeObject): Pick<Target, 'state' | 'reason'> {
  const unsettled = annotationsOf(pod)[PRINTED_UNSETTLED];
  return unsettled === undefined ? { state: 'healthy' } : { state: 'unknown', reason: unsettled };
}

/** What kubectl's STATUS column would say of a pod that is not well, roughly: the first container's reason, else its own. */
function waitingReason(pod: KubeObject): string | undefined {
  for (const { status } of containersOf(pod)) {
    const reason = asText(dig(status, 'state', 'waiting', 'reason')) ?? asText(dig(status, 'state', 'terminated', 'reason'));
    if (reason !== undefined && reason !== 'Completed' && reason !== 'PodInitializing') return reason;
  }
  return conditionStatus(pod, 'PodScheduled') === 'False' ? 'Unschedulable' : asText(dig(pod, 'status', 'reason'));
}
