import { connect } from 'node:http2';
import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { asList, asText, dig } from '../../src/base/json.ts';
import type { AuditEntry } from '../../src/model/audit.ts';
import type { Serving, ServingOptions } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster } from '../../src/simulator/index.ts';
import { WireClient, WireWatch } from './client.ts';

const servings: Serving[] = [];

async function served(options: Partial<ServingOptions> = {}): Promise<Serving> {
  const serving = await startServing({ cluster: createCluster({ seed: 1, preset: 'one-node' }), ...options });
  servings.push(serving);
  return serving;
}

afterEach(async () => {
  for (const serving of servings.splice(0)) await serving.close();
});

describe('a served cluster', () => {
  it('answers the administrator of its kubeconfig', async () => {
    const serving = await served();
    const reply = await new WireClient(serving.kubeconfig).ask('/api/v1/nodes');
    expect(reply.code).toBe(200);
    expect(asList(dig(reply.json, 'items')).map((node) => dig(node, 'metadata', 'name'))).toEqual(['worker-1']);
  });

  it('indents its answers for browsers and curl, unless they want it otherwise', async () => {
    const client = new WireClient((await served()).kubeconfig);
    const isIndented = async (path: string, agent: string): Promise<boolean> =>
      (await client.ask(path, { headers: { 'user-agent': agent } })).text.startsWith('{\n  "');
    const path = '/api/v1/namespaces/default';
    expect(await isIndented(path, 'curl/8.5.0')).toBe(true);
    expect(await isIndented(`${path}?pretty=false`, 'curl/8.5.0')).toBe(false);
    expect(await isIndented(path, 'kubectl/v1.36.3')).toBe(false);
    expect(await isIndented(`${path}?pretty=true`, 'kubectl/v1.36.3')).toBe(true);
  });

  it('stores what is written, as the one who wrote it, and says so in its audit log', async () => {
    const entries: AuditEntry[] = [];
    const serving = await served({ audit: (entry) => entries.push(entry) });
    const client = new WireClient(serving.kubeconfig);
    const made = await client.ask('/api/v1/namespaces', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'kubectl/v1.32.4' },
      body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }),
    });
    expect(made.code).toBe(201);
    expect(dig((await client.ask('/api/v1/namespaces/shop')).json, 'metadata', 'name')).toBe('shop');
    expect(entries[0]).toMatchObject({
      user: 'kubernetes-admin',
      verb: 'create',
      resource: 'namespaces',
      code: 201,
      userAgent: 'kubectl/v1.32.4',
    });
  });

  it('knows a user and the groups by the certificate, and refuses what they may not do', async () => {
    const serving = await served();
    const reply = await new WireClient(serving.kubeconfigFor('jane', ['shop-team'])).ask('/api/v1/namespaces/shop/pods');
    expect(reply.code).toBe(403);
    expect(dig(reply.json, 'message')).toContain('User "jane" cannot list resource "pods"');
  });

  it('refuses a token that is none with 401, and lets nobody in without credentials', async () => {
    const serving = await served();
    const client = new WireClient(serving.kubeconfig, false);
    expect((await client.ask('/api/v1/nodes', { headers: { authorization: 'Bearer nothing' } })).code).toBe(401);
    const anonymous = await client.ask('/api/v1/nodes');
    expect([anonymous.code, dig(anonymous.json, 'reason')]).toEqual([403, 'Forbidden']);
  });

  it('refuses a certificate that has ended by the time of the cluster', async () => {
    const serving = await served();
    const client = new WireClient(serving.kubeconfigFor('jane', ['system:masters']));
    expect((await client.ask('/api/v1/nodes')).code).toBe(200);
    await serving.clock.advance(200 * DAY);
    serving.cluster.inject({ fault: 'renew', certificates: ['all'] });
    await serving.clock.advance(170 * DAY);
    expect((await client.ask('/api/v1/nodes')).code).toBe(401);
  });

  it.each([2019, 2045])('lets in whom its own time lets in, whatever the wall clock says (%i)', async (year) => {
    const serving = await served({ cluster: createCluster({ seed: 1, preset: 'one-node', start: Date.UTC(year, 5, 1) }) });
    expect((await new WireClient(serving.kubeconfig).ask('/api/v1/nodes')).code).toBe(200);
  });

  it('keeps no trace of who only looks', async () => {
    const serving = await served();
    serving.clock.pause();
    const [before, client] = [serving.cluster.digest(), new WireClient(serving.kubeconfig)];
    for (const path of [
      '/api/v1/nodes',
      '/api/v1/namespaces/default',
      '/apis',
      '/api/v1/pods?limit=1',
      '/api/v1/namespaces/default/pods/web/log',
    ])
      await client.ask(path);
    expect(serving.cluster.digest()).toBe(before);
    await makeNamespace(client, 'shop');
    expect(serving.cluster.digest()).not.toBe(before);
  });

  it('refuses a certificate of another cluster', async () => {
    const [serving, other] = [await served(), await served()];
    const client = new WireClient(serving.kubeconfig);
    const stranger = new WireClient(other.kubeconfig);
    Object.assign(stranger, { url: client.url, tls: { ...stranger.tls, ca: client.tls.ca } });
    expect((await stranger.ask('/api/v1/nodes')).code).toBe(401);
  });

  it('speaks HTTP/2 as well', async () => {
    const serving = await served();
    const client = new WireClient(serving.kubeconfig);
    const session = connect(client.url, client.tls);
    const code = await new Promise((resolve, reject) => {
      session.on('error', reject);
      const stream = session.request({ ':path': '/api/v1/nodes' });
      stream.on('response', (headers) => resolve(headers[':status']));
      stream.end();
    });
    session.destroy();
    expect(code).toBe(200);
  });

  it('tells times by the clock of its clients, however far its own has been moved', async () => {
    const serving = await served();
    const client = new WireClient(serving.kubeconfig);
    await serving.clock.advance(7 * DAY);
    await client.ask('/api/v1/namespaces', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'shop', annotations: { time: '2020-01-01T00:00:00Z' }, creationTimestamp: new Date().toISOString() },
      }),
    });
    const created = (name: string): Promise<string> =>
      client.ask(`/api/v1/namespaces/${name}`).then(({ json }) => asText(dig(json, 'metadata', 'creationTimestamp')) ?? '');
    expect(Math.abs(Date.parse(await created('shop')) - Date.now())).toBeLessThan(60_000);
    expect(Math.abs(Date.parse(await created('default')) - (Date.now() - 7 * DAY))).toBeLessThan(600_000);
  });
});

