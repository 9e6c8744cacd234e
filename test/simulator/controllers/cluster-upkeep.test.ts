import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import { deployment, objectOf, pod, send } from '../shop.ts';
import { apply, condition, eventsOf, exists, get, list, names, workshop } from './workshop.ts';

const service = (spec: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: { app: 'web' }, ...spec },
});
const ports = [{ name: 'http', containerPort: 8080 }];

describe('endpoints', () => {
  test('ready pods stand in the slice and the Endpoints under the port their name means', () => {
    const cluster = workshop();
    apply(cluster, [deployment('web', 2, { ports }), service({ ports: [{ name: 'http', port: 80, targetPort: 'http' }] })]);
    const [slice] = list(cluster, 'EndpointSlice');
    expect(slice?.['ports']).toEqual([{ name: 'http', protocol: 'TCP', port: 8080 }]);
    expect(asList(slice?.['endpoints']).map((endpoint) => dig(endpoint, 'conditions'))).toEqual(
      [1, 2].map(() => ({ ready: true, serving: true, terminating: false })),
    );
    expect(asList(dig(get(cluster, 'Endpoints', 'web'), 'subsets', 0, 'addresses'))).toHaveLength(2);
  });

  test('a target port no container has leaves the ports empty and says nothing', () => {
    const cluster = workshop();
    apply(cluster, [deployment('web', 1, { ports }), service({ ports: [{ name: 'http', port: 80, targetPort: 'metrics' }] })]);
    const [slice] = list(cluster, 'EndpointSlice');
    expect(asList(slice?.['endpoints'])).toHaveLength(1);
    expect(asList(slice?.['ports'])).toEqual([]);
    expect(eventsOf(cluster, 'Service', 'web')).toEqual([]);
  });

  test('a selector that fits nothing has an empty slice, no selector none at all', () => {
    const cluster = workshop();
    apply(cluster, [deployment('shop', 1, { ports }), service({ ports: [{ port: 80 }] })]);
    expect(list(cluster, 'EndpointSlice').map((slice) => [asList(slice['endpoints']), asList(slice['ports'])])).toEqual([[[], []]]);
    objectOf(send(cluster, 'delete', 'Service', 'web'));
    apply(cluster, [
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'far' }, spec: { type: 'ExternalName', externalName: 'shop.example.com' } },
    ]);
    expect(names(cluster, 'EndpointSlice')).toEqual([]);
  });

  test('more than a hundred endpoints take a second slice', () => {
    const cluster = workshop({ preset: 'one-node' });
    apply(cluster, [deployment('web', 101, { ports }), service({ ports: [{ port: 80 }] })], 60_000);
    expect(
      list(cluster, 'EndpointSlice')
        .map((slice) => asList(slice['endpoints']).length)
        .sort((a, b) => b - a),
    ).toEqual([100, 1]);
  });
});

describe('namespaces', () => {
  test("each has its service account and the cluster's certificate, and they come back when they are deleted", () => {
    const cluster = workshop();
    expect(exists(cluster, 'ServiceAccount', 'default')).toBe(true);
    objectOf(send(cluster, 'delete', 'ConfigMap', 'kube-root-ca.crt'));
    objectOf(send(cluster, 'delete', 'ServiceAccount', 'default'));
    cluster.advance(1000);
    expect(exists(cluster, 'ServiceAccount', 'default')).toBe(true);
    expect(exists(cluster, 'ConfigMap', 'kube-root-ca.crt')).toBe(true);
  });

  test('one that is deleted is emptied and goes', () => {
    const cluster = workshop();
    apply(cluster, [deployment('web', 2)]);
    objectOf(send(cluster, 'delete', 'Namespace', 'shop'));
    cluster.advance(60_000);
    expect(send(cluster, 'get', 'Namespace', 'shop').ok).toBe(false);
    expect(cluster.store.list('pods', 'shop')).toEqual([]);
  });

  test('a finalizer nobody answers holds it, and its conditions say which', () => {
    const cluster = workshop();
    apply(cluster, [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'hold', finalizers: ['shop.example.com/hold'] } }]);
    objectOf(send(cluster, 'delete', 'Namespace', 'shop'));
    cluster.advance(60_000);
    const stuck = get(cluster, 'Namespace', 'shop');
    const messages = asList(dig(stuck, 'status', 'conditions')).map((one) => dig(one, 'message'));
    expect(messages).toContain('Some resources are remaining: configmaps. has 1 resource instances');
    expect(messages).toContain('Some content in the namespace has finalizers remaining: shop.example.com/hold in 1 resource instances');
    objectOf(send(cluster, 'patch', 'ConfigMap', 'hold', { patch: { type: 'merge', body: { metadata: { finalizers: null } } } }));
    cluster.advance(60_000);
    expect(send(cluster, 'get', 'Namespace', 'shop').ok).toBe(false);
  });
});

