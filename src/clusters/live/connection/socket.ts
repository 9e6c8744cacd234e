import { connect as connectTcp, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls, checkServerIdentity, rootCertificates } from 'node:tls';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { ConnectionFailure } from './connection-error.ts';
import { bareHost, portOf } from './proxy-choice.ts';
import { httpTunnel } from './http-tunnel.ts';
import { socksTunnel } from './socks-tunnel.ts';

/** Where to connect, through what, and whom to trust. PEM texts; `serverName` replaces the host in SNI and in the certificate check. */
export interface Dial {
  readonly server: URL;
  readonly proxy?: URL;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly insecureSkipTlsVerify: boolean;
  readonly timeoutSeconds: number;
}

/**
 * A socket that is connected and, for https, has checked the server's certificate. Rejects with a ConnectionFailure or the
 * socket's own error. The time-out covers everything: name, proxy, TLS.
 */
export async function openSocket(dial: Dial): Promise<Socket> {
  const opened: Socket[] = [];
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    for (const socket of opened) socket.destroy();
  }, dial.timeoutSeconds * 1000);
  try {
    const socket = await dialled(dial, opened);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MILLISECONDS);
    return socket;
  } catch (error) {
    for (const socket of opened) socket.destroy();
    if (!expired) throw error;
    throw new ConnectionFailure('timeout', `No connection to ${dial.server.host} within ${dial.timeoutSeconds} s.`);
  } finally {
    clearTimeout(timer);
  }
}

/** Below the idle time-outs of common load balancers, as client-go has it. */
const KEEP_ALIVE_MILLISECONDS = 30_000;

async function dialled(dial: Dial, opened: Socket[]): Promise<Socket> {
  const { server, proxy } = dial;
  const direct = proxy === undefined ? await tcp(bareHost(server), portOf(server), opened) : await throughProxy(proxy, dial, opened);
  return server.protocol === 'https:' ? secured(direct, dial, opened) : direct;
}

/** As for Go, the authority of the cluster may also vouch for an https proxy; the usual ones may too. */
async function throughProxy(proxy: URL, { server, ca }: Dial, opened: Socket[]): Promise<Socket> {
  const target = { host: bareHost(server), port: portOf(server) };
  const address = `${proxy.hostname}:${portOf(proxy)}`;
  try {
    let socket = await tcp(bareHost(proxy), portOf(proxy), opened);
    if (proxy.protocol.startsWith('socks')) return await socksTunnel(socket, proxy, target);
    if (proxy.protocol === 'https:')
      socket = await handshake(
        { socket, ...nameOf(bareHost(proxy)), ...(ca === undefined ? {} : { ca: [ca, ...rootCertificates] }) },
        opened,
      );
    return await httpTunnel(socket, proxy, target);
  } catch (error) {
    if (error instanceof ConnectionFailure) throw error;
    throw new ConnectionFailure('proxy', `The proxy ${address} could not be used: ${wordsOf(error)}.`);
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

function tcp(host: string, port: number, opened: Socket[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port });
    keep(socket, opened);
    settle(socket, 'connect', () => resolve(socket), reject);
  });
}

function secured(socket: Socket, dial: Dial, opened: Socket[]): Promise<TLSSocket> {
  return handshake(
    {
      socket,
      ...nameOf(dial.serverName ?? bareHost(dial.server)),
      ...(dial.ca === undefined ? {} : { ca: dial.ca }),
      ...(dial.cert === undefined ? {} : { cert: dial.cert }),
      ...(dial.key === undefined ? {} : { key: dial.key }),
      rejectUnauthorized: !dial.insecureSkipTlsVerify,
    },
    opened,
  );
}

/** The name to check the certificate for, and to ask for by SNI unless it is an address, which SNI does not allow. */
function nameOf(name: string): ConnectionOptions {
  return {
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
  };
}

function handshake(options: ConnectionOptions, opened: Socket[]): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ ALPNProtocols: ['http/1.1'], minVersion: 'TLSv1.2', ...options });
    keep(socket, opened);
    settle(socket, 'secureConnect', () => resolve(socket), reject);
  });
}

/** An error after the handshake reaches whoever uses the socket; between two users it must not end the process. */
function keep(socket: Socket, opened: Socket[]): void {
  opened.push(socket);
  socket.on('error', () => undefined);
}

/** Settles once: on the event, on an error, or when the socket closes without either. */
function settle(socket: Socket, event: string, done: () => void, failed: (error: Error) => void): void {
  const finish = (act: () => void) => () => {
    socket.off(event, succeed).off('error', fail).off('close', close);
    act();
  };
  const succeed = finish(done);
  const fail = (error: Error): void => finish(() => failed(error))();
  const close = finish(() => failed(Object.assign(new Error('closed while connecting'), { code: 'ECONNRESET' })));
  socket.once(event, succeed).once('error', fail).once('close', close);
}
