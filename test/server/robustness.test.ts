import { randomBytes } from 'node:crypto';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dig } from '../../src/base/json.ts';
import { Prng } from '../../src/base/prng.ts';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster } from '../../src/simulator/index.ts';
import { WireClient, WireWatch } from './client.ts';

let serving: Serving;
let client: WireClient;
const bugs: unknown[] = [];

beforeEach(async () => {
  serving = await startServing({ cluster: createCluster({ seed: 1, preset: 'one-node' }), failed: (error) => bugs.push(error) });
  client = new WireClient(serving.kubeconfig);
});

afterEach(async () => {
  await serving.close();
  expect(bugs.splice(0)).toEqual([]);
});

/** A connection to the port, past every client's manners. */
function raw(bytes: Uint8Array | string, protocol = 'http/1.1', credentials: object = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket: TLSSocket = connect({
      host: '127.0.0.1',
      port: serving.port,
      ca: client.tls.ca,
      ...credentials,
      ALPNProtocols: [protocol],
    });
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.write(bytes);
    socket.end();
  });
}

async function stillServes(): Promise<void> {
  expect((await client.ask('/api/v1/nodes')).code).toBe(200);
}

describe('a served cluster', () => {
  it.each([7, 8, 9, 10])('survives hundreds of random byte strings, and answers none of them with success (%i)', async (seed) => {
    const prng = new Prng(seed);
    const answers: string[] = [];
    for (let round = 0; round < 5; round++) {
      const batch = Array.from({ length: 50 }, () => raw(noise(prng), prng.below(2) === 0 ? 'http/1.1' : 'h2'));
      answers.push(...(await Promise.all(batch)));
    }
    expect(answers).toHaveLength(250);
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 2'))).toEqual([]);
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 4')).length).toBeGreaterThan(25);
    await stillServes();
  });

  it('tells what is no HTTP so in a Status', async () => {
    const answer = await raw('this is no request\r\n\r\n');
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ kind: 'Status', status: 'Failure', code: 400 });
  });

  it('survives bytes that are no TLS', async () => {
    await Promise.all(
      Array.from(
        { length: 50 },
        () =>
          new Promise<void>((resolve) => {
            const socket = connectPlain(serving.port, '127.0.0.1', () => socket.end(randomBytes(200)));
            socket.on('error', () => undefined);
            socket.on('close', () => resolve());
            socket.resume();
          }),
      ),
    );
    await stillServes();
  });

  it('tells who speaks plain HTTP to its port so', async () => {
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connectPlain(serving.port, '127.0.0.1', () => socket.write('GET /api HTTP/1.1\r\nHost: shop\r\n\r\n'));
      socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
      socket.on('close', () => resolve(text));
    });
    expect(answer).toBe('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
    await stillServes();
  });

  it.each(PATHS)('answers the path %j with a refusal or a document', async (path) => {
    const reply = await client.ask(path);
    expect([200, 400, 403, 404, 405, 410]).toContain(reply.code);
    if (reply.code !== 200) expect(reply.json).toMatchObject({ kind: 'Status', status: 'Failure', code: reply.code });
  });

  it.each([
    ['nothing', '', 'application/json', 400],
    ['no JSON', '{"kind":', 'application/json', 400],
    ['a list', '[]', 'application/json', 400],
    ['bytes that are no text', randomBytes(64), 'application/json', 400],
    ['protobuf that is none', Buffer.concat([Buffer.from('k8s\0'), randomBytes(64)]), 'application/vnd.kubernetes.protobuf', 400],
    ['YAML that is none', 'a: [', 'application/yaml', 400],
    ['a type nobody knows', '<x/>', 'text/xml', 415],
    ['more than a server takes', 'x'.repeat(3_200_000), 'application/json', 413],
    ['very much more', 'x'.repeat(8_000_000), 'application/json', 413],
  ])('refuses a body of %s', async (_, body, type, code) => {
    const reply = await client.ask('/api/v1/namespaces', { method: 'POST', headers: { 'content-type': type }, body });
    expect([reply.code, dig(reply.json, 'kind')]).toEqual([code, 'Status']);
    await stillServes();
  });

  it('forgets clients that go away before they are answered', async () => {
    for (let count = 0; count < 50; count++) {
      const sent = request(`${client.url}/api/v1/namespaces`, {
        ...client.tls,
        method: 'POST',
        agent: false,
        headers: { 'content-length': '1000' },
      });
      sent.on('error', () => undefined);
      sent.write('{"kind"');
      setTimeout(() => sent.destroy(), count % 5);
    }
    await expect.poll(() => serving.load().connections, { timeout: 20_000 }).toBe(0);
    await stillServes();
  });

  it('ends the watches of clients that have gone, or have said that they send no more', async () => {
    const watches = Array.from({ length: 20 }, () => new WireWatch(client, '/api/v1/nodes?watch=true'));
    await expect.poll(() => watches.every(({ events }) => events.length > 0), { timeout: 20_000 }).toBe(true);
    expect(serving.load().watches).toBe(20);
    for (const watch of watches) watch.close();
    await expect.poll(() => serving.load().watches, { timeout: 20_000 }).toBe(0);
    // Its text comes before its end does.
    expect(await raw('GET /api/v1/nodes?watch=true HTTP/1.1\r\nHost: server\r\n\r\n', 'http/1.1', client.tls)).toContain('HTTP/1.1 200');
    await expect.poll(() => [serving.load().watches, serving.load().connections], { timeout: 20_000 }).toEqual([0, 0]);
  });

  it('ends the watches of an HTTP/2 client that resets its streams', async () => {
    const session = connectHttp2(client.url, client.tls);
    session.on('error', () => undefined);
    const streams = Array.from({ length: 20 }, () => session.request({ ':path': '/api/v1/nodes?watch=true' }));
    for (const stream of streams) stream.on('error', () => undefined);
    await expect.poll(() => serving.load().watches, { timeout: 20_000 }).toBe(20);
    for (const stream of streams) stream.close(8);
    await expect.poll(() => serving.load().watches, { timeout: 20_000 }).toBe(0);
    session.destroy();
    await stillServes();
  });

  it('cuts off who does not read what it watches, and lets time go on', async () => {
    const objects = Array.from({ length: 300 }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `settings-${index}` },
      data: { text: 'x'.repeat(20_000) },
    }));
    serving.cluster.apply(objects);
    const socket = connect({ host: '127.0.0.1', port: serving.port, ...client.tls, ALPNProtocols: ['http/1.1'] });
    socket.on('error', () => undefined);
    socket.write('GET /api/v1/configmaps?watch=true HTTP/1.1\r\nHost: server\r\n\r\n');
    await expect.poll(() => serving.load().watches, { timeout: 20_000 }).toBe(1);
    socket.pause();
    await expect.poll(() => serving.load().watches, { timeout: 100_000 }).toBe(0);
    const before = serving.clock.state().now;
    await expect.poll(() => serving.clock.state().now, { timeout: 20_000 }).toBeGreaterThan(before + 100);
    socket.destroy();
  }, 120_000);
});

