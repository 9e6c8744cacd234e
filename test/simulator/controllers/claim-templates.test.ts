import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { apply, db, get, names, workshop } from './workshop.ts';

/** A StatefulSet whose claims have these metadata. */
function withClaims(metadata: JsonObject): JsonObject {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  return db({ volumeClaimTemplates: [{ metadata: { name: 'data', ...metadata }, spec }] });
}

test('claims have the metadata of their template', () => {
  const cluster = workshop({ preset: 'no-nodes' });
  apply(cluster, [withClaims({ finalizers: ['shop.example/hold'], labels: { tier: 'back' } })]);
  const { metadata } = get(cluster, 'PersistentVolumeClaim', 'data-db-0');
  expect(metadata['labels']).toEqual({ tier: 'back', app: 'db' });
  expect(metadata['finalizers']).toContain('shop.example/hold');
});

test('without its claims there is no pod, and none is counted', () => {
  const cluster = workshop({ preset: 'no-nodes' });
  apply(cluster, [withClaims({ ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '' }] })]);
  expect(names(cluster, 'Pod')).toEqual([]);
  expect(dig(get(cluster, 'StatefulSet', 'db'), 'status')).toMatchObject({ replicas: 0 });
});
