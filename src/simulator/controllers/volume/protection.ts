import { asList, asText, dig } from '../../../base/json.ts';
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

/** A VolumeAttributesClass that claims or volumes name is not deleted. Source: pkg/controller/volume/vacprotection/vac_protection_controller.go. */
export const ATTRIBUTES_CLASS_PROTECTION_CONTROLLER: ComponentDefinition = {
  name: 'volumeattributesclass-protection-controller',
  process: 'kube-controller-manager',
  start: startAttributesClasses,
};

const CLASS_FINALIZER = 'kubernetes.io/vac-protection';
const PVC_FINALIZER = 'kubernetes.io/pvc-protection';
const PV_FINALIZER = 'kubernetes.io/pv-protection';

function startClaims(host: ComponentHost): void {
  const claims = host.informer({ kind: 'PersistentVolumeClaim' });
  const pods = host.informer({ kind: 'Pod' }).addIndex('claim', podClaimKeys);
  const queue = host.queue({ name: 'pvcprotection', workers: 1 }, function* sync(key): Routine<SyncResult> {
    const claim = claims.get(...splitKey(key));
    if (claim === undefined) return;
    if (!isDeleted(claim)) return yield* hold(host, claim, PVC_FINALIZER);
    if (pods.by('claim', key).some(usesClaim)) return;
    return yield* letGo(host, claim, PVC_FINALIZER);
  });
  claims.onChange(({ object, type }) => type !== 'DELETED' && concerns(object, PVC_FINALIZER) && queue.add(keyOfObject(object)));
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
    if (volume === undefined) return;
    if (!isDeleted(volume)) return yield* hold(host, volume, PV_FINALIZER);
    if (dig(volume, 'status', 'phase') === 'Bound') return;
    return yield* letGo(host, volume, PV_FINALIZER);
  });
  volumes.onChange(({ object, type }) => type !== 'DELETED' && concerns(object, PV_FINALIZER) && queue.add(object.metadata.name));
}

function startAttributesClasses(host: ComponentHost): void {
  const classes = host.informer({ kind: 'VolumeAttributesClass' });
  const claims = host.informer({ kind: 'PersistentVolumeClaim' }).addIndex('class', classesOfClaim);
  const volumes = host.informer({ kind: 'PersistentVolume' }).addIndex('class', classOfVolume);
  const queue = host.queue({ name: 'vacprotection', workers: 1 }, function* sync(name): Routine<SyncResult> {
    const one = classes.get(undefined, name);
    if (one === undefined) return;
    if (!isDeleted(one)) return yield* hold(host, one, CLASS_FINALIZER);
    if (claims.by('class', name).length > 0 || volumes.by('class', name).length > 0) return;
    return yield* letGo(host, one, CLASS_FINALIZER);
  });
  classes.onChange(({ object, type }) => type !== 'DELETED' && concerns(object, CLASS_FINALIZER) && queue.add(object.metadata.name));
  for (const users of [claims, volumes])
    users.onChange(() => {
      for (const one of classes.list()) if (isDeleted(one)) queue.add(one.metadata.name);
    });
}

/** The one it asks for, the one it has, and the one it is being given. */
function classesOfClaim(claim: KubeObject): readonly string[] {
  const names = [
    dig(claim, 'spec', 'volumeAttributesClassName'),
    dig(claim, 'status', 'currentVolumeAttributesClassName'),
    dig(claim, 'status', 'modifyVolumeStatus', 'targetVolumeAttributesClassName'),
  ];
  return [...new Set(names.filter((name) => typeof name === 'string' && name !== ''))] as readonly string[];
}

function classOfVolume(volume: KubeObject): readonly string[] {
  const name = asText(dig(volume, 'spec', 'volumeAttributesClassName')) ?? '';
  return name === '' ? [] : [name];
}

/** What is being deleted, and what somebody took the protection from. */
function concerns(object: KubeObject, finalizer: string): boolean {
  return isDeleted(object) || !asList(object.metadata['finalizers']).includes(finalizer);
}

/** Gives the protection back. Source: the controllers' addFinalizer. */
function* hold(host: ComponentHost, object: KubeObject, finalizer: string): Routine<SyncResult> {
  const finalizers = asList(object.metadata['finalizers']);
  if (finalizers.includes(finalizer)) return;
  const answer = yield* host.client.update({ ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } });
  return retryUnlessGone(answer);
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
