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

  it('is not looked for any further in a live cluster that does not answer', async () => {
    const asked: string[] = [];
    const failing = (stored: boolean, why: 'failed' | 'forbidden'): ClusterReader => ({
      ...listing({ ok: true, value: [] }),
      get: ({ kind, name }) => {
        asked.push(`${kind}/${name}`);
        return Promise.resolve(kind === 'Pod' ? { ok: false, why, detail: 'no answer' } : { ok: false, why: 'absent', detail: '' });
      },
      ...(stored ? { stored: true as const } : {}),
    });
    const guesses = async (stored: boolean, why: 'failed' | 'forbidden'): Promise<readonly string[]> => {
      asked.length = 0;
      const words = { word: 'web-6d4cf56db6-x2x7k', namespace: 'shop' };
      expect(await resolveTarget(failing(stored, why), words)).toMatchObject({ kind: 'unread', unread: { why } });
      return asked.filter((one) => !one.endsWith('-x2x7k'));
    };
    expect(await guesses(false, 'failed')).toEqual([]);
    expect(await guesses(true, 'failed')).toContain('Deployment/web');
    expect(await guesses(false, 'forbidden')).toContain('Deployment/web');
  });

  it('may be among those of a kind that was never listed', async () => {
    const narrow = (why: 'not-collected' | 'forbidden'): ClusterReader => ({
      ...listing({ ok: true, value: [] }),
      list: (kind, { fieldSelector }) =>
        Promise.resolve(
          kind !== 'Pod'
            ? { ok: true, value: [] }
            : fieldSelector === undefined
              ? { ok: true, value: [pod('web-1')] }
              : { ok: false, why, detail: 'never listed' },
        ),
    });
    expect(await resolveTarget(narrow('not-collected'), { word: 'pod/web-1' })).toMatchObject({ kind: 'found', ref: { name: 'web-1' } });
    expect(await resolveTarget(narrow('forbidden'), { word: 'pod/web-1' })).toMatchObject({ kind: 'unread' });
  });

  it('is unread with a reason though the list that broke off has none', async () => {
    const broken: ListRead = { ok: true, value: [], brokeOff: true };
    expect(await resolveTarget(listing(broken), { word: 'pod/web-1' })).toMatchObject({
      unread: { ok: false, why: 'failed', detail: 'The list is incomplete.' },
    });
  });
});
