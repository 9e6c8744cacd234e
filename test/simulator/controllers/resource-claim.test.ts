import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asText, dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { pod, send } from '../shop.ts';
import { apply, eventsOf, exists, get, list, names, workshop } from './workshop.ts';

const REQUEST = { name: 'scanner', exactly: { deviceClassName: 'scanner' } };
const TEMPLATE = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { name: 'scanner', namespace: 'shop' },
  spec: { metadata: { labels: { team: 'tills' } }, spec: { devices: { requests: [REQUEST] } } },
};
const CLAIM = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'counter', namespace: 'shop' },
  spec: { devices: { requests: [REQUEST] } },
};

function using(name: string, claim: JsonObject): JsonObject {
  return pod(name, { resourceClaims: [{ name: 'scanner', ...claim }] }, { resources: { claims: [{ name: 'scanner' }] } });
}

/** What the scheduler would write. */
function allocate(cluster: Cluster, claim: string, pods: readonly string[]): void {
  const reservedFor = pods.map((name) => ({
    resource: 'pods',
    name,
    uid: asText(dig(get(cluster, 'Pod', name), 'metadata', 'uid')) ?? '',
  }));
  const allocation = { devices: { results: [{ request: 'scanner', driver: 'scanner.shop.example', pool: 'worker-1', device: 'a' }] } };
  send(cluster, 'patch', 'ResourceClaim', claim, {
    patch: { type: 'merge', body: { metadata: { finalizers: ['resource.kubernetes.io/delete-protection'] } } },
  });
  send(cluster, 'patch', 'ResourceClaim', claim, {
    subresource: 'status',
    patch: { type: 'merge', body: { status: { allocation, reservedFor } } },
  });
  cluster.advance(1000);
}

describe('the claims of pods', () => {
  test('are made of their template, and the pod is told of their names', () => {
    const cluster = workshop({}, { scheduler: false });
    apply(cluster, [TEMPLATE, using('till-1', { resourceClaimTemplateName: 'scanner' })]);
    const [claim] = list(cluster, 'ResourceClaim');
    expect(claim?.metadata.name).toMatch(/^till-1-scanner-[a-z0-9]{5}$/);
    expect(claim).toMatchObject({
      metadata: {
        labels: { team: 'tills' },
        annotations: { 'resource.kubernetes.io/pod-claim-name': 'scanner' },
        ownerReferences: [{ kind: 'Pod', name: 'till-1', controller: true }],
      },
    });
    expect(dig(get(cluster, 'Pod', 'till-1'), 'status', 'resourceClaimStatuses')).toEqual([
      { name: 'scanner', resourceClaimName: claim?.metadata.name },
    ]);
  });

  test('are asked for again and again while there is no template, with an event', () => {
    const cluster = workshop({}, { scheduler: false });
    apply(cluster, [using('till-1', { resourceClaimTemplateName: 'scanner' })]);
    expect(eventsOf(cluster, 'Pod', 'till-1')).toEqual([
      'Warning FailedResourceClaimCreation PodResourceClaim scanner: resource claim template "scanner": resourceclaimtemplate.resource.k8s.io "scanner" not found',
    ]);
    apply(cluster, [TEMPLATE], 60_000);
    expect(names(cluster, 'ResourceClaim')).toHaveLength(1);
  });

  test('go with their pod', () => {
    const cluster = workshop({}, { scheduler: false });
    apply(cluster, [TEMPLATE, using('till-1', { resourceClaimTemplateName: 'scanner' })]);
    allocate(cluster, names(cluster, 'ResourceClaim')[0] ?? '', ['till-1']);
    send(cluster, 'delete', 'Pod', 'till-1');
    cluster.advance(10_000);
    expect(names(cluster, 'ResourceClaim')).toEqual([]);
  });

  test('that were made by hand are freed when the last of their pods is gone, and stay', () => {
    const cluster = workshop({}, { scheduler: false });
    apply(cluster, [CLAIM, using('till-1', { resourceClaimName: 'counter' }), using('till-2', { resourceClaimName: 'counter' })]);
    allocate(cluster, 'counter', ['till-1', 'till-2']);
    send(cluster, 'delete', 'Pod', 'till-1');
    cluster.advance(3000);
    expect(dig(get(cluster, 'ResourceClaim', 'counter'), 'status', 'reservedFor')).toMatchObject([{ name: 'till-2' }]);
    send(cluster, 'delete', 'Pod', 'till-2');
    cluster.advance(3000);
    expect(get(cluster, 'ResourceClaim', 'counter')).toMatchObject({ status: {} });
    expect([
      dig(get(cluster, 'ResourceClaim', 'counter'), 'status', 'allocation'),
      dig(get(cluster, 'ResourceClaim', 'counter'), 'metadata', 'finalizers'),
    ]).toEqual([undefined, undefined]);
  });

  test('are not deleted under a pod that has them', () => {
    const cluster = workshop({}, { scheduler: false });
    apply(cluster, [CLAIM, using('till-1', { resourceClaimName: 'counter' })]);
    allocate(cluster, 'counter', ['till-1']);
    send(cluster, 'delete', 'ResourceClaim', 'counter');
    cluster.advance(3000);
    expect(exists(cluster, 'ResourceClaim', 'counter')).toBe(true);
    send(cluster, 'delete', 'Pod', 'till-1');
    cluster.advance(3000);
    expect(exists(cluster, 'ResourceClaim', 'counter')).toBe(false);
  });

  test('count against a quota by the class of their devices', () => {
    const cluster = workshop({}, { scheduler: false });
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'devices', namespace: 'shop' },
      spec: { hard: { 'scanner.deviceclass.resource.k8s.io/devices': '2' } },
    };
    const wanting = (name: string, count: number): JsonObject => ({
      ...CLAIM,
      metadata: { name, namespace: 'shop' },
      spec: { devices: { requests: [{ name: 'scanner', exactly: { deviceClassName: 'scanner', count } }] } },
    });
    apply(cluster, [quota, wanting('one', 1)]);
    expect(dig(get(cluster, 'ResourceQuota', 'devices'), 'status', 'used')).toEqual({ 'scanner.deviceclass.resource.k8s.io/devices': '1' });
    apply(cluster, [wanting('two', 2)]);
    expect(exists(cluster, 'ResourceClaim', 'two')).toBe(false);
  });

  test('take their pods with them when a device gets a taint that nobody tolerates', () => {
    const cluster = workshop({}, { scheduler: false });
    const slice = (taints: readonly JsonObject[]): JsonObject => ({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: 'worker-1-scanners' },
      spec: {
        driver: 'scanner.shop.example',
        nodeName: 'worker-1',
        pool: { name: 'worker-1', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'a', ...(taints.length === 0 ? {} : { taints }) }],
      },
    });
    apply(cluster, [slice([]), CLAIM, using('till-1', { resourceClaimName: 'counter' })]);
    allocate(cluster, 'counter', ['till-1']);
    apply(cluster, [slice([{ key: 'shop.example/worn', effect: 'NoSchedule' }])]);
    expect(exists(cluster, 'Pod', 'till-1')).toBe(true);
    apply(cluster, [slice([{ key: 'shop.example/broken', effect: 'NoExecute' }])], 60_000);
    expect(exists(cluster, 'Pod', 'till-1')).toBe(false);
    expect(eventsOf(cluster, 'Pod', 'till-1')).toContain('Normal DeviceTaintManagerEviction Marking for deletion');
  });
});
