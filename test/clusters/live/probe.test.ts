import { afterEach, describe, expect, it } from 'vitest';
import type { LiveConfig } from '../../../src/clusters/live/kubeconfig/live-config.ts';
import type { LiveCluster } from '../../../src/clusters/live/open-live.ts';
import { openLive } from '../../../src/clusters/live/open-live.ts';
import type { Issued } from '../../support/certificates.ts';
import { issueCertificate } from '../../support/certificates.ts';
import { folderWith } from '../../support/folder.ts';
import type { Handler, KubeServer } from '../../support/kube-server.ts';
import { AUTHORITY, kubeServer, servingOptions, statusReply } from '../../support/kube-server.ts';

const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function serve(handle: Handler, tls = servingOptions()): Promise<KubeServer> {
  const server = await kubeServer(handle, tls);
  closing.push(() => server.close());
  return server;
}

/** A cluster opened by a kubeconfig for the server. */
async function open(server: KubeServer, user: object = {}, more: Partial<Parameters<typeof openLive>[0]> = {}): Promise<LiveCluster> {
  const config = {
    'current-context': 'shop-admin',
    clusters: [{ name: 'shop', cluster: { server: server.url.href, 'certificate-authority-data': btoa(AUTHORITY.cert) } }],
    users: [{ name: 'anna', user }],
    contexts: [{ name: 'shop-admin', context: { cluster: 'shop', user: 'anna' } }],
  };
  const folder = folderWith({ config: JSON.stringify(config) });
  const around = { env: {}, homeFolder: folder, workingFolder: folder };
  const cluster = await openLive({ kubeconfig: 'config', around, clock: Date.now, interactive: false, ...more });
  closing.push(() => cluster.close());
  return cluster;
}

function withCertificate({ cert, key }: Issued): object {
  return { 'client-certificate-data': btoa(cert), 'client-key-data': btoa(key) };
}

const VERSION: Handler = () => ({ json: { gitVersion: 'v1.36.0' }, headers: { date: new Date().toUTCString() } });

describe('the connection', () => {
  it('is good when the server tells its version, and takes one request', async () => {
    const server = await serve(VERSION);
    const cluster = await open(server);
    const state = await cluster.probe();
    expect(state).toMatchObject({
      reachable: true,
      status: 200,
      version: 'v1.36.0',
      server: server.url.href,
      context: 'shop-admin',
      cluster: 'shop',
      identity: { entry: 'anna', by: 'nothing' },
    });
    expect(cluster.counts()).toEqual({ requests: 1, connections: 1 });
    expect(server.seen.map(({ path }) => path)).toEqual(['/version']);
  });

  it('tells what the server lacks by its own words, where it does', async () => {
    const said = (status: number, text: string): Promise<string | undefined> =>
      serve(() => ({ status, text }))
        .then(open)
        .then((cluster) => cluster.unreadyWords());
    const checks = '[+]ping ok\n[-]etcd failed: reason withheld\n[+]informer-sync ok\nreadyz check failed\n';
    expect(await said(500, checks)).toContain('("[-]etcd failed: reason withheld\\nreadyz check failed")');
    expect(await said(200, '[+]ping ok\nreadyz check passed\n')).toBeUndefined();
    expect(await said(403, 'forbidden: User "anna" cannot get path "/readyz"')).toBeUndefined();
  });

  it('names the user and the end of the client certificate, and the answer of the server to it', async () => {
    const server = await serve(() => statusReply(401, 'Unauthorized', 'Unauthorized'));
    const ended = issueCertificate({
      commonName: 'anna',
      organizations: ['ops', 'shop:admins'],
      issuer: AUTHORITY,
      notAfter: '2021-03-04T05:06:07Z',
    });
    expect(await (await open(server, withCertificate(ended))).probe()).toMatchObject({
      reachable: true,
      status: 401,
      message: 'Unauthorized',
      identity: {
        name: 'anna',
        groups: ['ops', 'shop:admins'],
        by: 'client certificate',
        clientCertificate: { notAfter: Date.parse('2021-03-04T05:06:07Z') },
      },
    });
  });

  it('names the subject and the end of a token, and not the token', async () => {
    const server = await serve(VERSION);
    const payload = Buffer.from(JSON.stringify({ sub: 'system:serviceaccount:shop:web', exp: 1_800_000_000 })).toString('base64url');
    const state = await (await open(server, { token: `e30.${payload}.c2lnbmF0dXJl` })).probe();
    expect(state.identity).toEqual({
      entry: 'anna',
      name: 'system:serviceaccount:shop:web',
      groups: [],
      by: 'token',
      tokenEnds: 1_800_000_000_000,
    });
    expect(JSON.stringify(state)).not.toContain(payload);
  });

  it('with an opaque token or a password has no more than the entry and the user', async () => {
    const server = await serve(VERSION);
    expect((await (await open(server, { token: 'abc.d' })).probe()).identity).toEqual({ entry: 'anna', groups: [], by: 'token' });
    expect((await (await open(server, { username: 'bert', password: 'bread' })).probe()).identity).toEqual({
      entry: 'anna',
      name: 'bert',
      groups: [],
      by: 'password',
    });
  });

  it('says as whom it acts', async () => {
    const server = await serve(VERSION);
    const state = await (await open(server, { token: 't' }, { as: 'carol' })).probe();
    expect(state.identity?.actingAs).toBe('carol');
    expect(server.seen[0]?.headers['impersonate-user']).toBe('carol');
  });

  it('tells the difference between the clocks', async () => {
    const server = await serve(() => ({ json: {}, headers: { date: new Date(Date.now() + 3_600_000).toUTCString() } }));
    const { clockSkewSeconds } = await (await open(server)).probe();
    expect(clockSkewSeconds).toBeGreaterThan(3500);
    expect(clockSkewSeconds).toBeLessThan(3610);
  });
});

