import { asList, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOfObject } from '../../store/store.ts';
import type { SyncResult } from '../../components/work-queue.ts';
import { retryUnlessGone } from '../../components/work-queue.ts';
import { isDeleted, splitKey } from '../ownership.ts';
import { isFinished } from '../pod-state.ts';
import { podClaimKeys } from './pv-binder.ts';

/** A claim that a pod uses is not deleted under it. Source: pkg/controller/volume/pvcprotection/pvc_protection_controller.go. */
export const PVC_PROTECTION_CONTROLLER: ComponentDefinition = {
  name: 'pvc-protection-controller',
  process: 'kube-controller-manager',
  start: startClaims,
};

/** A volume that is bound is not deleted. Source: pkg/controller/volume/pvprotection/pv_protection_controller.go. */
export const PV_PROTECTION_CONTROLLER: ComponentDefinition = {
  name: 'pv-protection-controller',
  process: 'kube-controller-manager',
  start: startVolumes,
};

const PVC_FINALIZER = 'kubernetes.io/pvc-protection';
const PV_FINALIZER = 'kubernetes.io/pv-protection';

function startClaims(host: ComponentHost): void {
  const claims = host.informer({ kind: 'PersistentVolumeClaim' });
  const pods = host.informer({ kind: 'Pod' }).addIndex('claim', podClaimKeys);
  const queue = host.queue({ name: 'pvcprotection', workers: 1 }, function* sync(key): Routine<SyncResult> {
    const claim = claims.get(...splitKey(key));
    if (claim === undefined || !isDeleted(claim) || pods.by('claim', key).some(usesClaim)) return;
    return yield* letGo(host, claim, PVC_FINALIZER);
  });
  claims.onChange(({ object, type }) => type !== 'DELETED' && isDeleted(object) && queue.add(keyOfObject(object)));
  pods.onChange(({ object, type }) => {
    if (type === 'DELETED' || isFinished(object)) for (const key of podClaimKeys(object)) queue.add(key);
  });
}

/** A pod without a node holds no claim: no kubelet will start it once the claim is being deleted. */
function usesClaim(pod: KubeObject): boolean {
  return dig(pod, 'spec', 'nodeName') !== undefined && !isFinished(pod);
}

function startVolumes(host: ComponentHost): void {
  const volumes = host.informer({ kind: 'PersistentVolume' });
  const queue = host.queue({ name: 'pvprotection', workers: 1 }, function* sync(name): Routine<SyncResult> {
    const volume = volumes.get(undefined, name);
    if (volume === undefined || !isDeleted(volume) || dig(volume, 'status', 'phase') === 'Bound') return;
    return yield* letGo(host, volume, PV_FINALIZER);
  });
  volumes.onChange(({ object, type }) => type !== 'DELETED' && isDeleted(object) && queue.add(object.metadata.name));
}

function* letGo(host: ComponentHost, object: KubeObject, finalizer: string): Routine<SyncResult> {
  const finalizers = asList(object.metadata['finalizers']);
  if (!finalizers.includes(finalizer)) return;
  const kept = finalizers.filter((one) => one !== finalizer);
  const { finalizers: _, ...metadata } = object.metadata;
  void _;
  const answer = yield* host.client.update({
    ...object,
    metadata: { ...metadata, name: object.metadata.name, ...(kept.length === 0 ? {} : { finalizers: kept }) },
  });
  return retryUnlessGone(answer);
}