describe('garbage', () => {
  const remove = (policy: 'Orphan' | 'Background' | 'Foreground') => {
    const cluster = workshop();
    apply(cluster, [deployment('web', 2)]);
    objectOf(send(cluster, 'delete', 'Deployment', 'web', { delete: { propagationPolicy: policy } }));
    cluster.advance(10_000);
    return cluster;
  };

  test('what a deleted owner leaves behind goes, whether it waits for it or not', () => {
    for (const policy of ['Background', 'Foreground'] as const) {
      const cluster = remove(policy);
      expect([exists(cluster, 'Deployment', 'web'), names(cluster, 'ReplicaSet'), names(cluster, 'Pod')]).toEqual([false, [], []]);
    }
  });

  test('orphans are let go', () => {
    const cluster = remove('Orphan');
    expect(exists(cluster, 'Deployment', 'web')).toBe(false);
    expect(list(cluster, 'ReplicaSet').map((set) => set.metadata['ownerReferences'])).toEqual([undefined]);
    expect(names(cluster, 'Pod')).toHaveLength(2);
  });

  test('an object whose owner never was is deleted', () => {
    const cluster = workshop();
    apply(cluster, [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'lost',
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: '00000000-0000-4000-8000-000000000000' }],
        },
      },
    ]);
    expect(exists(cluster, 'ConfigMap', 'lost')).toBe(false);
  });
});

describe('nodes', () => {
  test('a silent node becomes unknown within a minute, and its pods are replaced when their patience is over', () => {
    const cluster = workshop();
    apply(cluster, [deployment('web', 3)]);
    cluster.process('kubelet', 'worker-1')?.stop();
    cluster.advance(40_000);
    expect(condition(get(cluster, 'Node', 'worker-1'), 'Ready')).toBe('True KubeletReady');
    cluster.advance(20_000);
    const node = get(cluster, 'Node', 'worker-1');
    expect(condition(node, 'Ready')).toBe('Unknown NodeStatusUnknown');
    expect(
      asList(dig(node, 'spec', 'taints')).map((taint) => `${asText(dig(taint, 'key')) ?? ''}:${asText(dig(taint, 'effect')) ?? ''}`),
    ).toEqual(['node.kubernetes.io/unreachable:NoSchedule', 'node.kubernetes.io/unreachable:NoExecute']);
    const there = list(cluster, 'Pod').find((one) => dig(one, 'spec', 'nodeName') === 'worker-1');
    expect(eventsOf(cluster, 'Pod', there?.metadata.name ?? '')).toContain('Warning NodeNotReady Node is not ready');
    cluster.advance(310_000);
    expect(eventsOf(cluster, 'Pod', there?.metadata.name ?? '')).toContain(
      `Normal TaintManagerEviction Marking for deletion Pod shop/${there?.metadata.name ?? ''}`,
    );
    expect(condition(get(cluster, 'Pod', there?.metadata.name ?? ''), 'DisruptionTarget')).toBe('True DeletionByTaintManager');
    expect(list(cluster, 'Pod')).toHaveLength(4);
  });

  test('when every node is silent none is emptied', () => {
    const cluster = workshop({ preset: 'one-node' });
    apply(cluster, [deployment('web')]);
    cluster.process('kubelet', 'worker-1')?.stop();
    cluster.advance(600_000);
    expect(asList(dig(get(cluster, 'Node', 'worker-1'), 'spec', 'taints')).map((taint) => dig(taint, 'effect'))).toEqual(['NoSchedule']);
    expect(list(cluster, 'Pod')).toHaveLength(1);
  });

  test('pods of a node that is gone are removed within eighty seconds', () => {
    const cluster = workshop();
    apply(cluster, [{ ...pod('lost', { nodeName: 'worker-9' }) }], 30_000);
    expect(exists(cluster, 'Pod', 'lost')).toBe(true);
    cluster.advance(50_000);
    expect(exists(cluster, 'Pod', 'lost')).toBe(false);
  });
});

