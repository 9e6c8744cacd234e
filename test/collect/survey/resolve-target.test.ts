import { describe, expect, it } from 'vitest';
import { resolveTarget } from '../../../src/collect/survey/resolve-target.ts';
import type { ClusterReader, ListRead } from '../../../src/model/cluster-reader.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';

function pod(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop' } };
}

function listing(pods: ListRead): ClusterReader {
  return {
    get: () => Promise.resolve({ ok: false, why: 'absent', detail: '' }),
    list: (kind) => Promise.resolve(kind === 'Pod' ? pods : { ok: true, value: [] }),
    logs: () => Promise.resolve({ ok: false, why: 'absent', detail: '' }),
    now: () => 0,
  };
}

describe('a name or a selector', () => {
  const BROKEN: ListRead = { ok: true, value: [pod('web-1')], partial: 'the list broke off', brokeOff: true };

  it('is not called absent when the list that would have it broke off', async () => {
    expect(await resolveTarget(listing(BROKEN), { word: 'pod/till-1' })).toMatchObject({
      kind: 'unread',
      unread: { detail: 'the list broke off' },
    });
    expect(await resolveTarget(listing({ ok: true, value: [pod('web-1')] }), { word: 'pod/till-1' })).toMatchObject({ kind: 'absent' });
  });

  it('is found in the part that was read', async () => {
    expect(await resolveTarget(listing(BROKEN), { word: 'pod/web-1' })).toMatchObject({ kind: 'found' });
  });

  it('does not mean the one pod of a list that broke off: there may be more', async () => {
    expect(await resolveTarget(listing(BROKEN), { selector: 'app=web', namespace: 'shop' })).toMatchObject({ kind: 'unread' });
  });
});
