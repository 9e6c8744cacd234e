import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { numberOf } from '../base/number.ts';
import { headerOf } from './exchange.ts';

export interface WebSocketEvents {
  readonly message: (bytes: Buffer) => void;
  /** Once, however it ended. */
  readonly closed: () => void;
}

/** The answer to a handshake, or what is wrong with it: the first protocol of the client's that is spoken here. Source: RFC 6455, 4.2. */
export function handshakeOf(
  request: IncomingMessage,
  protocols: readonly string[],
): { readonly ok: true; readonly protocol: string; readonly answer: string } | { readonly ok: false; readonly why: string } {
  const key = headerOf(request, 'sec-websocket-key') ?? '';
  if (!/^[A-Za-z0-9+/]{22}==$/.test(key)) return { ok: false, why: 'the Sec-WebSocket-Key is missing' };
  if (headerOf(request, 'sec-websocket-version') !== '13') return { ok: false, why: 'only WebSocket version 13 is supported' };
  const offered = (headerOf(request, 'sec-websocket-protocol') ?? '').split(',').map((protocol) => protocol.trim());
  const protocol = offered.find((each) => protocols.includes(each));
  if (protocol === undefined)
    return {
      ok: false,
      why: `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${protocols.join(' ')}]`,
    };
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return {
    ok: true,
    protocol,
    answer: `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${protocol === '' ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`}\r\n`,
  };
}

/**
 * The server's end of a WebSocket: messages both ways, whose first byte is their channel. In a protocol of texts that is a digit, and
 * base64 follows. What breaks the protocol closes it. Source: staging/src/k8s.io/apiserver/pkg/util/wsstream/conn.go.
 */
export class WebSocketEnd {
  readonly #isText: boolean;
  readonly #socket: Socket;
  readonly #events: WebSocketEvents;
  #received: Buffer = Buffer.alloc(0);
  #message: Buffer[] = [];
  #closed = false;

  constructor(socket: Socket, head: Buffer, events: WebSocketEvents, protocol = '') {
    this.#isText = protocol.includes('base64');
    this.#socket = socket;
    this.#events = events;
    socket.setNoDelay(true);
    socket.on('data', (part: Buffer) => this.#take(part));
    socket.on('end', () => this.#over());
    socket.on('close', () => this.#over());
    socket.on('error', () => socket.destroy());
    if (head.length > 0) this.#take(head);
  }

  /** Without a channel it is sent as it is. */
  send(channel: number | undefined, text: string | Uint8Array): void {
    if (this.#closed) return;
    const bytes = typeof text === 'string' ? Buffer.from(text) : Buffer.from(text);
    if (this.#isText) this.#frame(TEXT, Buffer.from(`${channel ?? ''}${bytes.toString('base64')}`));
    else this.#frame(BINARY, Buffer.concat([Buffer.from(channel === undefined ? [] : [channel]), bytes]));
    // Who does not read what it asked for is not waited for for ever.
    if (this.#socket.writableLength > MAX_UNREAD) this.#socket.destroy();
  }

  close(code: number): void {
    if (this.#closed) return;
    this.#frame(CLOSE, Buffer.from([code >> 8, code & 255]));
    this.#socket.end();
    this.#over();
  }

  #over(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#events.closed();
    this.#socket.end();
  }

  #take(part: Buffer): void {
    if (this.#closed) return;
    this.#received = this.#received.length === 0 ? part : Buffer.concat([this.#received, part]);
    for (;;) {
      const frame = frameOf(this.#received);
      if (frame === 'more' || this.#closed) return;
      if (frame === 'wrong') return this.close(PROTOCOL_ERROR);
      if (frame === 'too-long') return this.close(TOO_BIG);
      this.#received = this.#received.subarray(frame.length);
      this.#handle(frame);
    }
  }

  #handle({ opcode, last, payload }: Frame): void {
    switch (opcode) {
      case CONTINUATION:
      case TEXT:
      case BINARY: {
        this.#message.push(payload);
        if (!last) return;
        const whole = Buffer.concat(this.#message);
        this.#message = [];
        if (whole.length > 0) this.#events.message(this.#isText ? decoded(whole) : whole);
        return;
      }
      case CLOSE:
        return this.close(1000);
      case PING:
        return this.#frame(PONG, payload);
      case PONG:
        return;
      default:
        this.close(PROTOCOL_ERROR);
    }
  }

  #frame(opcode: number, payload: Uint8Array): void {
    const { length } = payload;
    const size =
      length < 126
        ? [length]
        : length < 65_536
          ? [126, length >> 8, length & 255]
          : [127, 0, 0, 0, 0, (length >>> 24) & 255, (length >>> 16) & 255, (length >>> 8) & 255, length & 255];
    this.#socket.write(Buffer.concat([Buffer.from([0x80 | opcode, ...size]), payload]));
  }
}

function decoded(text: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(text[0] ?? ZERO) - ZERO]), Buffer.from(text.subarray(1).toString(), 'base64')]);
}

/** The digit. */
const ZERO = 48;
const [CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10];
const PROTOCOL_ERROR = 1002;
const TOO_BIG = 1009;
const MAX_FRAME = 1_048_576;
const MAX_UNREAD = 8_388_608;

interface Frame {
  readonly opcode: number;
  readonly last: boolean;
  readonly payload: Buffer;
  readonly length: number;
}

/** The first frame of the bytes. A client must mask what it sends (RFC 6455, 5.1). */
function frameOf(bytes: Buffer): Frame | 'more' | 'wrong' | 'too-long' {
  const [first, second] = [bytes[0], bytes[1]];
  if (first === undefined || second === undefined) return 'more';
  if ((first & 0x70) !== 0 || (second & 0x80) === 0) return 'wrong';
  const short = second & 0x7f;
  const header = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < header + 4) return 'more';
  const size = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? numberOf(bytes.readBigUInt64BE(2)) : short;
  if (size > MAX_FRAME) return 'too-long';
  const length = header + 4 + size;
  if (bytes.length < length) return 'more';
  const mask = bytes.subarray(header, header + 4);
  const payload = Buffer.from(bytes.subarray(header + 4, length));
  for (let index = 0; index < payload.length; index++) payload[index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0);
  return { opcode: first & 0x0f, last: (first & 0x80) !== 0, payload, length };
}
