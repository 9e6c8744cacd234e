import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf, labelsOf, refOf } from '../../../model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import { sleep } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOfObject } from '../../store/store.ts';
import type { SyncResult } from '../../components/work-queue.ts';
import { retryUnlessGone } from '../../components/work-queue.ts';
import { isDeleted, splitKey } from '../ownership.ts';
import { BIND_COMPLETED, classOf, SELECTED_NODE, STORAGE_PROVISIONER } from './matching.ts';
import { VOLUME_WORDS } from './volume-messages.ts';

/**
 * The external provisioner of every CSI driver that is installed (has a CSIDriver object): makes a volume for each claim that
 * asks for one, and deletes those that were given back. Source: kubernetes-csi/external-provisioner, sig-storage-lib-external-provisioner.
 */
export const CSI_PROVISIONER: ComponentDefinition = { name: 'csi-provisioner', process: 'csi-provisioner', start };

/** What creating a volume takes a storage system. */
const CREATE_MILLISECONDS = 1500;
const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';

function start(host: ComponentHost): void {
  const claims = host.informer({ kind: 'PersistentVolumeClaim' });
  const volumes = host.informer({ kind: 'PersistentVolume' });
  const classes = host.informer({ kind: 'StorageClass' });
  const drivers = host.informer({ kind: 'CSIDriver' });
  const nodes = host.informer({ kind: 'Node' });
  const queue = host.queue(
    { name: 'claims', workers: 100, retryFrom: 1000, retryTo: 300_000 },
    function* provision(key): Routine<SyncResult> {
      const claim = claims.get(...splitKey(key));
      if (claim === undefined || !isWaiting(claim)) return;
      const driver = annotationsOf(claim)[STORAGE_PROVISIONER];
      if (driver === undefined) return;
      const name = `pvc-${claim.metadata.uid ?? ''}`;
      const storageClass = classes.get(undefined, classOf(claim));
      const node = nodes.get(undefined, annotationsOf(claim)[SELECTED_NODE] ?? '');
      const waits = dig(storageClass, 'volumeBindingMode') === 'WaitForFirstConsumer' && node === undefined;
      if (storageClass === undefined || waits) return;
      if (drivers.get(undefined, driver) === undefined || volumes.get(undefined, name) !== undefined) return;
      host.events.event(claim, VOLUME_WORDS.provisioning(key));
      yield* sleep(host, CREATE_MILLISECONDS, 'create volume');
      const fault = host.world.datacenter.storageFaults.get(driver)?.provision;
      if (fault !== undefined) {
        host.events.event(claim, VOLUME_WORDS.notProvisioned(storageClass.metadata.name, fault));
        return { retry: fault };
      }
      const answer = yield* host.client.create(volumeFor(claim, name, driver, storageClass, node));
      if (!answer.ok && answer.reason !== 'AlreadyExists') return { retry: answer.message };
      host.events.event(claim, VOLUME_WORDS.provisioned(name));
    },
  );
  const cleanup = host.queue({ name: 'volumes', workers: 100 }, function* remove(name): Routine<SyncResult> {
    const volume = volumes.get(undefined, name);
    const driver = volume === undefined ? undefined : annotationsOf(volume)[PROVISIONED_BY];
    if (volume === undefined || driver === undefined || drivers.get(undefined, driver) === undefined) return;
    if (
      dig(volume, 'status', 'phase') !== 'Released' ||
      dig(volume, 'spec', 'persistentVolumeReclaimPolicy') !== 'Delete' ||
      isDeleted(volume)
    )
      return;
    yield* sleep(host, CREATE_MILLISECONDS, 'delete volume');
    const answer = yield* host.client.delete(refOf(volume));
    return retryUnlessGone(answer);
  });
  claims.onChange(
    ({ object, type }) => type !== 'DELETED' && annotationsOf(object)[STORAGE_PROVISIONER] !== undefined && queue.add(keyOfObject(object)),
  );
  volumes.onChange(({ object, type }) => type !== 'DELETED' && cleanup.add(object.metadata.name));
  drivers.onChange(({ object, type }) => {
    if (type === 'ADDED')
      for (const claim of claims.list())
        if (annotationsOf(claim)[STORAGE_PROVISIONER] === object.metadata.name) queue.add(keyOfObject(claim));
  });
}

function volumeFor(claim: KubeObject, name: string, driver: string, storageClass: KubeObject, node: KubeObject | undefined) {
  const { namespace, uid } = claim.metadata;
  const zone = node === undefined ? undefined : labelsOf(node)[ZONE];
  const affinity =
    zone === undefined
      ? {}
      : { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: [zone] }] }] } } };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations: { [PROVISIONED_BY]: driver } },
    spec: {
      accessModes: asList(dig(claim, 'spec', 'accessModes')),
      capacity: { storage: dig(claim, 'spec', 'resources', 'requests', 'storage') ?? '1Gi' },
      volumeMode: asText(dig(claim, 'spec', 'volumeMode')) ?? 'Filesystem',
      storageClassName: storageClass.metadata.name,
      persistentVolumeReclaimPolicy: asText(dig(storageClass, 'reclaimPolicy')) ?? 'Delete',
      claimRef: {
        kind: 'PersistentVolumeClaim',
        namespace: namespace ?? '',
        name: claim.metadata.name,
        uid: uid ?? '',
        apiVersion: 'v1',
        resourceVersion: asText(claim.metadata['resourceVersion']) ?? '',
      },
      csi: { driver, volumeHandle: name, volumeAttributes: {} },
      ...affinity,
    },
  };
}

const ZONE = 'topology.kubernetes.io/zone';

function isWaiting(claim: KubeObject): boolean {
  return !isDeleted(claim) && annotationsOf(claim)[BIND_COMPLETED] === undefined;
}
