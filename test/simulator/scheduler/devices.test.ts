import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { create, send } from '../shop.ts';
import { eventsOf, node, nodeOf, schedulingShop, whyNot } from './scheduling.ts';
import { DRIVER, CLASS, slice, claim, exactly, using, shop, devicesOf } from './device-shop.ts';

describe('a pod with a claim', () => {
  test('goes where the devices are, and its claim says which it has and who may use it', () => {
    const cluster = shop({ 'worker-1': [], 'worker-2': [{ name: 'scanner-0' }] }, claim('counter', [exactly('scanner')]));
    create(cluster, using('till-1', 'counter'));
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'till-1')).toBe('worker-2');
    const stored = cluster.store.get('resourceclaims.resource.k8s.io', 'shop', 'counter');
    expect(dig(stored, 'metadata', 'finalizers')).toEqual(['resource.kubernetes.io/delete-protection']);
    expect(dig(stored, 'status')).toEqual({
      allocation: {
        devices: { results: [{ request: 'scanner', driver: DRIVER, pool: 'worker-2', device: 'scanner-0' }] },
        allocationTimestamp: dig(stored, 'status', 'allocation', 'allocationTimestamp'),
        nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['worker-2'] }] }] },
      },
      reservedFor: [{ resource: 'pods', name: 'till-1', uid: cluster.store.get('pods', 'shop', 'till-1')?.metadata.uid }],
    });
  });

  test('says of each node why it will not do when all devices are taken, and is tried again once one is given back', () => {
    const cluster = shop(
      { 'worker-1': [{ name: 'scanner-0' }], 'worker-2': [] },
      claim('first', [exactly('scanner')]),
      claim('second', [exactly('scanner')]),
    );
    create(cluster, using('till-1', 'first'));
    cluster.runUntilSettled();
    create(cluster, using('till-2', 'second'));
    cluster.runUntilSettled();
    expect(whyNot(cluster, 'till-2')).toBe(
      '0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    );
    send(cluster, 'patch', 'ResourceClaim', 'first', {
      subresource: 'status',
      patch: { type: 'merge', body: { status: { allocation: null, reservedFor: null } } },
    });
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'till-2')).toBe('worker-1');
  });

  test('waits without a word for a claim that is not there', () => {
    const cluster = shop({ 'worker-1': [{ name: 'scanner-0' }] });
    create(cluster, using('till-1', 'counter'));
    cluster.runUntilSettled();
    expect([nodeOf(cluster, 'till-1'), whyNot(cluster, 'till-1'), eventsOf(cluster, 'till-1')]).toEqual(['', '', []]);
    create(cluster, claim('counter', [exactly('scanner')]));
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'till-1')).toBe('worker-1');
  });

  test('waits for a device class', () => {
    const cluster = schedulingShop([
      node('worker-1'),
      slice('worker-1', { nodeName: 'worker-1' }, [{ name: 'scanner-0' }]),
      claim('counter', [exactly('scanner')]),
    ]);
    create(cluster, using('till-1', 'counter'));
    cluster.runUntilSettled();
    expect(whyNot(cluster, 'till-1')).toBe(
      '0/1 nodes are available: request scanner: device class scanner does not exist. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    );
    create(cluster, CLASS);
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'till-1')).toBe('worker-1');
  });

  test('follows an allocated claim, which is freed when its node takes nobody', () => {
    const cluster = shop(
      { 'worker-1': [{ name: 'scanner-0' }], 'worker-2': [{ name: 'scanner-0' }] },
      claim('counter', [exactly('scanner')]),
    );
    create(cluster, withPath(using('till-1', 'counter'), ['spec', 'nodeSelector'], { 'kubernetes.io/hostname': 'worker-1' }));
    cluster.runUntilSettled();
    create(cluster, using('till-2', 'counter'));
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'till-2')).toBe('worker-1');
    create(cluster, withPath(using('till-3', 'counter'), ['spec', 'nodeSelector'], { 'kubernetes.io/hostname': 'worker-2' }));
    cluster.runUntilSettled();
    expect(whyNot(cluster, 'till-3')).toContain(
      "1 node(s) didn't match Pod's node affinity/selector, 1 resourceclaim not available on the node. still not schedulable",
    );
    send(cluster, 'patch', 'ResourceClaim', 'counter', {
      subresource: 'status',
      patch: { type: 'merge', body: { status: { reservedFor: null } } },
    });
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'till-3')).toBe('worker-2');
    expect(devicesOf(cluster, 'counter')).toEqual(['scanner=worker-2/scanner-0']);
  });

  describe('for a device that is to be attached first', () => {
    const fabric = [{ name: 'scanner-0', bindingConditions: ['Attached'], bindingFailureConditions: ['AttachFailed'] }];
    const attaching = (): Cluster => {
      const cluster = shop({ 'worker-1': fabric, 'worker-2': [] }, claim('counter', [exactly('scanner')]));
      create(cluster, using('till-1', 'counter'));
      cluster.advance(20_000);
      return cluster;
    };
    const says = (cluster: Cluster, type: string): void => {
      const conditions = [{ type, status: 'True', reason: 'Fabric', message: 'by the fabric', lastTransitionTime: '2026-03-02T12:00:00Z' }];
      const answer = send(cluster, 'patch', 'ResourceClaim', 'counter', {
        subresource: 'status',
        patch: { type: 'merge', body: { status: { devices: [{ driver: DRIVER, pool: 'worker-1', device: 'scanner-0', conditions }] } } },
      });
      expect(answer.ok).toBe(true);
    };

    test('is bound when its driver says that it is', () => {
      const cluster = attaching();
      expect([nodeOf(cluster, 'till-1'), devicesOf(cluster, 'counter')]).toEqual(['', ['scanner=worker-1/scanner-0']]);
      expect(eventsOf(cluster, 'till-1')).toMatchObject([
        { type: 'Normal', reason: 'BindingConditionsPending', message: 'waiting for binding conditions for device on node worker-1' },
      ]);
      says(cluster, 'Attached');
      cluster.advance(6000);
      expect(nodeOf(cluster, 'till-1')).toBe('worker-1');
    });

    test('lets go of the device when its driver says that it cannot be', () => {
      const cluster = attaching();
      says(cluster, 'AttachFailed');
      cluster.advance(6000);
      expect(eventsOf(cluster, 'till-1').map(({ message }) => message)).toContain(
        'running PreBind plugin "DynamicResources": claim counter binding failed: reason=Fabric, message="by the fabric"',
      );
      cluster.advance(60_000);
      expect(whyNot(cluster, 'till-1')).toContain('resourceclaim not available on the node');
    });

    test('waits ten minutes at most', () => {
      const cluster = attaching();
      cluster.advance(600_000);
      expect(eventsOf(cluster, 'till-1').map(({ message }) => message)).toContain(
        'running PreBind plugin "DynamicResources": claim counter binding timeout',
      );
    });
  });

  test('of a selector that meets a device without the attribute fails with an error, again and again', () => {
    const cluster = shop(
      { 'worker-1': [{ name: 'scanner-0' }] },
      claim('counter', [exactly('scanner', { selectors: [{ cel: { expression: `device.attributes["${DRIVER}"].model == "laser"` } }] })]),
    );
    create(cluster, using('till-1', 'counter'));
    cluster.advance(5000);
    const words = `running "DynamicResources" filter plugin: claim shop/counter: selector #0 on device ${DRIVER}/worker-1/scanner-0: CEL runtime error: no such key: model. Consider using CEL optional chaining (?), has() macro, or orValue() for optional fields`;
    expect(whyNot(cluster, 'till-1')).toBe(words);
    expect(eventsOf(cluster, 'till-1')[0]).toMatchObject({ reason: 'FailedScheduling', message: words });
  });
});

