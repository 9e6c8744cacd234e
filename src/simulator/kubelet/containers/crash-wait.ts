import { asList, dig, isJsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { StartFailure, StartRequest } from './container-start.ts';
import { waitAgain } from './container-start.ts';
import { imageVolumesOf } from '../images/image-volumes.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import { containersOf } from '../pods/pod-fields.ts';
import type { Container } from '../runtime/runtime-container.ts';
import type { Sandbox } from '../runtime/runtime.ts';
import type { SyncedPod, SyncEnd } from '../pods/sync-end.ts';

/**
 * A pod that waits for nothing but the back-off of containers that crashed. It is looked at once a minute for five minutes after
 * every crash, and all that a whole sync would come to is another BackOff event: that is all that is done, as long as nothing is
 * other than it was.
 */
export interface CrashWait {
  readonly spec: KubeObject['spec'];
  readonly generation: KubeObject['generation'];
  readonly sandbox: Sandbox | undefined;
  readonly containers: readonly (readonly [container: Container, state: Container['state']])[];
  readonly requests: readonly StartRequest[];
}

/**
 * What a sync left to wait for; undefined when it was anything else, or when the next may say something else of the pod: `told` are
 * the reasons it began with, which are those the status was written with.
 */
export function crashWaitAfter(
  end: SyncEnd,
  { pod, reasons }: Pick<SyncedPod, 'pod' | 'reasons'>,
  told: SyncedPod['reasons'],
  { runtime }: KubeletParts,
): CrashWait | undefined {
  if (end.failed || end.started || end.made || end.failures.length === 0 || !isPlain(pod)) return undefined;
  if (reasons.size !== told.size || ![...reasons].every(([name, { message }]) => told.get(name)?.message === message)) return undefined;
  const requests = end.failures.flatMap(({ waits }) => waits ?? []);
  if (requests.length < end.failures.length) return undefined;
  const uid = pod.metadata.uid ?? '';
  const containers = runtime.containersOf(uid).map((container) => [container, container.state] as const);
  return { spec: pod['spec'], generation: pod.metadata['generation'], sandbox: runtime.sandboxOf(uid), containers, requests };
}

/** One more look at a pod that still waits: what its containers wait for; undefined when it takes a whole sync. */
export function lookAgain(wait: CrashWait, pod: KubeObject, parts: KubeletParts): readonly StartFailure[] | undefined {
  const { runtime, statuses } = parts;
  const uid = pod.metadata.uid ?? '';
  const { faults } = runtime;
  if (
    pod['spec'] !== wait.spec ||
    pod.metadata['generation'] !== wait.generation ||
    faults.down === true ||
    faults.cniConfigMissing === true
  )
    return undefined;
  if (wait.sandbox?.ready !== true || runtime.sandboxOf(uid) !== wait.sandbox || !statuses.isWritten(pod)) return undefined;
  const containers = runtime.containersOf(uid);
  if (
    containers.length !== wait.containers.length ||
    !wait.containers.every(([container, state], index) => containers[index] === container && container.state === state)
  )
    return undefined;
  return waitAgain(
    wait.requests.map((request) => ({ ...request, pod })),
    parts,
  );
}

/** Without probes, gates, deadlines, secrets and images as volumes to be asked for, whose answers may be other ones the next time. */
export function isPlain(pod: KubeObject): boolean {
  const spec = pod['spec'];
  if (!isJsonObject(spec) || spec['activeDeadlineSeconds'] !== undefined) return false;
  if (['readinessGates', 'ephemeralContainers', 'imagePullSecrets'].some((field) => asList(spec[field]).length > 0)) return false;
  if (imageVolumesOf(pod).length > 0) return false;
  return [...containersOf(pod, 'initContainers'), ...containersOf(pod, 'containers')].every((container) =>
    PROBES.every((probe) => dig(container, probe) === undefined),
  );
}

const PROBES: readonly string[] = ['startupProbe', 'readinessProbe', 'livenessProbe'];
