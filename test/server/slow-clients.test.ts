import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster } from '../../src/simulator/index.ts';
import { WireClient, WireWatch } from './client.ts';

let serving: Serving;
let client: WireClient;

beforeAll(async () => {
  serving = await startServing({ cluster: createCluster({ seed: 1, preset: 'one-node' }), headersMilliseconds: 1500 });
  client = new WireClient(serving.kubeconfig);
});

afterAll(async () => {
  await serving.close();
});

/** What a client of HTTP/2 sends first, and the frame of headers that others are to complete. Source: RFC 9113, 3.4 and 6.2. */
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
const OPEN_HEADERS = Buffer.from([0, 0, 1, 1, 0, 0, 0, 0, 1, 0x82]);
const CONTINUATION = Buffer.from([0, 0, 0, 9, 0, 0, 0, 0, 1]);

it.each([
  ['its headers byte by byte', 'http/1.1', ['GET /api HTTP/1.1\r\nHost: shop\r\n'], 'X-A: b\r\n'],
  ['frames of headers that never end', 'h2', [PREFACE, SETTINGS, OPEN_HEADERS], CONTINUATION],
  ['nothing on a connection of HTTP/2', 'h2', [], ''],
  ['pings only', 'h2', [PREFACE, SETTINGS], Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])],
])('a client that sends %s is cut off, and a watch is not', async (_, protocol, first, more) => {
  const watch = new WireWatch(client, '/api/v1/nodes?watch=true');
  await expect.poll(() => watch.events.length, { timeout: 20_000 }).toBeGreaterThan(0);
  const start = performance.now();
  await new Promise<void>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: serving.port, ...client.tls, ALPNProtocols: [protocol] });
    for (const bytes of first) socket.write(bytes);
    const bytes = setInterval(() => socket.write(more), 100);
    socket.on('error', () => undefined);
    socket.resume();
    socket.on('close', () => {
      clearInterval(bytes);
      resolve();
    });
  });
  expect(performance.now() - start).toBeGreaterThan(500);
  expect([watch.ended, serving.load().watches]).toEqual([false, 1]);
  watch.close();
  expect((await client.ask('/api/v1/nodes')).code).toBe(200);
});
