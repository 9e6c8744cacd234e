import { describe, expect, it } from 'vitest';
import type { WriteRequest, Written } from '../../../src/model/cluster-changer.ts';
import type { Course } from '../../../src/model/watch-change.ts';
import { ToldLedger } from '../../../src/commands/watch/told-ledger.ts';
import { asObject, dig } from '../../../src/base/json.ts';
import { diagnosis } from '../../watch/told.ts';
import { watchedCause } from '../../../src/watch/watched-cause.ts';
import { assert } from '../../../src/base/assert.ts';

const NOW = Date.parse('2026-11-20T09:00:00Z');

/** The ConfigMaps of a namespace, as the API server merges patches into them. */
class Maps {
  readonly data = new Map<string, Record<string, string>>();
  readonly sent: WriteRequest[] = [];
  answer: ((request: WriteRequest) => Written | undefined) | undefined;

  readonly ports = {
    namespace: 'podcheck',
    reader: {
      get: ({ name }: { readonly name: string }) => {
        const data = this.data.get(name);
        const metadata = { name, namespace: 'podcheck' };
        return Promise.resolve(
          data === undefined
            ? ({ ok: false, why: 'absent', detail: '' } as const)
            : ({ ok: true, value: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { ...data } } } as const),
        );
      },
    },
    changer: { send: (request: WriteRequest) => Promise.resolve(this.#write(request)), allowed: () => Promise.resolve(true) },
  };

  #write(request: WriteRequest): Written {
    this.sent.push(request);
    const answer = this.answer?.(request);
    if (answer !== undefined) return answer;
    const { verb, name } = request;
    const known = this.data.get(name);
    if (verb === 'patch' && known === undefined) return { ok: false, reason: 'NotFound', message: `configmaps "${name}" not found` };
    const data: Record<string, string> = { ...known };
    for (const [key, text] of Object.entries(asObject(dig(request.body ?? request.patch?.body, 'data'))))
      if (typeof text === 'string') data[key] = text;
      else delete data[key];
    this.data.set(name, data);
    return { ok: true, object: undefined };
  }
}

function course(name: string, foundAt = NOW): Course {
  const workload = { kind: 'Deployment', namespace: 'shop', name };
  const cause = watchedCause(diagnosis(workload, 'explained', 'volumes/configmap-not-found'), workload);
  assert(cause !== undefined, 'there is a cause');
  return { cause, since: NOW, foundAt, pods: 1, reasons: [], times: 1 };
}

function found(...names: readonly string[]): readonly { readonly type: 'found'; readonly at: number; readonly course: Course }[] {
  return names.map((name) => ({ type: 'found', at: NOW, course: course(name) }));
}

async function written(maps: Maps, slot: number, ...names: readonly string[]): Promise<ToldLedger> {
  const ledger = new ToldLedger(maps.ports);
  ledger.note(found(...names));
  expect(await ledger.flush(slot)).toBeUndefined();
  return ledger;
}

const ALL = (): boolean => true;

describe('what was told, in ConfigMaps', () => {
  it('makes the ConfigMap where there is none, and then writes only what changes', async () => {
    const maps = new Maps();
    const ledger = await written(maps, 0, 'web', 'till');
    ledger.note([{ type: 'cured', at: NOW, course: { ...course('web'), endedAt: NOW, ended: 'well' } }]);
    await ledger.flush(0);
    expect(Object.keys(maps.data.get('podcheck-watch-0') ?? {})).toEqual(['Deployment.shop.till']);
    expect(maps.sent.at(-1)?.patch?.body).toEqual({ data: { 'Deployment.shop.web': null } });
    expect(ledger.isBehind).toBe(false);
  });

  it('is written with the next attempt after a conflict or an error, and says so until then', async () => {
    const maps = new Maps();
    const ledger = await written(maps, 0, 'web');
    ledger.note(found('till'));
    maps.answer = () => ({ ok: false, reason: 'Conflict', message: 'the object has been modified' });
    expect(await ledger.flush(0)).toEqual({
      verb: 'patch',
      resource: 'configmaps',
      namespace: 'podcheck',
      detail: 'the object has been modified',
    });
    maps.answer = undefined;
    expect(await ledger.flush(0)).toBeUndefined();
    expect(Object.keys(maps.data.get('podcheck-watch-0') ?? {})).toHaveLength(2);
  });

  it('moves to who takes over, and is taken out of the old place only when it is in the new one', async () => {
    const maps = new Maps();
    await written(maps, 1, 'web', 'till');
    const heir = new ToldLedger(maps.ports);
    const taken = await heir.take(0, 2, ({ name }) => name === 'web');
    expect(taken).toMatchObject([{ cause: { workload: { name: 'web' } } }]);
    maps.answer = ({ name }) => (name.endsWith('0') ? { ok: false, reason: 'InternalError', message: 'etcd is away' } : undefined);
    await heir.flush(0);
    expect(Object.keys(maps.data.get('podcheck-watch-1') ?? {})).toHaveLength(2);
    maps.answer = undefined;
    await heir.flush(0);
    expect(Object.keys(maps.data.get('podcheck-watch-1') ?? {})).toEqual(['Deployment.shop.till']);
    expect(Object.keys(maps.data.get('podcheck-watch-0') ?? {})).toEqual(['Deployment.shop.web']);
  });

  it('comes back once where it is in two places, and not where it was cured a moment ago', async () => {
    const maps = new Maps();
    await written(maps, 0, 'web');
    maps.data.set('podcheck-watch-1', { ...maps.data.get('podcheck-watch-0') });
    const ledger = new ToldLedger(maps.ports);
    expect(await ledger.take(0, 2, ALL)).toHaveLength(1);
    expect(await ledger.take(0, 2, ALL)).toEqual([]);
    ledger.note([{ type: 'cured', at: NOW, course: { ...course('web'), endedAt: NOW, ended: 'well' } }]);
    expect(await ledger.take(0, 2, ALL)).toEqual([]);
  });

  it('stays below what a ConfigMap holds', async () => {
    const maps = new Maps();
    await written(maps, 0, ...Array.from({ length: 4000 }, (_, number) => `web-${number}`));
    const data = maps.data.get('podcheck-watch-0') ?? {};
    expect(Object.keys(data).length).toBeGreaterThan(1500);
    expect(JSON.stringify(data).length).toBeLessThan(1024 * 1024);
  });

  it('leaves alone what somebody else wrote there', async () => {
    const maps = new Maps();
    maps.data.set('podcheck-watch-1', { readme: 'Do not touch.', 'Deployment.shop.web': '{"version":2}' });
    const ledger = new ToldLedger(maps.ports);
    expect(await ledger.take(0, 2, ALL)).toEqual([]);
    expect([ledger.isBehind, maps.sent]).toEqual([false, []]);
  });
});
