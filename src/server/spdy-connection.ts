import { constants, inflateRawSync } from 'node:zlib';
import { headerDictionary } from './spdy-dictionary.ts';

/** What carries the frames: a connection, or the messages of a WebSocket. */
export interface SpdyWire {
  readonly write: (bytes: Uint8Array) => void;
  readonly end: () => void;
}

export interface SpdyEvents {
  readonly opened: (stream: SpdyStream) => void;
  /** Once, however it ended. */
  readonly closed: () => void;
}

/**
 * The server's end of a connection of SPDY 3.1 as Kubernetes uses it: clients open streams and say in their headers what each is for.
 * Neither flow control nor priorities: spdystream has none. Source: github.com/moby/spdystream/{connection,stream}.go, spdy/{read,write}.go.
 */
export class SpdyConnection {
  readonly #wire: SpdyWire;
  readonly #events: SpdyEvents;
  readonly #streams = new Map<number, SpdyStream>();
  /** Headers go on in one compressed text: what was last in it. */
  #window: Buffer = headerDictionary();
  readonly #isFirst = { read: true, written: true };
  #received: Buffer = Buffer.alloc(0);
  #closed = false;
  /** Number of the newest stream. */
  #last = 0;

  constructor(wire: SpdyWire, events: SpdyEvents) {
    this.#wire = wire;
    this.#events = events;
  }

  take(part: Uint8Array): void {
    if (this.#closed) return;
    this.#received = Buffer.concat([this.#received, part]);
    while (!this.#closed && this.#received.length >= HEAD) {
      const length = this.#received.readUIntBE(5, 3);
      if (length > MAX_FRAME) return this.close(PROTOCOL_ERROR);
      if (this.#received.length < HEAD + length) return;
      const [head, payload] = [this.#received.subarray(0, HEAD), this.#received.subarray(HEAD, HEAD + length)];
      this.#received = this.#received.subarray(HEAD + length);
      if (!this.#handle(head, payload)) return this.close(PROTOCOL_ERROR);
    }
  }

  close(status = 0): void {
    if (this.#closed) return;
    this.#control(GO_AWAY, numbers(this.#last, status));
    this.#wire.end();
    this.ended();
  }

  /** The other end has gone. */
  ended(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#streams.clear();
    this.#events.closed();
  }

  /** False for what breaks the protocol. */
  #handle(head: Buffer, payload: Buffer): boolean {
    const isLast = ((head[4] ?? 0) & FIN) !== 0;
    if (((head[0] ?? 0) & 0x80) === 0) {
      this.#streams.get(head.readUInt32BE(0))?.received(payload, isLast);
      return true;
    }
    const type = head.readUInt16BE(2);
    if (type === SYN_STREAM) return payload.length >= 10 && this.#open(payload, isLast);
    if (type === PING) this.#control(PING, payload);
    else if (type === GO_AWAY) this.close();
    else if (type === RST_STREAM && payload.length >= 4) this.#forget(payload.readUInt32BE(0));
    return true;
  }

  #forget(id: number): void {
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    stream?.received(Buffer.alloc(0), true);
  }

  #open(payload: Buffer, isLast: boolean): boolean {
    const id = payload.readUInt32BE(0);
    const headers = this.#headersOf(payload.subarray(10));
    if (headers === undefined || id === 0 || this.#streams.has(id)) return false;
    if (this.#streams.size >= MAX_STREAMS) {
      this.#control(RST_STREAM, numbers(id, REFUSED));
      return true;
    }
    const stream = new SpdyStream(id, headers, {
      send: (bytes, last) => this.#data(id, bytes, last),
      reset: () => this.#reset(id),
      over: () => void this.#streams.delete(id),
    });
    this.#streams.set(id, stream);
    this.#last = id;
    this.#control(SYN_REPLY, Buffer.concat([numbers(id), this.#noHeaders()]));
    this.#events.opened(stream);
    if (isLast) stream.received(Buffer.alloc(0), true);
    return true;
  }

  #reset(id: number): void {
    if (this.#streams.delete(id)) this.#control(RST_STREAM, numbers(id, CANCEL));
  }

  /** Undefined when they cannot be read. */
  #headersOf(compressed: Buffer): ReadonlyMap<string, string> | undefined {
    const block = this.#isFirst.read ? compressed.subarray(ZLIB_HEAD) : compressed;
    this.#isFirst.read = false;
    try {
      const text = inflateRawSync(block, {
        dictionary: this.#window,
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: MAX_HEADERS,
      });
      this.#window = Buffer.concat([this.#window, text]).subarray(-WINDOW);
      return pairsIn(text);
    } catch {
      return undefined;
    }
  }

  /** A block without headers, stored as it is: compressing it gains nothing. An empty block flushes it. */
  #noHeaders(): Buffer {
    const stored = Buffer.from([0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);
    const head = this.#isFirst.written ? Buffer.from([0x78, 0x01]) : Buffer.alloc(0);
    this.#isFirst.written = false;
    return Buffer.concat([head, stored]);
  }

  #control(type: number, payload: Uint8Array): void {
    this.#write([0x80, 3, type >> 8, type & 255, 0], payload);
  }

  #data(id: number, bytes: Uint8Array, isLast: boolean): void {
    for (let at = 0; at === 0 || at < bytes.length; at += MAX_DATA) {
      const part = bytes.subarray(at, at + MAX_DATA);
      this.#write([...numbers(id), isLast && at + MAX_DATA >= bytes.length ? FIN : 0], part);
    }
  }