describe('a server that cannot be reached', () => {
  it('is named with what is wrong', async () => {
    const server = await kubeServer(VERSION);
    await server.close();
    const state = await (await open(server)).probe();
    expect(state).toMatchObject({ reachable: false, server: server.url.href, error: { kind: 'refused' } });
    expect(state).not.toHaveProperty('status');
  });

  it('has a certificate that has ended, which is shown', async () => {
    const { cert, key } = issueCertificate({
      commonName: 'kube-apiserver',
      names: ['127.0.0.1', 'kubernetes'],
      issuer: AUTHORITY,
      notAfter: '2021-03-04T05:06:07Z',
    });
    const server = await serve(VERSION, { cert, key });
    const state = await (await open(server)).probe();
    expect(state).toMatchObject({
      reachable: false,
      error: { kind: 'tls-expired' },
      serverCertificate: { subject: 'CN=kube-apiserver', issuer: 'CN=shop-authority', notAfter: Date.parse('2021-03-04T05:06:07Z') },
    });
    expect(state.serverCertificate?.names).toContain('DNS:kubernetes');
    expect(server.seen).toEqual([]);
  });

  it('gets no request, and so no token, while its certificate is looked at', async () => {
    const server = await serve(VERSION, servingOptions(['elsewhere.shop']));
    const state = await (await open(server, { token: 't' })).probe();
    expect(state).toMatchObject({ error: { kind: 'tls-name' }, serverCertificate: { names: 'DNS:elsewhere.shop' } });
    expect(server.seen).toEqual([]);
  });

  it('is told from credentials that cannot be had', async () => {
    const server = await serve(VERSION);
    const exec = { apiVersion: 'client.authentication.k8s.io/v1beta1', command: 'shop-login-that-is-not-there' };
    const state = await (await open(server, { exec })).probe();
    expect(state).toMatchObject({ reachable: false, error: { kind: 'credentials' } });
    expect(state).not.toHaveProperty('identity');
    expect(server.seen).toEqual([]);
  });
});

describe('a cluster opened by its kubeconfig', () => {
  it('can be read', async () => {
    const server = await serve(({ path }) => ({ json: path.endsWith('/web-1') ? { metadata: { name: 'web-1', namespace: 'shop' } } : {} }));
    const { reader, config }: { reader: LiveCluster['reader']; config: LiveConfig } = await open(server, { token: 't' });
    expect(await reader.get({ kind: 'Pod', namespace: 'shop', name: 'web-1' })).toMatchObject({ ok: true });
    expect(config.namespace).toBe('default');
    expect(server.seen[0]?.headers.authorization).toBe('Bearer t');
  });
});
