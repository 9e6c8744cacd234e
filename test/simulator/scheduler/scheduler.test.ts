import { describe, expect, test } from 'vitest';
import { create, pod, send } from '../shop.ts';
import { eventsOf, node, nodeOf, requesting, schedulingShop, whyNot } from './scheduling.ts';

const TAINT = [{ key: 'dedicated', value: 'checkout', effect: 'NoSchedule' }];

describe('placing', () => {
  test('a pod is bound to a node that has room, and an event says so', () => {
    const cluster = schedulingShop([node('worker-1', { allocatable: { cpu: '100m' } }), node('worker-2')]);
    create(cluster, pod('web-1', {}, requesting('1')));
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'web-1')).toBe('worker-2');
    expect(
      eventsOf(cluster, 'web-1').map((event) => [event['reason'], event['message'], event['reportingComponent'], event['action']]),
    ).toEqual([['Scheduled', 'Successfully assigned shop/web-1 to worker-2', 'default-scheduler', 'Binding']]);
  });

  test('pods of one Service are spread over nodes and zones without being told', () => {
    const nodes = ['a', 'b', 'c'].map((zone, index) =>
      node(`worker-${index + 1}`, { labels: { 'topology.kubernetes.io/zone': `zone-${zone}` } }),
    );
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    };
    const cluster = schedulingShop([...nodes, service]);
    for (const name of ['web-1', 'web-2', 'web-3'])
      create(cluster, { ...pod(name), metadata: { name, namespace: 'shop', labels: { app: 'web' } } });
    cluster.runUntilSettled();
    expect(new Set(['web-1', 'web-2', 'web-3'].map((name) => nodeOf(cluster, name))).size).toBe(3);
  });

  test('a preferred node is taken before others', () => {
    const cluster = schedulingShop([node('worker-1'), node('worker-2', { labels: { disk: 'fast' } }), node('worker-3')]);
    const preference = { weight: 100, preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: ['fast'] }] } };
    create(cluster, pod('db-1', { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [preference] } } }));
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'db-1')).toBe('worker-2');
  });

  test('a pod of another scheduler is left alone', () => {
    const cluster = schedulingShop([node('worker-1')]);
    create(cluster, pod('web-1', { schedulerName: 'night-shift' }));
    cluster.runUntilSettled();
    expect([nodeOf(cluster, 'web-1'), whyNot(cluster, 'web-1'), eventsOf(cluster, 'web-1')]).toEqual(['', '', []]);
  });

  test('a gated pod waits without a word until its last gate is gone', () => {
    const cluster = schedulingShop([node('worker-1')]);
    create(cluster, pod('web-1', { schedulingGates: [{ name: 'shop.example/paid' }] }));
    cluster.runUntilSettled();
    expect([nodeOf(cluster, 'web-1'), eventsOf(cluster, 'web-1')]).toEqual(['', []]);
    send(cluster, 'patch', 'Pod', 'web-1', { patch: { type: 'json', body: [{ op: 'remove', path: '/spec/schedulingGates' }] } });
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'web-1')).toBe('worker-1');
  });

  test('among more than a hundred nodes the search goes on where it ended', () => {
    const cluster = schedulingShop(Array.from({ length: 250 }, (_, index) => node(`worker-${index}`)));
    for (let index = 0; index < 40; index++) create(cluster, pod(`web-${index}`));
    cluster.runUntilSettled();
    const used = new Set(Array.from({ length: 40 }, (_, index) => nodeOf(cluster, `web-${index}`)));
    expect(used.has('')).toBe(false);
    expect(used.size).toBe(40);
  });
});

