import type { JsonObject } from '../../../base/json.ts';
import { dig, isJsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Routine } from '../../time/routine.ts';
import { together, wait } from '../../time/routine.ts';
import { runHook } from '../probes/hooks.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import { containersOf, fieldPathOf, isSidecar, nameOf } from './pod-fields.ts';
import type { Container } from '../runtime/runtime-container.ts';
import { PRE_STOP_FAILED, STOPPING } from '../kubelet-messages.ts';

/**
 * Stops the containers of a pod: the main ones together, then the sidecars, last first. Source:
 * pkg/kubelet/kuberuntime/kuberuntime_container.go (killContainersWithSyncResult).
 */
export function* killPod(pod: KubeObject, graceSeconds: number, parts: KubeletParts): Routine {
  const started = parts.host.now();
  const running = parts.runtime.containersOf(pod.metadata.uid ?? '').filter((container) => container.state === 'running');
  const sidecars = new Set(containersOf(pod, 'initContainers').filter(isSidecar).map(nameOf));
  const first = running.filter((container) => !sidecars.has(container.name));
  yield* together(first.map((container) => killContainer(container, pod, graceSeconds * 1000, STOPPING(container.name), parts)));
  for (const container of running.filter((each) => sidecars.has(each.name)).reverse()) {
    const left = graceSeconds * 1000 - (parts.host.now() - started);
    yield* killContainer(container, pod, left, STOPPING(container.name), parts);
  }
}

/** preStop hook, SIGTERM, and SIGKILL when the grace is over; done when the container has ended. */
export function* killContainer(
  container: Container,
  pod: KubeObject,
  graceMilliseconds: number,
  message: string,
  parts: KubeletParts,
): Routine {
  const { host, runtime } = parts;
  const fieldPath = fieldPathOf(container.kind, container.name);
  host.events.event(pod, { type: 'Normal', reason: 'Killing', message, fieldPath });
  const begun = host.now();
  const hook = dig(specOf(pod, container), 'lifecycle', 'preStop');
  if (isJsonObject(hook) && graceMilliseconds > 0) {
    const trouble = yield* runHook(hook, pod, { host, runtime, container }, graceMilliseconds);
    if (trouble !== undefined)
      host.events.event(pod, { type: 'Warning', reason: 'FailedPreStopHook', message: PRE_STOP_FAILED, fieldPath });
  }
  if (container.state !== 'running') return;
  runtime.stopContainer(container, Math.max(MINIMUM_GRACE_MILLISECONDS, graceMilliseconds - (host.now() - begun)));
  yield* exitOf(container, parts);
}

/** Waits for a container's end. */
function* exitOf(container: Container, { runtime }: KubeletParts): Routine {
  if (container.state === 'running') yield* wait<void>((resume) => runtime.afterExit(container, () => resume()));
}

const MINIMUM_GRACE_MILLISECONDS = 2000;

function specOf(pod: KubeObject, container: Container): JsonObject {
  const field = container.kind === 'init' ? 'initContainers' : container.kind === 'main' ? 'containers' : 'ephemeralContainers';
  return containersOf(pod, field).find((spec) => nameOf(spec) === container.name) ?? container.settings.spec;
}
