import type { KubeObject } from '../../../model/kube-object.ts';
import { controllerOf, labelsOf } from '../../../model/kube-object.ts';
import type { PlacementView } from './placement-view.ts';

/** Pods with a node that the controller of a waiting pod has made, or a ReplicaSet of another revision of its Deployment. */
export interface SiblingPods {
  readonly placed: number;
  readonly ofEarlierRevision: number;
}

/** Kinds whose number of replicas can be set. */
const SCALABLE: ReadonlySet<string> = new Set(['ReplicaSet', 'StatefulSet', 'ReplicationController']);

/** Undefined where the pod has no controller that can be scaled. */
export function siblingPods(pod: KubeObject, world: PlacementView): SiblingPods | undefined {
  const owner = controllerOf(pod);
  if (owner === undefined || !SCALABLE.has(owner.kind)) return undefined;
  let [placed, ofEarlierRevision] = [0, 0];
  for (const other of world.pods) {
    if (other.metadata.namespace !== pod.metadata.namespace) continue;
    const controller = controllerOf(other);
    if (controller?.kind === owner.kind && controller.name === owner.name) placed += 1;
    else if (isOfEarlierRevision(other, pod)) ofEarlierRevision += 1;
  }
  return { placed, ofEarlierRevision };
}

/** Whether a pod with a node is of another ReplicaSet of the Deployment that a waiting pod is of. */
export function isOfEarlierRevision(placed: KubeObject, waiting: KubeObject): boolean {
  const deployment = deploymentOf(waiting);
  return (
    deployment !== undefined &&
    placed.metadata.namespace === waiting.metadata.namespace &&
    deploymentOf(placed) === deployment &&
    controllerOf(placed)?.name !== controllerOf(waiting)?.name
  );
}

/** The name of a ReplicaSet of a Deployment ends with the hash that its pods have as a label. */
function deploymentOf(pod: KubeObject): string | undefined {
  const hash = labelsOf(pod)['pod-template-hash'];
  const owner = controllerOf(pod);
  return owner?.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`)
    ? owner.name.slice(0, -hash.length - 1)
    : undefined;
}
