import type { ServerResponse } from 'node:http';
import { onTestFinished, describe, expect, it, vi } from 'vitest';
import { follow } from '../../../src/clusters/live/follow.ts';
import type { FollowListener, WatchGap } from '../../../src/model/followed.ts';
import { resourceOfKind } from '../../../src/model/resources.ts';
import type { Handler } from '../../support/kube-server.ts';
import { kubeServer, statusReply } from '../../support/kube-server.ts';
import { liveConfig, openTransport } from '../../support/live.ts';
import { pod } from './live-pods.ts';

interface Told {
  /** What was told, in order: `listing`, `seen web`, `gone uid`, `gap watch …`, `gap over`. */
  readonly words: string[];
  readonly waits: number[];
  readonly requests: () => readonly string[];
  readonly stop: () => Promise<void>;
}

/** Follows pods of a server that answers like this, until the test is over. It never waits. */
async function followed(handle: Handler): Promise<Told> {
  const server = await kubeServer(handle);
  const ending = new AbortController();
  const [words, waits]: [string[], number[]] = [[], []];
  const told = (gap: WatchGap | undefined): string =>
    gap === undefined ? 'gap over' : `gap ${gap.verb} ${gap.resource}: ${gap.detail}${gap.needs === undefined ? '' : ` (${gap.needs})`}`;
  const listener: FollowListener = {
    listing: () => void words.push('listing'),
    seen: (object) => void words.push(`seen ${object.metadata.name}`),
    gone: (uid) => void words.push(`gone ${uid}`),
    listed: () => void words.push('listed'),
    gap: (gap) => void words.push(told(gap)),
    missed: () => void words.push('missed'),
    heard: () => undefined,
  };
  const { transport } = openTransport(liveConfig(server.url));
  const pods = resourceOfKind('Pod');
  if (pods === undefined) throw new Error('pods are known');
  const done = follow(
    transport,
    pods,
    {
      namespace: 'shop',
      signal: ending.signal,
      clock: Date.now,
      wait: async (milliseconds) => {
        waits.push(milliseconds);
        await new Promise((resolve) => void setTimeout(resolve, 1));
      },
      random: () => 0.5,
    },
    listener,
  );
  const stop = async (): Promise<void> => {
    ending.abort();
    await done;
    await server.close();
  };
  onTestFinished(stop);
  const requests = (): readonly string[] =>
    server.seen.map(({ query }) => `${query.has('watch') ? 'watch' : 'list'} ${query.get('resourceVersion') ?? ''}`.trim());
  return { words, waits, requests, stop };
}

function listOf(version: string, ...names: readonly string[]): { readonly json: unknown } {
  return { json: { kind: 'PodList', metadata: { resourceVersion: version }, items: names.map((name) => pod(name)) } };
}

function events(response: ServerResponse, ...lines: readonly object[]): 'handled' {
  response.writeHead(200, { 'content-type': 'application/json' });
  for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
  return 'handled';
}

const BOOKMARK = { type: 'BOOKMARK', object: { kind: 'Pod', metadata: { resourceVersion: '30' } } };
const PATIENCE = { timeout: 20_000, interval: 10 };