  #write(head: readonly number[], payload: Uint8Array): void {
    const { length } = payload;
    if (!this.#closed) this.#wire.write(Buffer.concat([Buffer.from([...head, length >> 16, (length >> 8) & 255, length & 255]), payload]));
  }
}

interface StreamActs {
  readonly send: (bytes: Uint8Array, isLast: boolean) => void;
  readonly reset: () => void;
  readonly over: () => void;
}

/** One of the streams of a connection: bytes both ways. */
export class SpdyStream {
  readonly id: number;
  /** Names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly #acts: StreamActs;
  readonly #waiting: Buffer[] = [];
  #listener: { readonly data: (bytes: Buffer) => void; readonly ended: () => void } | undefined;
  #isOver = { here: false, there: false };

  constructor(id: number, headers: ReadonlyMap<string, string>, acts: StreamActs) {
    this.id = id;
    this.headers = headers;
    this.#acts = acts;
  }

  /** What has come already is told at once. */
  listen(listener: { readonly data: (bytes: Buffer) => void; readonly ended: () => void }): void {
    this.#listener = listener;
    for (const bytes of this.#waiting.splice(0)) listener.data(bytes);
    if (this.#isOver.there) listener.ended();
  }

  received(bytes: Buffer, isLast: boolean): void {
    if (this.#isOver.there) return;
    if (bytes.length > 0) {
      if (this.#listener !== undefined) this.#listener.data(bytes);
      else if (this.#waiting.push(bytes) > MAX_WAITING) return this.reset();
    }
    if (!isLast) return;
    this.#isOver.there = true;
    this.#listener?.ended();
    this.#look();
  }

  write(bytes: Uint8Array): void {
    if (!this.#isOver.here && bytes.length > 0) this.#acts.send(bytes, false);
  }

  end(): void {
    if (this.#isOver.here) return;
    this.#isOver.here = true;
    this.#acts.send(Buffer.alloc(0), true);
    this.#look();
  }

  reset(): void {
    this.#isOver = { here: true, there: true };
    this.#acts.reset();
  }

  #look(): void {
    if (this.#isOver.here && this.#isOver.there) this.#acts.over();
  }
}

/** Undefined for what is no block of headers. */
function pairsIn(block: Buffer): ReadonlyMap<string, string> | undefined {
  let at = 4;
  const word = (): string => {
    const length = block.readUInt32BE(at);
    const text = block.subarray(at + 4, at + 4 + length).toString();
    at += 4 + length;
    return text;
  };
  if (block.length < 4) return undefined;
  const count = block.readUInt32BE(0);
  const pairs = new Map<string, string>();
  for (let index = 0; index < count; index++) pairs.set(word().toLowerCase(), word());
  return at > block.length ? undefined : pairs;
}

function numbers(...all: readonly number[]): Buffer {
  const bytes = Buffer.alloc(all.length * 4);
  for (const [index, number] of all.entries()) bytes.writeUInt32BE(number, index * 4);
  return bytes;
}

const HEAD = 8;
const FIN = 1;
const [SYN_STREAM, SYN_REPLY, RST_STREAM, PING, GO_AWAY] = [1, 2, 3, 6, 7];
const [PROTOCOL_ERROR, REFUSED, CANCEL] = [1, 3, 5];
/** Two bytes, and four that name the dictionary. */
const ZLIB_HEAD = 6;
const WINDOW = 32_768;
const MAX_HEADERS = 65_536;
const MAX_FRAME = 1_048_576;
const MAX_DATA = 65_536;
const MAX_STREAMS = 1000;
/** Frames that come before anybody listens. */
const MAX_WAITING = 64;
