import { largest } from '../base/lists.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { formatRef, OBSERVED, refOf } from '../model/kube-object.ts';
import type { StoredEvidence } from './memory-reader.ts';
import { mergeObjects } from './merge-objects.ts';

/**
 * Several sources of one cluster as one evidence, the later ones going before the earlier: whole objects before those of tables
 * and describes, and a name that another object has taken over (a new uid) before the old one. What any source has seen to exist is not
 * absent.
 */
export function mergeEvidence(parts: readonly StoredEvidence[]): StoredEvidence {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const objects = mergedByRef(parts.flatMap((part) => part.objects));
  const existing = new Set(objects.map((object) => formatRef(refOf(object))));
  return {
    objects,
    glimpses: mergedByRef(parts.flatMap((part) => part.glimpses ?? [])),
    collected: parts.flatMap((part) => part.collected),
    absent: parts.flatMap((part) => part.absent).filter((ref) => !existing.has(formatRef(withoutUid(ref)))),
    refused: parts.flatMap((part) => part.refused),
    logs: parts.flatMap((part) => part.logs),
    now: largest(parts.map(({ now }) => now)),
  };
}

function mergedByRef(objects: readonly KubeObject[]): readonly KubeObject[] {
  const byRef = new Map<string, KubeObject>();
  for (const object of objects) {
    const key = formatRef(withoutUid(refOf(object)));
    const known = byRef.get(key);
    byRef.set(key, known === undefined ? object : combine(known, object));
  }
  return [...byRef.values()];
}

/** `later` goes before `earlier`, unless it shows less: only the earlier one was read whole, or they are different objects. */
export function combine(earlier: KubeObject, later: KubeObject): KubeObject {
  const [oldUid, newUid] = [earlier.metadata.uid, later.metadata.uid];
  const [oldWhole, newWhole] = [earlier[OBSERVED] === undefined, later[OBSERVED] === undefined];
  if (oldUid !== undefined && newUid !== undefined && oldUid !== newUid) return later;
  if (newWhole || !oldWhole) return mergeObjects(earlier, later);
  return earlier;
}

function withoutUid({ kind, namespace, name }: ObjectRef): ObjectRef {
  return { kind, ...(namespace === undefined ? {} : { namespace }), name };
}
