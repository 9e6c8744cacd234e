import { afterEach, describe, expect, it } from 'vitest';
import { issueCertificate } from '../support/certificates.ts';
import { clusterOf, kubeconfigFor } from '../support/cluster.ts';
import type { Ran } from '../support/command-line.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';
import { AUTHORITY, kubeServer, servingOptions } from '../support/kube-server.ts';
import type { KubeServer, Reply } from '../support/kube-server.ts';
import type { ProxyServer } from '../support/proxy-server.ts';
import { httpProxy } from '../support/proxy-server.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const COMMANDS: readonly (readonly string[])[] = [
  ['diagnose', 'pod/web-1'],
  ['diagnose'],
  ['scan'],
  ['cert-expiry'],
  ['cert-expiry', '--secrets'],
  ['runbook', 'run', 'missing-config', 'pod/web-1', '--auto', 'read'],
];
const SHOP = clusterOf([
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1', namespace: 'shop' },
    spec: { containers: [{ name: 'web', image: 'web' }] },
    status: { phase: 'Pending' },
  },
]);

async function serving(...given: Parameters<typeof kubeServer>): Promise<KubeServer> {
  const server = await kubeServer(...given);
  closing.push(() => server.close());
  return server;
}

async function proxying(): Promise<ProxyServer> {
  const proxy = await httpProxy();
  closing.push(() => proxy.close());
  return proxy;
}

function asking(url: URL, argv: readonly string[], env: Readonly<Record<string, string>> = {}, timeout = '20s'): Promise<Ran> {
  const folder = folderWith();
  return podcheck([...argv, '--request-timeout', timeout], { env: { HOME: folder, KUBECONFIG: kubeconfigFor(url, folder), ...env } });
}

describe('a server that sends elsewhere', () => {
  it.each([301, 302, 303, 307, 308])(
    'is not followed, and no other host gets a request or a credential: %d',
    async (status) => {
      const other = await serving(() => ({ json: {} }));
      const server = await serving(({ path }) =>
        path === '/version' ? { json: { gitVersion: 'v1.36.0' } } : { status, headers: { location: `${other.url.href}api/v1/pods` } },
      );
      for (const argv of COMMANDS) {
        const { code, out, err } = await asking(server.url, argv);
        expect([argv, [1, 3].includes(code)], out + err).toEqual([argv, true]);
      }
      expect(server.seen.some(({ headers }) => headers.authorization === 'Bearer a-token')).toBe(true);
      expect([other.seen.length, other.connections()]).toEqual([0, 0]);
    },
    120_000,
  );

  it('is not followed on the same host either', async () => {
    const server = await serving(({ path }) =>
      path === '/version' ? { json: { gitVersion: 'v1.36.0' } } : { status: 302, headers: { location: '/login' } },
    );
    await asking(server.url, ['scan']);
    expect(server.seen.map(({ path }) => path)).not.toContain('/login');
  });
});

describe('a proxy of the environment', () => {
  it('is what every command connects through, and gets no credential of the cluster', async () => {
    const server = await serving(SHOP, servingOptions(['shop.example']));
    const url = new URL(`https://shop.example:${server.port}`);
    for (const argv of COMMANDS) {
      const proxy = await proxying();
      const { err } = await asking(url, argv, { HTTPS_PROXY: `http://eve:proxy-password@127.0.0.1:${proxy.port}` });
      expect(new Set(proxy.asked.map(({ target }) => target)), `${argv.join(' ')}: ${err}`).toEqual(
        new Set([`shop.example:${server.port}`]),
      );
      expect(proxy.asked.every(({ credentials }) => credentials === `Basic ${Buffer.from('eve:proxy-password').toString('base64')}`)).toBe(
        true,
      );
      expect(err).not.toContain('proxy-password');
    }
    expect(server.seen.every(({ headers }) => headers['proxy-authorization'] === undefined)).toBe(true);
  }, 120_000);

  it('is left out for what NO_PROXY names, and for this machine', async () => {
    const [server, proxy] = [await serving(SHOP), await proxying()];
    const { code } = await asking(server.url, ['diagnose', 'pod/web-1'], { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    expect([code === 2, proxy.asked, server.seen.length > 0]).toEqual([false, [], true]);
    // What is left out is asked for by its name, which nobody has.
    const direct = await asking(new URL('https://shop.invalid:6443'), ['diagnose', 'pod/web-1'], {
      HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
      NO_PROXY: '.invalid',
    });
    expect([direct.code, proxy.asked]).toEqual([1, []]);
  });
});

describe('a server that does not answer about the object', () => {
  const silent = (ready: Reply): Promise<KubeServer> =>
    serving(({ path }) => (path === '/version' ? { json: { gitVersion: 'v1.36.0' } } : path === '/readyz' ? ready : 'handled'));
  const ask = async ({ url }: KubeServer): Promise<Ran> => asking(url, ['diagnose', 'pod/web-1'], {}, '1s');

  it('is asked what it lacks itself, which is the answer', async () => {
    const { code, out, err } = await ask(
      await silent({ status: 500, text: '[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n' }),
    );
    expect([code, out], err).toEqual([1, expect.stringContaining('persistence/etcd-down') as string]);
    expect(out).toContain('[-]etcd failed: reason');
    expect(out).not.toContain('also affects');
  });

  it('is only silent where it lacks nothing', async () => {
    const { code, err } = await ask(await silent({ text: 'readyz check passed\n' }));
    expect([code, err]).toEqual([3, expect.stringContaining('cannot find "pod/web-1"') as string]);
  });
});

describe('a live cluster whose serving certificate has expired', () => {
  it.each(COMMANDS.map((argv) => [argv.join(' '), argv] as const))('is told as that, with its end: %s', async (_, argv) => {
    const { cert, key } = issueCertificate({
      commonName: 'kube-apiserver',
      names: ['127.0.0.1'],
      issuer: AUTHORITY,
      notAfter: '2021-03-04T05:06:07Z',
    });
    const server = await serving(SHOP, { cert, key });
    const { code, out, err } = await asking(server.url, argv);
    expect(out + err).toMatch(/expired/);
    expect(out + err).toMatch(/2021-03-04/);
    expect([1, 3, 4]).toContain(code);
    // No request, so no token, goes to a server that cannot prove who it is.
    expect(server.seen).toEqual([]);
  });

  it('is told from one that is not valid yet', async () => {
    const { cert, key } = issueCertificate({
      commonName: 'kube-apiserver',
      names: ['127.0.0.1'],
      issuer: AUTHORITY,
      notBefore: '2097-03-04T05:06:07Z',
    });
    const { out, err } = await asking((await serving(SHOP, { cert, key })).url, ['diagnose', 'pod/web-1']);
    expect(out.replace(/\s+/g, ' '), err).toMatch(/current time \S+ is before 2097-03-04T05:06:07Z/);
    expect(out).not.toMatch(/is after/);
  });
});
