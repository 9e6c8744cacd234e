import type { JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, dig } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { LIMIT_BELOW_USAGE, RESIZE_RESTARTS } from '../kubelet-messages.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import type { Container } from '../runtime/runtime-container.ts';
import { amountOf, containersOf, nameOf } from './pod-fields.ts';
import { killContainer } from './pod-kill.ts';
import type { Routine } from '../../time/routine.ts';
import type { SyncedPod } from './sync-end.ts';

/** Whether a running container has other resources than the pod was given. */
export function hasToResize(pod: KubeObject, containers: readonly Container[]): boolean {
  return containers.some((container) => specToResize(pod, container) !== undefined);
}

/** The container as the pod has it, where it runs with other resources. */
export function specToResize(pod: KubeObject, container: Container): JsonObject | undefined {
  if (container.state !== 'running' || container.kind === 'ephemeral') return undefined;
  const list = container.kind === 'init' ? 'initContainers' : 'containers';
  const spec = containersOf(pod, list).find((one) => nameOf(one) === container.name);
  return spec === undefined || changedResources(container, spec).length === 0 ? undefined : spec;
}

/** `cpu`, `memory`. */
function changedResources({ resources }: Container, spec: JsonObject): readonly string[] {
  if (sameJson(resources, spec['resources'])) return [];
  return RESIZABLE.filter((name) =>
    (['limits', 'requests'] as const).some((kind) => dig(resources, kind, name) !== dig(spec, 'resources', kind, name)),
  );
}

const RESIZABLE = ['cpu', 'memory'] as const;

/**
 * Gives running containers the resources that their pod was given; those that must start again for it are stopped. Tells whether one was
 * given others in place, or could not be. Source: pkg/kubelet/kuberuntime/kuberuntime_manager.go (computePodResizeAction, doPodResizeAction).
 */
export function* resizeContainers(worker: SyncedPod, parts: KubeletParts, killed: Set<Container>): Routine<'done' | 'failed' | undefined> {
  const { pod, uid } = worker;
  const inPlace: { readonly container: Container; readonly spec: JsonObject }[] = [];
  for (const container of parts.runtime.containersOf(uid)) {
    const spec = specToResize(pod, container);
    if (spec === undefined || killed.has(container)) continue;
    if (!changedResources(container, spec).some((name) => restartsFor(spec, name))) {
      inPlace.push({ container, spec });
      continue;
    }
    killed.add(container);
    const grace = asNumber(dig(pod, 'spec', 'terminationGracePeriodSeconds')) ?? 30;
    yield* killContainer(container, pod, grace * 1000, RESIZE_RESTARTS(container.name), parts);
  }
  const troubles = inPlace.flatMap(({ container, spec }) => belowUsage(container, spec));
  if (troubles.length > 0) {
    worker.resizeFailed(`cannot decrease memory limits: ${troubles.length === 1 ? troubles.join('') : `[${troubles.join(', ')}]`}`);
    return 'failed';
  }
  if (inPlace.length === 0) return undefined;
  for (const { container, spec } of inPlace) {
    container.resources = asObject(spec['resources']);
    container.process?.limitMemory(amountOf(dig(spec, 'resources', 'limits', 'memory')));
  }
  return 'done';
}

/** Source: the same (validateMemoryResizeAction). */
function belowUsage(container: Container, spec: JsonObject): readonly string[] {
  const [limit, before] = [spec['resources'], container.resources].map((resources) => amountOf(dig(resources, 'limits', 'memory')));
  const usage = container.process?.memory ?? 0;
  if (limit === undefined || (before !== undefined && limit >= before) || usage < limit) return [];
  return [LIMIT_BELOW_USAGE(container.name, limit, usage)];
}

function restartsFor(spec: JsonObject, resource: string): boolean {
  const policy = asList(spec['resizePolicy']).find((one) => dig(one, 'resourceName') === resource);
  return dig(policy, 'restartPolicy') === 'RestartContainer';
}
