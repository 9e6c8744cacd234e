import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster } from '../../src/simulator/cluster.ts';
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

it('a client that sends its headers byte by byte is cut off, and a watch is not', async () => {
  const watch = new WireWatch(client, '/api/v1/nodes?watch=true');
  await expect.poll(() => watch.events.length, { timeout: 20_000 }).toBeGreaterThan(0);
  const start = performance.now();
  await new Promise<void>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: serving.port, ...client.tls, ALPNProtocols: ['http/1.1'] });
    socket.write('GET /api HTTP/1.1\r\nHost: shop\r\n');
    const bytes = setInterval(() => socket.write('X-A: b\r\n'), 100);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(bytes);
      resolve();
    });
  });
  expect(performance.now() - start).toBeGreaterThan(1000);
  expect([watch.ended, serving.load().watches]).toEqual([false, 1]);
  watch.close();
  expect((await client.ask('/api/v1/nodes')).code).toBe(200);
});