describe('a cluster that is served no more', () => {
  it('leaves no socket, no timer and no port', async () => {
    const held = (): readonly string[] =>
      process
        .getActiveResourcesInfo()
        .filter((kind) => /TCP|TLS|Timeout|Immediate/.test(kind))
        .toSorted();
    const before = held().length;
    const own = await startServing({ cluster: createCluster({ seed: 2, preset: 'one-node' }) });
    const one = new WireClient(own.kubeconfig);
    const watch = new WireWatch(one, '/api/v1/nodes?watch=true&allowWatchBookmarks=true');
    const session = connectHttp2(one.url, one.tls);
    session.on('error', () => undefined);
    await expect.poll(() => watch.events.length, { timeout: 20_000 }).toBeGreaterThan(0);
    await own.close();
    session.destroy();
    await expect.poll(() => watch.ended).toBe(true);
    await expect.poll(() => held().length, { timeout: 20_000 }).toBeLessThanOrEqual(before);
    await expect(one.ask('/version')).rejects.toThrow('ECONNREFUSED');
  });
});

const PATHS = [
  '/',
  '//',
  '/api/v1/%',
  '/api/v1/namespaces/%00/pods',
  '/apis/////',
  '/api/v1/namespaces/../../etc/passwd',
  '/api/v1/pods?limit=-1&labelSelector=((&fieldSelector=%3D',
  `/api/v1/${'a'.repeat(200)}`,
  '/api/v1/pods?continue=e30',
  '/api/v1/pods?watch=true&resourceVersion=x',
  '/api/v1/namespaces/default/pods/x/exec?command=env',
  '/apis/__proto__/constructor/toString',
];

/** Bytes as they may come: none that mean anything, or the beginning of something that is spoilt further on. */
function noise(prng: Prng): Uint8Array {
  const bytes = Uint8Array.from({ length: 1 + prng.below(400) }, () => prng.below(256));
  const begin = BEGINNINGS[prng.below(BEGINNINGS.length)] ?? '';
  return Buffer.concat([Buffer.from(begin), bytes]);
}

const BEGINNINGS = [
  '',
  '',
  'GET ',
  'GET /api/v1/pods HTTP/1.1\r\n',
  'POST /api/v1/namespaces HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET /api/v1/namespaces/default/pods/web/exec?command=sh HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n',
  'DELETE /api/v1/nodes/',
];