describe('reasons', () => {
  const patient = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'patient' },
    value: 10,
    preemptionPolicy: 'Never',
  };
  const nodes = [patient, node('worker-1'), node('worker-2'), node('control-1', { taints: TAINT })];

  test.each([
    [
      'too much cpu',
      {},
      requesting('9'),
      '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    ],
    [
      'too much of two resources',
      {},
      requesting('9', { memory: '1Ti' }),
      '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu, 2 Insufficient memory. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    ],
    [
      'a device nobody has',
      {},
      { resources: { limits: { 'shop.example/printer': '1' } } },
      '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient shop.example/printer. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    ],
    [
      'a label nobody has',
      { nodeSelector: { disk: 'fast' } },
      {},
      "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    ],
    [
      'company nobody is',
      {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'cache' } } },
            ],
          },
        },
      },
      {},
      "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't match pod affinity rules. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    ],
    [
      'a domain nobody is in',
      {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'web' } } },
        ],
      },
      {},
      "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't match pod topology spread constraints (missing required label). no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    ],
    [
      'no leave to preempt',
      { priorityClassName: 'patient' },
      requesting('9'),
      '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
    ],
    [
      'a claim that does not exist',
      { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'orders' } }] },
      {},
      '0/3 nodes are available: persistentvolumeclaim "orders" not found. not found',
    ],
    [
      'a node by name that is too small',
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['worker-1'] }] }],
            },
          },
        },
      },
      requesting('9'),
      "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    ],
  ])('a pod that needs %s is told why no node will do', (_, spec, container, message) => {
    const cluster = schedulingShop(nodes);
    create(cluster, pod('web-1', spec, container));
    cluster.runUntilSettled();
    expect(whyNot(cluster, 'web-1')).toBe(message);
    expect(eventsOf(cluster, 'web-1').map((event) => [event['type'], event['reason'], event['message']])).toEqual([
      ['Warning', 'FailedScheduling', message],
    ]);
  });

  test('a cluster without nodes says so', () => {
    const cluster = schedulingShop([]);
    create(cluster, pod('web-1'));
    cluster.runUntilSettled();
    expect(whyNot(cluster, 'web-1')).toBe('no nodes available to schedule pods');
  });

  test('a node too full is told from a node too small: others of the same priority are no victims', () => {
    const cluster = schedulingShop([node('worker-1')]);
    create(cluster, pod('web-1', {}, requesting('1500m')));
    cluster.runUntilSettled();
    create(cluster, pod('web-2', {}, requesting('1500m')));
    cluster.runUntilSettled();
    expect(whyNot(cluster, 'web-2')).toBe(
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    );
  });

  test('host ports, pod counts and anti-affinity each have their own words', () => {
    const apart = {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
          ],
        },
      },
    };
    const cluster = schedulingShop([node('worker-1'), node('worker-2', { allocatable: { pods: '0' } })]);
    const labelled = (name: string, spec = {}, container = {}) => ({
      ...pod(name, spec, container),
      metadata: { name, namespace: 'shop', labels: { app: 'web' } },
    });
    create(cluster, labelled('web-1', apart, { ports: [{ containerPort: 80, hostPort: 8080 }] }));
    cluster.runUntilSettled();
    create(cluster, labelled('web-2', apart));
    create(cluster, labelled('web-3'));
    create(cluster, pod('till-1', {}, { ports: [{ containerPort: 80, hostPort: 8080 }] }));
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'web-1')).toBe('worker-1');
    expect(whyNot(cluster, 'web-2')).toContain("0/2 nodes are available: 1 Too many pods, 1 node(s) didn't match pod anti-affinity rules.");
    expect(whyNot(cluster, 'web-3')).toContain(
      "0/2 nodes are available: 1 Too many pods, 1 node(s) didn't satisfy existing pods anti-affinity rules.",
    );
    expect(whyNot(cluster, 'till-1')).toContain(
      "0/2 nodes are available: 1 Too many pods, 1 node(s) didn't have free ports for the requested pod ports.",
    );
  });

  test('spread counts the pods of each domain, empty ones too', () => {
    const cluster = schedulingShop([
      node('worker-1', { labels: { rack: 'left' } }),
      node('worker-2', { labels: { rack: 'right' }, taints: TAINT }),
    ]);
    const spec = {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    };
    for (const name of ['web-1', 'web-2'])
      create(cluster, { ...pod(name, spec), metadata: { name, namespace: 'shop', labels: { app: 'web' } } });
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'web-1')).toBe('worker-1');
    expect(whyNot(cluster, 'web-2')).toContain(
      "0/2 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 node(s) had untolerated taint(s).",
    );
  });
});

