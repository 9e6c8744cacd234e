import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asText, dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { events, fault, get, machineRoom, podOn, put } from './machine-room.ts';

const DRIVER = 'scanner.shop.example';
const CLAIM = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'counter', namespace: 'shop' },
  spec: { devices: { requests: [{ name: 'scanner', exactly: { deviceClassName: 'scanner' } }] } },
};
const TILL = podOn(
  'till',
  { resources: { claims: [{ name: 'scanner' }] } },
  { resourceClaims: [{ name: 'scanner', resourceClaimName: 'counter' }] },
);

/** What a scheduler would write for the pod. */
function allocate(cluster: Cluster, reserved = true): void {
  const uid = asText(dig(get(cluster, 'pods', 'till'), 'metadata', 'uid')) ?? '';
  const status: JsonObject = {
    allocation: { devices: { results: [{ request: 'scanner', driver: DRIVER, pool: 'worker-1', device: 'a' }] } },
    ...(reserved ? { reservedFor: [{ resource: 'pods', name: 'till', uid }] } : {}),
  };
  cluster.request({
    verb: 'patch',
    group: 'resource.k8s.io',
    version: 'v1',
    resource: 'resourceclaims',
    namespace: 'shop',
    name: 'counter',
    subresource: 'status',
    patch: { type: 'merge', body: { status } },
  });
}

function lines(cluster: Cluster): readonly string[] {
  return events(cluster, 'till').filter((line) => line.includes('FailedPrepareDynamicResources'));
}

describe('the devices of a pod', () => {
  test('are prepared before it gets its sandbox, and it starts', () => {
    const cluster = machineRoom();
    put(cluster, CLAIM, TILL);
    allocate(cluster);
    cluster.advance(8000);
    expect(dig(get(cluster, 'pods', 'till'), 'status', 'phase')).toBe('Running');
    expect(lines(cluster)).toEqual([]);
  });

  test('cannot be prepared where the driver is not registered: the pod waits, and is looked at again after a minute', () => {
    const cluster = machineRoom();
    fault(cluster, 'device-driver', DRIVER, { unregisteredOn: ['worker-1'] });
    put(cluster, CLAIM, TILL);
    allocate(cluster);
    cluster.advance(30_000);
    expect(lines(cluster)).toEqual([
      `Warning FailedPrepareDynamicResources ×1 Failed to prepare dynamic resources: prepare dynamic resources: DRA driver ${DRIVER} is not registered`,
    ]);
    expect(dig(get(cluster, 'pods', 'till'), 'status')).toMatchObject({
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }],
    });
    fault(cluster, 'device-driver', DRIVER, {});
    cluster.advance(90_000);
    expect(dig(get(cluster, 'pods', 'till'), 'status', 'phase')).toBe('Running');
  });

  test('are refused in the words of the driver, and of the kubelet where the claim is not meant for the pod', () => {
    const cluster = machineRoom();
    fault(cluster, 'device-driver', DRIVER, { prepare: 'scanner a does not answer' });
    put(cluster, CLAIM, TILL);
    allocate(cluster);
    cluster.advance(30_000);
    expect(lines(cluster)[0]).toContain(
      'prepare dynamic resources: NodePrepareResources failed for ResourceClaim counter: scanner a does not answer',
    );
    const other = machineRoom();
    put(other, CLAIM, TILL);
    allocate(other, false);
    other.advance(30_000);
    expect(lines(other)[0]).toMatch(
      /prepare dynamic resources: pod till \([-0-9a-f]+\) is not allowed to use ResourceClaim counter \([-0-9a-f]+\)$/,
    );
  });

  test('are offered no more when their driver has been gone for half a minute, and again when it is back', () => {
    const cluster = machineRoom();
    const slice = (name: string, spec: JsonObject): JsonObject => ({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name },
      spec: { driver: DRIVER, pool: { name, generation: 1, resourceSliceCount: 1 }, devices: [{ name: 'a' }], ...spec },
    });
    put(
      cluster,
      slice('worker-1', { nodeName: 'worker-1' }),
      slice('everywhere', { allNodes: true }),
      slice('other', { nodeName: 'worker-1', driver: 'till.shop.example' }),
    );
    const offered = () =>
      cluster.store
        .list('resourceslices.resource.k8s.io')
        .map(({ metadata }) => metadata.name)
        .sort();
    fault(cluster, 'device-driver', DRIVER, { unregisteredOn: ['worker-1'] });
    cluster.advance(20_000);
    fault(cluster, 'device-driver', DRIVER, {});
    cluster.advance(20_000);
    expect(offered()).toEqual(['everywhere', 'other', 'worker-1']);
    fault(cluster, 'device-driver', DRIVER, { unregisteredOn: ['worker-1'] });
    cluster.advance(29_000);
    expect(offered()).toEqual(['everywhere', 'other', 'worker-1']);
    cluster.advance(5000);
    expect(offered()).toEqual(['everywhere', 'other']);
    fault(cluster, 'device-driver', DRIVER, {});
    cluster.advance(5000);
    expect(offered()).toEqual(['everywhere', 'other', 'worker-1']);
    expect(dig(cluster.store.get('resourceslices.resource.k8s.io', undefined, 'worker-1'), 'spec', 'devices')).toEqual([{ name: 'a' }]);
  });

  test('hold up the end of a pod while nobody can put them away', () => {
    const cluster = machineRoom();
    put(cluster, CLAIM, TILL);
    allocate(cluster);
    cluster.advance(8000);
    fault(cluster, 'device-driver', DRIVER, { unregisteredOn: ['worker-1'] });
    cluster.request({ verb: 'delete', group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'till' });
    cluster.advance(60_000);
    expect(get(cluster, 'pods', 'till')).toBeDefined();
    fault(cluster, 'device-driver', DRIVER, {});
    cluster.advance(60_000);
    expect(get(cluster, 'pods', 'till')).toBeUndefined();
  });
});
