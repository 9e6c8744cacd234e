import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asObject, dig } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';

/**
 * A pod of whose change by a resize only that is left which a resize may change. What adds, renames or moves containers is left, too: it is
 * refused. Source: pkg/registry/core/pod/strategy.go (dropNonResizeUpdates).
 */
export function resizedPod(pod: KubeObject, old: KubeObject): KubeObject {
  const [spec, before] = [asObject(pod['spec']), asObject(old['spec'])];
  for (const list of LISTS) if (asList(spec[list]).length !== asList(before[list]).length) return pod;
  const [containers, initContainers] = LISTS.map((list) => resizedContainers(spec[list], before[list]));
  const kept = Object.fromEntries(KEPT.map((field) => [field, old.metadata[field]]));
  return withFields(pod, {
    metadata: withFields(pod.metadata, kept),
    spec: withFields(before, { resources: spec['resources'], containers, initContainers }),
    status: old['status'],
  });
}

const LISTS = ['containers', 'initContainers'] as const;

/** Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/helpers.go (ResetObjectMetaForStatus). */
const KEPT: readonly string[] = ['deletionTimestamp', 'generation', 'selfLink', 'labels', 'annotations', 'finalizers', 'ownerReferences'];

function resizedContainers(given: Json | undefined, old: Json | undefined): Json | undefined {
  const before = asList(old);
  if (before.some((container, index) => dig(container, 'name') !== dig(given, index, 'name'))) return given;
  return given === undefined
    ? undefined
    : before.map((container, index): JsonObject => {
        const { resources, resizePolicy } = asObject(asList(given)[index]);
        return withFields(asObject(container), { resources, resizePolicy });
      });
}
