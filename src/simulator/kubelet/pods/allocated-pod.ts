import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, dig } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { containersOf, nameOf } from './pod-fields.ts';

const LISTS = ['containers', 'initContainers'] as const;

/**
 * The pod with the resources that its containers were given, where they ask for others now; the pod itself where they do not. Source:
 * pkg/kubelet/allocation/allocation_manager.go (UpdatePodFromAllocation).
 */
export function allocatedPod(pod: KubeObject, given: KubeObject): KubeObject {
  const [spec, before] = [asObject(pod['spec']), asObject(given['spec'])];
  if (spec === before) return pod;
  const lists = LISTS.map((list) => allocatedContainers(spec[list], before[list]));
  const isSame = lists.every((list, index) => list === spec[LISTS[index] ?? '']) && sameJson(spec['resources'], before['resources']);
  if (isSame) return pod;
  return withFields(pod, { spec: withFields(spec, { containers: lists[0], initContainers: lists[1], resources: before['resources'] }) });
}

function allocatedContainers(wanted: Json | undefined, given: Json | undefined): Json | undefined {
  let isSame = true;
  const containers = asList(wanted).map((container) => {
    const before = asList(given).find((one) => dig(one, 'name') === dig(container, 'name'));
    if (before === undefined || sameJson(dig(container, 'resources'), dig(before, 'resources'))) return container;
    isSame = false;
    return withFields(asObject(container), { resources: dig(before, 'resources') });
  });
  return isSame ? wanted : containers;
}

/** What the containers of a pod ask for, as events of a resize tell it. Source: pkg/kubelet/events/resize.go. */
export function resizeSummary(pod: KubeObject, generation: number, error?: string): string {
  const resources = (container: JsonObject): JsonObject => {
    const { limits, requests } = asObject(container['resources']);
    return {
      name: nameOf(container),
      resources: { ...(limits === undefined ? {} : { limits }), ...(requests === undefined ? {} : { requests }) },
    };
  };
  const [containers, initContainers] = LISTS.map((list) => containersOf(pod, list).map(resources));
  return JSON.stringify({
    ...(initContainers === undefined || initContainers.length === 0 ? {} : { initContainers }),
    ...(containers === undefined || containers.length === 0 ? {} : { containers }),
    generation,
    ...(error === undefined ? {} : { error }),
  });
}
