import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';
import { create, failureOf, objectOf, send, shop } from '../shop.ts';

const named = (apiVersion: string, kind: string, more: JsonObject): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name: 'web' },
  ...more,
});
const managersOf = (object: KubeObject): readonly (Json | undefined)[] =>
  asList(object.metadata['managedFields']).map((entry) => dig(entry, 'manager'));

/** What `npm run differ` found in the objects of a real API server (1.36), one thing each. */
describe('a claim', () => {
  const claim = (spec: JsonObject): JsonObject =>
    named('v1', 'PersistentVolumeClaim', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
    });
  const other = { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'old' };
  const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'old' };
  const source = (spec: JsonObject): readonly (Json | undefined)[] => {
    const made = objectOf(create(shop(), claim(spec)));
    return ['dataSource', 'dataSourceRef'].map((field) => dig(made, 'spec', field, 'name'));
  };

  test.each([
    ['a source stands in both fields', { dataSource: snapshot }, ['old', 'old']],
    ['a reference stands in both fields', { dataSourceRef: other }, ['old', 'old']],
    ['a source nothing can be filled from is dropped', { dataSource: { kind: 'ConfigMap', name: 'old' } }, [undefined, undefined]],
    ['a source of another namespace is dropped', { dataSourceRef: { ...other, namespace: 'till' } }, [undefined, undefined]],
  ])('%s', (_, spec, names) => {
    expect(source(spec)).toEqual(names);
  });
});

describe('a change', () => {
  const daemons = named('apps/v1', 'DaemonSet', {
    spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: {} } },
  });
  const template = (image: string): JsonObject => ({ spec: { template: { spec: { containers: [{ name: 'web', image }] } } } });
  const generation = (object: KubeObject): Json | undefined =>
    dig(object, 'metadata', 'annotations', 'deprecated.daemonset.template.generation');

  test('counts the templates of a DaemonSet, whatever the request says', () => {
    const cluster = shop();
    objectOf(create(cluster, { ...daemons, spec: { ...(daemons['spec'] as JsonObject), ...withPod('nginx:1') } }));
    const patch = (body: JsonObject): KubeObject =>
      objectOf(send(cluster, 'patch', 'DaemonSet', 'web', { patch: { type: 'strategic', body } }));
    expect(generation(patch(template('nginx:2')))).toBe('2');
    expect(generation(patch({ metadata: { annotations: { 'deprecated.daemonset.template.generation': '9' } } }))).toBe('2');
  });

  test('drops what else the reference to a secret says', () => {
    const cluster = shop();
    objectOf(create(cluster, named('v1', 'ServiceAccount', {})));
    const body = { secrets: [{ kind: 'Secret', name: 'token', uid: 'x' }] };
    const made = objectOf(send(cluster, 'patch', 'ServiceAccount', 'web', { patch: { type: 'merge', body } }));
    expect(made['secrets']).toEqual([{ name: 'token' }]);
  });

  test('of an object nobody owned anything of is not tracked', () => {
    const cluster = shop();
    objectOf(create(cluster, named('v1', 'ConfigMap', { data: { a: 'b' } }), { tracksFields: true, manager: 'shop' }));
    const patch = (body: JsonObject): KubeObject =>
      objectOf(send(cluster, 'patch', 'ConfigMap', 'web', { tracksFields: true, manager: 'till', patch: { type: 'merge', body } }));
    patch({ metadata: { managedFields: [{}] } });
    expect(managersOf(patch({ data: { a: 'c' } }))).toEqual([]);
  });

  function withPod(image: string): JsonObject {
    return { template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } } };
  }
});

