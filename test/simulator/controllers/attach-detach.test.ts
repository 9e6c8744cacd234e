import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import type { ClusterOptions } from '../../../src/simulator/cluster-options.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';
import type { ComponentDefinition } from '../../../src/simulator/components/component.ts';
import { ATTACH_DETACH_CONTROLLER } from '../../../src/simulator/controllers/attach-detach/attach-detach.ts';
import { CSI_ATTACHER } from '../../../src/simulator/controllers/attach-detach/attacher.ts';
import { NODE_LIFECYCLE_CONTROLLER } from '../../../src/simulator/controllers/node/node-lifecycle.ts';
import { CSI_PROVISIONER } from '../../../src/simulator/controllers/volume/provisioner.ts';
import { PV_BINDER } from '../../../src/simulator/controllers/volume/pv-binder.ts';
import { KUBELET } from '../../../src/simulator/components/components.ts';
import { namespace } from '../shop.ts';

const DRIVER = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  metadata: { name: 'disk.shop.example' },
  spec: { attachRequired: true },
};
const CLASS = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'disk' }, provisioner: 'disk.shop.example' };
const CLAIM = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'orders' },
  spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'disk', resources: { requests: { storage: '1Gi' } } },
};

function warehouse(options: Partial<ClusterOptions> = {}, more: readonly ComponentDefinition[] = [CSI_ATTACHER]): Cluster {
  const objects: readonly JsonObject[] = [
    namespace('shop'),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'shop' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace: 'shop' }, data: { 'ca.crt': 'x' } },
    DRIVER,
    CLASS,
  ];
  const components = [KUBELET, PV_BINDER, CSI_PROVISIONER, ATTACH_DETACH_CONTROLLER, NODE_LIFECYCLE_CONTROLLER, ...more];
  const cluster = createCluster({ seed: 5, preset: 'three-nodes', objects, ...options }, { components, freeze: true });
  cluster.apply([CLAIM], { namespace: 'shop' });
  cluster.advance(20_000);
  return cluster;
}

function pod(name: string, nodeName: string): JsonObject {
  const volumes = [{ name: 'orders', persistentVolumeClaim: { claimName: 'orders' } }];
  const containers = [
    {
      name: 'db',
      image: 'busybox:1.37',
      command: ['sh', '-c', 'trap "exit 0" TERM; while true; do sleep 1; done'],
      volumeMounts: [{ name: 'orders', mountPath: '/data' }],
    },
  ];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop' },
    spec: { nodeName, tolerations: [{ operator: 'Exists' }], terminationGracePeriodSeconds: 5, containers, volumes },
  };
}

function run(cluster: Cluster, name: string, node: string, milliseconds = 20_000): void {
  for (const applied of cluster.apply([pod(name, node)], { namespace: 'shop' }))
    if (applied.did === 'refused') throw new Error(applied.output);
  cluster.advance(milliseconds);
}

function remove(cluster: Cluster, name: string, milliseconds = 20_000): void {
  cluster.request({ verb: 'delete', group: '', version: 'v1', resource: 'pods', namespace: 'shop', name });
  cluster.advance(milliseconds);
}

function phase(cluster: Cluster, name: string): string | undefined {
  return asText(dig(cluster.store.get('pods', 'shop', name), 'status', 'phase'));
}

/** Events of the controller about a pod, without the made-up part of the volume's name. */
function eventsOf(cluster: Cluster, name: string): readonly string[] {
  return cluster.store
    .list('events')
    .filter((event) => dig(event, 'involvedObject', 'name') === name && dig(event, 'source', 'component') === 'attachdetach-controller')
    .map((event) => `${asText(event['reason'])} ${(asText(event['message']) ?? '').replace(/pvc-[0-9a-f-]+/g, 'pvc-…')}`);
}

function attachedTo(cluster: Cluster): readonly string[] {
  return cluster.store.list('volumeattachments.storage.k8s.io').map((one) => asText(dig(one, 'spec', 'nodeName')) ?? '');
}

