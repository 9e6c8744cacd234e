import { describe, expect, it } from 'vitest';
import { getsOnce } from '../../src/clusters/gets-once.ts';
import type { ClusterReader } from '../../src/model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../../src/model/kube-object.ts';

const WEB: ObjectRef = { kind: 'Pod', namespace: 'shop', name: 'web' };

function counted(answer: () => Awaited<ReturnType<ClusterReader['get']>>): { readonly source: ClusterReader; readonly asked: ObjectRef[] } {
  const asked: ObjectRef[] = [];
  const source: ClusterReader = {
    get: (ref) => {
      asked.push(ref);
      return Promise.resolve(answer());
    },
    list: () => Promise.resolve({ ok: true, value: [] }),
    logs: () => Promise.resolve({ ok: false, why: 'absent', detail: '' }),
    now: () => 0,
  };
  return { source, asked };
}

const found: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop', uid: 'a' } };

describe('a reader for one look', () => {
  it('asks once for what was found, by its name or its uid', async () => {
    const { source, asked } = counted(() => ({ ok: true, value: found }));
    const reader = getsOnce(source);
    for (const ref of [WEB, WEB, { ...WEB, uid: 'a' }]) expect(await reader.get(ref)).toEqual({ ok: true, value: found });
    expect(asked).toHaveLength(1);
    await reader.get({ ...WEB, uid: 'b' });
    await reader.get({ ...WEB, name: 'other' });
    expect(asked).toHaveLength(3);
  });

  it('asks again for what was not found or not read, and is the source itself where that is stored', async () => {
    const { source, asked } = counted(() => ({ ok: false, why: 'absent', detail: 'no' }));
    const reader = getsOnce(source);
    await reader.get(WEB);
    await reader.get(WEB);
    expect(asked).toHaveLength(2);
    const stored: ClusterReader = { ...source, stored: true };
    expect(getsOnce(stored)).toBe(stored);
  });
});
