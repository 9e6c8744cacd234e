import type { JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import { sleep } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOfObject } from '../../store/store.ts';
import { timeOf } from '../../time/api-times.ts';
import type { SyncResult } from '../../components/work-queue.ts';
import { isDeleted, splitKey } from '../ownership.ts';
import { VOLUME_WORDS } from './volume-messages.ts';

/**
 * Tells of claims that want to grow and whose volume somebody else has to grow. Source: pkg/controller/volume/expand/expand_controller.go.
 */
export const EXPAND_CONTROLLER: ComponentDefinition = {
  name: 'expand-controller',
  process: 'kube-controller-manager',
  eventSource: 'volume_expand',
  start: startExpand,
};

/**
 * The external resizer of every CSI driver that is installed: lets the volume grow, and leaves the file system to the kubelet.
 * Source: kubernetes-csi/external-resizer (pkg/controller/controller.go, resize_status.go).
 */
export const CSI_RESIZER: ComponentDefinition = { name: 'csi-resizer', process: 'csi-provisioner', start: startResizer };

/** What growing a volume takes a storage system. */
const GROW_MILLISECONDS = 1500;

function startExpand(host: ComponentHost): void {
  const claims = host.informer({ kind: 'PersistentVolumeClaim' });
  const volumes = host.informer({ kind: 'PersistentVolume' });
  const queue = host.queue({ name: 'volume_expand', workers: 10 }, function* sync(key): Routine<SyncResult> {
    const claim = claims.get(...splitKey(key));
    const volume = claim === undefined ? undefined : volumeOf(claim, volumes);
    if (claim === undefined || volume === undefined || !wantsToGrow(claim, volume)) return;
    yield* sleep(host, 0, 'expand');
    if (dig(volume, 'spec', 'csi') !== undefined) host.events.event(claim, VOLUME_WORDS.externalExpanding);
  });
  claims.onChange(({ object, type }) => type === 'MODIFIED' && queue.add(keyOfObject(object)));
}

function startResizer(host: ComponentHost): void {
  const claims = host.informer({ kind: 'PersistentVolumeClaim' });
  const volumes = host.informer({ kind: 'PersistentVolume' });
  const drivers = host.informer({ kind: 'CSIDriver' });
  const queue = host.queue({ name: 'resizes', workers: 10, retryFrom: 1000, retryTo: 300_000 }, (key) =>
    grow(host, claims, volumes, drivers, key),
  );
  claims.onChange(({ object, type }) => type === 'MODIFIED' && queue.add(keyOfObject(object)));
}

function* grow(host: ComponentHost, claims: Informer, volumes: Informer, drivers: Informer, key: string): Routine<SyncResult> {
  const claim = claims.get(...splitKey(key));
  const volume = claim === undefined ? undefined : volumeOf(claim, volumes);
  if (claim === undefined || volume === undefined || isDeleted(claim) || !wantsToGrow(claim, volume)) return;
  if (drivers.get(undefined, asText(dig(volume, 'spec', 'csi', 'driver')) ?? '') === undefined) return;
  const wanted = asText(dig(claim, 'spec', 'resources', 'requests', 'storage')) ?? '';
  const begun = yield* writeStatus(host, claim, {
    allocatedResources: { storage: wanted },
    allocatedResourceStatuses: { storage: 'ControllerResizeInProgress' },
    conditions: withCondition(claim, 'Resizing', timeOf(host.now())),
  });
  if (begun !== undefined) return { retry: begun };
  host.events.event(claim, VOLUME_WORDS.resizing(volume.metadata.name));
  yield* sleep(host, GROW_MILLISECONDS, 'grow volume');
  const grown = yield* host.client.patch(refOf(volume), 'merge', { spec: { capacity: { storage: wanted } } });
  if (!grown.ok) return { retry: grown.message };
  const left = yield* writeStatus(host, claim, {
    allocatedResourceStatuses: { storage: 'NodeResizePending' },
    conditions: withCondition(
      claim,
      'FileSystemResizePending',
      timeOf(host.now()),
      'Waiting for user to (re-)start a pod to finish file system resize of volume on node.',
    ),
  });
  if (left !== undefined) return { retry: left };
  host.events.event(claim, VOLUME_WORDS.fileSystemRequired);
  host.world.datacenter.volumeGrew(key);
}

function volumeOf(claim: KubeObject, volumes: Informer): KubeObject | undefined {
  return dig(claim, 'status', 'phase') === 'Bound' ? volumes.get(undefined, asText(dig(claim, 'spec', 'volumeName')) ?? '') : undefined;
}

/** More than it has is asked for, and the volume is not that large yet. */
function wantsToGrow(claim: KubeObject, volume: KubeObject): boolean {
  const [wanted, has, large] = [
    dig(claim, 'spec', 'resources', 'requests', 'storage'),
    dig(claim, 'status', 'capacity', 'storage'),
    dig(volume, 'spec', 'capacity', 'storage'),
  ].map((quantity) => parseQuantity(quantity) ?? 0n);
  return wanted !== undefined && has !== undefined && large !== undefined && wanted > has && wanted > large;
}

function withCondition(claim: KubeObject, type: string, now: string, message?: string): JsonObject['conditions'] {
  const others = asList(dig(claim, 'status', 'conditions')).filter(
    (condition) => !['Resizing', 'FileSystemResizePending'].includes(asText(dig(condition, 'type')) ?? ''),
  );
  return [...others, { type, status: 'True', lastProbeTime: null, lastTransitionTime: now, ...(message === undefined ? {} : { message }) }];
}

function* writeStatus(host: ComponentHost, claim: KubeObject, status: JsonObject): Routine<string | undefined> {
  const answer = yield* host.client.patch(refOf(claim), 'merge', { status: withFields(asObject(status), {}) }, { subresource: 'status' });
  return answer.ok ? undefined : answer.message;
}
