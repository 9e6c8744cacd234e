import type { ObjectRef } from '../../model/kube-object.ts';
import { sameObject } from '../../model/kube-object.ts';
import type { Scene } from '../survey/scene.ts';

/** Whether a fact about this object belongs into the answer to what was asked: always for a scope, its own objects for a target. */
export function concerns(scene: Scene, ref: ObjectRef): boolean {
  const { target, namespace } = scene.request;
  if (target !== undefined) {
    const top = scene.workloadOf(ref);
    return ref.kind === 'Cluster' || sameObject(ref, target) || (top !== undefined && sameObject(top, target)) || isInScene(scene, ref);
  }
  return namespace === undefined || ref.namespace === undefined || ref.namespace === namespace;
}

function isInScene(scene: Scene, ref: ObjectRef): boolean {
  return [...scene.workloads, ...scene.pods, ...scene.others].some(({ kind, metadata }) => sameObject({ ...metadata, kind }, ref));
}
