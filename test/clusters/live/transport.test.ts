import type { TLSSocket } from 'node:tls';
import { createServer as createPlainServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Credentials, Grant } from '../../../src/clusters/live/kubeconfig/credentials.ts';
import type { ConnectionTrouble } from '../../../src/clusters/live/connection/connection-error.ts';
import type { Exchange } from '../../../src/clusters/live/requests/exchange.ts';
import { issueCertificate } from '../../support/certificates.ts';
import type { Handler, KubeServer } from '../../support/kube-server.ts';
import { AUTHORITY, kubeServer, listen, servingOptions } from '../../support/kube-server.ts';
import { liveConfig, openTransport } from '../../support/live.ts';

const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function serve(handle: Handler, tls = servingOptions()): Promise<KubeServer> {
  const server = await kubeServer(handle, tls);
  closing.push(() => server.close());
  return server;
}

function statusOf(exchange: Exchange): number | ConnectionTrouble {
  return exchange.ok ? exchange.status : exchange.error.kind;
}

describe('one connection', () => {
  it('serves a hundred requests one after another', async () => {
    const server = await serve(() => ({ json: {} }));
    const { transport } = openTransport(liveConfig(server.url));
    for (let request = 0; request < 100; request++) expect(statusOf(await transport.get(`/api/v1/pods/${request}`))).toBe(200);
    expect(server.connections()).toBe(1);
    expect(transport.counts()).toEqual({ requests: 100, connections: 1 });
  });

  it('serves requests that are made at once, in their order', async () => {
    const server = await serve(() => ({ json: {} }));
    const { transport } = openTransport(liveConfig(server.url));
    const paths = Array.from({ length: 25 }, (_, index) => `/api/v1/namespaces/shop/pods/web-${index}`);
    await Promise.all(paths.map((path) => transport.get(path)));
    expect(server.connections()).toBe(1);
    expect(server.seen.map(({ path }) => path)).toEqual(paths);
  });

  it('is reused after compressed, refused and empty answers', async () => {
    const server = await serve(({ path }, response) => {
      if (path === '/gzip') {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000)));
        return 'handled';
      }
      return path === '/empty' ? { status: 204, text: '' } : { status: 403, json: { kind: 'Status' } };
    });
    const { transport } = openTransport(liveConfig(server.url));
    for (const path of ['/gzip', '/empty', '/forbidden', '/gzip']) await transport.get(path);
    expect(server.connections()).toBe(1);
  });

  it('is opened again, and the request repeated, when the server closed it meanwhile', async () => {
    const server = await serve((_, response) => {
      if (server.seen.length === 2) {
        response.socket?.destroy();
        return 'handled';
      }
      return { json: {} };
    });
    const { transport } = openTransport(liveConfig(server.url));
    expect(statusOf(await transport.get('/first'))).toBe(200);
    expect(statusOf(await transport.get('/second'))).toBe(200);
    expect(server.seen.map(({ path }) => path)).toEqual(['/first', '/second', '/second']);
    expect(server.connections()).toBe(2);
  });

  it('is not tried for ever when the server closes every one', async () => {
    const server = await serve((_, response) => {
      response.socket?.destroy();
      return 'handled';
    });
    const { transport } = openTransport(liveConfig(server.url));
    expect(statusOf(await transport.get('/'))).toBe('reset');
    expect(server.seen).toHaveLength(1);
  });

  it('fails what is asked for after it was closed', async () => {
    const server = await serve(() => ({ json: {} }));
    const { transport } = openTransport(liveConfig(server.url));
    await transport.get('/');
    transport.close();
    expect(statusOf(await transport.get('/'))).toBe('aborted');
    expect(server.seen).toHaveLength(1);
  });
});

