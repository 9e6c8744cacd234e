import { randomBytes } from 'node:crypto';
import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import type { WireClient } from './client.ts';

export interface Upgrade {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called with what comes after the answer to the handshake. */
  readonly take: (part: Buffer) => void;
}

/** A connection that a client asks another protocol of. */
export class Upgraded {
  /** The answer to the handshake. */
  head = '';
  ended = false;
  readonly #socket: TLSSocket;
  readonly #take: (part: Buffer) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(client: WireClient, { path, method = 'GET', headers = {}, take }: Upgrade) {
    const { hostname, port } = new URL(client.url);
    this.#take = take;
    this.#socket = connect({ host: hostname, port: Number(port), ...client.tls, ALPNProtocols: ['http/1.1'] });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`${method} ${path} HTTP/1.1\r\nHost: server\r\nConnection: Upgrade\r\n${lines.join('')}\r\n`);
    this.#socket.on('data', (part: Buffer) => this.#read(part));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => (this.ended = true));
  }

  /** The body of a refusal. */
  get rest(): string {
    return this.#rest.toString();
  }

  raw(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(part: Buffer): void {
    if (this.head.includes(' 101 ')) return this.#take(part);
    this.#rest = Buffer.concat([this.#rest, part]);
    const end = this.head === '' ? this.#rest.indexOf('\r\n\r\n') : -1;
    if (end < 0) return;
    this.head = this.#rest.subarray(0, end).toString();
    this.#rest = this.#rest.subarray(end + 4);
    if (this.head.includes(' 101 ') && this.#rest.length > 0) this.#take(this.#rest);
  }
}

/** What asks for a WebSocket. */
export function webSocketHeaders(protocol: string): Readonly<Record<string, string>> {
  return {
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...(protocol === '' ? {} : { 'Sec-WebSocket-Protocol': protocol }),
  };
}

/** A message as a client sends it: behind a mask (RFC 6455, 5.3). */
export function masked(payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const size = payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([0x82, ...size]), mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}

export interface Frame {
  readonly kind: number;
  readonly payload: Buffer;
}

export const [TEXT, BINARY] = [1, 2];

/** Reads frames of a WebSocket (RFC 6455, 5.2), as a server sends them: without a mask. */
export function frames(take: (frame: Frame) => void): (part: Buffer) => void {
  let bytes: Buffer = Buffer.alloc(0);
  return (part) => {
    bytes = Buffer.concat([bytes, part]);
    while (bytes.length >= 2) {
      const short = bytes.readUInt8(1) & 0x7f;
      const header = short === 126 ? 4 : 2;
      const size = short === 126 && bytes.length >= 4 ? bytes.readUInt16BE(2) : short;
      if (bytes.length < header + size) return;
      const frame = { kind: bytes.readUInt8(0) & 0x0f, payload: bytes.subarray(header, header + size) };
      bytes = bytes.subarray(header + size);
      take(frame);
    }
  };
}
