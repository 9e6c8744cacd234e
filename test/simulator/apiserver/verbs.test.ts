import { describe, expect, test } from 'vitest';
import { asList, asText, dig } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import { asItems } from '../../../src/simulator/apiserver/lists.ts';
import { create, deployment, failureOf, namespace, objectOf, pod, send, shop } from '../shop.ts';

describe('create', () => {
  test('gives an object its identity', () => {
    const cluster = shop();
    const { metadata } = objectOf(create(cluster, deployment('web')));
    expect(metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(metadata['creationTimestamp']).toBe('2026-11-20T09:00:00Z');
    expect(metadata['generation']).toBe(1);
    expect(Number(metadata['resourceVersion'])).toBe(cluster.store.revision);
    expect(dig(metadata, 'managedFields', 0)).toMatchObject({ manager: 'kubectl', operation: 'Update', apiVersion: 'apps/v1' });
  });

  test('makes a name of generateName, in the alphabet without vowels', () => {
    const object = { ...pod('x'), metadata: { generateName: 'web-', namespace: 'shop' } };
    expect(objectOf(create(shop(), object)).metadata.name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  test('refuses what is there already, and says when that is being deleted', () => {
    const cluster = shop();
    const config = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'app-config', namespace: 'shop', finalizers: ['shop.example/hold'] },
    };
    create(cluster, config);
    expect(failureOf(create(cluster, config))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "app-config" already exists',
    });
    send(cluster, 'delete', 'ConfigMap', 'app-config');
    expect(failureOf(create(cluster, config)).message).toBe('object is being deleted: configmaps "app-config" already exists');
  });

  test('stores nothing on a dry run', () => {
    const cluster = shop();
    const before = cluster.store.revision;
    expect(create(cluster, pod('web'), { dryRun: true }).ok).toBe(true);
    expect(cluster.store.revision).toBe(before);
    expect(cluster.store.get('pods', 'shop', 'web')).toBeUndefined();
  });

  test('refuses a body for another namespace and one too long to be read', () => {
    expect(failureOf(create(shop(), pod('web'), { namespace: 'cellar' }))).toMatchObject({
      code: 400,
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    });
    expect(failureOf(create(shop(), pod('web'), { bodyBytes: 4_000_000 }))).toMatchObject({
      code: 413,
      message: 'Request entity too large: limit is 3145728',
    });
  });

  test('a resource that is not served is not found', () => {
    expect(failureOf(shop().request({ verb: 'list', group: 'shop.example', version: 'v1', resource: 'carts' }))).toMatchObject({
      code: 404,
      message: 'the server could not find the requested resource',
    });
  });
});

describe('get and list', () => {
  test('what is not there is not found, by its resource', () => {
    expect(failureOf(send(shop(), 'get', 'Deployment', 'web')).status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'deployments.apps "web" not found',
      reason: 'NotFound',
      details: { name: 'web', group: 'apps', kind: 'deployments' },
      code: 404,
    });
  });

  test('a list can be narrowed by labels and fields, and says its revision', () => {
    const cluster = shop();
    for (const name of ['a', 'b', 'c'])
      create(
        cluster,
        withPath(pod(name, name === 'b' ? { nodeName: 'worker-1' } : {}), ['metadata', 'labels'], { app: 'web', tier: name }),
      );
    const names = (more: object): readonly string[] =>
      asItems(objectOf(send(cluster, 'list', 'Pod', undefined, more))).map(({ metadata }) => metadata.name);
    expect(names({ labelSelector: 'app=web,tier!=a' })).toEqual(['b', 'c']);
    expect(names({ labelSelector: 'tier in (a, c)' })).toEqual(['a', 'c']);
    expect(names({ fieldSelector: 'spec.nodeName=worker-1' })).toEqual(['b']);
    expect(names({ fieldSelector: 'metadata.name!=b,status.phase=Pending' })).toEqual(['a', 'c']);
    expect(objectOf(send(cluster, 'list', 'Pod', undefined)).metadata['resourceVersion']).toBe(String(cluster.store.revision));
  });

  test('a field that cannot be selected by is refused', () => {
    expect(failureOf(send(shop(), 'list', 'Pod', undefined, { fieldSelector: 'spec.containers=web' }))).toMatchObject({
      code: 400,
      message: 'field label not supported: spec.containers',
    });
  });

  test('a long list comes in pieces that lead to the next, until the past is compacted', () => {
    const cluster = shop();
    for (const name of ['a', 'b', 'c', 'd', 'e']) create(cluster, pod(name));
    const first = objectOf(send(cluster, 'list', 'Pod', undefined, { limit: 2 }));
    expect(asItems(first).map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(first.metadata['remainingItemCount']).toBe(3);
    const continueToken = asText(first.metadata['continue']) ?? '';
    const second = objectOf(send(cluster, 'list', 'Pod', undefined, { limit: 2, continueToken }));
    expect(asItems(second).map(({ metadata }) => metadata.name)).toEqual(['c', 'd']);
    create(cluster, pod('f'));
    cluster.inject({ fault: 'compact' });
    expect(failureOf(send(cluster, 'list', 'Pod', undefined, { limit: 2, continueToken }))).toMatchObject({ code: 410, reason: 'Expired' });
  });

  test('a revision that is not there yet cannot be waited for', () => {
    const cluster = shop();
    const failure = failureOf(send(cluster, 'list', 'Pod', undefined, { resourceVersion: '99999' }));
    expect(failure).toMatchObject({
      code: 504,
      reason: 'Timeout',
      message: `Timeout: Too large resource version: 99999, current: ${cluster.store.revision}`,
    });
  });
});

describe('update', () => {
  test('of an old version is a conflict', () => {
    const cluster = shop();
    const old = objectOf(create(cluster, deployment('web')));
    expect(send(cluster, 'update', 'Deployment', 'web', { body: withPath(old, ['spec', 'replicas'], 2) }).ok).toBe(true);
    const failure = failureOf(send(cluster, 'update', 'Deployment', 'web', { body: withPath(old, ['spec', 'replicas'], 3) }));
    expect(failure).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
    });
  });

  test('of the spec counts generations, of the status does not', () => {
    const cluster = shop();
    const first = objectOf(create(cluster, deployment('web')));
    const second = objectOf(send(cluster, 'update', 'Deployment', 'web', { body: withPath(first, ['spec', 'replicas'], 2) }));
    const third = objectOf(
      send(cluster, 'update', 'Deployment', 'web', {
        subresource: 'status',
        body: withPath(withPath(second, ['status', 'replicas'], 2), ['spec', 'replicas'], 9),
      }),
    );
    expect([first, second, third].map(({ metadata }) => metadata['generation'])).toEqual([1, 2, 2]);
    expect([dig(third, 'spec', 'replicas'), dig(third, 'status', 'replicas')]).toEqual([2, 2]);
  });

  test('that changes nothing makes no new version', () => {
    const cluster = shop();
    const object = objectOf(create(cluster, deployment('web')));
    const again = objectOf(send(cluster, 'update', 'Deployment', 'web', { body: object }));
    expect(again.metadata['resourceVersion']).toBe(object.metadata['resourceVersion']);
  });

  test('cannot change who an object is', () => {
    const cluster = shop();
    const object = objectOf(create(cluster, deployment('web')));
    const failure = failureOf(send(cluster, 'update', 'Deployment', 'web', { body: withPath(object, ['metadata', 'uid'], 'another') }));
    expect(failure.message).toContain('Precondition failed: UID in precondition: another, UID in object meta: ');
  });
});