describe('a served API server', () => {
  it('refuses connections while it does not run, and comes back on its port', async () => {
    const serving = await served();
    const client = new WireClient(serving.kubeconfig);
    serving.cluster.inject({ fault: 'stop', process: 'kube-apiserver' });
    await expect.poll(() => client.ask('/api/v1/nodes').catch((error: unknown) => dig(error as Json, 'code'))).toBe('ECONNREFUSED');
    serving.cluster.inject({ fault: 'start', process: 'kube-apiserver' });
    await expect
      .poll(() =>
        client.ask('/api/v1/nodes').then(
          ({ code }) => code,
          () => 0,
        ),
      )
      .toBe(200);
  });

  it('shows a certificate that has ended when its own has', async () => {
    const serving = await served();
    const client = new WireClient(serving.kubeconfig);
    serving.cluster.inject({ fault: 'certificate', name: 'apiserver', notAfter: serving.cluster.now() - 1000 });
    await expect.poll(() => client.ask('/api/v1/nodes').catch((error: unknown) => dig(error as Json, 'code'))).toBe('CERT_HAS_EXPIRED');
  });
});

describe('a watch', () => {
  it('begins with all there is, and goes on with what changes', async () => {
    const serving = await served();
    const client = new WireClient(serving.kubeconfig);
    const watch = new WireWatch(client, '/api/v1/namespaces?watch=true');
    await expect.poll(() => watch.events.map(nameOf)).toContain('kube-system');
    await makeNamespace(client, 'shop');
    await expect.poll(() => watch.events.map((event) => [dig(event, 'type'), nameOf(event)])).toContainEqual(['ADDED', 'shop']);
    watch.close();
  });

  it('goes on from a revision with nothing but what came after it', async () => {
    const serving = await served();
    const client = new WireClient(serving.kubeconfig);
    const revision = asText(dig((await client.ask('/api/v1/namespaces')).json, 'metadata', 'resourceVersion'));
    await makeNamespace(client, 'shop');
    const watch = new WireWatch(client, `/api/v1/namespaces?watch=true&resourceVersion=${revision}`);
    await expect.poll(() => watch.events.length).toBeGreaterThan(0);
    expect(watch.events.map(nameOf).filter((name) => name !== 'shop')).toEqual([]);
    watch.close();
  });

  it('marks the end of what was there for those who ask to be told', async () => {
    const serving = await served();
    const watch = new WireWatch(
      new WireClient(serving.kubeconfig),
      '/api/v1/namespaces?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    );
    await expect
      .poll(() => watch.events.at(-1))
      .toMatchObject({
        type: 'BOOKMARK',
        object: { kind: 'Namespace', apiVersion: 'v1', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
      });
    expect(watch.events.slice(0, -1).every((event) => dig(event, 'type') === 'ADDED')).toBe(true);
    watch.close();
  });

  it('ends when its time is up', async () => {
    const serving = await served();
    const watch = new WireWatch(new WireClient(serving.kubeconfig), '/api/v1/namespaces?watch=true&timeoutSeconds=1');
    await expect.poll(() => watch.ended, { timeout: 20_000 }).toBe(true);
    expect(watch.code).toBe(200);
  });

  it('from a revision that is forgotten is told that it is too late', async () => {
    const serving = await served();
    serving.cluster.inject({ fault: 'compact' });
    const reply = await new WireClient(serving.kubeconfig).ask('/api/v1/namespaces?watch=true&resourceVersion=2');
    expect([reply.code, reply.json]).toMatchObject([200, { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }]);
  });
});

const DAY = 86_400_000;

function nameOf(event: Json): string {
  return asText(dig(event, 'object', 'metadata', 'name')) ?? '';
}

async function makeNamespace(client: WireClient, name: string): Promise<void> {
  await client.ask('/api/v1/namespaces', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
  });
}
