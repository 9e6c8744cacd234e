import { request } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import { asText, dig } from '../../src/base/json.ts';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster } from '../../src/simulator/index.ts';
import { WireClient } from './client.ts';
import { BINARY, frames, TEXT, Upgraded, webSocketHeaders } from './upgraded.ts';

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'worker', namespace: 'default' },
  spec: {
    containers: [{ name: 'worker', image: 'busybox:1.36', command: ['sh', '-c', 'echo one; echo two; sleep 60; echo three; exit 1'] }],
  },
};

let serving: Serving;

afterEach(() => serving.close());

async function running(): Promise<WireClient> {
  const cluster = createCluster({ seed: 1, preset: 'one-node' });
  cluster.apply([POD]);
  cluster.advance(20_000);
  serving = await startServing({ cluster });
  serving.clock.pause();
  return new WireClient(serving.kubeconfig);
}

const LOG = '/api/v1/namespaces/default/pods/worker/log';

describe('the log of a container', () => {
  it('is sent as text: all of it, the last lines, or so many bytes', async () => {
    const client = await running();
    const texts = await Promise.all(
      ['', '?tailLines=1', '?limitBytes=5'].map((query) => client.ask(`${LOG}${query}`).then(({ text }) => text)),
    );
    expect(texts).toEqual(['one\ntwo\n', 'two\n', 'one\nt']);
  });

  it('has the times of the wall clock, and leaves out what is older than asked for', async () => {
    const client = await running();
    const stamped = (await client.ask(`${LOG}?timestamps=true&tailLines=1`)).text;
    expect(stamped).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z two\n$/);
    expect(Math.abs(Date.parse(stamped.slice(0, 30)) - Date.now())).toBeLessThan(120_000);
    expect((await client.ask(`${LOG}?sinceSeconds=1`)).text).toBe('');
    expect((await client.ask(`${LOG}?sinceTime=${new Date(Date.now() - 600_000).toISOString()}`)).text).toBe('one\ntwo\n');
  });

  it('is followed until the container ends', async () => {
    const client = await running();
    let text = '';
    let ended = false;
    const sent = request(`${client.url}${LOG}?follow=true`, { ...client.tls, agent: false }, (response) => {
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => (ended = true));
    });
    sent.end();
    await expect.poll(() => text).toBe('one\ntwo\n');
    await serving.clock.advance(60_000);
    await expect.poll(() => ended).toBe(true);
    expect(text).toBe('one\ntwo\nthree\n');
  });

  it('of a container that was started again is the new one, and with previous the old one', async () => {
    const client = await running();
    await serving.clock.advance(70_000);
    await serving.clock.advance(10_000);
    expect((await client.ask(`${LOG}?previous=true`)).text).toBe('one\ntwo\nthree\n');
    expect((await client.ask(LOG)).text).toBe('one\ntwo\n');
  });

  it('that is not there yet is refused in the words of the kubelet', async () => {
    const client = await running();
    await client.ask('/api/v1/namespaces/default/pods', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...POD, metadata: { name: 'new', namespace: 'default' } }),
    });
    const reply = await client.ask('/api/v1/namespaces/default/pods/new/log');
    expect([reply.code, asText(dig(reply.json, 'message'))]).toEqual([400, 'pod new does not have a host assigned']);
  });
});

describe('the log of a container over a WebSocket', () => {
  it.each(['binary.k8s.io', 'base64.binary.k8s.io', ''])('is sent in the protocol %j', async (protocol) => {
    const client = await running();
    const messages: string[] = [];
    const log = new Upgraded(client, {
      path: LOG,
      headers: webSocketHeaders(protocol),
      take: frames(({ kind, payload }) => {
        if (kind === BINARY) messages.push(payload.toString());
        if (kind === TEXT) messages.push(Buffer.from(payload.toString(), 'base64').toString());
      }),
    });
    await expect.poll(() => log.ended).toBe(true);
    expect([log.head.split('\r\n')[0], messages]).toEqual(['HTTP/1.1 101 Switching Protocols', ['', 'one\ntwo\n']]);
  });

  it('goes on until the container ends', async () => {
    const client = await running();
    const messages: string[] = [];
    const take = frames(({ payload }) => void messages.push(payload.toString()));
    const log = new Upgraded(client, { path: `${LOG}?follow=true&tailLines=1`, headers: webSocketHeaders('binary.k8s.io'), take });
    await expect.poll(() => messages).toEqual(['', 'two\n']);
    await serving.clock.advance(60_000);
    await expect.poll(() => log.ended).toBe(true);
    expect(messages.slice(0, 3)).toEqual(['', 'two\n', 'three\n']);
  });

  it.each([
    ['/api/v1/namespaces/default/pods/gone/log', 'binary.k8s.io', 404],
    [LOG, 'v4.channel.k8s.io', 403],
  ])('is refused for %s in the protocol %s', async (path, protocol, code) => {
    const log = new Upgraded(await running(), { path, headers: webSocketHeaders(protocol), take: () => undefined });
    await expect.poll(() => log.head).toContain(`HTTP/1.1 ${code} `);
  });
});
