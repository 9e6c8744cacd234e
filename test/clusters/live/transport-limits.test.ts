import type { Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectionTrouble } from '../../../src/clusters/live/connection/connection-error.ts';
import type { Exchange } from '../../../src/clusters/live/requests/exchange.ts';
import type { Handler, KubeServer } from '../../support/kube-server.ts';
import { kubeServer, listen } from '../../support/kube-server.ts';
import { liveConfig, openTransport } from '../../support/live.ts';

const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function serve(handle: Handler): Promise<KubeServer> {
  const server = await kubeServer(handle);
  closing.push(() => server.close());
  return server;
}

function statusOf(exchange: Exchange): number | ConnectionTrouble {
  return exchange.ok ? exchange.status : exchange.error.kind;
}

describe('a busy server', () => {
  it('is asked again after the time it names', async () => {
    const answers = [429, 503, 200];
    const server = await serve(() => ({ status: answers[server.seen.length - 1] ?? 500, headers: { 'retry-after': '7' } }));
    const { transport, waits } = openTransport(liveConfig(server.url));
    expect(statusOf(await transport.get('/'))).toBe(200);
    expect(waits).toEqual([7000, 7000]);
  });

  it('is asked four times and not more', async () => {
    const server = await serve(() => ({ status: 429, headers: { 'retry-after': '8' } }));
    const { transport, waits } = openTransport(liveConfig(server.url));
    expect(statusOf(await transport.get('/'))).toBe(429);
    expect(server.seen).toHaveLength(4);
    expect(waits).toEqual([8000, 8000, 8000]);
  });

  it.each(['11', '86400', '999999999999999999999'])('that names a time beyond the limit is not waited for: %s s', async (seconds) => {
    const server = await serve(() => ({ status: 429, headers: { 'retry-after': seconds } }));
    const { transport, waits } = openTransport(liveConfig(server.url));
    expect(statusOf(await transport.get('/'))).toBe(429);
    expect(server.seen).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  it('is not waited for any more when all requests together have waited long enough', async () => {
    const server = await serve(() => ({ status: 429, headers: { 'retry-after': '4' } }));
    const { transport, waits } = openTransport(liveConfig(server.url));
    for (let request = 0; request < 5; request++) expect(statusOf(await transport.get('/'))).toBe(429);
    expect(waits).toEqual(Array.from({ length: 7 }, () => 4000));
    expect(server.seen).toHaveLength(12);
  });

  it('is not asked again beyond the time of the whole request', async () => {
    const server = await serve(() => ({ status: 503, headers: { 'retry-after': '2' } }));
    const { transport, waits } = openTransport(liveConfig(server.url), { limits: { totalSeconds: 5 } });
    expect(statusOf(await transport.get('/'))).toBe(503);
    expect(waits).toEqual([2000, 2000]);
  });

  it('that says 429 without a time is asked again ever later', async () => {
    const server = await serve(() => ({ status: 429 }));
    const { transport, waits } = openTransport(liveConfig(server.url));
    await transport.get('/');
    expect(waits).toEqual([1000, 2000, 4000]);
  });

  it('that fails without a time is not asked again', async () => {
    const server = await serve(() => ({ status: 503 }));
    const { transport } = openTransport(liveConfig(server.url));
    expect(statusOf(await transport.get('/'))).toBe(503);
    expect(server.seen).toHaveLength(1);
  });
});

describe('limits', () => {
  it('end an answer that stops coming', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200).write('{');
      return 'handled';
    });
    const { transport } = openTransport(liveConfig(server.url), { limits: { idleSeconds: 0.1 } });
    const answer = await transport.get('/');
    expect(answer).toMatchObject({ ok: false, error: { kind: 'timeout' } });
    expect(!answer.ok && answer.error.detail).toContain('sent nothing for 0.1 s');
  });

  it('end an answer that never begins', async () => {
    const server = await serve(() => 'handled');
    const { transport } = openTransport(liveConfig(server.url), { limits: { totalSeconds: 0.1 } });
    expect(statusOf(await transport.get('/'))).toBe('timeout');
  });

  it('end an answer that drips for too long', async () => {
    const server = await serve((_, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(timer));
      return 'handled';
    });
    const { transport } = openTransport(liveConfig(server.url), { limits: { idleSeconds: 30, totalSeconds: 0.3 } });
    const answer = await transport.get('/');
    expect(!answer.ok && answer.error.detail).toContain('did not finish its response within 0.3 s');
  });

  it('let an answer be slow as long as it keeps coming', async () => {
    const server = await serve((_, response) => {
      let pieces = 0;
      const timer = setInterval(() => {
        pieces += 1;
        if (pieces < 16) return void response.write(' ');
        clearInterval(timer);
        response.end('{}');
      }, 100);
      return 'handled';
    });
    const { transport } = openTransport(liveConfig(server.url), { limits: { idleSeconds: 1 } });
    expect(statusOf(await transport.get('/'))).toBe(200);
  });

  it('end a connection that is accepted and then says nothing', async () => {
    const silent = createTcpServer();
    const port = await listen(silent);
    const sockets: Socket[] = [];
    silent.on('connection', (socket) => sockets.push(socket.on('error', () => undefined)));
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { transport } = openTransport(liveConfig(new URL(`https://127.0.0.1:${port}`)), { limits: { connectSeconds: 0.1 } });
    const answer = await transport.get('/');
    expect(answer).toMatchObject({ ok: false, error: { kind: 'timeout' } });
    expect(!answer.ok && answer.error.detail).toContain(' within 0.1 s');
  });

  it('end a request that has no connection in time', async () => {
    const silent = createTcpServer((socket) => void socket.on('error', () => undefined));
    const port = await listen(silent);
    closing.push(() => void silent.close());
    const { transport } = openTransport(liveConfig(new URL(`https://127.0.0.1:${port}`)), { limits: { totalSeconds: 0.2 } });
    const answer = await transport.get('/');
    expect(!answer.ok && answer.error.detail).toContain('did not finish its response within 0.2 s');
    transport.close();
  });

  it('are not taken again and again by what gives no answer', async () => {
    const server = await serve(({ path }) => (path.startsWith('/pods') ? { json: {} } : 'handled'));
    const { transport } = openTransport(liveConfig(server.url), { limits: { idleSeconds: 0.1 } });
    const asked = async (group: string): Promise<number | ConnectionTrouble> => statusOf(await transport.get(`/${group}`, { group }));
    for (const _ of [1, 2, 3, 4]) {
      expect(await asked('events')).toBe('timeout');
      expect(await asked('pods')).toBe(200);
    }
    expect(server.seen.filter(({ path }) => path === '/events')).toHaveLength(2);
    expect(server.seen.filter(({ path }) => path === '/pods')).toHaveLength(4);
    expect(await transport.get('/events', { group: 'events' })).toMatchObject({
      error: { detail: expect.stringContaining('it was not asked again') as unknown },
    });
  });

  it('are not taken for each request by a server that gives no answer at all, and it is asked again after a while', async () => {
    let now = 0;
    const server = await serve(() => 'handled');
    const { transport } = openTransport(liveConfig(server.url), { limits: { idleSeconds: 0.1 }, clock: () => now });
    for (let request = 0; request < 20; request++) expect(statusOf(await transport.get(`/${String(request)}`))).toBe('timeout');
    expect(server.seen).toHaveLength(3);
    now += 5001;
    await transport.get('/again');
    expect(server.seen).toHaveLength(4);
  });

  it('do not count the time a request waits for its turn', async () => {
    const server = await serve((_, response) => {
      setTimeout(() => response.end('{}'), 100);
      return 'handled';
    });
    const { transport } = openTransport(liveConfig(server.url), { limits: { totalSeconds: 3 } });
    const answers = await Promise.all(Array.from({ length: 40 }, () => transport.get('/')));
    expect(new Set(answers.map(statusOf))).toEqual(new Set([200]));
  }, 30_000);

  it('refuse a body that is too large, also one that only grows when decompressed', async () => {
    const server = await serve(({ path }, response) => {
      if (path !== '/gzip') return { text: 'x'.repeat(5000) };
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5_000_000)));
      return 'handled';
    });
    const { transport } = openTransport(liveConfig(server.url), { limits: { maxBytes: 4096 } });
    expect(statusOf(await transport.get('/plain'))).toBe('too-large');
    expect(statusOf(await transport.get('/gzip'))).toBe('too-large');
    expect(statusOf(await transport.get('/plain', { maxBytes: 5000 }))).toBe(200);
  });

  it('cut a body where its beginning is enough', async () => {
    const server = await serve((_, response) => {
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(10_000), () => setImmediate(more));
      };
      more();
      return 'handled';
    });
    const { transport } = openTransport(liveConfig(server.url));
    const answer = await transport.get('/', { maxBytes: 25_000, overflow: 'cut' });
    expect(answer).toMatchObject({ ok: true, status: 200, cut: true });
    expect(answer.ok && answer.body.length).toBe(25_000);
  });

  it('give up a request that is under way and those that wait behind it when the signal says so', async () => {
    const stop = new AbortController();
    const server = await serve(() => {
      stop.abort();
      return 'handled';
    });
    const { transport } = openTransport(liveConfig(server.url), { signal: stop.signal });
    const answers = await Promise.all([transport.get('/one'), transport.get('/two')]);
    expect(answers.map(statusOf)).toEqual(['aborted', 'aborted']);
    expect(server.seen).toHaveLength(1);
  });
});