describe('credentials', () => {
  function renewing(grants: readonly Grant[]): Credentials & { readonly refused: Grant[] } {
    const refused: Grant[] = [];
    return {
      refused,
      current: () => Promise.resolve(grants[Math.min(refused.length, grants.length - 1)] ?? {}),
      renew: (grant) => {
        refused.push(grant);
        return Promise.resolve(refused.length < grants.length);
      },
      headersOf: ({ token }) => ({ Authorization: `Bearer ${token}` }),
    };
  }

  it('are renewed once when the server refuses them', async () => {
    const server = await serve(({ headers }) => ({ status: headers.authorization === 'Bearer new' ? 200 : 401 }));
    const credentials = renewing([{ token: 'old' }, { token: 'new' }]);
    const { transport } = openTransport(liveConfig(server.url), { credentials });
    expect(statusOf(await transport.get('/'))).toBe(200);
    expect(credentials.refused).toEqual([{ token: 'old' }]);
    expect(server.connections()).toBe(1);
  });

  it('that stay refused give the 401', async () => {
    const server = await serve(() => ({ status: 401 }));
    const credentials = renewing([{ token: 'old' }, { token: 'new' }, { token: 'newer' }]);
    const { transport } = openTransport(liveConfig(server.url), { credentials });
    expect(statusOf(await transport.get('/'))).toBe(401);
    expect(server.seen).toHaveLength(2);
  });

  it('with another client certificate are used on another connection', async () => {
    const [first, second] = ['anna', 'bert'].map((commonName) => issueCertificate({ commonName, issuer: AUTHORITY }));
    const names: unknown[] = [];
    const server = await serve(
      ({ request }) => {
        const socket = request.socket as TLSSocket;
        names.push(socket.getPeerCertificate().subject.CN);
        return { status: names.length === 1 ? 401 : 200 };
      },
      { ...servingOptions(), requestCert: true, ca: AUTHORITY.cert },
    );
    const grants = [first, second].flatMap((issued) => (issued === undefined ? [] : [{ cert: issued.cert, key: issued.key }]));
    const { transport } = openTransport(liveConfig(server.url), { credentials: { ...renewing(grants), headersOf: () => ({}) } });
    expect(statusOf(await transport.get('/'))).toBe(200);
    expect(names).toEqual(['anna', 'bert']);
    expect(server.connections()).toBe(2);
  });
});