describe('a new object', () => {
  test('of a kind that counts its changes begins with 1', () => {
    const pool = { name: 'web', generation: 1, resourceSliceCount: 1 };
    const spec = { driver: 'scanners.shop.example', nodeName: 'worker-1', pool };
    const made = objectOf(create(shop(), named('resource.k8s.io/v1', 'ResourceSlice', { spec })));
    expect(made.metadata['generation']).toBe(1);
  });

  test('without limits keeps that nothing was said', () => {
    expect(dig(objectOf(create(shop(), named('v1', 'LimitRange', { spec: { limits: null } }))), 'spec')).toEqual({ limits: null });
  });

  test('that defines a kind has its names accepted by the server itself, and waits for its objects when it is deleted', () => {
    const cluster = shop();
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'tills.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'tills', kind: 'Till' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    const made = objectOf(create(cluster, definition, { tracksFields: true, manager: 'shop' }));
    expect([managersOf(made), dig(made, 'status', 'acceptedNames')]).toEqual([['shop'], { plural: '', kind: '' }]);
    const kept = objectOf(send(cluster, 'get', 'CustomResourceDefinition', 'tills.example.com'));
    expect([managersOf(kept), dig(kept, 'status', 'acceptedNames', 'kind')]).toEqual([['shop', 'kube-apiserver'], 'Till']);
    const body = { metadata: { labels: { status: 'x' } } };
    const patched = send(cluster, 'patch', 'CustomResourceDefinition', 'tills.example.com', {
      subresource: 'status',
      patch: { type: 'merge', body },
    });
    expect(objectOf(patched).metadata['labels']).toEqual({ status: 'x' });
    const gone = objectOf(send(cluster, 'delete', 'CustomResourceDefinition', 'tills.example.com'));
    expect(gone.metadata['finalizers']).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
    expect(asList(dig(gone, 'status', 'conditions')).map((condition) => dig(condition, 'reason'))).toContain('InstanceDeletionPending');
    expect(send(cluster, 'get', 'CustomResourceDefinition', 'tills.example.com').ok).toBe(false);
  });
});

test('a cluster has the Endpoints of its own API server, which nobody mirrors', () => {
  const cluster = createCluster({ seed: 1, preset: 'one-node' }, { freeze: true });
  const endpoints = objectOf(send(cluster, 'get', 'Endpoints', 'kubernetes', { namespace: 'default' }));
  expect(endpoints.metadata['labels']).toEqual({ 'endpointslice.kubernetes.io/skip-mirror': 'true' });
  expect(dig(endpoints, 'subsets', 0, 'ports')).toEqual([{ name: 'https', port: 6443, protocol: 'TCP' }]);
});

describe('a FlowSchema', () => {
  const schema = named('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', {
    spec: { priorityLevelConfiguration: { name: 'tills' }, matchingPrecedence: 100 },
  });
  const level = {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    metadata: { name: 'tills' },
    spec: { type: 'Exempt' },
  };

  test('says whether its priority level is there', () => {
    const cluster = shop();
    const dangling = (): readonly (Json | undefined)[] => {
      cluster.advance(1000);
      const [condition] = asList(dig(objectOf(send(cluster, 'get', 'FlowSchema', 'web')), 'status', 'conditions'));
      return ['type', 'status', 'reason'].map((field) => dig(condition, field));
    };
    objectOf(create(cluster, schema));
    expect(dangling()).toEqual(['Dangling', 'True', 'NotFound']);
    objectOf(create(cluster, level));
    expect(dangling()).toEqual(['Dangling', 'False', 'Found']);
  });
});

describe('what cannot be read', () => {
  const deployed = (pod: JsonObject): string => {
    const spec = { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: pod } };
    return failureOf(create(shop(), named('apps/v1', 'Deployment', { spec }))).message;
  };

  test.each([
    ['is told with the type that Go has for it', { restartPolicy: 7, containers: [] }, 'restartPolicy of type v1.RestartPolicy'],
    [
      'is told with the struct that the field is embedded from',
      { volumes: [{ name: 'data', emptyDir: { medium: [] } }], containers: [] },
      'emptyDir.medium of type v1.StorageMedium',
    ],
  ])('%s', (_, pod, words) => {
    expect(deployed(pod)).toContain(words);
  });

  test('is a number too large for its field, when it is applied or merged: it loses its upper bits', () => {
    const cluster = shop();
    const budget = (minReadySeconds: number): JsonObject => named('apps/v1', 'ReplicaSet', { spec: { minReadySeconds } });
    const patch = (type: 'apply' | 'strategic', body: JsonObject): string =>
      failureOf(send(cluster, 'patch', 'ReplicaSet', 'web', { manager: 'release', patch: { type, body } })).message;
    const words = 'spec.minReadySeconds: Invalid value: -2147483648: must be greater than or equal to 0';
    expect(patch('apply', budget(2_147_483_648))).toContain(words);
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } };
    objectOf(create(cluster, named('apps/v1', 'ReplicaSet', { spec: { selector: { matchLabels: { app: 'web' } }, template } })));
    expect(patch('strategic', budget(2_147_483_648))).toContain(words);
  });

  test('is found when an applied configuration has been merged', () => {
    const cluster = shop();
    const body = named('v1', 'Secret', { data: { key: 'no base 64!' } });
    const failure = failureOf(send(cluster, 'patch', 'Secret', 'web', { manager: 'release', patch: { type: 'apply', body } }));
    expect([failure.code, failure.message.slice(0, 74)]).toEqual([
      500,
      'failed to convert new object (/web; /v1, Kind=Secret) to proper version: u',
    ]);
  });
});