describe('following a kind', () => {
  it('goes on from the last version it has seen, bookmarks included, when the server ends the watch', async () => {
    let watches = 0;
    const told = await followed((seen, response) => {
      if (!seen.query.has('watch')) return listOf('10', 'web', 'cart');
      watches += 1;
      if (watches > 1) return events(response, { type: 'DELETED', object: pod('cart') });
      events(response, { type: 'MODIFIED', object: { metadata: { name: 'web', uid: 'uid-web', resourceVersion: '20' } } }, BOOKMARK);
      response.end();
      return 'handled';
    });
    await vi.waitFor(() => expect(told.words).toContain('gone uid-cart'), PATIENCE);
    expect(told.requests()).toEqual(['list', 'watch 10', 'watch 30']);
    expect(told.words).toEqual([
      'listing',
      'seen web',
      'seen cart',
      'listed',
      'gap over',
      'gap over',
      'seen web',
      'gap over',
      'gone uid-cart',
    ]);
    expect(told.waits).toEqual([]);
  });

  it.each([
    [
      'as an event',
      (response: ServerResponse) => events(response, { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }),
    ],
    ['as a status', () => statusReply(410, 'Expired', 'too old resource version')],
  ])('lists again when the version has expired, told %s, and says what was not seen', async (_, expired) => {
    let watches = 0;
    const told = await followed((seen, response) => {
      if (!seen.query.has('watch')) return listOf(watches === 0 ? '10' : '50', 'web');
      watches += 1;
      if (watches > 1) return events(response);
      const reply = expired(response);
      if (reply === 'handled') response.end();
      return reply;
    });
    await vi.waitFor(() => expect(told.requests()).toEqual(['list', 'watch 10', 'list', 'watch 50']), PATIENCE);
    expect(told.words).toContain('missed');
    expect(told.words.filter((word) => word === 'listed')).toHaveLength(2);
  });

  it('waits as long as a server that has too much to do asks for', async () => {
    let watches = 0;
    const told = await followed((seen, response) => {
      if (!seen.query.has('watch')) return listOf('10');
      watches += 1;
      if (watches < 3) return { ...(statusReply(429, 'TooManyRequests', 'too many requests') as object), headers: { 'retry-after': '7' } };
      return events(response, { type: 'ADDED', object: pod('late') });
    });
    await vi.waitFor(() => expect(told.words).toContain('seen late'), PATIENCE);
    expect(told.waits).toEqual([7000, 7000]);
    expect(told.words.filter((word) => word.startsWith('gap watch pods: too many requests'))).toHaveLength(1);
    expect(told.requests()).toEqual(['list', 'watch 10', 'watch 10', 'watch 10']);
  });

  it('tells a refusal with the permission that is missing, and when it is over', async () => {
    let asked = 0;
    const told = await followed((seen, response) => {
      if (seen.query.has('watch')) return events(response);
      asked += 1;
      return asked < 3 ? statusReply(403, 'Forbidden', 'pods is forbidden') : listOf('10');
    });
    await vi.waitFor(() => expect(told.words.at(-1)).toBe('gap over'), PATIENCE);
    expect(told.words.filter((word) => word === 'gap list pods: pods is forbidden (list pods in shop)')).toHaveLength(2);
  });

  it('comes back with growing waits after the server was gone, without a new list', async () => {
    let watches = 0;
    const told = await followed((seen, response) => {
      if (!seen.query.has('watch')) return listOf('10', 'web');
      watches += 1;
      if (watches > 5) return events(response, { type: 'ADDED', object: pod('late') });
      seen.request.socket.destroy();
      return 'handled';
    });
    await vi.waitFor(() => expect(told.words).toContain('seen late'), PATIENCE);
    expect(told.waits).toEqual([0, 1600, 3200, 6400, 12_800]);
    expect(told.requests().filter((word) => word === 'list')).toHaveLength(1);
    expect(told.words.filter((word) => word.startsWith('gap watch pods'))).toHaveLength(4);
  });

  it('reads all pages, and begins again when a continuation has expired', async () => {
    let asked = 0;
    const told = await followed((seen, response) => {
      if (seen.query.has('watch')) return events(response);
      asked += 1;
      if (asked === 2) return statusReply(410, 'Expired', 'the continue token has expired');
      if (seen.query.has('continue')) return listOf('11', 'cart');
      return { json: { kind: 'PodList', metadata: { resourceVersion: '11', continue: 'next' }, items: [pod('web')] } };
    });
    await vi.waitFor(() => expect(told.words).toContain('listed'), PATIENCE);
    expect(told.words.slice(0, 6)).toEqual(['listing', 'seen web', 'listing', 'seen web', 'seen cart', 'listed']);
  });

  it('ends at once when it is told to', async () => {
    const told = await followed((seen, response) => (seen.query.has('watch') ? events(response) : listOf('10')));
    await vi.waitFor(() => expect(told.requests()).toHaveLength(2), PATIENCE);
    await told.stop();
    expect(told.words.filter((word) => word.startsWith('gap watch'))).toEqual([]);
  });
});