describe('volumes', () => {
  const claim = (spec: JsonObject = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  });
  const volume = (name: string, storage: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage },
      hostPath: { path: '/srv/data' },
      storageClassName: 'slow',
      persistentVolumeReclaimPolicy: 'Retain',
    },
  });
  const storageClass = (more: JsonObject = {}): JsonObject => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: 'disk.example.com',
    ...more,
  });

  test('a claim gets the smallest volume that will do, and loses it when the volume is lost', () => {
    const cluster = workshop();
    apply(cluster, [volume('big', '10Gi'), volume('fitting', '1Gi'), claim({ storageClassName: 'slow' })]);
    expect(dig(get(cluster, 'PersistentVolumeClaim', 'data'), 'status')).toEqual({
      phase: 'Bound',
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
    });
    expect(dig(get(cluster, 'PersistentVolume', 'fitting'), 'status', 'phase')).toBe('Bound');
    objectOf(send(cluster, 'delete', 'PersistentVolume', 'fitting'));
    objectOf(send(cluster, 'patch', 'PersistentVolume', 'fitting', { patch: { type: 'merge', body: { metadata: { finalizers: null } } } }));
    cluster.advance(1000);
    expect(dig(get(cluster, 'PersistentVolumeClaim', 'data'), 'status', 'phase')).toBe('Lost');
    expect(eventsOf(cluster, 'PersistentVolumeClaim', 'data')).toEqual([
      'Warning ClaimLost Bound claim has lost its PersistentVolume. Data on the volume is lost!',
    ]);
  });

  test('a class that is not there, or none, is what a waiting claim tells of every fifteen seconds', () => {
    const cluster = workshop();
    apply(cluster, [claim({ storageClassName: 'fast' })], 40_000);
    expect(eventsOf(cluster, 'PersistentVolumeClaim', 'data')).toEqual([
      'Warning ProvisioningFailed storageclass.storage.k8s.io "fast" not found',
    ]);
    expect(list(cluster, 'Event').find((event) => event['reason'] === 'ProvisioningFailed')?.['count']).toBeGreaterThanOrEqual(3);
    apply(cluster, [withPath(claim(), ['metadata', 'name'], 'other')]);
    expect(eventsOf(cluster, 'PersistentVolumeClaim', 'other')).toEqual([
      'Normal FailedBinding no persistent volumes available for this claim and no storage class is set',
    ]);
  });

  test('an installed driver makes the volume, one that is not is waited for', () => {
    const cluster = workshop();
    apply(cluster, [storageClass(), claim({ storageClassName: 'fast' })]);
    expect(eventsOf(cluster, 'PersistentVolumeClaim', 'data')[0]).toContain(
      "Normal ExternalProvisioning Waiting for a volume to be created either by the external provisioner 'disk.example.com' or manually",
    );
    apply(cluster, [{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'disk.example.com' }, spec: {} }], 20_000);
    expect(dig(get(cluster, 'PersistentVolumeClaim', 'data'), 'status', 'phase')).toBe('Bound');
  });

  test('WaitForFirstConsumer waits and says for whom', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [storageClass({ volumeBindingMode: 'WaitForFirstConsumer' }), claim({ storageClassName: 'fast' })]);
    apply(cluster, [pod('web', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] })], 20_000);
    expect(eventsOf(cluster, 'PersistentVolumeClaim', 'data')).toEqual([
      'Normal WaitForFirstConsumer waiting for first consumer to be created before binding',
      'Normal WaitForPodScheduled waiting for pod web to be scheduled',
    ]);
  });

  test('a claim a pod uses is kept until the pod is gone', () => {
    const cluster = workshop();
    apply(cluster, [claim(), pod('web', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] })]);
    objectOf(send(cluster, 'delete', 'PersistentVolumeClaim', 'data'));
    cluster.advance(5000);
    expect(exists(cluster, 'PersistentVolumeClaim', 'data')).toBe(true);
    objectOf(send(cluster, 'delete', 'Pod', 'web'));
    cluster.advance(5000);
    expect(exists(cluster, 'PersistentVolumeClaim', 'data')).toBe(false);
  });

  test('a claim, a volume and a class of attributes get back the protection that was taken from them', () => {
    const cluster = workshop();
    const resources = { requests: { storage: '1Gi' } };
    apply(cluster, [
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'a' }, spec: { accessModes: ['ReadWriteOnce'], resources } },
      {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'a' },
        spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadOnlyMany'], hostPath: { path: '/srv' } },
      },
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttributesClass',
        metadata: { name: 'a' },
        driverName: 'a.b',
        parameters: { a: 'b' },
      },
    ]);
    for (const kind of ['PersistentVolumeClaim', 'PersistentVolume', 'VolumeAttributesClass']) {
      objectOf(send(cluster, 'patch', kind, 'a', { patch: { type: 'merge', body: { metadata: { finalizers: null } } } }));
      cluster.advance(5000);
      expect(asList(get(cluster, kind, 'a').metadata['finalizers'])[0]).toMatch(/^kubernetes\.io\/(?:pvc|pv|vac)-protection$/);
    }
  });

  test('a class of attributes that a claim names is not deleted', () => {
    const cluster = workshop();
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeAttributesClassName: 'silver' };
    apply(cluster, [
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttributesClass',
        metadata: { name: 'silver' },
        driverName: 'disks.shop.example',
        parameters: { tier: 'silver' },
      },
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec },
    ]);

    send(cluster, 'delete', 'VolumeAttributesClass', 'silver');
    cluster.advance(5000);
    expect(get(cluster, 'VolumeAttributesClass', 'silver').metadata['finalizers']).toEqual(['kubernetes.io/vac-protection']);
    objectOf(send(cluster, 'delete', 'PersistentVolumeClaim', 'data'));
    cluster.advance(5000);
    expect(exists(cluster, 'VolumeAttributesClass', 'silver')).toBe(false);
  });
});

