import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { create, deployment, failureOf, objectOf, send, shop } from '../shop.ts';
import { definition } from './custom/definitions.ts';

/** As a client from outside sends it, whose fields are tracked. */
const OUTSIDE = { tracksFields: true, manager: 'hand' } as const;

function of(apiVersion: string, kind: string, more: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web' }, ...more };
}

/** What each manager owns. */
function owners(object: KubeObject): Readonly<Record<string, Json | undefined>> {
  return Object.fromEntries(
    asList(object.metadata['managedFields']).map((entry) => [
      `${textOf(dig(entry, 'manager'))} ${textOf(dig(entry, 'operation'))}`,
      dig(entry, 'fieldsV1'),
    ]),
  );
}

function made(cluster: Cluster, object: JsonObject): KubeObject {
  return objectOf(create(cluster, object, OUTSIDE));
}

function merged(cluster: Cluster, kind: string, body: JsonObject, subresource?: string): KubeObject {
  const part = subresource === undefined ? {} : { subresource };
  return objectOf(send(cluster, 'patch', kind, 'web', { patch: { type: 'merge', body }, ...OUTSIDE, ...part }));
}

/** What `npm run differ` found in the objects of a real API server (1.36), one thing each. */
describe('a list without members', () => {
  test('is owned where Go writes it all the same, and stored as nothing', () => {
    const role = made(shop(), of('rbac.authorization.k8s.io/v1', 'Role', { rules: [] }));
    expect(role['rules']).toBeNull();
    expect(owners(role)).toEqual({ 'hand Update': { 'f:rules': {} } });
  });

  test('is nobody’s when it is applied, and so is what has nothing else in it', () => {
    const body = of('storage.k8s.io/v1', 'CSINode', { spec: { drivers: [] } });
    const applied = objectOf(send(shop(), 'patch', 'CSINode', 'web', { patch: { type: 'apply', body }, ...OUTSIDE }));
    expect(applied.metadata['managedFields']).toBeUndefined();
  });

  test('is told from none in what is owned in one piece', () => {
    const cluster = shop();
    const rule = (namespaceSelector: JsonObject): JsonObject => ({ ingress: [{ from: [{ namespaceSelector }] }] });
    made(cluster, of('networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {}, ...rule({}) } }));
    const patch = { type: 'merge' as const, body: { spec: rule({ matchLabels: {} }) } };
    const after = objectOf(send(cluster, 'patch', 'NetworkPolicy', 'web', { patch, ...OUTSIDE, manager: 'other' }));
    expect(owners(after)['other Update']).toEqual({ 'f:spec': { 'f:ingress': {} } });
  });

  test.each([
    ['accessModes', { accessModes: [] }, '+ "AccessModes": [],'],
    ['limits', { resources: { limits: {} } }, '+  "Limits": {},'],
    ['neither', { accessModes: null }, '+ "AccessModes": null,'],
  ])('is told as it was given when a change is refused: %s', (_, change, line) => {
    const cluster = shop();
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    made(cluster, of('v1', 'PersistentVolumeClaim', { spec }));
    const patch = { type: 'merge' as const, body: { spec: { ...change, volumeMode: 'Block' } } };
    const { message } = failureOf(send(cluster, 'patch', 'PersistentVolumeClaim', 'web', { patch, ...OUTSIDE }));
    expect(message.split('\n')).toContain(line);
  });

  test('is another one than none to the generation of webhooks', () => {
    const cluster = shop();
    made(cluster, of('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {}));
    expect(merged(cluster, 'ValidatingWebhookConfiguration', { webhooks: [] }).metadata['generation']).toBe(2);
  });
});

describe('a value that is not given', () => {
  test('is written as zero where Go’s field is no pointer and has no omitempty', () => {
    const cluster = shop();
    made(cluster, deployment('web'));
    const status = merged(cluster, 'Deployment', { status: { conditions: [{ reason: 'Till' }] } }, 'status');
    expect(dig(status, 'status', 'conditions', 0)).toMatchObject({ type: '', status: '', reason: 'Till' });
  });

  test('is kept as an empty text where the field is a pointer', () => {
    const lease = made(shop(), of('coordination.k8s.io/v1', 'Lease', { spec: { holderIdentity: '' } }));
    expect(lease['spec']).toEqual({ holderIdentity: '' });
  });

  test('is nobody’s of a Scale without replicas', () => {
    const cluster = shop();
    made(cluster, deployment('web', 2));
    objectOf(
      send(cluster, 'patch', 'Deployment', 'web', {
        subresource: 'scale',
        patch: { type: 'merge', body: { spec: { replicas: 0 } } },
        ...OUTSIDE,
      }),
    );
    const after = objectOf(send(cluster, 'get', 'Deployment', 'web'));
    expect(Object.keys(owners(after))).toEqual(['hand Update']);
    expect(dig(owners(after)['hand Update'], 'f:spec', 'f:replicas')).toBeUndefined();
  });
});

describe('who owns what', () => {
  test('of a DaemonSet its creator owns the number of its templates', () => {
    const daemons = made(shop(), {
      ...deployment('web'),
      kind: 'DaemonSet',
      spec: { ...(deployment('web')['spec'] as JsonObject), replicas: null },
    });
    expect(dig(owners(daemons)['hand Update'], 'f:metadata', 'f:annotations')).toHaveProperty([
      'f:deprecated.daemonset.template.generation',
    ]);
  });

  test('nobody is known of an object that was made without a field, until something is applied', () => {
    const cluster = shop();
    const body = of('v1', 'ServiceAccount', {});
    const apply = (more: JsonObject): KubeObject =>
      objectOf(send(cluster, 'patch', 'ServiceAccount', 'web', { patch: { type: 'apply', body: { ...body, ...more } }, ...OUTSIDE }));
    apply({});
    expect(merged(cluster, 'ServiceAccount', { automountServiceAccountToken: false }).metadata['managedFields']).toBeUndefined();
    expect(owners(apply({ metadata: { name: 'web', labels: { a: 'b' } } }))).toEqual({
      'before-first-apply Update': { 'f:automountServiceAccountToken': {} },
      'hand Apply': { 'f:metadata': { 'f:labels': { 'f:a': {} } } },
    });
  });

  test('the server accepts the names of a definition, however it was made', () => {
    const [kind, name, nowhere] = ['CustomResourceDefinition', 'parcels.shop.example', { namespace: undefined }];
    const cluster = shop();
    send(cluster, 'patch', kind, name, { patch: { type: 'apply', body: definition() }, ...OUTSIDE, ...nowhere });
    const after = objectOf(send(cluster, 'get', kind, name, nowhere));
    expect(Object.keys(owners(after))).toEqual(['hand Apply', 'kube-apiserver Update']);
  });

  test('is not tracked of a list whose members cannot be told apart', () => {
    const account = made(shop(), of('v1', 'ServiceAccount', { secrets: [{ namespace: 'shop' }] }));
    expect(account.metadata['managedFields']).toBeUndefined();
  });

  test('whoever applies a list in one piece takes it from others, defaults or not', () => {
    const cluster = shop();
    const set = { ...deployment('web'), kind: 'StatefulSet' } as JsonObject;
    const spec = {
      ...(set['spec'] as JsonObject),
      serviceName: 'web',
      volumeClaimTemplates: [
        { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      ],
    };
    made(cluster, { ...set, spec });
    const patch = { type: 'apply' as const, body: { ...set, spec } };
    const applied = objectOf(send(cluster, 'patch', 'StatefulSet', 'web', { patch, force: true, ...OUTSIDE }));
    expect(dig(owners(applied)['hand Update'], 'f:spec', 'f:volumeClaimTemplates')).toBeUndefined();
    expect(dig(owners(applied)['hand Apply'], 'f:spec', 'f:volumeClaimTemplates')).toEqual({});
  });
});

describe('a strategic merge patch', () => {
  const patched = (cluster: Cluster, kind: string, body: JsonObject): ReturnType<typeof send> =>
    send(cluster, 'patch', kind, 'web', { patch: { type: 'strategic', body }, ...OUTSIDE });

  test('must name the members of a list that is merged', () => {
    const cluster = shop();
    made(cluster, deployment('web'));
    expect(failureOf(patched(cluster, 'Deployment', { spec: { template: { spec: { containers: [{ image: 'x' }] } } } }))).toMatchObject({
      code: 500,
      message: 'map: map[image:x] does not contain declared merge key: name',
    });
  });

  test('puts each finalizer into a list once', () => {
    const cluster = shop();
    made(cluster, { ...of('v1', 'ConfigMap', {}), metadata: { name: 'web', finalizers: ['shop.example/a'] } });
    const after = objectOf(patched(cluster, 'ConfigMap', { metadata: { finalizers: ['shop.example/b', 'shop.example/b'] } }));
    expect(after.metadata['finalizers']).toEqual(['shop.example/b', 'shop.example/a']);
  });
});

describe('what is applied', () => {
  const applied = (cluster: Cluster, body: JsonObject, manager = 'hand'): ReturnType<typeof send> =>
    send(cluster, 'patch', textOf(body['kind']), 'web', { patch: { type: 'apply', body }, tracksFields: true, manager });

  test('without the one field that an object had leaves no empty object behind', () => {
    const cluster = shop();
    const schema = (distinguisherMethod: JsonObject): JsonObject =>
      of('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', {
        spec: { priorityLevelConfiguration: { name: 'workload-low' }, distinguisherMethod },
      });
    objectOf(applied(cluster, schema({ type: 'ByUser' })));
    expect(dig(objectOf(applied(cluster, schema({}))), 'spec', 'distinguisherMethod')).toBeUndefined();
  });

  test('with an object for a number or a name gets as far as the conflicts', () => {
    const cluster = shop();
    const probe = (port: Json): JsonObject =>
      of('v1', 'Pod', { spec: { containers: [{ name: 'web', image: 'web', livenessProbe: { tcpSocket: { port } } }] } });
    objectOf(applied(cluster, probe(80)));
    expect(failureOf(applied(cluster, probe({}), 'other'))).toMatchObject({ code: 409, reason: 'Conflict' });
  });
  test('may name no secret of a pod: the name has a default', () => {
    const body = of('v1', 'Pod', { spec: { imagePullSecrets: [{}], containers: [{ name: 'web', image: 'web' }] } });
    expect(applied(shop(), body).ok).toBe(true);
  });
});