describe('devices are chosen', () => {
  const two = [
    { name: 'a', attributes: { model: { string: 'laser' }, year: { int: 2020 } } },
    { name: 'b', attributes: { model: { string: 'camera' }, year: { int: 2024 } }, capacity: { memory: { value: '8Gi' } } },
  ];
  const chosen = (
    given: JsonObject,
    devices: readonly JsonObject[] = two,
    where: JsonObject = { nodeName: 'worker-1' },
  ): readonly string[] | string => {
    const cluster = schedulingShop([node('worker-1', { labels: { zone: 'a' } }), slice('worker-1', where, devices), CLASS, given]);
    create(cluster, using('till-1', 'counter'));
    cluster.runUntilSettled();
    return nodeOf(cluster, 'till-1') === '' ? (whyNot(cluster, 'till-1').split('. ')[0] ?? '') : devicesOf(cluster, 'counter');
  };
  const none = '0/1 nodes are available: 1 cannot allocate all claims';
  const where = (expression: string): JsonObject => exactly('scanner', { selectors: [{ cel: { expression } }] });

  test.each<[string, JsonObject, readonly string[] | string]>([
    ['by an attribute', where(`device.attributes["${DRIVER}"].model == "camera"`), ['scanner=worker-1/b']],
    [
      'by a capacity some do not have',
      where(`has(device.capacity["${DRIVER}"].memory) && device.capacity["${DRIVER}"].memory.compareTo(quantity("4Gi")) > 0`),
      ['scanner=worker-1/b'],
    ],
    [
      'none by a capacity none has',
      where(`device.capacity["${DRIVER}"].?memory.orValue(quantity("0")).isGreaterThan(quantity("16Gi"))`),
      none,
    ],
    ['as many as are asked for', exactly('scanner', { count: 2 }), ['scanner=worker-1/a', 'scanner=worker-1/b']],
    ['none when there are too few', exactly('scanner', { count: 3 }), none],
    ['all of them', exactly('scanner', { allocationMode: 'All' }), ['scanner=worker-1/a', 'scanner=worker-1/b']],
    [
      'the first alternative that can be had',
      {
        name: 'scanner',
        firstAvailable: [
          { name: 'many', deviceClassName: 'scanner', count: 5 },
          { name: 'one', deviceClassName: 'scanner' },
        ],
      },
      ['scanner/one=worker-1/a'],
    ],
  ])('%s', (_, request, expected) => {
    expect(chosen(claim('counter', [request]))).toEqual(expected);
  });

  test('so that an attribute is the same for all', () => {
    const alike = { constraints: [{ matchAttribute: `${DRIVER}/model` }] };
    expect(chosen(claim('counter', [exactly('scanner', { count: 2 })], alike))).toBe(none);
    const third = [...two, { name: 'c', attributes: { [`${DRIVER}/model`]: { string: 'camera' } } }];
    expect(chosen(claim('counter', [exactly('scanner', { count: 2 })], alike), third)).toEqual([
      'scanner=worker-1/b',
      'scanner=worker-1/c',
    ]);
  });

  test('that are not tainted, unless the request tolerates it', () => {
    const worn = [{ name: 'a', taints: [{ key: 'shop.example/worn', effect: 'NoSchedule' }] }];
    expect(chosen(claim('counter', [exactly('scanner')]), worn)).toBe(none);
    expect(
      chosen(claim('counter', [exactly('scanner', { tolerations: [{ key: 'shop.example/worn', operator: 'Exists' }] })]), worn),
    ).toEqual(['scanner=worker-1/a']);
  });

  test('from slices for nodes of a label, and for each device where that is said', () => {
    const selector = (value: string): JsonObject => ({
      nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [value] }] }] },
    });
    expect(chosen(claim('counter', [exactly('scanner')]), two, selector('a'))).toEqual(['scanner=worker-1/a']);
    expect(chosen(claim('counter', [exactly('scanner')]), two, selector('b'))).toBe(none);
    expect(
      chosen(
        claim('counter', [exactly('scanner')]),
        [
          { name: 'a', nodeName: 'worker-9' },
          { name: 'b', allNodes: true },
        ],
        { perDeviceNodeSelection: true },
      ),
    ).toEqual(['scanner=worker-1/b']);
  });

  test('from whole pools only', () => {
    const cluster = schedulingShop([
      node('worker-1'),
      slice('worker-1', { nodeName: 'worker-1' }, two, { name: 'worker-1', generation: 1, resourceSliceCount: 2 }),
      CLASS,
      claim('counter', [exactly('scanner')]),
    ]);
    create(cluster, using('till-1', 'counter'));
    cluster.runUntilSettled();
    expect(whyNot(cluster, 'till-1')).toContain('1 cannot allocate all claims');
    create(
      cluster,
      slice('worker-1-more', { nodeName: 'worker-1' }, [{ name: 'c' }], { name: 'worker-1', generation: 1, resourceSliceCount: 2 }),
    );
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'till-1')).toBe('worker-1');
  });

  test('as far as the counters that parts of one device share go', () => {
    const part = (name: string, memory: string): JsonObject => ({
      name,
      consumesCounters: [{ counterSet: 'board', counters: { memory: { value: memory } } }],
    });
    const pool = { name: 'boards', generation: 1, resourceSliceCount: 2 };
    const counters = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: 'counters' },
      spec: { driver: DRIVER, pool, nodeName: 'worker-1', sharedCounters: [{ name: 'board', counters: { memory: { value: '8Gi' } } }] },
    };
    const cluster = schedulingShop([
      node('worker-1'),
      counters,
      slice('parts', { nodeName: 'worker-1' }, [part('whole', '8Gi'), part('half', '4Gi'), part('other-half', '4Gi')], pool),
      CLASS,
      claim('first', [exactly('scanner', { count: 2 })]),
      claim('second', [exactly('scanner')]),
    ]);
    create(cluster, using('till-1', 'first'));
    cluster.runUntilSettled();
    expect(devicesOf(cluster, 'first')).toEqual(['scanner=boards/half', 'scanner=boards/other-half']);
    create(cluster, using('till-2', 'second'));
    cluster.runUntilSettled();
    expect(whyNot(cluster, 'till-2')).toContain('1 cannot allocate all claims');
  });
});