describe('budgets, quotas and roles', () => {
  test('a quota counts what is there, what comes and what goes', () => {
    const cluster = workshop();
    apply(cluster, [deployment('web', 2, { resources: { requests: { cpu: '100m' } } })]);
    apply(cluster, [
      {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'team' },
        spec: { hard: { pods: '5', 'requests.cpu': '1', configmaps: '9' } },
      },
    ]);
    expect(dig(get(cluster, 'ResourceQuota', 'team'), 'status', 'used')).toEqual({ pods: '2', 'requests.cpu': '200m', configmaps: '1' });
    objectOf(send(cluster, 'delete', 'Deployment', 'web', { delete: { propagationPolicy: 'Background' } }));
    cluster.advance(10_000);
    expect(dig(get(cluster, 'ResourceQuota', 'team'), 'status', 'used')).toEqual({ pods: '0', 'requests.cpu': '0', configmaps: '1' });
  });

  test('a quota whose count somebody wrote over is counted again within five minutes', () => {
    const cluster = workshop();
    apply(cluster, [{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team' }, spec: { hard: { configmaps: '9' } } }]);
    const body = { status: { used: { configmaps: '7' } } };
    send(cluster, 'patch', 'ResourceQuota', 'team', { subresource: 'status', patch: { type: 'merge', body } });
    cluster.advance(310_000);
    expect(dig(get(cluster, 'ResourceQuota', 'team'), 'status', 'used')).toEqual({ configmaps: '1' });
  });

  test('a budget allows what is healthy beyond what is wanted', () => {
    const cluster = workshop();
    const budget = (minAvailable: number): JsonObject => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { minAvailable, selector: { matchLabels: { app: 'web' } } },
    });
    apply(cluster, [deployment('web', 2), budget(2)]);
    expect(dig(get(cluster, 'PodDisruptionBudget', 'web'), 'status')).toMatchObject({
      disruptionsAllowed: 0,
      currentHealthy: 2,
      desiredHealthy: 2,
      expectedPods: 2,
    });
    expect(condition(get(cluster, 'PodDisruptionBudget', 'web'), 'DisruptionAllowed')).toBe('False InsufficientPods');
    apply(cluster, [budget(1)]);
    expect(condition(get(cluster, 'PodDisruptionBudget', 'web'), 'DisruptionAllowed')).toBe('True SufficientPods');
  });

  test('rules of roles are gathered in the role that asks for them', () => {
    const cluster = workshop();
    const role = (name: string, more: JsonObject): JsonObject => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name, ...(more['labels'] === undefined ? {} : { labels: more['labels'] }) },
      ...(more['labels'] === undefined ? more : { rules: more['rules'] }),
    });
    const rules = [{ apiGroups: ['shop.example.com'], resources: ['orders'], verbs: ['get'] }];
    apply(cluster, [
      role('orders', { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'orders' } }] }, rules: [] }),
      role('orders-read', { labels: { part: 'orders' }, rules }),
    ]);
    expect(get(cluster, 'ClusterRole', 'orders')['rules']).toEqual(rules);
  });
});
