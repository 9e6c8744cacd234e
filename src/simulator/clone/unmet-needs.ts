import { dig } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef } from '../../model/kube-object.ts';
import type { Cluster } from '../cluster.ts';
import { companions, ordinary, placed, withKey } from './assumed-objects.ts';
import { needsOf } from './pod-needs.ts';

/** An object that documents name and that is not there, or keys of it, and the least that meets all that name it. */
export interface UnmetNeed {
  readonly ref: ObjectRef;
  readonly keys: readonly string[];
  /** To be applied, the object first. Empty where nobody can say what it would be. */
  readonly objects: readonly KubeObject[];
}

/** What documents name and a cluster lacks, each object once. */
export function unmetNeeds({ server, store }: Cluster, documents: readonly KubeObject[]): readonly UnmetNeed[] {
  const found = new Map<string, { readonly ref: ObjectRef; readonly keys: Set<string>; readonly present: KubeObject | undefined }>();
  for (const document of documents.map(placed)) {
    for (const { ref, key } of needsOf(document, document.metadata.namespace ?? 'default')) {
      const resource = server.resources.named(ref.kind);
      const present = resource === undefined ? undefined : store.get(resource.key, ref.namespace, ref.name);
      const isMet =
        present !== undefined &&
        (key === undefined || dig(present, 'data', key) !== undefined || dig(present, 'binaryData', key) !== undefined);
      if (isMet) continue;
      const need = found.get(formatRef(ref)) ?? { ref, keys: new Set<string>(), present };
      if (key !== undefined) need.keys.add(key);
      found.set(formatRef(ref), need);
    }
  }
  return [...found.values()].map(({ ref, keys, present }) => needOf(ref, [...keys], present));
}

/** The least that an object can be which is not there, though no document names it: one that was applied before may. */
export function missingObject({ server, store }: Cluster, ref: ObjectRef): UnmetNeed | undefined {
  const resource = server.resources.named(ref.kind);
  if (resource === undefined || store.get(resource.key, ref.namespace, ref.name) !== undefined) return undefined;
  const need = needOf(ref, [], undefined);
  return need.objects.length === 0 ? undefined : need;
}

function needOf(ref: ObjectRef, keys: readonly string[], present: KubeObject | undefined): UnmetNeed {
  const base = present ?? ordinary(ref);
  if (base === undefined) return { ref, keys, objects: [] };
  let whole = base;
  for (const key of keys) whole = withKey(whole, key);
  return { ref, keys, objects: [whole, ...companions(base)] };
}
