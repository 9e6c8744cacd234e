import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import { create, failureOf, objectOf, send, shop } from '../shop.ts';
import { WRONG_NETWORK } from './wrong-network.ts';
import { WRONG_OTHERS } from './wrong-objects.ts';
import { WRONG_WORKLOADS } from './wrong-workloads.ts';
import { WRONG_WINDOWS } from './wrong-windows.ts';
import { WRONG_POD_SETTINGS } from './wrong-pod-settings.ts';
import { WRONG_PODS } from './wrong-pods.ts';

describe.each([
  ['pods', WRONG_PODS],
  ['settings of pods', WRONG_POD_SETTINGS],
  ['pods of Windows', WRONG_WINDOWS],
  ['workloads', WRONG_WORKLOADS],
  ['the network', WRONG_NETWORK],
  ['the other kinds', WRONG_OTHERS],
])('what is wrong with %s is said in the words of a real server', (_, wrong) => {
  const cluster = shop();
  test.each(wrong)('%s', (_what, object, message) => {
    const failure = failureOf(create(cluster, object));
    expect(failure.code).toBe(422);
    expect(failure.message.replace(/^.*? is invalid: /, '')).toBe(message);
  });
});

describe('what stays as it is', () => {
  function changed(object: JsonObject, patch: JsonObject): string {
    const cluster = shop();
    objectOf(create(cluster, object));
    const kind = textOf(object['kind']);
    const failure = failureOf(send(cluster, 'patch', kind, 'web', { patch: { type: 'merge', body: patch } }));
    expect(failure.code).toBe(422);
    return failure.message.replace(/^.*? is invalid: /, '');
  }
  const named = (apiVersion: string, kind: string, more: JsonObject, namespaced = false): JsonObject => ({
    apiVersion,
    kind,
    metadata: { name: 'web', ...(namespaced ? { namespace: 'shop' } : {}) },
    ...more,
  });
  const VOLUME = named('v1', 'PersistentVolume', {
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } },
  });
  const CLASS = named('storage.k8s.io/v1', 'StorageClass', { provisioner: 'disk.shop.example', parameters: { type: 'fast' } });
  const ROLE_REF = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' };

  test('that endpoints are somewhere, and what finalizers are called', () => {
    const ENDPOINTS = named('v1', 'Endpoints', { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] }, true);
    expect(changed(ENDPOINTS, { subsets: [{ addresses: [{ ip: 'here' }], ports: [{ port: 80 }] }] })).toBe(
      '[subsets[0].addresses[0].ip: Invalid value: "here": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff), subsets[0].addresses[0].ip: Invalid value: "here": must be a valid IP address]',
    );
    expect(changed(ENDPOINTS, { metadata: { finalizers: ['orphan', 'foregroundDeletion'] } })).toBe(
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    );
    expect(changed(ENDPOINTS, { metadata: { finalizers: ['shop.example/'] } })).toContain(
      'metadata.finalizers: Invalid value: "shop.example/": name part must be non-empty',
    );
  });

  test('the source of a volume, with how it would differ', () => {
    expect(changed(VOLUME, { spec: { hostPath: { path: '/other' } } })).toBe(
      [
        'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
        '@@ -2,7 +2,7 @@',
        '  "GCEPersistentDisk": null,',
        '  "AWSElasticBlockStore": null,',
        '  "HostPath": {',
        '-  "Path": "/data",',
        '+  "Path": "/other",',
        '   "Type": ""',
        '  },',
        '  "Glusterfs": null,',
        '',
      ].join('\n'),
    );
  });

  test.each<[string, JsonObject, JsonObject, string]>([
    ['what a volume is', VOLUME, { spec: { volumeMode: 'Block' } }, 'volumeMode: Invalid value: "Block": field is immutable'],
    [
      'the parameters of a class',
      CLASS,
      { parameters: { type: 'slow' } },
      'parameters: Invalid value: {"type":"slow"}: field is immutable',
    ],
    [
      'the driver of a class',
      CLASS,
      { provisioner: 'other.shop.example' },
      'provisioner: Invalid value: "other.shop.example": field is immutable',
    ],
    [
      'when a class binds',
      CLASS,
      { volumeBindingMode: 'WaitForFirstConsumer' },
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    ],
    [
      'the address of a Service',
      named('v1', 'Service', { spec: { ports: [{ port: 80 }], clusterIP: '10.96.0.77' } }, true),
      { spec: { clusterIP: '10.96.0.78', clusterIPs: ['10.96.0.78'] } },
      'spec.clusterIPs[0]: Invalid value: ["10.96.0.78"]: may not change once set',
    ],
    [
      'the role of a binding',
      named('rbac.authorization.k8s.io/v1', 'RoleBinding', { roleRef: ROLE_REF }, true),
      { roleRef: { ...ROLE_REF, name: 'writer' } },
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"writer"}: cannot change roleRef',
    ],
    [
      'what a frozen ConfigMap says',
      named('v1', 'ConfigMap', { immutable: true, data: { a: 'b' } }, true),
      { immutable: null, data: { a: 'c' } },
      '[immutable: Forbidden: field is immutable when `immutable` is set, data: Forbidden: field is immutable when `immutable` is set]',
    ],
    [
      'the type of a secret',
      named('v1', 'Secret', { type: 'Opaque' }, true),
      { type: 'shop/other' },
      'type: Invalid value: "shop/other": field is immutable',
    ],
    [
      'who runs a class of ingresses',
      named('networking.k8s.io/v1', 'IngressClass', { spec: { controller: 'shop.example/a' } }),
      { spec: { controller: 'shop.example/b' } },
      'spec.controller: Invalid value: "shop.example/b": field is immutable',
    ],
    [
      'the value of a priority',
      named('scheduling.k8s.io/v1', 'PriorityClass', { value: 5 }),
      { value: 6 },
      'value: Forbidden: may not be changed in an update.',
    ],
    [
      'what a runtime is run by',
      named('node.k8s.io/v1', 'RuntimeClass', { handler: 'runc' }),
      { handler: 'kata' },
      'handler: Invalid value: "kata": field is immutable',
    ],
    [
      'how a driver is attached',
      named('storage.k8s.io/v1', 'CSIDriver', { spec: { attachRequired: true } }),
      { spec: { attachRequired: false } },
      'spec.attachedRequired: Invalid value: false: field is immutable',
    ],
    [
      'of what a quota is',
      named('v1', 'ResourceQuota', { spec: { hard: { pods: '1' }, scopes: ['BestEffort'] } }, true),
      { spec: { scopes: ['NotBestEffort'] } },
      'spec.scopes: Invalid value: ["NotBestEffort"]: field is immutable',
    ],
    [
      'what a slice holds',
      named('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: [], ports: [] }, true),
      { addressType: 'IPv6' },
      'addressType: Invalid value: "IPv6": field is immutable',
    ],
  ])('%s', (_, object, patch, message) => {
    expect(changed(object, patch)).toBe(message);
  });

  test('a job that has a selector of its own without asking for it', () => {
    const job = named(
      'batch/v1',
      'Job',
      {
        spec: {
          selector: { matchLabels: { app: 'web' } },
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } },
        },
      },
      true,
    );
    const { message } = failureOf(create(shop(), job));
    expect(message).toMatch(
      /^Job\.batch "web" is invalid: \[spec\.selector: .*: `selector` not auto-generated, spec\.template\.metadata\.labels: Invalid value: \{"batch\.kubernetes\.io\/controller-uid":".*"\}: `selector` does not match template `labels`\]$/,
    );
  });

  test('a quota takes one of its scopes twice, for they are a set', () => {
    const cluster = shop();
    create(cluster, named('v1', 'ResourceQuota', { spec: { hard: { pods: '1' }, scopes: ['BestEffort'] } }, true));
    const patch = { type: 'merge', body: { spec: { scopes: ['BestEffort', 'BestEffort'] } } } as const;
    expect(send(cluster, 'patch', 'ResourceQuota', 'web', { patch }).ok).toBe(true);
  });
});
