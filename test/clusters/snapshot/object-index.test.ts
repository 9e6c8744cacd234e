import { describe, expect, it } from 'vitest';
import { ObjectIndex } from '../../../src/clusters/snapshot/object-index.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';

function pod(name: string, uid: string | undefined, resourceVersion: string | undefined, more: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...more,
    },
  };
}

function kept(...objects: readonly KubeObject[]): unknown[] {
  const index = new ObjectIndex();
  for (const object of objects) index.add(object);
  return index.objects().map(({ metadata }) => [metadata.name, metadata.uid, metadata['resourceVersion']]);
}

describe('objects found in several files', () => {
  it('are one object if they have one uid, in its latest version, whatever the order', () => {
    expect(kept(pod('web', 'u1', '9'), pod('web', 'u1', '100'), pod('web', 'u1', '20'))).toEqual([['web', 'u1', '100']]);
  });

  it('compares versions as numbers of any length', () => {
    expect(kept(pod('web', 'u1', '18446744073709551615'), pod('web', 'u1', '9'))).toEqual([['web', 'u1', '18446744073709551615']]);
  });

  it('keeps the object that has the name now when another had it before', () => {
    const old = pod('db-0', 'u1', '900', { creationTimestamp: '2026-11-20T10:00:00Z' });
    const current = pod('db-0', 'u2', '100', { creationTimestamp: '2026-11-20T11:00:00Z' });
    expect(kept(current, old)).toEqual([['db-0', 'u2', '100']]);
    expect(kept(old, current)).toEqual([['db-0', 'u2', '100']]);
  });

  it('prefers a state with a version to one without', () => {
    expect(kept(pod('web', 'u1', '5'), pod('web', 'u1', undefined))).toEqual([['web', 'u1', '5']]);
  });

  it('tells whether each came once', () => {
    const index = new ObjectIndex();
    for (const uid of ['u1', 'u2']) index.add(pod('web', uid, '1'));
    expect(index.isDistinct).toBe(true);
    index.add(pod('web', 'u1', '1'));
    expect(index.isDistinct).toBe(false);
  });

  it('forgets what a watch saw deleted, unless it came again', () => {
    const index = new ObjectIndex();
    index.add(pod('web', 'u1', '1'));
    index.delete(pod('web', 'u1', '2'));
    expect(index.objects()).toEqual([]);
    index.add(pod('web', 'u1', '3'));
    expect(index.objects()).toHaveLength(1);
  });
});
