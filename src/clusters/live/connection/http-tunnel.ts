import type { Socket } from 'node:net';
import { shorten } from '../../../base/text.ts';
import { ConnectionFailure } from './connection-error.ts';
import { SocketBytes } from './socket-bytes.ts';

/** Asks an HTTP proxy for a tunnel (RFC 9110, CONNECT) and gives back the socket, from then on the server's. */
export async function httpTunnel(socket: Socket, proxy: URL, target: { readonly host: string; readonly port: number }): Promise<Socket> {
  const authority = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  const bytes = new SocketBytes(socket);
  try {
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization(proxy)}\r\n`);
    const head = await bytes.until('\r\n\r\n', MAX_HEAD_BYTES);
    const status = /^HTTP\/1\.[01] (\d{3}) ?([^\r\n]*)/.exec(head);
    if (status?.[1]?.startsWith('2') === true) return socket;
    const answer = status === null ? shorten(head.trim(), 80) : `${status[1]} ${shorten(status[2] ?? '', 80)}`.trim();
    throw new ConnectionFailure('proxy', `The proxy ${proxy.host} refused a tunnel to ${authority}: ${answer}.`);
  } finally {
    bytes.release();
  }
}

const MAX_HEAD_BYTES = 16_384;

function authorization(proxy: URL): string {
  if (proxy.username === '') return '';
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Proxy-Authorization: Basic ${Buffer.from(pair).toString('base64')}\r\n`;
}
