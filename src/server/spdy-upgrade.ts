import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { headerOf } from './exchange.ts';
import type { SpdyEvents } from './spdy-connection.ts';
import { SpdyConnection } from './spdy-connection.ts';
import type { UpgradeRefusal } from './upgrade-call.ts';

const PROTOCOL_VERSION = 'X-Stream-Protocol-Version';

export function isSpdy(request: IncomingMessage): boolean {
  return (headerOf(request, 'upgrade') ?? '').toLowerCase() === 'spdy/3.1';
}

/** The first protocol of the client's that is spoken here. Source: staging/src/k8s.io/streaming/pkg/httpstream/httpstream.go (Handshake). */
export function handshakeOfSpdy(
  request: IncomingMessage,
  protocols: readonly string[],
): { readonly ok: true; readonly protocol: string; readonly answer: string } | { readonly ok: false; readonly refusal: UpgradeRefusal } {
  const given = headerOf(request, PROTOCOL_VERSION.toLowerCase());
  if (given === undefined) {
    const count = new Set(request.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())).size;
    return refused(400, `header ${PROTOCOL_VERSION} does not exist in request with ${count} headers`);
  }
  const offered = given.split(',').map((protocol) => protocol.trim());
  const protocol = offered.find((each) => protocols.includes(each));
  if (protocol === undefined)
    return refused(403, `unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${protocols.join(' ')}]`);
  const upgraded = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1';
  return { ok: true, protocol, answer: `${upgraded}\r\n${PROTOCOL_VERSION}: ${protocol}\r\n\r\n` };
}

function refused(code: number, why: string): { readonly ok: false; readonly refusal: UpgradeRefusal } {
  return { ok: false, refusal: { code, text: `unable to upgrade: ${why}` } };
}

/** SPDY on a connection of its own, from now on. */
export function speakSpdy(socket: Socket, head: Buffer, events: SpdyEvents): SpdyConnection {
  const write = (bytes: Uint8Array): void => {
    socket.write(bytes);
    // Who does not read what it asked for is not waited for for ever.
    if (socket.writableLength > MAX_UNREAD) socket.destroy();
  };
  const connection = new SpdyConnection({ write, end: () => void socket.end() }, events);
  socket.setNoDelay(true);
  socket.unshift(head);
  socket.on('data', (part: Buffer) => connection.take(part));
  for (const event of ['end', 'close']) socket.on(event, () => connection.ended());
  return connection;
}

const MAX_UNREAD = 8_388_608;
