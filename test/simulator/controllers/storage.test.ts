import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';
import { namespace, pod, send } from '../shop.ts';
import { eventsOf, get, names } from './workshop.ts';

const STORAGE: readonly JsonObject[] = [
  { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'disks.shop.example' }, spec: {} },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: 'disks.shop.example',
    allowVolumeExpansion: true,
    volumeBindingMode: 'WaitForFirstConsumer',
  },
];
const CLAIM_SPEC: JsonObject = { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '1Gi' } } };
const MOUNT: JsonObject = { volumeMounts: [{ name: 'goods', mountPath: '/goods' }] };

function shopWith(documents: readonly JsonObject[]): Cluster {
  const cluster = createCluster({ seed: 1 }, { freeze: true });
  cluster.apply([namespace('shop'), ...STORAGE, ...documents]);
  cluster.advance(20_000);
  return cluster;
}

test('a volume that lives with its pod gets a claim of its own, which goes with the pod', () => {
  const cluster = shopWith([
    pod(
      'till',
      { volumes: [{ name: 'goods', ephemeral: { volumeClaimTemplate: { metadata: { labels: { of: 'till' } }, spec: CLAIM_SPEC } } }] },
      MOUNT,
    ),
  ]);
  expect(dig(get(cluster, 'Pod', 'till'), 'status', 'phase')).toBe('Running');
  expect(dig(get(cluster, 'PersistentVolumeClaim', 'till-goods'), 'metadata', 'labels')).toEqual({ of: 'till' });
  send(cluster, 'delete', 'Pod', 'till');
  cluster.advance(60_000);
  expect(names(cluster, 'PersistentVolumeClaim')).toEqual([]);
});

test("a claim of that name that is somebody else's stops the pod, and says so", () => {
  const cluster = shopWith([
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'till-goods', namespace: 'shop' }, spec: CLAIM_SPEC },
    pod('till', { volumes: [{ name: 'goods', ephemeral: { volumeClaimTemplate: { spec: CLAIM_SPEC } } }] }, MOUNT),
  ]);
  expect(eventsOf(cluster, 'Pod', 'till')).toContain(
    'Warning FailedBinding ephemeral volume goods: PVC shop/till-goods was not created for pod shop/till (pod is not owner)',
  );
});

test('a claim that asks for more grows while its pod runs', () => {
  const cluster = shopWith([
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'goods', namespace: 'shop' }, spec: CLAIM_SPEC },
    pod('till', { volumes: [{ name: 'goods', persistentVolumeClaim: { claimName: 'goods' } }] }, MOUNT),
  ]);
  expect(dig(get(cluster, 'PersistentVolumeClaim', 'goods'), 'status', 'capacity', 'storage')).toBe('1Gi');
  expect(
    send(cluster, 'patch', 'PersistentVolumeClaim', 'goods', {
      patch: { type: 'merge', body: { spec: { resources: { requests: { storage: '2Gi' } } } } },
    }).ok,
  ).toBe(true);
  cluster.advance(1000);
  expect(
    asList(dig(get(cluster, 'PersistentVolumeClaim', 'goods'), 'status', 'conditions')).map((condition) => dig(condition, 'type')),
  ).toEqual(['Resizing']);
  cluster.advance(10_000);
  const claim = get(cluster, 'PersistentVolumeClaim', 'goods');
  expect(dig(claim, 'status', 'capacity', 'storage')).toBe('2Gi');
  expect(dig(claim, 'status', 'conditions')).toBeUndefined();
  expect(
    dig(cluster.store.get('persistentvolumes', undefined, asText(dig(claim, 'spec', 'volumeName')) ?? ''), 'spec', 'capacity', 'storage'),
  ).toBe('2Gi');
  expect(eventsOf(cluster, 'PersistentVolumeClaim', 'goods').map((event) => event.split(' ')[1])).toEqual(
    expect.arrayContaining(['ExternalExpanding', 'Resizing', 'FileSystemResizeRequired', 'FileSystemResizeSuccessful']),
  );
});

test('what others say of a claim that waits for its volume stays, but for what only a volume has', () => {
  const cluster = shopWith([
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'goods', namespace: 'shop' },
      spec: { ...CLAIM_SPEC, volumeName: 'disk' },
    },
  ]);
  const conditions = [{ type: 'Checked', status: 'True' }];
  const body = { status: { conditions, currentVolumeAttributesClassName: 'gold' } };
  send(cluster, 'patch', 'PersistentVolumeClaim', 'goods', { subresource: 'status', patch: { type: 'merge', body } });
  cluster.advance(20_000);
  const status = dig(get(cluster, 'PersistentVolumeClaim', 'goods'), 'status');
  expect(dig(status, 'conditions', 0, 'type')).toBe('Checked');
  expect(dig(status, 'currentVolumeAttributesClassName')).toBeUndefined();
});