describe('what is sent', () => {
  it('is a GET below the path of the server, with the server as the host', async () => {
    const server = await serve(() => ({ json: {} }));
    const { transport } = openTransport(liveConfig(new URL('/k8s/clusters/shop/', server.url)), { userAgent: 'podcheck/1' });
    await transport.get('/api/v1/pods?limit=1', { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' });
    expect(server.seen).toMatchObject([
      {
        path: '/k8s/clusters/shop/api/v1/pods',
        request: { method: 'GET' },
        headers: {
          host: server.url.host,
          'user-agent': 'podcheck/1',
          accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
        },
      },
    ]);
  });

  it('tells the difference between the clocks by the Date of the answer', async () => {
    const server = await serve(() => ({ headers: { date: 'Fri, 01 Jan 2027 00:01:00 GMT' } }));
    const { transport } = openTransport(liveConfig(server.url), { clock: () => Date.parse('2027-01-01T00:00:00Z') });
    expect(transport.clockSkew()).toBeUndefined();
    await transport.get('/');
    expect(transport.clockSkew()).toBe(60_000);
  });
});

describe('a server that cannot be talked to', () => {
  async function troubleWith(
    tls: Parameters<typeof kubeServer>[1],
    more: Parameters<typeof liveConfig>[1] = {},
  ): Promise<number | ConnectionTrouble> {
    const server = await serve(() => ({ json: {} }), tls);
    return statusOf(await openTransport(liveConfig(server.url, more)).transport.get('/'));
  }

  it('is told from one that nobody listens at', async () => {
    const server = await serve(() => ({}));
    await server.close();
    const { transport } = openTransport(liveConfig(server.url));
    const answer = await transport.get('/');
    expect(answer).toMatchObject({ ok: false, error: { kind: 'refused' } });
    expect(!answer.ok && answer.error.detail).toContain(server.url.host);
  });

  it('fails the reads that follow at once, and is tried again after a while', async () => {
    let now = 0;
    const server = await serve(() => ({}), servingOptions(['elsewhere.shop']));
    const { transport } = openTransport(liveConfig(server.url), { clock: () => now });
    for (let read = 0; read < 5; read++) expect(statusOf(await transport.get('/'))).toBe('tls-name');
    expect(transport.counts().requests).toBe(1);
    now += 6000;
    await transport.get('/');
    expect(transport.counts().requests).toBe(2);
  });

  it('has a certificate of an authority that is not known', async () => {
    const { cert } = issueCertificate({ commonName: 'other-authority', isAuthority: true });
    expect(await troubleWith(servingOptions(), { ca: cert })).toBe('tls-untrusted');
    const { ca: _, ...withoutAuthority } = liveConfig(new URL('https://127.0.0.1'));
    const server = await serve(() => ({}));
    expect(statusOf(await openTransport({ ...withoutAuthority, server: server.url }).transport.get('/'))).toBe('tls-untrusted');
  });

  it('has a certificate of an authority with the right name and another key', async () => {
    const { cert } = issueCertificate({ commonName: 'shop-authority', isAuthority: true });
    expect(await troubleWith(servingOptions(), { ca: cert })).toBe('tls-untrusted');
  });

  it('has a certificate that has ended, or has not begun', async () => {
    const wish = { commonName: 'kube-apiserver', names: ['127.0.0.1'], issuer: AUTHORITY };
    const { cert, key } = issueCertificate({ ...wish, notAfter: '2021-01-01T00:00:00Z' });
    expect(await troubleWith({ cert, key })).toBe('tls-expired');
    const later = issueCertificate({ ...wish, notBefore: '2098-01-01T00:00:00Z' });
    expect(await troubleWith({ cert: later.cert, key: later.key })).toBe('tls-expired');
  });

  it('has a certificate for other names, unless tls-server-name is one of them', async () => {
    const tls = servingOptions(['kubernetes.shop']);
    expect(await troubleWith(tls)).toBe('tls-name');
    expect(await troubleWith(tls, { tlsServerName: 'kubernetes.shop' })).toBe(200);
    expect(await troubleWith(servingOptions(), { tlsServerName: 'kubernetes.shop' })).toBe('tls-name');
  });

  it('is talked to in spite of its certificate when insecure-skip-tls-verify says so', async () => {
    expect(await troubleWith(servingOptions(['elsewhere.shop']), { insecureSkipTlsVerify: true })).toBe(200);
  });

  it('refuses our certificate in the handshake', async () => {
    const trouble = await troubleWith({ ...servingOptions(), requestCert: true, rejectUnauthorized: true, ca: AUTHORITY.cert });
    expect(['tls-client', 'reset']).toContain(trouble);
  });

  it('speaks plain HTTP where TLS is expected', async () => {
    const plain = createPlainServer((_, response) => response.end());
    const port = await listen(plain);
    closing.push(() => void plain.close());
    expect(statusOf(await openTransport(liveConfig(new URL(`https://127.0.0.1:${port}`))).transport.get('/'))).toBe('protocol');
  });

  it('speaks no HTTP at all', async () => {
    const server = await serve((_, response) => {
      response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n\r\n');
      return 'handled';
    });
    expect(statusOf(await openTransport(liveConfig(server.url)).transport.get('/'))).toBe('protocol');
  });
});

describe('an http server', () => {
  it('is read too, as kubectl proxy has it', async () => {
    const plain = createPlainServer((_, response) => response.end('{}'));
    const port = await listen(plain);
    closing.push(() => void plain.close());
    expect(statusOf(await openTransport(liveConfig(new URL(`http://127.0.0.1:${port}`))).transport.get('/version'))).toBe(200);
  });
});
