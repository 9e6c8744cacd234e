import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Delivery, receiverUrl, sendChange } from '../../../src/commands/watch/deliver.ts';
import { deployment, NEEDS_SETTINGS, served, SETTINGS, startWatch } from './served-watch.ts';

const PATIENCE = { timeout: 60_000, interval: 20 };

interface Received {
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** A receiver that keeps what it is sent, and answers the request of each number as it is told. */
async function receiver(
  answer: (number: number, response: ServerResponse) => void,
): Promise<{ readonly url: URL; readonly got: readonly Received[] }> {
  const got: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      got.push({ path: request.url ?? '', body, headers: request.headers });
      answer(got.length, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`), got };
}

function status(code: number, headers: Readonly<Record<string, string>> = {}): (response: ServerResponse) => void {
  return (response) => void response.writeHead(code, headers).end();
}

interface Sender {
  readonly delivery: Delivery;
  readonly notes: readonly string[];
}

function sender(url: URL, secret?: string): Sender {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const notes: string[] = [];
  const ports = {
    signal: ending.signal,
    note: (text: string) => void notes.push(text),
    timeoutMilliseconds: 300,
    firstWaitMilliseconds: 5,
  };
  return { delivery: new Delivery({ url, version: '1.2.3', secret }, ports), notes };
}

describe('delivering to a webhook', () => {
  it('signs what it sends, and sends each once', async () => {
    const { url, got } = await receiver((_, response) => status(204)(response));
    const { delivery } = sender(url, 'shared');
    void sendChange(delivery, { type: 'missed', at: 0, detail: 'The watch expired.' });
    void delivery.add({ b: 2 });
    await vi.waitFor(() => expect(delivery.size).toBe(0), PATIENCE);
    expect(got.map(({ body }) => body)).toEqual([expect.stringContaining('"type":"missed"'), '{"b":2}']);
    const [first] = got;
    const signature = createHmac('sha256', 'shared')
      .update(first?.body ?? '')
      .digest('hex');
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'podcheck/1.2.3',
      'x-podcheck-event': 'missed',
      'x-podcheck-signature': `sha256=${signature}`,
    });
  });

  it('tries again, in order and with the same delivery, while the receiver fails, hangs or has too much to do', async () => {
    const { url, got } = await receiver((number, response) => {
      if (number === 1) status(500)(response);
      else if (number === 2) response.socket?.destroy();
      else if (number === 3) status(429, { 'retry-after': '0' })(response);
      // The fourth gets no answer at all.
      else if (number > 4) status(200)(response);
    });
    const { delivery, notes } = sender(url);
    void sendChange(delivery, { type: 'missed', at: 0, detail: 'first' });
    void sendChange(delivery, { type: 'missed', at: 0, detail: 'second' });
    await vi.waitFor(() => expect(delivery.size).toBe(0), PATIENCE);
    expect(got.map(({ body }) => /first|second/.exec(body)?.[0])).toEqual(['first', 'first', 'first', 'first', 'first', 'second']);
    expect(new Set(got.slice(0, 5).map(({ headers }) => headers['x-podcheck-delivery'])).size).toBe(1);
    expect(got[5]?.headers['x-podcheck-delivery']).not.toBe(got[0]?.headers['x-podcheck-delivery']);
    expect(notes).toEqual([]);
  });

  it.each([400, 404, 302])('gives up where the receiver says %i, tells so, and goes on with the next', async (code) => {
    const { url, got } = await receiver((number, response) =>
      status(number === 1 ? code : 200, { location: 'http://127.0.0.1:1/' })(response),
    );
    const { delivery, notes } = sender(url);
    void delivery.add('first');
    void delivery.add('second');
    await vi.waitFor(() => expect(delivery.size).toBe(0), PATIENCE);
    expect(got.map(({ body }) => body)).toEqual(['"first"', '"second"']);
    expect(notes).toEqual([`${url.host} did not take a message: HTTP ${code}`]);
  });

  it('keeps the latest thousand for a receiver that is away, and says once that others are dropped', async () => {
    const { url } = await receiver(() => undefined);
    const { delivery, notes } = sender(url);
    for (let index = 0; index < 1500; index++) void delivery.add(index);
    expect(delivery.size).toBe(1000);
    expect(notes).toHaveLength(1);
  });

  it.each(['hook.example', 'ftp://hook.example/', 'http://me:secret@hook.example/', ''])('refuses %j as an address', (text) => {
    expect(() => receiverUrl('--webhook', text)).toThrow('is not a valid URL');
  });
});

describe('podcheck watch --webhook --alertmanager', { timeout: 120_000 }, () => {
  it('sends each change once, and alerts that end', async () => {
    const { url, got } = await receiver((_, response) => status(200)(response));
    const cluster = await served();
    const watch = startWatch(cluster, { webhook: url.href, alertmanager: url.origin }, { env: { PODCHECK_WEBHOOK_SECRET: 'shared' } });
    cluster.serving.cluster.apply([deployment('web', NEEDS_SETTINGS)]);
    await vi.waitFor(() => expect(watch.changes()).toHaveLength(1), PATIENCE);
    cluster.serving.cluster.apply([SETTINGS]);
    await vi.waitFor(() => expect(got).toHaveLength(4), PATIENCE);
    const hooks = got.filter(({ path }) => path === '/hook');
    expect(hooks.map(({ body }) => JSON.parse(body) as unknown)).toEqual(watch.changes());
    const alerts = got.filter(({ path }) => path === '/api/v2/alerts').map(({ body }) => JSON.parse(body) as unknown);
    const labels = {
      alertname: 'PodcheckCause',
      rule: 'volumes/configmap-not-found',
      namespace: 'default',
      kind: 'Deployment',
      name: 'web',
    };
    expect(alerts).toMatchObject([[{ labels }], [{ labels, endsAt: expect.stringMatching(/Z$/) as unknown }]]);
    expect(got.filter(({ headers }) => headers['x-podcheck-signature'] !== undefined)).toHaveLength(2);
  });
});