describe('patch', () => {
  test('merges, with null taking fields away', () => {
    const cluster = shop();
    create(cluster, withPath(deployment('web'), ['metadata', 'labels'], { app: 'web', tier: 'front' }));
    const patched = objectOf(
      send(cluster, 'patch', 'Deployment', 'web', {
        patch: { type: 'merge', body: { metadata: { labels: { tier: null } }, spec: { replicas: 4 } } },
      }),
    );
    expect(patched.metadata['labels']).toEqual({ app: 'web' });
    expect(dig(patched, 'spec', 'replicas')).toBe(4);
  });

  test('merges containers by their names when it is strategic', () => {
    const cluster = shop();
    create(cluster, deployment('web'));
    const body = {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'web', image: 'shop/web:2.0' },
              { name: 'log', image: 'shop/log:1.0' },
            ],
          },
        },
      },
    };
    const patched = objectOf(send(cluster, 'patch', 'Deployment', 'web', { patch: { type: 'strategic', body } }));
    const containers = asList(dig(patched, 'spec', 'template', 'spec', 'containers'));
    expect(containers.map((container) => [dig(container, 'name'), dig(container, 'image'), dig(container, 'imagePullPolicy')])).toEqual([
      ['web', 'shop/web:2.0', 'IfNotPresent'],
      ['log', 'shop/log:1.0', 'IfNotPresent'],
    ]);
    const removed = objectOf(
      send(cluster, 'patch', 'Deployment', 'web', {
        patch: { type: 'strategic', body: { spec: { template: { spec: { containers: [{ name: 'log', $patch: 'delete' }] } } } } },
      }),
    );
    expect(asList(dig(removed, 'spec', 'template', 'spec', 'containers'))).toHaveLength(1);
  });

  test('follows JSON pointers, and fails when they lead nowhere', () => {
    const cluster = shop();
    create(cluster, deployment('web'));
    const patched = objectOf(
      send(cluster, 'patch', 'Deployment', 'web', {
        patch: {
          type: 'json',
          body: [
            { op: 'test', path: '/spec/replicas', value: 1 },
            { op: 'replace', path: '/spec/replicas', value: 3 },
            { op: 'add', path: '/metadata/annotations', value: { 'shop.example/note': 'x' } },
          ],
        },
      }),
    );
    expect([dig(patched, 'spec', 'replicas'), patched.metadata['annotations']]).toEqual([3, { 'shop.example/note': 'x' }]);
    expect(
      failureOf(
        send(cluster, 'patch', 'Deployment', 'web', { patch: { type: 'json', body: [{ op: 'remove', path: '/spec/nothing/here' }] } }),
      ),
    ).toMatchObject({ code: 422, reason: 'Invalid' });
  });

  test('applied by a manager owns its fields, and conflicts with another who wants them otherwise', () => {
    const cluster = shop();
    const config = (replicas: number) => ({ ...deployment('web', replicas) });
    objectOf(send(cluster, 'patch', 'Deployment', 'web', { manager: 'release', patch: { type: 'apply', body: config(2) } }));
    const failure = failureOf(
      send(cluster, 'patch', 'Deployment', 'web', { manager: 'operator', patch: { type: 'apply', body: config(5) } }),
    );
    expect(failure).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "release": .spec.replicas',
    });
    expect(dig(failure.status, 'details', 'causes', 0)).toEqual({
      reason: 'FieldManagerConflict',
      message: 'conflict with "release"',
      field: '.spec.replicas',
    });
    const forced = objectOf(
      send(cluster, 'patch', 'Deployment', 'web', { manager: 'operator', force: true, patch: { type: 'apply', body: config(5) } }),
    );
    expect(dig(forced, 'spec', 'replicas')).toBe(5);
  });

  test('a field that is applied no more goes, unless someone else applied it too', () => {
    const cluster = shop();
    const config = (labels: object) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'app-config', namespace: 'shop', labels: { ...labels } },
      data: { mode: 'x' },
    });
    send(cluster, 'patch', 'ConfigMap', 'app-config', { manager: 'release', patch: { type: 'apply', body: config({ a: '1', b: '1' }) } });
    send(cluster, 'patch', 'ConfigMap', 'app-config', {
      manager: 'audit',
      patch: {
        type: 'apply',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'app-config', namespace: 'shop', labels: { b: '1' } } },
      },
    });
    const after = objectOf(
      send(cluster, 'patch', 'ConfigMap', 'app-config', { manager: 'release', patch: { type: 'apply', body: config({}) } }),
    );
    expect(after.metadata['labels']).toEqual({ b: '1' });
  });
});

