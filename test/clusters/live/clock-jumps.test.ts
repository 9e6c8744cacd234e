import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { formatInstant } from '../../../src/base/instant.ts';
import { credentialsOf } from '../../../src/clusters/live/kubeconfig/credentials.ts';
import { liveReader } from '../../../src/clusters/live/live-reader.ts';
import { Patience } from '../../../src/clusters/live/requests/unanswered-requests.ts';
import { folderWith } from '../../support/folder.ts';
import type { KubeServer } from '../../support/kube-server.ts';
import { kubeServer, servingOptions } from '../../support/kube-server.ts';
import { liveConfig, openTransport } from '../../support/live.ts';

const HOUR = 3_600_000;
const servers: KubeServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

describe('a clock that is set back', () => {
  it('keeps no failure to connect for longer than it is kept', async () => {
    let now = 10 * HOUR;
    const server = await kubeServer(() => ({}), servingOptions(['elsewhere.shop']));
    servers.push(server);
    const { transport } = openTransport(liveConfig(server.url), { clock: () => now });
    await transport.get('/');
    await transport.get('/');
    expect(transport.counts().requests).toBe(1);
    now -= HOUR;
    await transport.get('/');
    expect(transport.counts().requests).toBe(2);
  });

  it('does not keep from asking again what gave no answer', () => {
    let now = 10 * HOUR;
    const patience = new Patience(() => now);
    for (let count = 0; count < 4; count++) patience.timedOut('events');
    expect(patience.refusal('events', 'shop')).toBeDefined();
    expect(patience.idleSeconds(30)).toBe(5);
    now -= HOUR;
    expect(patience.refusal('events', 'shop')).toBeUndefined();
    expect(patience.idleSeconds(30)).toBe(30);
  });

  it('keeps no token that has been replaced in its file', async () => {
    let now = 10 * HOUR;
    const file = join(folderWith({ token: 'first' }), 'token');
    const credentials = credentialsOf(liveConfig(new URL('https://127.0.0.1'), { user: { tokenFile: file } }), {
      clock: () => now,
      env: {},
      interactive: false,
    });
    expect(await credentials.current()).toEqual({ token: 'first' });
    writeFileSync(file, 'second');
    now -= HOUR;
    expect(await credentials.current()).toEqual({ token: 'second' });
  });
});

describe('the time of the cluster', () => {
  it.each([
    ['back', -3 * HOUR],
    ['forward', 3 * HOUR],
  ])('is that of the server, also after our clock jumped %s', async (_, jump) => {
    const SERVER = Date.parse('2027-01-01T00:00:00Z');
    let ours = SERVER + 60_000;
    const server = await kubeServer(() => ({ json: {}, headers: { date: new Date(SERVER).toUTCString() } }));
    servers.push(server);
    const clock = (): number => ours;
    const { transport } = openTransport(liveConfig(server.url), { clock });
    const reader = liveReader(transport, clock);
    await transport.get('/');
    expect(formatInstant(reader.now())).toBe('2027-01-01T00:00:00Z');
    ours += jump;
    await transport.get('/');
    expect(formatInstant(reader.now())).toBe('2027-01-01T00:00:00Z');
  });

  it('does not waver with the part of a second that the server leaves out', async () => {
    let [ours, theirs] = [1_800_000_000_000, 1_800_000_060_000];
    const server = await kubeServer(() => ({ json: {}, headers: { date: new Date(theirs).toUTCString() } }));
    servers.push(server);
    const { transport } = openTransport(liveConfig(server.url), { clock: () => ours });
    await transport.get('/');
    const first = transport.clockSkew();
    for (const milliseconds of [300, 999, 1500]) {
      [ours, theirs] = [ours + milliseconds, theirs + milliseconds];
      await transport.get('/');
      expect(transport.clockSkew()).toBe(first);
    }
  });
});
