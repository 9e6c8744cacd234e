import { describe, expect, it } from 'vitest';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import type { ClusterChanger, Written, WriteRequest } from '../../src/model/cluster-changer.ts';
import type { Connection } from '../../src/runbook/interruption.ts';
import { interruptible } from '../../src/runbook/interruption.ts';

const POD = { kind: 'Pod', namespace: 'shop', name: 'till-1' };
const REQUEST = { verb: 'delete', ref: POD } as unknown as WriteRequest;
const NEVER = <T>(): Promise<T> => new Promise(() => undefined);

function connection(changer: ClusterChanger, closed: () => void = () => undefined): Connection {
  const objects = [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'till-1', namespace: 'shop' } }];
  const reader = memoryReader({ objects, collected: [], absent: [], refused: [], logs: [], now: 0 });
  return { reader, changer, close: closed };
}

const WILLING: ClusterChanger = {
  send: () => Promise.resolve({ ok: true } as Written),
  allowed: () => Promise.resolve(true),
};
const SILENT: ClusterChanger = { send: NEVER, allowed: NEVER };

describe('a way to the cluster that Ctrl-C ends', () => {
  it('sends nothing more, and says that nothing was sent', async () => {
    const control = new AbortController();
    const way = interruptible(connection(WILLING), () => Promise.reject(new Error('not asked for')), control.signal);
    expect(await way.changer?.send(REQUEST, false)).toEqual({ ok: true });
    control.abort();
    expect(await way.changer?.send(REQUEST, false)).toEqual({
      ok: false,
      reason: 'Interrupted',
      message: 'interrupted before it was sent',
    });
    expect(await way.changer?.allowed({ verb: 'delete', kind: 'Pod' })).toBeUndefined();
    expect(await way.reader.get(POD)).toEqual({ ok: false, why: 'failed', detail: 'interrupted' });
  });

  it('does not know what became of a write that was under way', async () => {
    const control = new AbortController();
    const way = interruptible(connection(SILENT), () => Promise.reject(new Error('not asked for')), control.signal);
    const written = way.changer?.send(REQUEST, false);
    const allowed = way.changer?.allowed({ verb: 'delete', kind: 'Pod' });
    control.abort();
    expect(await written).toMatchObject({ ok: false, reason: 'Interrupted', isUnknown: true });
    expect(await allowed).toBeUndefined();
  });

  it('is open again for undoing, once and only after it was ended', async () => {
    const control = new AbortController();
    let [opened, closed] = [0, 0];
    const way = interruptible(
      connection(SILENT, () => closed++),
      () => {
        opened++;
        return Promise.resolve(connection(WILLING));
      },
      control.signal,
    );
    await way.recover();
    expect([opened, closed]).toEqual([0, 0]);
    control.abort();
    await way.recover();
    await way.recover();
    expect([opened, closed]).toEqual([1, 1]);
    expect(await way.changer?.send(REQUEST, false)).toEqual({ ok: true });
    expect(await way.changer?.allowed({ verb: 'delete', kind: 'Pod' })).toBe(true);
    expect(await way.reader.get(POD)).toMatchObject({ ok: true });
  });
});
