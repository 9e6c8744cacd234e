import type { JsonObject } from '../../base/json.ts';
import { mergeDiff } from '../../base/json-edit.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { refOf } from '../../model/kube-object.ts';
import type { Store } from '../store/store.ts';

/** What is different between two states: objects that came, went, and changed (how: a JSON merge patch, versions aside). */
export interface StateDiff {
  readonly added: readonly ObjectRef[];
  readonly removed: readonly ObjectRef[];
  readonly changed: readonly { readonly ref: ObjectRef; readonly patch: JsonObject }[];
}

export function diffStates(before: Store, after: Store): StateDiff {
  const added: ObjectRef[] = [];
  const removed: ObjectRef[] = [];
  const changed: { readonly ref: ObjectRef; readonly patch: JsonObject }[] = [];
  for (const resource of [...new Set([...before.resources(), ...after.resources()])].sort()) {
    for (const object of after.list(resource)) {
      const old = before.get(resource, object.metadata.namespace, object.metadata.name);
      const patch = old === undefined ? undefined : mergeDiff(withoutVersion(old), withoutVersion(object));
      if (old === undefined) added.push(refOf(object));
      else if (patch !== undefined) changed.push({ ref: refOf(object), patch });
    }
    for (const object of before.list(resource)) {
      if (after.get(resource, object.metadata.namespace, object.metadata.name) === undefined) removed.push(refOf(object));
    }
  }
  return { added, removed, changed };
}

function withoutVersion(object: KubeObject): JsonObject {
  const { resourceVersion, managedFields, ...metadata } = object.metadata as JsonObject;
  void [resourceVersion, managedFields];
  return { ...object, metadata };
}
