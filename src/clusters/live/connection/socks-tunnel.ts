import { isIPv4, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { parseDigits, parseInteger } from '../../../base/number.ts';
import { ConnectionFailure } from './connection-error.ts';
import { SocketBytes } from './socket-bytes.ts';

/**
 * Asks a SOCKS5 proxy (RFC 1928, passwords by RFC 1929) for a connection and gives back the socket, from then on the
 * server's. Names are resolved by the proxy, as Go's client does for `socks5` too.
 */
export async function socksTunnel(socket: Socket, proxy: URL, target: { readonly host: string; readonly port: number }): Promise<Socket> {
  const bytes = new SocketBytes(socket);
  try {
    await authenticate(socket, bytes, proxy);
    socket.write(Buffer.concat([Buffer.from([VERSION, 1, 0]), addressBytes(target.host), portBytes(target.port)]));
    const [, reply = 1, , type = 0] = await bytes.take(4);
    if (reply !== 0) {
      const words = REPLIES[reply] ?? `reply ${reply}`;
      throw new ConnectionFailure('proxy', `The proxy ${proxy.host} did not connect to ${target.host}:${target.port}: ${words}.`);
    }
    const bound = type === 1 ? 4 : type === 4 ? 16 : ((await bytes.take(1))[0] ?? 0);
    await bytes.take(bound + 2);
    return socket;
  } finally {
    bytes.release();
  }
}

const VERSION = 5;
const [NO_PASSWORD, PASSWORD] = [0, 2];

/** Source: RFC 1928, section 6. */
const REPLIES: readonly string[] = [
  'succeeded',
  'general failure of the proxy',
  'not allowed by its rules',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'time to live expired',
  'command not supported',
  'address type not supported',
];

async function authenticate(socket: Socket, bytes: SocketBytes, proxy: URL): Promise<void> {
  const user = Buffer.from(decodeURIComponent(proxy.username));
  const password = Buffer.from(decodeURIComponent(proxy.password));
  const methods = user.length === 0 ? [NO_PASSWORD] : [NO_PASSWORD, PASSWORD];
  socket.write(Buffer.from([VERSION, methods.length, ...methods]));
  const [version, method] = await bytes.take(2);
  if (version !== VERSION) throw new ConnectionFailure('proxy', `The proxy ${proxy.host} does not support SOCKS5.`);
  if (method === NO_PASSWORD) return;
  if (method !== PASSWORD || user.length === 0 || user.length > 255 || password.length > 255) {
    throw new ConnectionFailure('proxy', `The proxy ${proxy.host} requires credentials, but proxy-url has none.`);
  }
  socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([password.length]), password]));
  const [, status] = await bytes.take(2);
  if (status !== 0) throw new ConnectionFailure('proxy', `The proxy ${proxy.host} rejected the user and password of proxy-url.`);
}

function addressBytes(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([1, ...host.split('.').map((part) => parseInteger(part) ?? 0)]);
  if (isIPv6(host)) return Buffer.from([4, ...ipv6Bytes(host)]);
  const name = Buffer.from(host);
  if (name.length > 255) throw new ConnectionFailure('proxy', 'The name of the server is too long for a SOCKS5 proxy.');
  return Buffer.concat([Buffer.from([3, name.length]), name]);
}

function ipv6Bytes(address: string): readonly number[] {
  const [head = '', tail] = address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(zeros).fill('0'), ...after].flatMap((group) => {
    const value = parseDigits(group, 16) ?? 0;
    return [value >> 8, value & 0xff];
  });
}

function portBytes(port: number): Buffer {
  return Buffer.from([port >> 8, port & 0xff]);
}
