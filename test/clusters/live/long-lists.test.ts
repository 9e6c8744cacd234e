import { describe, expect, it } from 'vitest';
import { asText, dig } from '../../../src/base/json.ts';
import { shippedRules } from '../../../src/catalog/bundled-data.ts';
import { scanExitCode } from '../../../src/commands/diagnose/scan.ts';
import { EXIT } from '../../../src/commands/exit-codes.ts';
import { scanScope } from '../../../src/library/diagnose-target.ts';
import { liveList } from '../../../src/clusters/live/live-list.ts';
import type { Transport } from '../../../src/clusters/live/requests/transport.ts';
import type { Handler, Reply } from '../../support/kube-server.ts';
import { statusReply } from '../../support/kube-server.ts';
import { live } from '../../support/live.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const STARTED = '2026-11-20T08:00:00Z';

function pod(name: string, app: string): object {
  return {
    metadata: { name, namespace: 'shop', labels: { app }, creationTimestamp: STARTED },
    spec: { nodeName: 'worker-1', containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] }] },
    status: {
      phase: 'Running',
      startTime: STARTED,
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: STARTED,
      })),
      containerStatuses: [
        { name: 'web', image: 'web:1', ready: true, started: true, restartCount: 0, state: { running: { startedAt: STARTED } } },
      ],
    },
  };
}

const SERVICE = { metadata: { name: 'till', namespace: 'shop' }, spec: { selector: { app: 'till' }, ports: [{ port: 80 }] } };

/** A cluster with a Service whose only pod is on the second page of the pods, for which `later` answers. */
function shop(later: (asked: number) => Reply | undefined): Handler {
  let asked = 0;
  return ({ path, query }) => {
    const list = (items: readonly object[], next?: string): Reply => ({
      json: { metadata: next === undefined ? {} : { continue: next }, items },
    });
    if (path === '/api/v1/services') return list([SERVICE]);
    // With the slices it would be known that the pod is there.
    if (path.endsWith('/endpointslices')) return statusReply(403, 'Forbidden', 'endpointslices is forbidden');
    if (!path.endsWith('/pods')) return list([]);
    if (!query.has('continue')) return list([pod('web-1', 'web')], 'next');
    return later(++asked) ?? list([pod('till-1', 'till')]);
  };
}

const TOO_MANY = (): Reply => ({
  ...(statusReply(429, 'TooManyRequests', 'too many requests') as object),
  headers: { 'retry-after': '1' },
});
const EXPIRED = (): Reply => statusReply(410, 'Expired', 'The provided continue parameter is too old');

describe('a list that the server interrupts', () => {
  it.each([
    ['is asked to wait', (asked: number) => (asked < 3 ? TOO_MANY() : undefined)],
    ['says that the continuation has expired', (asked: number) => (asked < 2 ? EXPIRED() : undefined)],
  ])('is read to its end when the client once %s', async (_, later) => {
    const { reader } = await live(shop(later), () => NOW);
    const read = await reader.list('Pod', {});
    expect(read.ok && read.value.map(({ metadata }) => metadata.name)).toEqual(['web-1', 'till-1']);
    expect(read).not.toHaveProperty('partial');
  });

  it.each([
    ['refuses more requests', TOO_MANY, /^The list is incomplete \(objects read: 1\): too many requests/],
    ['lets each continuation expire', EXPIRED, /^The list changed too fast to be read completely\.$/],
  ])('is told as a gap when the server %s, and what may stand behind it is unknown', async (_, later, words) => {
    const { reader } = await live(shop(later), () => NOW);
    expect(await reader.list('Pod', {})).toMatchObject({ ok: true, brokeOff: true, partial: expect.stringMatching(words) as string });
    const result = await scanScope(reader, await shippedRules(), {});
    expect(result.gaps.map(({ reason }) => reason).join('\n')).toMatch(new RegExp(words.source, 'm'));
    expect(result.counts).toMatchObject({ unhealthy: 0, unknown: 1 });
    expect(result.unexplained).toEqual([]);
    expect(scanExitCode(result)).toBe(EXIT.inconclusive);
  });
});

describe('a list that a server begins again and again', () => {
  it.each([
    ['with the continuation that it was asked for', (): string => 'first', 3],
    ['from an earlier page', (asked: string): string => (asked === 'first' ? 'second' : 'first'), 4],
  ])('%s ends, with what was read as a part', async (_, following, requests) => {
    const { reader, server } = await live(({ query }) => {
      const asked = query.get('continue') ?? '';
      return { json: { metadata: { continue: asked === '' ? 'first' : following(asked) }, items: [pod(`web-${asked}`, 'web')] } };
    });
    expect(await reader.list('Pod', {})).toMatchObject({ ok: true, brokeOff: true, partial: expect.stringMatching(/twice/) as string });
    expect(server.seen.length).toBeLessThanOrEqual(requests);
  });
});

describe('a list of a large cluster', () => {
  it.each([
    ['that names the next answer before its items asks for that before they are read', ['metadata', 'items'], ['next', 'web-1', 'web-2']],
    ['that names it behind them asks for it then', ['items', 'metadata'], ['web-1', 'next', 'web-2']],
  ])('%s', async (_, order, expected) => {
    const seen: string[] = [];
    const answer = (name: string, next?: string): object => {
      const parts = { metadata: next === undefined ? {} : { continue: next }, items: [pod(name, 'web')] };
      return Object.fromEntries(order.map((field) => [field, parts[field as 'items']]));
    };
    const get = (path: string): ReturnType<Transport['get']> => {
      const isNext = path.includes('continue=');
      if (isNext) seen.push('next');
      const body = Buffer.from(JSON.stringify(isNext ? answer('web-2') : answer('web-1', 'later')));
      return Promise.resolve({ ok: true, status: 200, contentType: 'application/json', body, cut: false });
    };
    const api = { kind: 'Secret', plural: 'secrets', apiVersion: 'v1', namespaced: true };
    const read = await liveList({ get } as Transport, api, {}, (object) => {
      seen.push(asText(dig(object, 'metadata', 'name')) ?? '');
      return object;
    });
    expect(seen).toEqual(expected);
    expect(read !== 'unknown-api' && read.ok && read.value.length).toBe(2);
  });

  it('is read beyond 50,000 objects, and what these have in common is kept once', async () => {
    const { reader, server } = await live(({ query }) => {
      const page = Number(query.get('continue') ?? 0);
      const items = Array.from({ length: 6000 }, (__, index) => pod(`web-${String(page * 6000 + index)}`, 'web'));
      return { json: { metadata: page < 9 ? { continue: String(page + 1) } : {}, items } };
    });
    const read = await reader.list('Pod', {});
    const pods = read.ok ? read.value : [];
    expect([pods.length, server.seen.length]).toEqual([60_000, 10]);
    expect(pods.at(-1)?.metadata.name).toBe('web-59999');
    expect(new Set(pods.map((one) => one['spec'])).size).toBe(1);
  });
});
