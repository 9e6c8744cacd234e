import { describe, expect, test } from 'vitest';
import { create, deployment, failureOf, objectOf, pod, send, shop } from '../shop.ts';

describe('an update', () => {
  const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shop' } };

  test.each([
    ['deletionTimestamp', '2026-11-20T09:00:00Z', 'metadata.deletionTimestamp: Invalid value: "2026-11-20T09:00:00Z": field is immutable'],
    ['deletionGracePeriodSeconds', 5, 'metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable'],
    ['resourceVersion', 'one', 'strconv.ParseUint: parsing "one": invalid syntax'],
    ['name', undefined, 'the name of the object (settings based on URL) was undeterminable: name must be provided'],
  ])('is refused for its %s', (field, value, words) => {
    const cluster = shop();
    objectOf(create(cluster, CONFIG));
    const body = { ...CONFIG, metadata: { ...CONFIG.metadata, [field]: value } };
    expect(failureOf(send(cluster, 'update', 'ConfigMap', 'settings', { body, tracksFields: true })).message).toContain(words);
  });

  test('of any version is taken for the one that is there', () => {
    const cluster = shop();
    objectOf(create(cluster, CONFIG));
    const body = { ...CONFIG, metadata: { ...CONFIG.metadata, resourceVersion: '0' }, data: { a: 'one' } };
    expect(objectOf(send(cluster, 'update', 'ConfigMap', 'settings', { body }))['data']).toEqual({ a: 'one' });
  });

  test('makes what is not there, of a few kinds', () => {
    const cluster = shop();
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'web', namespace: 'shop' }, spec: {} };
    expect(send(cluster, 'update', 'Lease', 'web', { body: lease })).toMatchObject({ ok: true, code: 201 });
    const other = { ...lease, metadata: { name: 'other', namespace: 'shop', uid: '11111111-2222-3333-4444-555555555555' } };
    expect(failureOf(send(cluster, 'update', 'Lease', 'other', { body: other })).message).toContain('UID in object meta: ');
    expect(failureOf(send(cluster, 'update', 'ConfigMap', 'settings', { body: CONFIG })).code).toBe(404);
  });

  test('of a pod does not change how long it may take to end', () => {
    const cluster = shop();
    objectOf(create(cluster, pod('web')));
    const patch = { type: 'merge' as const, body: { spec: { terminationGracePeriodSeconds: 1 } } };
    expect(failureOf(send(cluster, 'patch', 'Pod', 'web', { patch })).message).toContain('+ "TerminationGracePeriodSeconds": 1,');
  });

  test('of annotations alone is another generation of a Deployment', () => {
    const cluster = shop();
    objectOf(create(cluster, deployment('web')));
    const patch = { type: 'merge' as const, body: { metadata: { annotations: { note: 'new' } } } };
    expect(objectOf(send(cluster, 'patch', 'Deployment', 'web', { patch, tracksFields: true })).metadata['generation']).toBe(2);
  });
});

test('a limit range without a name gets one', () => {
  const made = objectOf(create(shop(), { apiVersion: 'v1', kind: 'LimitRange', metadata: { namespace: 'shop' }, spec: { limits: [] } }));
  expect(made.metadata.name).toMatch(/^[0-9a-f-]{36}$/);
});