test('a volume is attached before its pod starts, and the pod is told', () => {
  const cluster = warehouse();
  run(cluster, 'db', 'worker-1');
  expect(phase(cluster, 'db')).toBe('Running');
  expect(eventsOf(cluster, 'db')).toEqual(['SuccessfulAttachVolume AttachVolume.Attach succeeded for volume "pvc-…" ']);
  expect(asList(dig(cluster.store.get('nodes', undefined, 'worker-1'), 'status', 'volumesAttached'))).toHaveLength(1);
});

test('it is taken off when its pod is gone', () => {
  const cluster = warehouse();
  run(cluster, 'db', 'worker-1');
  remove(cluster, 'db');
  expect(attachedTo(cluster)).toEqual([]);
  expect(dig(cluster.store.get('nodes', undefined, 'worker-1'), 'status', 'volumesAttached')).toBeUndefined();
});

test('a second pod on another node waits, and goes on when the first is gone', () => {
  const cluster = warehouse();
  run(cluster, 'db', 'worker-1');
  run(cluster, 'spare', 'worker-2', 60_000);
  expect(phase(cluster, 'spare')).toBe('Pending');
  expect(eventsOf(cluster, 'spare')).toEqual([
    'FailedAttachVolume Multi-Attach error for volume "pvc-…" Volume is already used by pod(s) db',
  ]);
  remove(cluster, 'db', 200_000);
  expect(phase(cluster, 'spare')).toBe('Running');
  expect(attachedTo(cluster)).toEqual(['worker-2']);
});

test('from a node that does not answer it is taken after six minutes', () => {
  const cluster = warehouse();
  run(cluster, 'db', 'worker-1');
  cluster.inject({ fault: 'stop', process: 'kubelet', node: 'worker-1' });
  cluster.advance(60_000);
  cluster.request({
    verb: 'delete',
    group: '',
    version: 'v1',
    resource: 'pods',
    namespace: 'shop',
    name: 'db',
    delete: { gracePeriodSeconds: 0 },
  });
  run(cluster, 'spare', 'worker-2', 300_000);
  expect(eventsOf(cluster, 'spare')).toEqual([
    'FailedAttachVolume Multi-Attach error for volume "pvc-…" Volume is already exclusively attached to one node and can\'t be attached to another',
  ]);
  expect(attachedTo(cluster)).toEqual(['worker-1']);
  cluster.advance(90_000);
  expect(attachedTo(cluster)).toEqual(['worker-2']);
});

test('what the storage answers is what the pod is told, until it is well again', () => {
  const cluster = warehouse();
  const trouble = (attach?: string): void =>
    cluster.inject({ fault: 'part', part: 'storage', what: 'disk.shop.example', with: attach === undefined ? {} : { attach } });
  trouble('rpc error: code = Internal desc = disk is on loan');
  run(cluster, 'db', 'worker-1', 30_000);
  expect(eventsOf(cluster, 'db')).toEqual([
    'FailedAttachVolume AttachVolume.Attach failed for volume "pvc-…" : rpc error: code = Internal desc = disk is on loan',
  ]);
  trouble();
  cluster.advance(300_000);
  expect(phase(cluster, 'db')).toBe('Running');
});

test('without an attacher nothing is heard for two minutes', () => {
  const cluster = warehouse({}, []);
  run(cluster, 'db', 'worker-1', 115_000);
  expect(eventsOf(cluster, 'db')).toEqual([]);
  cluster.advance(10_000);
  expect(eventsOf(cluster, 'db')[0]).toMatch(
    /^FailedAttachVolume AttachVolume.Attach failed for volume "pvc-…" : timed out waiting for external-attacher of disk.shop.example CSI driver to attach volume /,
  );
});

test('a controller that begins anew tells nobody again', () => {
  const cluster = warehouse();
  run(cluster, 'db', 'worker-1');
  cluster.inject({ fault: 'restart', process: 'kube-controller-manager' });
  cluster.advance(60_000);
  expect(
    cluster.store
      .list('events')
      .filter((event) => dig(event, 'reason') === 'SuccessfulAttachVolume')
      .map((event) => event['count']),
  ).toEqual([1]);
  remove(cluster, 'db');
  expect(attachedTo(cluster)).toEqual([]);
});
