import { describe, expect, it, vi } from 'vitest';
import { serveAddress } from '../../../src/commands/watch/serve-view.ts';
import { schemaProblems } from '../../support/schema-problems.ts';
import { deployment, NEEDS_SETTINGS, served, startWatch } from './served-watch.ts';

const PATIENCE = { timeout: 60_000, interval: 100 };

describe('podcheck watch --serve', { timeout: 120_000 }, () => {
  it('serves causes as metrics, as JSON and as a page, says when it is ready, and lets nobody write', async () => {
    const cluster = await served();
    cluster.serving.cluster.apply([deployment('web', NEEDS_SETTINGS)]);
    const watch = startWatch(cluster, { serve: '127.0.0.1:0' });
    await vi.waitFor(() => expect(watch.notes()).toContain('serving http://127.0.0.1:'), PATIENCE);
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(watch.notes()) ?? [];
    const text = async (path: string): Promise<string> => (await fetch(`${url}${path}`)).text();
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), PATIENCE);
    await vi.waitFor(async () => expect(await text('/metrics')).toContain('podcheck_cause{rule="volumes/configmap-not-found"'), PATIENCE);
    const causes = JSON.parse(await text('/causes')) as { causes: object[] };
    expect(schemaProblems('causes.v1.json', causes)).toEqual([]);
    expect(causes.causes).toMatchObject([{ workload: { name: 'web' }, object: { name: 'web-settings' } }]);
    const page = await fetch(url);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('web-settings');
    expect(await text('/healthz')).toBe('ok\n');
    expect((await fetch(`${url}/causes`, { method: 'DELETE' })).status).toBe(405);
    expect((await fetch(`${url}/../etc/passwd`)).status).toBe(404);
    // Its lines are for whoever collects them.
    expect(watch.changes()).toMatchObject([{ type: 'found' }]);
    expect(await watch.stop()).toBe(130);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  it('ends where the port is taken', async () => {
    const cluster = await served();
    const watch = startWatch(cluster, { serve: `127.0.0.1:${cluster.serving.port}` });
    await vi.waitFor(() => expect(() => watch.lines()).toThrow(/cannot listen on 127\.0\.0\.1/), PATIENCE);
  });

  it.each([
    [':8080', { host: undefined, port: 8080 }],
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['[::1]:80', { host: '::1', port: 80 }],
  ])('takes %s', (text, address) => {
    expect(serveAddress(text)).toEqual(address);
  });

  it.each(['8080', ':99999', 'a b:1', ':', ''])('refuses %j', (text) => {
    expect(() => serveAddress(text)).toThrow('is not a valid address');
  });
});
