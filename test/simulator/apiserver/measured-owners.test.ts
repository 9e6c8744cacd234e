import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { create, failureOf, objectOf, send, shop } from '../shop.ts';

/** What `npm run differ` found of who owns what, and of the order in which a real API server (1.36) tells what is wrong. */

const named = (apiVersion: string, kind: string, more: JsonObject): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name: 'web' },
  ...more,
});
const POD: JsonObject = { containers: [{ name: 'till', image: 'shop/till:1.0' }] };
const podWith = (spec: JsonObject): JsonObject => named('v1', 'Pod', { spec: { ...POD, ...spec } });
const entryOf = (object: KubeObject, manager: string): Json | undefined =>
  asList(object.metadata['managedFields']).find((entry) => dig(entry, 'manager') === manager);

describe('what a client owns', () => {
  const tracked = { tracksFields: true };

  test('is what it sent, also where the registry drops it', () => {
    const cluster = shop();
    const account = named('v1', 'ServiceAccount', { secrets: [{ name: 'old' }] });
    objectOf(create(cluster, account, { ...tracked, manager: 'first' }));
    const patch = { type: 'merge' as const, body: { secrets: [{ name: 'old', fieldPath: 'x' }] } };
    const changed = objectOf(send(cluster, 'patch', 'ServiceAccount', 'web', { patch, ...tracked, manager: 'second' }));
    expect(changed['secrets']).toEqual([{ name: 'old' }]);
    expect(dig(entryOf(changed, 'second'), 'fieldsV1')).toEqual({ 'f:secrets': { 'k:{"name":"old"}': {} } });
  });

  test('stays as it is, with its time, when nothing changes', () => {
    const cluster = shop();
    const before = objectOf(create(cluster, named('v1', 'ConfigMap', { data: { a: '1' } }), tracked));
    cluster.advance(5000);
    const after = objectOf(
      send(cluster, 'patch', 'ConfigMap', 'web', { patch: { type: 'merge', body: { data: { a: '1' } } }, ...tracked }),
    );
    expect(after.metadata['resourceVersion']).toBe(before.metadata['resourceVersion']);
  });

  test('is a finalizer that stands there once more', () => {
    const cluster = shop();
    const map = { ...named('v1', 'ConfigMap', {}), metadata: { name: 'web', finalizers: ['shop.example/a'] } };
    objectOf(create(cluster, map, { ...tracked, manager: 'first' }));
    const patch = { type: 'merge' as const, body: { metadata: { finalizers: ['shop.example/a', 'shop.example/a'] } } };
    const changed = objectOf(send(cluster, 'patch', 'ConfigMap', 'web', { patch, ...tracked, manager: 'second' }));
    expect(dig(entryOf(changed, 'second'), 'fieldsV1', 'f:metadata', 'f:finalizers')).toEqual({ 'v:"shop.example/a"': {} });
  });

  test('by a scale has no time', () => {
    const cluster = shop();
    const set = named('apps/v1', 'ReplicaSet', {
      spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: POD } },
    });
    objectOf(create(cluster, set, tracked));
    const patch = { type: 'merge' as const, body: { spec: { replicas: 2 } } };
    objectOf(send(cluster, 'patch', 'ReplicaSet', 'web', { patch, subresource: 'scale', ...tracked, manager: 'hand' }));
    const entry = entryOf(objectOf(send(cluster, 'get', 'ReplicaSet', 'web')), 'hand');
    expect(dig(entry, 'subresource')).toBe('scale');
    expect(dig(entry, 'time')).toBeUndefined();
  });

  test('conflicts where a list without members is applied in the place of none', () => {
    const cluster = shop();
    objectOf(create(cluster, named('storage.k8s.io/v1', 'CSINode', { spec: { drivers: [] } }), { ...tracked, manager: 'first' }));
    const body = named('storage.k8s.io/v1', 'CSINode', { spec: { drivers: [] } });
    const refused = failureOf(send(cluster, 'patch', 'CSINode', 'web', { patch: { type: 'apply', body }, ...tracked, manager: 'second' }));
    expect(refused.message).toBe('Apply failed with 1 conflict: conflict with "first" using storage.k8s.io/v1: .spec.drivers');
  });
});

