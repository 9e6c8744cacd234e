import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import type { Scene } from '../../survey/scene.ts';

/**
 * The scheduler's choice for a claim that is to be provisioned. Source: staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go
 * (AnnSelectedNode).
 */
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

/** Whether a scheduler has chosen a node already and waits, without a word on the pod, until somebody provisions its volumes there. */
export async function waitsForVolumes(pod: KubeObject, { survey }: Scene): Promise<boolean> {
  for (const volume of asList(dig(pod, 'spec', 'volumes'))) {
    const own = dig(volume, 'ephemeral') === undefined ? undefined : `${pod.metadata.name}-${asText(dig(volume, 'name')) ?? ''}`;
    const name = asText(dig(volume, 'persistentVolumeClaim', 'claimName')) ?? own;
    if (name === undefined) continue;
    const claim = await survey.get({ kind: 'PersistentVolumeClaim', namespace: pod.metadata.namespace ?? 'default', name });
    if (claim.ok && annotationsOf(claim.value)[SELECTED_NODE] !== undefined) return true;
  }
  return false;
}
