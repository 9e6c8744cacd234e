import { asList, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { SeenEvent } from '../events/events.ts';
import { conditionStatus, isReady } from '../objects/pods.ts';

/**
 * Whether the kubelet fails to make the sandbox of a pod again whose containers have run in another one: after a reboot, or when the
 * network of the node broke. Until there is a new one, the status shows how the containers ended in the old one. Source:
 * pkg/kubelet/kuberuntime/kuberuntime_manager.go (computePodActions), pkg/kubelet/kubelet_pods.go (convertToAPIContainerStatuses).
 */
export function hasLostSandbox(pod: KubeObject, events: readonly SeenEvent[]): boolean {
  if (isReady(pod) === true || conditionStatus(pod, 'PodReadyToStartContainers') === 'True' || isRunning(pod)) return false;
  const failed = events.filter(({ reason }) => reason === 'FailedCreatePodSandBox');
  const at = failed.at(-1)?.at;
  // A sandbox that is made at a later try is no trouble; the events of containers say that it was.
  if (at === undefined || failed.reduce((sum, { count }) => sum + count, 0) < MANY_TRIES) return false;
  return !events.some((other) => IN_SANDBOX.has(other.reason) && (other.at ?? at) > at - SAME_TRY_MS);
}

const MANY_TRIES = 5;
/** Ages are printed in minutes after a while. */
const SAME_TRY_MS = 120_000;
/** What the kubelet says of containers only where the pod has its sandbox. */
const IN_SANDBOX: ReadonlySet<string> = new Set(['Pulling', 'Pulled', 'Created', 'Started', 'BackOff', 'Unhealthy']);

function isRunning(pod: KubeObject): boolean {
  const statuses = [...asList(dig(pod, 'status', 'initContainerStatuses')), ...asList(dig(pod, 'status', 'containerStatuses'))];
  return statuses.some((status) => dig(status, 'state', 'running') !== undefined);
}
