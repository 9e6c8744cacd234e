import { createServer as createPlainServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/clusters/live/requests/exchange.ts';
import { chooseProxy } from '../../../src/clusters/live/connection/proxy-choice.ts';
import type { KubeServer } from '../../support/kube-server.ts';
import { kubeServer, listen, servingOptions } from '../../support/kube-server.ts';
import { liveConfig, openTransport } from '../../support/live.ts';
import type { ProxyServer } from '../../support/proxy-server.ts';
import { httpProxy, socksProxy } from '../../support/proxy-server.ts';

describe('a read through a proxy', () => {
  let server: KubeServer;
  const proxies: ProxyServer[] = [];

  beforeEach(async () => {
    server = await kubeServer(() => ({ json: {} }), servingOptions(['api.shop']));
  });

  afterEach(async () => {
    for (const proxy of proxies.splice(0)) proxy.close();
    await server.close();
  });

  async function through(
    starting: Promise<ProxyServer>,
    address: (port: number) => string,
    target = new URL(`https://api.shop:${server.port}`),
  ): Promise<{ readonly answers: readonly Exchange[]; readonly proxy: ProxyServer }> {
    const proxy = await starting;
    proxies.push(proxy);
    const { transport } = openTransport(liveConfig(target, { proxy: new URL(address(proxy.port)) }));
    const answers = [await transport.get('/version'), await transport.get('/api/v1/nodes')];
    return { answers, proxy };
  }

  it('goes through one tunnel of an http proxy, checking the certificate for the name of the server', async () => {
    const { answers, proxy } = await through(httpProxy(), (port) => `http://anna:s%2Fecret@127.0.0.1:${port}`);
    expect(answers).toMatchObject([
      { ok: true, status: 200 },
      { ok: true, status: 200 },
    ]);
    expect(proxy.asked).toEqual([
      { target: `api.shop:${server.port}`, credentials: `Basic ${Buffer.from('anna:s/ecret').toString('base64')}` },
    ]);
    expect(server.seen[0]?.headers.host).toBe(`api.shop:${server.port}`);
  });

  it('goes through a proxy that speaks TLS, for which the authority of the cluster may vouch', async () => {
    const { answers, proxy } = await through(httpProxy(undefined, servingOptions()), (port) => `https://127.0.0.1:${port}`);
    expect(answers).toMatchObject([{ ok: true }, { ok: true }]);
    expect(proxy.asked).toHaveLength(1);
  });

  it('does not go through a proxy whose certificate is for other names', async () => {
    const { answers } = await through(httpProxy(undefined, servingOptions(['other.shop'])), (port) => `https://127.0.0.1:${port}`);
    expect(answers[0]).toMatchObject({ ok: false, error: { kind: 'proxy' } });
  });

  it('goes through one tunnel of a SOCKS5 proxy, which resolves the name', async () => {
    const { answers, proxy } = await through(socksProxy(), (port) => `socks5://127.0.0.1:${port}`);
    expect(answers).toMatchObject([{ ok: true }, { ok: true }]);
    expect(proxy.asked).toEqual([{ target: `api.shop:${server.port}`, credentials: '' }]);
  });

  it('gives a SOCKS5 proxy the password it asks for', async () => {
    const { answers, proxy } = await through(socksProxy('anna:secret'), (port) => `socks5://anna:secret@127.0.0.1:${port}`);
    expect(answers).toMatchObject([{ ok: true }, { ok: true }]);
    expect(proxy.asked).toMatchObject([{ credentials: 'anna:secret' }]);
  });

  it.each([
    ['an http proxy refuses the tunnel', () => httpProxy('407 Proxy Authentication Required'), 'http', '407 Proxy Authentication Required'],
    ['a SOCKS5 proxy wants a password that is not given', () => socksProxy('anna:secret'), 'socks5', 'credentials'],
    ['a SOCKS5 proxy is not allowed to connect', () => socksProxy(undefined, 2), 'socks5', 'not allowed by its rules'],
    ['an http proxy is taken for a SOCKS5 one', () => httpProxy(), 'socks5', 'proxy'],
  ])('says that it is the proxy when %s', async (_, start, scheme, words) => {
    const { answers } = await through(start(), (port) => `${scheme}://127.0.0.1:${port}`);
    for (const answer of answers) {
      expect(answer).toMatchObject({ ok: false, error: { kind: 'proxy' } });
      expect(!answer.ok && answer.error.detail).toContain(words);
    }
    expect(server.seen).toEqual([]);
  });

  it('says that it is the proxy when the password is wrong, without repeating it', async () => {
    const { answers } = await through(socksProxy('anna:secret'), (port) => `socks5://anna:guess@127.0.0.1:${port}`);
    expect(answers[0]).toMatchObject({ ok: false, error: { kind: 'proxy' } });
    expect(JSON.stringify(answers)).not.toContain('guess');
  });

  it('says that it is the proxy when nobody listens there', async () => {
    const proxy = await httpProxy();
    proxy.close();
    const { answers } = await through(Promise.resolve(proxy), (port) => `http://127.0.0.1:${port}`);
    expect(answers[0]).toMatchObject({ ok: false, error: { kind: 'proxy' } });
  });

  it('still refuses a server whose certificate is for other names', async () => {
    const { answers } = await through(httpProxy(), (port) => `http://127.0.0.1:${port}`, new URL(`https://other.shop:${server.port}`));
    expect(answers[0]).toMatchObject({ ok: false, error: { kind: 'tls-name' } });
  });

  it('reaches a plain http server too', async () => {
    const plain = createPlainServer((_, response) => response.end('{}'));
    const port = await listen(plain);
    const { answers } = await through(socksProxy(), (proxyPort) => `socks5://127.0.0.1:${proxyPort}`, new URL(`http://127.0.0.1:${port}`));
    plain.closeAllConnections();
    plain.close();
    expect(answers).toMatchObject([{ ok: true }, { ok: true }]);
  });
});

describe('the choice of a proxy', () => {
  const server = new URL('https://api.shop.example:6443');

  it('is the proxy-url of the cluster before anything else, for any address', () => {
    const env = { HTTPS_PROXY: 'http://other:3128', NO_PROXY: '*' };
    expect(chooseProxy(new URL('https://127.0.0.1:6443'), 'socks5://proxy:1080', env)?.href).toBe('socks5://proxy:1080');
  });

  it('is that of the environment for the scheme of the server, upper case first', () => {
    const env = { HTTPS_PROXY: 'proxy:3128', https_proxy: 'http://lower:3128', HTTP_PROXY: 'http://plain:3128' };
    expect(chooseProxy(server, undefined, env)?.href).toBe('http://proxy:3128/');
    expect(chooseProxy(new URL('http://api.shop.example'), undefined, env)?.href).toBe('http://plain:3128/');
    expect(chooseProxy(server, undefined, { HTTPS_PROXY: '', https_proxy: 'http://lower:3128' })?.href).toBe('http://lower:3128/');
    expect(chooseProxy(server, undefined, {})).toBeUndefined();
  });

  it.each([
    ['*', true],
    ['api.shop.example', true],
    ['API.shop.example', true],
    ['shop.example', true],
    ['.shop.example', true],
    ['*.shop.example', true],
    [' x , shop.example:6443', true],
    ['shop.example:443', false],
    ['op.example', false],
    ['.api.shop.example', false],
    ['', false],
  ])('heeds NO_PROXY=%s for a name: %s', (noProxy, direct) => {
    expect(chooseProxy(server, undefined, { HTTPS_PROXY: 'http://proxy', NO_PROXY: noProxy }) === undefined).toBe(direct);
  });

  it.each([
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '10.1.2.3', true],
    ['https://10.1.2.3:6443', '10.1.2.3:6443', true],
    ['https://10.1.2.3:6443', '10.1.2.3:443', false],
    ['https://[fd00::1]:6443', 'fd00::/8', true],
    ['https://[fd00::1]:6443', '[fd00::1]:6443', true],
    ['https://[fd00::1]:6443', 'fd00::1', true],
    ['https://[fd00::1]:6443', '10.0.0.0/99', false],
    ['https://api.shop.example', '10.0.0.0/8', false],
    ['https://127.0.0.1:6443', '', true],
    ['https://[::1]:6443', '', true],
    ['https://localhost:6443', '', true],
  ])('for %s with no_proxy=%s is to go directly: %s', (address, noProxy, direct) => {
    expect(chooseProxy(new URL(address), undefined, { HTTPS_PROXY: 'http://proxy', no_proxy: noProxy }) === undefined).toBe(direct);
  });

  it('refuses a proxy of another kind, naming where it comes from and not what it says', () => {
    expect(() => chooseProxy(server, 'ftp://anna:secret@proxy', {})).toThrow('The proxy in proxy-url has the scheme ftp.');
    expect(() => chooseProxy(server, undefined, { HTTPS_PROXY: 'http://' })).toThrow('The proxy in HTTPS_PROXY is not a URL.');
  });
});
