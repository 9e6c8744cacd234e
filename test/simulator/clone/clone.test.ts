import { describe, expect, it } from 'vitest';
import { asList, asText, dig } from '../../../src/base/json.ts';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { formatRef } from '../../../src/model/kube-object.ts';
import { cloneCluster } from '../../../src/simulator/clone/clone.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { createCluster, loadCluster } from '../../../src/simulator/cluster.ts';
import { deployment, namespace } from '../shop.ts';

const NOW = Date.UTC(2026, 10, 21, 10, 0, 0);

function everythingIn(cluster: Cluster): readonly KubeObject[] {
  return cluster.store.resources().flatMap((resource) => cluster.store.list(resource));
}

function pods(cluster: Cluster): readonly KubeObject[] {
  return cluster.store.list('pods').filter((pod) => pod.metadata.namespace === 'shop');
}

function placesOf(cluster: Cluster): readonly string[] {
  return pods(cluster).map((pod) => `${pod.metadata.name} on ${asText(dig(pod, 'spec', 'nodeName')) ?? 'no node'}`);
}

function waitingReasons(cluster: Cluster): readonly (string | undefined)[] {
  return pods(cluster).map((pod) => asText(dig(pod, 'status', 'containerStatuses', 0, 'state', 'waiting', 'reason')));
}

function statusOf(object: KubeObject, type: string): string | undefined {
  return asText(
    dig(
      asList(dig(object, 'status', 'conditions')).find((condition) => dig(condition, 'type') === type),
      'status',
    ),
  );
}

function shop(documents: readonly JsonObject[], seed = 3): Cluster {
  const cluster = createCluster({ seed });
  cluster.apply([namespace('shop'), ...documents]);
  cluster.runUntilSettled({ milliseconds: 240_000 });
  return cluster;
}

/** A pod template of one container. */
function template(app: string, container: JsonObject, spec: JsonObject = {}): JsonObject {
  return { metadata: { labels: { app } }, spec: { containers: [{ name: app, image: 'nginx:1.27', ...container }], ...spec } };
}

function workload(kind: string, app: string, spec: JsonObject): JsonObject {
  return {
    apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
    kind,
    metadata: { name: app, namespace: 'shop' },
    spec: { ...(kind === 'Job' ? {} : { selector: { matchLabels: { app } } }), ...spec },
  };
}

const STORAGE: readonly JsonObject[] = [
  { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'disks.shop.example' }, spec: {} },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: 'disks.shop.example',
    volumeBindingMode: 'WaitForFirstConsumer',
  },
];

const CLAIM: JsonObject = {
  metadata: { name: 'goods' },
  spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '1Gi' } } },
};

const WORKLOADS: readonly JsonObject[] = [
  ...STORAGE,
  workload('Deployment', 'web', {
    replicas: 3,
    template: template('web', { resources: { requests: { cpu: '500m' } }, readinessProbe: { httpGet: { port: 80 } } }),
  }),
  workload('StatefulSet', 'till', {
    replicas: 2,
    serviceName: 'till',
    template: template('till', { volumeMounts: [{ name: 'goods', mountPath: '/goods' }] }),
    volumeClaimTemplates: [CLAIM],
  }),
  workload('DaemonSet', 'door', { template: template('door', {}) }),
  workload('Job', 'stocktaking', {
    template: {
      spec: { restartPolicy: 'Never', containers: [{ name: 'count', image: 'busybox:1.36', command: ['sh', '-c', 'sleep 3'] }] },
    },
  }),
];