const FILE = 'spec.containers[0].env[0].valueFrom.fileKeyRef';

test('a reference to a secret without a name can be told from others', () => {
  const template = named('v1', 'PodTemplate', { template: { spec: { ...POD, imagePullSecrets: [{ name: '' }] } } });
  const made = objectOf(create(shop(), template, { tracksFields: true, manager: 'hand' }));
  expect(entryOf(made, 'hand')).toBeDefined();
});

test('the labels of an EndpointSlice count its generations', () => {
  const cluster = shop();
  const slice = named('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: [] });
  objectOf(create(cluster, slice));
  const patch = { type: 'merge' as const, body: { metadata: { labels: { app: 'web' } } } };
  expect(objectOf(send(cluster, 'patch', 'EndpointSlice', 'web', { patch })).metadata['generation']).toBe(2);
});

test('the address of a pod that a client writes is one', () => {
  const cluster = shop();
  objectOf(create(cluster, podWith({})));
  const patch = { type: 'merge' as const, body: { status: { podIPs: [{ ip: '/srv' }] } } };
  const refused = failureOf(send(cluster, 'patch', 'Pod', 'web', { patch, subresource: 'status' }));
  expect(refused.message).toContain('status.podIPs[0]: Invalid value: "/srv": must be a valid IP address');
});

describe('a refusal', () => {
  test.each([
    [
      'of a file with variables names its volume and its path',
      podWith({
        containers: [{ ...(asList(POD['containers'])[0] as JsonObject), env: [env({ key: 'A', path: '../a', volumeName: 'none' })] }],
      }),
      [`${FILE}.path: Invalid value: "../a": must not contain '..'`, `${FILE}.volumeName: Not found: "none"`],
    ],
    [
      'of a rule for restarts names its action',
      podWith({ containers: [{ name: 'till', image: 'a', restartPolicy: 'Never', restartPolicyRules: [{ action: 'Wait' }] }] }),
      ['restartPolicyRules[0].action: Unsupported value: "Wait"', 'restartPolicyRules[0].exitCodes: Required value: must be specified'],
    ],
    [
      'of a Windows pod looks at its containers',
      podWith({ os: { name: 'windows' }, containers: [{ name: 'till', image: 'a', securityContext: { privileged: true } }] }),
      ['spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod'],
    ],
  ])('%s', (_, object, words) => {
    const { message } = failureOf(create(shop(), object));
    for (const word of words) expect(message).toContain(word);
  });

  test('of an object that ends: it gets no more finalizers, not even by its status', () => {
    const cluster = shop();
    const budget = named('policy/v1', 'PodDisruptionBudget', { spec: { selector: {} } });
    objectOf(create(cluster, { ...budget, metadata: { name: 'web', finalizers: ['shop.example/a'] } }));
    send(cluster, 'delete', 'PodDisruptionBudget', 'web');
    const patch = { type: 'merge' as const, body: { metadata: { finalizers: ['shop.example/a', 'shop.example/b'] } } };
    const refused = failureOf(send(cluster, 'patch', 'PodDisruptionBudget', 'web', { patch, subresource: 'status', tracksFields: true }));
    expect(refused.message).toContain('no new finalizers can be added if the object is being deleted');
  });

  test('of a status that counts down', () => {
    const cluster = shop();
    const set = named('apps/v1', 'StatefulSet', {
      spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: POD } },
    });
    objectOf(create(cluster, set));
    const status = (count: number | null) =>
      send(cluster, 'patch', 'StatefulSet', 'web', {
        patch: { type: 'merge', body: { status: { collisionCount: count } } },
        subresource: 'status',
      });
    objectOf(status(2));
    expect(failureOf(status(null)).message).toContain('status.collisionCount: Invalid value: 0: cannot be decremented');
  });
});

test('the warning of a Job that goes comes before it is known whether there is one', () => {
  const answer = send(shop(), 'delete', 'Job', 'none');
  expect(failureOf(answer).code).toBe(404);
  expect(answer.warnings).toEqual([expect.stringContaining('child pods are preserved by default')]);
});

function env(fileKeyRef: JsonObject): JsonObject {
  return { name: 'A', valueFrom: { fileKeyRef } };
}
