import { asList, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { SeenEvent } from '../events/events.ts';
import { conditionStatus, isReady } from '../objects/pods.ts';

/**
 * The stage that keeps containers from running again which have run before: after a reboot, or when the network of the node or a volume
 * broke, the kubelet fails again and again to mount the volumes or to make another sandbox. Until then the status shows how the containers
 * ended. Source: pkg/kubelet/kubelet.go (SyncPod), pkg/kubelet/kuberuntime/kuberuntime_manager.go (computePodActions).
 */
export function heldUpAt(pod: KubeObject, events: readonly SeenEvent[]): 'volumes' | 'sandbox' | undefined {
  if (isReady(pod) === true || conditionStatus(pod, 'PodReadyToStartContainers') === 'True' || isRunning(pod)) return undefined;
  if (isFailing(SANDBOX, events)) return 'sandbox';
  // Of a pod that is over the kubelet looks for volumes, too.
  return dig(pod, 'status', 'phase') === 'Running' && isFailing(VOLUMES, events) ? 'volumes' : undefined;
}

const SANDBOX: ReadonlySet<string> = new Set(['FailedCreatePodSandBox']);
const VOLUMES: ReadonlySet<string> = new Set(['FailedMount', 'FailedAttachVolume', 'FailedMapVolume']);

/** What is made at a later try is no trouble; the events of containers say that it was. */
function isFailing(reasons: ReadonlySet<string>, events: readonly SeenEvent[]): boolean {
  const failed = events.filter(({ reason }) => reasons.has(reason));
  const at = failed.at(-1)?.at;
  if (at === undefined || failed.reduce((sum, { count }) => sum + count, 0) < MANY_TRIES) return false;
  return !events.some((other) => BEHIND.has(other.reason) && (other.at ?? at) > at - SAME_TRY_MS);
}

const MANY_TRIES = 5;
/** Ages are printed in minutes after a while. */
const SAME_TRY_MS = 120_000;
/** What the kubelet says of containers only where the pod has its volumes and its sandbox. */
const BEHIND: ReadonlySet<string> = new Set(['Pulling', 'Pulled', 'Created', 'Started', 'BackOff', 'Unhealthy']);

function isRunning(pod: KubeObject): boolean {
  const statuses = [...asList(dig(pod, 'status', 'initContainerStatuses')), ...asList(dig(pod, 'status', 'containerStatuses'))];
  return statuses.some((status) => dig(status, 'state', 'running') !== undefined);
}