describe('delete', () => {
  test('takes an object out, or marks it while finalizers hold it', () => {
    const cluster = shop();
    const config = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'app-config', namespace: 'shop', finalizers: ['shop.example/hold'] },
    };
    create(cluster, config);
    const marked = objectOf(send(cluster, 'delete', 'ConfigMap', 'app-config'));
    expect(marked.metadata['deletionTimestamp']).toBe('2026-11-20T09:00:00Z');
    expect(cluster.store.get('configmaps', 'shop', 'app-config')).toBeDefined();
    send(cluster, 'patch', 'ConfigMap', 'app-config', { patch: { type: 'merge', body: { metadata: { finalizers: null } } } });
    expect(cluster.store.get('configmaps', 'shop', 'app-config')).toBeUndefined();
  });

  test('no finalizer can be added to what is being deleted', () => {
    const cluster = shop();
    create(cluster, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'app-config', namespace: 'shop', finalizers: ['shop.example/hold'] },
    });
    send(cluster, 'delete', 'ConfigMap', 'app-config');
    const failure = failureOf(
      send(cluster, 'patch', 'ConfigMap', 'app-config', {
        patch: { type: 'merge', body: { metadata: { finalizers: ['shop.example/hold', 'shop.example/more'] } } },
      }),
    );
    expect(failure.message).toBe(
      'ConfigMap "app-config" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"shop.example/more"}',
    );
  });

  test('gives a bound pod its time to end, one that was never bound none', () => {
    const cluster = shop();
    create(cluster, pod('bound', { nodeName: 'worker-1', terminationGracePeriodSeconds: 20 }));
    create(cluster, pod('unbound'));
    const { metadata } = objectOf(send(cluster, 'delete', 'Pod', 'bound'));
    expect([metadata['deletionTimestamp'], metadata['deletionGracePeriodSeconds'], metadata['generation']]).toEqual([
      '2026-11-20T09:00:20Z',
      20,
      2,
    ]);
    send(cluster, 'delete', 'Pod', 'unbound');
    expect(cluster.store.list('pods', 'shop').map(({ metadata: { name } }) => name)).toEqual(['bound']);
    send(cluster, 'delete', 'Pod', 'bound', { delete: { gracePeriodSeconds: 0 } });
    expect(cluster.store.list('pods', 'shop')).toEqual([]);
  });

  test('holds only for the object that was meant', () => {
    const cluster = shop();
    create(cluster, pod('web'));
    const failure = failureOf(send(cluster, 'delete', 'Pod', 'web', { delete: { preconditions: { uid: 'another' } } }));
    expect(failure).toMatchObject({ code: 409 });
    expect(failure.message).toMatch(
      /^Operation cannot be fulfilled on Pod "web": the UID in the precondition \(another\) does not match the UID in record \([0-9a-f-]+\)\./,
    );
  });

  test('leaves its wishes about dependents as finalizers', () => {
    const cluster = shop();
    create(cluster, deployment('web'));
    const { metadata } = objectOf(send(cluster, 'delete', 'Deployment', 'web', { delete: { propagationPolicy: 'Foreground' } }));
    expect(metadata['finalizers']).toEqual(['foregroundDeletion']);
  });

  test('of a collection takes all that fit', () => {
    const cluster = shop();
    for (const name of ['a', 'b']) create(cluster, withPath(pod(name), ['metadata', 'labels'], { app: name }));
    send(cluster, 'deletecollection', 'Pod', undefined, { labelSelector: 'app=a' });
    expect(cluster.store.list('pods', 'shop').map(({ metadata }) => metadata.name)).toEqual(['b']);
  });

  test('of a namespace marks it as terminating and nothing new gets in', () => {
    const cluster = shop();
    const gone = objectOf(cluster.request({ verb: 'delete', group: '', version: 'v1', resource: 'namespaces', name: 'shop' }));
    expect(dig(gone, 'status', 'phase')).toBe('Terminating');
    const failure = failureOf(create(cluster, pod('late')));
    expect(failure).toMatchObject({
      code: 403,
      message: 'pods "late" is forbidden: unable to create new content in namespace shop because it is being terminated',
    });
    expect(dig(failure.status, 'details', 'causes', 0)).toEqual({
      reason: 'NamespaceTerminating',
      message: 'namespace shop is being terminated',
      field: 'metadata.namespace',
    });
  });
});

test('events are gone an hour after they were last written', () => {
  const cluster = shop();
  create(cluster, namespace('cellar'));
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'web.1', namespace: 'shop' },
    involvedObject: { kind: 'Pod', name: 'web' },
    reason: 'Started',
    message: 'Container started',
    count: 1,
  };
  create(cluster, event);
  cluster.advance(1_800_000);
  send(cluster, 'patch', 'Event', 'web.1', { patch: { type: 'merge', body: { count: 2 } } });
  cluster.advance(3_500_000);
  expect(cluster.store.count('events')).toBe(1);
  cluster.advance(200_000);
  expect(cluster.store.count('events')).toBe(0);
});