describe('a clone', () => {
  it('keeps every pod of every kind of workload on its node, and makes none anew', () => {
    const origin = shop(WORKLOADS);
    const { cluster, leftOut, assumed } = cloneCluster(everythingIn(origin), { now: NOW });
    expect(placesOf(cluster)).toEqual(placesOf(origin));
    expect(pods(cluster).map((pod) => pod.metadata.uid)).toEqual(pods(origin).map((pod) => pod.metadata.uid));
    expect(leftOut).toEqual([]);
    expect(assumed).toEqual([]);
    cluster.advance(600_000);
    expect(placesOf(cluster)).toEqual(placesOf(origin));
  });

  it('goes on failing as it failed, and as nothing but the containers told', () => {
    const origin = createCluster({
      seed: 4,
      setup: [
        {
          fault: 'part',
          part: 'registry',
          what: 'docker.io',
          with: { repositories: { 'library/nginx': { tags: ['1.27'] }, 'library/busybox': { tags: ['1.36'] } } },
        },
        { fault: 'part', part: 'behaviour', what: 'nginx:1.27#scale', with: { memory: [{ afterSeconds: 2, bytes: '300Mi' }] } },
      ],
    });
    origin.apply([
      namespace('shop'),
      workload('Deployment', 'lost', { template: template('lost', { image: 'nginx:9.99' }) }),
      workload('Deployment', 'broken', {
        template: template('broken', { image: 'busybox:1.36', command: ['sh', '-c', 'sleep 2; exit 7'] }),
      }),
      workload('Deployment', 'scale', { template: template('scale', { resources: { limits: { memory: '200Mi' } } }) }),
      workload('Deployment', 'web', { template: template('web', {}) }),
    ]);
    origin.advance(240_000);
    const { cluster } = cloneCluster(everythingIn(origin), { now: NOW });
    cluster.advance(60_000);
    const seen = new Map(
      pods(cluster).map((pod) => [asText(dig(pod, 'metadata', 'labels', 'app')), dig(pod, 'status', 'containerStatuses', 0)] as const),
    );
    const lost = pods(origin).find((pod) => pod.metadata.name.startsWith('lost'));
    expect(pullTrouble(seen.get('lost'))).toMatch(/nginx:9\.99.*not found/);
    expect(pullTrouble(seen.get('lost'))).toBe(pullTrouble(dig(lost, 'status', 'containerStatuses', 0)));
    expect(dig(seen.get('broken'), 'lastState', 'terminated', 'exitCode')).toBe(7);
    expect(dig(seen.get('scale'), 'lastState', 'terminated', 'reason')).toBe('OOMKilled');
    expect(dig(seen.get('web'), 'ready')).toBe(true);
  });

  it('has devices for a pod whose claim nobody looked at, and none where all that drivers offer was seen', () => {
    const till = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'till', namespace: 'shop' },
      spec: {
        resourceClaims: [{ name: 'lens', resourceClaimTemplateName: 'lens' }],
        containers: [{ name: 'till', image: 'shop/till:1.0', resources: { claims: [{ name: 'lens' }] } }],
      },
    } as unknown as KubeObject;
    const { cluster, assumed } = cloneCluster([till], { now: NOW, isComplete: (kind) => kind === 'Pod' });
    cluster.advance(60_000);
    expect(assumed.map(({ about }) => formatRef(about))).toEqual(
      expect.arrayContaining(['ResourceClaimTemplate/shop/lens', 'DeviceClass/devices.unseen', 'ResourceSlice/devices.unseen']),
    );
    expect(pods(cluster).map((pod) => dig(pod, 'status', 'phase'))).toEqual(['Running']);
    const seen = cloneCluster([till], { now: NOW, isComplete: (kind) => kind === 'Pod' || kind === 'ResourceSlice' });
    seen.cluster.advance(60_000);
    expect(pods(seen.cluster).map((pod) => dig(pod, 'status', 'conditions', 0, 'message'))).toEqual([
      expect.stringContaining('cannot allocate all claims'),
    ]);
  });

  it('has nodes as they were: cordoned, lost, under pressure, and no larger', () => {
    const origin = shop([]);
    origin.request({
      verb: 'patch',
      group: '',
      version: 'v1',
      resource: 'nodes',
      name: 'worker-1',
      patch: { type: 'merge', body: { spec: { unschedulable: true } } },
    });
    origin.inject({ fault: 'stop', process: 'kubelet', node: 'worker-2' });
    origin.inject({ fault: 'part', part: 'machine', what: 'worker-3', with: { diskFraction: 0.95 } });
    origin.advance(120_000);
    const { cluster } = cloneCluster(everythingIn(origin), { now: NOW });
    const nodes = cluster.store.list('nodes');
    expect(nodes.map((node) => dig(node, 'spec', 'unschedulable'))).toEqual([true, undefined, undefined]);
    expect(nodes.map((node) => statusOf(node, 'Ready'))).toEqual(['True', 'Unknown', 'True']);
    cluster.apply([deployment('web')]);
    cluster.advance(30_000);
    const [why] = pods(cluster).map((pod) => asText(dig(pod, 'status', 'conditions', 0, 'message')));
    expect(why).toMatch(/^0\/3 nodes are available: 1 node\(s\) were unschedulable, 2 node\(s\) had untolerated taint\(s\)\./);
  });

  it('enforces the quota that is there, and what is used of it', () => {
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'pods', namespace: 'shop' }, spec: { hard: { pods: '3' } } };
    const { cluster } = cloneCluster(everythingIn(shop([quota, deployment('web', 3)])), { now: NOW });
    const [applied] = cluster.apply([
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'extra', namespace: 'shop' },
        spec: { containers: [{ name: 'extra', image: 'nginx:1.27' }] },
      },
    ]);
    expect(applied?.failure?.message).toBe(
      'pods "extra" is forbidden: exceeded quota: pods, requested: pods=1, used: pods=3, limited: pods=3',
    );
  });

  it('keeps pods in their places when only they and their Deployment were read', () => {
    const origin = shop([
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'keeper', namespace: 'shop' } },
      workload('Deployment', 'web', { replicas: 2, template: template('web', {}, { serviceAccountName: 'keeper' }) }),
    ]);
    const read = everythingIn(origin).filter(
      ({ kind, metadata }) => metadata.namespace === 'shop' && (kind === 'Pod' || kind === 'Deployment'),
    );
    const { cluster, assumed } = cloneCluster(read, { now: NOW, isComplete: (kind) => kind === 'Pod' || kind === 'Deployment' });
    cluster.advance(60_000);
    expect(placesOf(cluster)).toEqual(placesOf(origin));
    expect(pods(cluster).map((pod) => dig(pod, 'status', 'phase'))).toEqual(['Running', 'Running']);
    expect(assumed.map(({ about }) => formatRef(about)).sort()).toEqual(
      [...new Set(placesOf(origin).map((place) => `Node/${place.split(' ').at(-1) ?? ''}`)), 'ServiceAccount/shop/keeper'].sort(),
    );
  });

  it('takes what a manifest names to be there only where nobody looked', () => {
    const wanted = workload('Deployment', 'web', {
      template: template('web', {
        envFrom: [{ configMapRef: { name: 'prices' } }],
        env: [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'vault', key: 'code' } } }],
      }),
    }) as KubeObject;
    const there = everythingIn(shop([]));
    const looked = cloneCluster(there, { now: NOW, wanted: [wanted] });
    looked.cluster.apply([wanted]);
    looked.cluster.advance(30_000);
    expect(waitingReasons(looked.cluster)).toEqual(['CreateContainerConfigError']);
    const unseen = cloneCluster(there, { now: NOW, wanted: [wanted], isComplete: (kind) => kind !== 'ConfigMap' && kind !== 'Secret' });
    unseen.cluster.apply([wanted]);
    unseen.cluster.advance(30_000);
    expect(waitingReasons(unseen.cluster)).toEqual([undefined]);
    expect(unseen.assumed.map(({ about }) => formatRef(about)).sort()).toEqual(['ConfigMap/shop/prices', 'Secret/shop/vault']);
  });

  it('leaves out what was not seen well enough, and says so', () => {
    const glimpsed: KubeObject = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-1', namespace: 'shop' },
      status: { phase: 'Running' },
    };
    const foreign: KubeObject = { apiVersion: 'shop.example/v1', kind: 'Basket', metadata: { name: 'today', namespace: 'shop' } };
    const { leftOut } = cloneCluster([...everythingIn(shop([])), glimpsed, foreign], { now: NOW });
    expect(leftOut.map(({ about, why }) => `${formatRef(about)}: ${why}`)).toEqual([
      'Pod/shop/web-1: not enough of it was seen: spec.containers is missing or wrong',
      'Basket/shop/today: the simulated cluster does not serve shop.example/v1 Basket',
    ]);
  });

  it('plays out the same when it is saved and loaded', () => {
    const { cluster } = cloneCluster(everythingIn(shop(WORKLOADS)), { now: NOW });
    cluster.apply([deployment('late')]);
    cluster.advance(20_000);
    expect(loadCluster(cluster.save()).digest()).toBe(cluster.digest());
  });
});

/** What the last attempt failed with, whether it was just now or is waited after. */
function pullTrouble(containerStatus: Json | undefined): string | undefined {
  return asText(dig(containerStatus, 'state', 'waiting', 'message'))?.replace(/^Back-off pulling image "[^"]*": ErrImagePull: /, '');
}
