import { asList, asNumber, asText, dig } from '../base/json.ts';
import type { Instant } from '../base/instant.ts';
import { parseInstant } from '../base/instant.ts';
import { conditionStatus } from '../collect/objects/pods.ts';
import { podState } from '../collect/objects/targets.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { controllerOf } from '../model/kube-object.ts';

/** What one object looks like that is not well, by its own status alone. */
export interface Illness {
  /** In a few words: `CrashLoopBackOff`, `2/3 ready`. */
  readonly reason: string;
  /** Since when, as far as the object says. */
  readonly since?: Instant;
}

/** Kinds that are followed: what runs pods, and with all namespaces also nodes. ReplicaSets lead from pods to Deployments. */
export const FOLLOWED_KINDS = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'Pod'] as const;

/** A cheap test that looks at one object only: whether something may be wrong. What is wrong, a diagnosis says. */
export function illnessOf(object: KubeObject): Illness | undefined {
  switch (object.kind) {
    case 'Pod':
      return podIllness(object);
    case 'Job':
      return jobIllness(object);
    case 'Node':
      return conditionStatus(object, 'Ready') === 'True' ? undefined : ill('NotReady', since(object, 'Ready'));
    case 'DaemonSet':
      return counted(object, 'desiredNumberScheduled', 'numberReady');
    case 'ReplicaSet':
      // What is above it decides.
      return controllerOf(object) === undefined ? replicasIllness(object) : undefined;
    case 'Deployment':
    case 'StatefulSet':
      return replicasIllness(object);
    default:
      return undefined;
  }
}

function podIllness(pod: KubeObject): Illness | undefined {
  const deleted = parseInstant(dig(pod, 'metadata', 'deletionTimestamp'));
  // Until then it has time to end in peace.
  if (deleted !== undefined) return ill('Terminating', deleted);
  const { state, reason } = podState(pod);
  if (state !== 'unhealthy') return undefined;
  // Controllers replace pods that have failed, and say themselves how many they miss.
  if (dig(pod, 'status', 'phase') === 'Failed' && controllerOf(pod) !== undefined) return undefined;
  return ill(reason ?? 'not ready', since(pod, 'Ready') ?? parseInstant(dig(pod, 'metadata', 'creationTimestamp')));
}

/** Since when a condition of an object is what it is; undefined where it is another than `status`. */
function since(object: KubeObject, type: string, status?: string): Instant | undefined {
  const found = asList(dig(object, 'status', 'conditions')).find((condition) => dig(condition, 'type') === type);
  return status === undefined || dig(found, 'status') === status ? parseInstant(dig(found, 'lastTransitionTime')) : undefined;
}

function jobIllness(job: KubeObject): Illness | undefined {
  if (conditionStatus(job, 'Complete') === 'True' || dig(job, 'spec', 'suspend') === true) return undefined;
  if (conditionStatus(job, 'Failed') === 'True') return ill('Failed');
  const failed = asNumber(dig(job, 'status', 'failed')) ?? 0;
  return failed > 0 && dig(job, 'status', 'ready') !== 1 ? ill(`${failed} failed`) : undefined;
}

function replicasIllness(workload: KubeObject): Illness | undefined {
  const desired = asNumber(dig(workload, 'spec', 'replicas')) ?? 1;
  const ready = asNumber(dig(workload, 'status', 'readyReplicas')) ?? 0;
  if (ready < desired) return ill(`${ready}/${desired} ready`, since(workload, 'Available', 'False'));
  const updated = asNumber(dig(workload, 'status', 'updatedReplicas')) ?? 0;
  const rolls = workload.kind === 'Deployment' && dig(workload, 'spec', 'paused') !== true;
  return rolls && updated < desired ? ill(`${updated}/${desired} updated`) : undefined;
}

function counted(workload: KubeObject, wanted: string, there: string): Illness | undefined {
  const [desired, ready] = [asNumber(dig(workload, 'status', wanted)) ?? 0, asNumber(dig(workload, 'status', there)) ?? 0];
  return ready < desired ? ill(`${ready}/${desired} ready`) : undefined;
}

function ill(reason: string, begun?: Instant): Illness {
  return { reason, ...(begun === undefined ? {} : { since: begun }) };
}

/**
 * Until when it is not yet known that a pod which is well now stays so: a container that was restarted has to run longer than it did
 * before it ended the last time. Undefined where nothing was restarted.
 */
export function provenAt(pod: KubeObject): Instant | undefined {
  let latest: Instant | undefined;
  for (const status of asList(dig(pod, 'status', 'containerStatuses'))) {
    const last = dig(status, 'lastState', 'terminated');
    const [begun, ended] = [parseInstant(dig(last, 'startedAt')), parseInstant(dig(last, 'finishedAt'))];
    const started = parseInstant(dig(status, 'state', 'running', 'startedAt'));
    if (begun === undefined || ended === undefined || started === undefined || asText(dig(last, 'reason')) === 'Completed') continue;
    const proven = started + Math.min(LONGEST_PROOF_MILLISECONDS, Math.max(0, ended - begun)) + MARGIN_MILLISECONDS;
    latest = Math.max(latest ?? proven, proven);
  }
  return latest;
}

/** The kubelet forgets its back-off for a container that has run this long. Source: pkg/kubelet/kubelet.go (MaxContainerBackOff, twice). */
const LONGEST_PROOF_MILLISECONDS = 600_000;
const MARGIN_MILLISECONDS = 10_000;
