import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import type { Scene } from '../../survey/scene.ts';
import { claimsOf } from './pod-volumes.ts';
import { viewOf } from './pod-view.ts';

/**
 * The scheduler's choice for a claim that is to be provisioned. Source: staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go
 * (AnnSelectedNode).
 */
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

/** Whether a scheduler has chosen a node already and waits, without a word on the pod, until somebody provisions its volumes there. */
export async function waitsForVolumes(pod: KubeObject, { survey }: Scene): Promise<boolean> {
  for (const { claim: name } of claimsOf(viewOf(pod))) {
    const claim = await survey.get({ kind: 'PersistentVolumeClaim', namespace: pod.metadata.namespace ?? 'default', name });
    if (claim.ok && annotationsOf(claim.value)[SELECTED_NODE] !== undefined) return true;
  }
  return false;
}