describe('trying again', () => {
  test('a pod is tried again when a taint it could not tolerate goes', () => {
    const cluster = schedulingShop([node('worker-1', { taints: TAINT })]);
    create(cluster, pod('web-1'));
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'web-1')).toBe('');
    send(cluster, 'patch', 'Node', 'worker-1', { patch: { type: 'merge', body: { spec: { taints: null } } } });
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'web-1')).toBe('worker-1');
  });

  test('a pod is tried again when another one leaves', () => {
    const cluster = schedulingShop([node('worker-1')]);
    create(cluster, pod('web-1', {}, requesting('1500m')));
    cluster.runUntilSettled();
    create(cluster, pod('web-2', {}, requesting('1500m')));
    cluster.runUntilSettled();
    send(cluster, 'delete', 'Pod', 'web-1', { delete: { gracePeriodSeconds: 0 } });
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'web-2')).toBe('worker-1');
  });

  test('what cannot help is no reason to try again', () => {
    const cluster = schedulingShop([node('worker-1')]);
    create(cluster, pod('web-1', { nodeSelector: { disk: 'fast' } }));
    cluster.runUntilSettled();
    send(cluster, 'patch', 'Node', 'worker-1', { patch: { type: 'merge', body: { metadata: { labels: { disk: 'slow' } } } } });
    cluster.advance(60_000);
    expect(eventsOf(cluster, 'web-1').map((event) => event['series'])).toEqual([undefined]);
  });

  test('after five minutes every pod is tried again: its event becomes a series', () => {
    const cluster = schedulingShop([node('worker-1')]);
    create(cluster, pod('web-1', {}, requesting('9')));
    cluster.advance(800_000);
    const reasons = eventsOf(cluster, 'web-1').map((event) => event['reason']);
    expect(new Set(reasons)).toEqual(new Set(['FailedScheduling']));
    expect(
      eventsOf(cluster, 'web-1').length + eventsOf(cluster, 'web-1').filter((event) => event['series'] !== undefined).length,
    ).toBeGreaterThan(1);
  });
});

describe('volumes', () => {
  const lazy = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'local' },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  };
  const claim = (storageClassName: string) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'orders', namespace: 'shop' },
    spec: { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  const using = pod('db-1', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'orders' } }] });

  test('a claim that others must bind first keeps its pod waiting', () => {
    const cluster = schedulingShop([node('worker-1'), claim('plain')]);
    create(cluster, using);
    cluster.runUntilSettled();
    expect(whyNot(cluster, 'db-1')).toBe('0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found');
  });

  test('a claim that waits for its pod needs a volume that the node reaches', () => {
    const cluster = schedulingShop([node('worker-1'), lazy, claim('local')]);
    create(cluster, using);
    cluster.runUntilSettled();
    expect(whyNot(cluster, 'db-1')).toContain("0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.");
  });
});

test('the same seed places pods the same way', () => {
  const places = (seed: number): readonly string[] => {
    const nodes = Array.from({ length: 5 }, (_, index) => node(`worker-${index}`));
    const cluster = schedulingShop(nodes, { seed });
    for (let index = 0; index < 20; index++) create(cluster, pod(`web-${index}`));
    cluster.runUntilSettled();
    return Array.from({ length: 20 }, (_, index) => nodeOf(cluster, `web-${index}`));
  };
  expect(places(3)).toEqual(places(3));
  expect(places(3)).not.toEqual(places(4));
});
