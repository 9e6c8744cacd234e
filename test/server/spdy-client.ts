import { constants, createDeflate } from 'node:zlib';
import { headerDictionary } from '../../src/server/spdy-dictionary.ts';

/** The client's end of SPDY 3.1, as spdystream writes it: its headers go on in one compressed text. */
export class SpdyClient {
  /** By the number of a stream: what came in it. */
  readonly texts: Record<number, string> = {};
  /** Numbers of streams that have ended. */
  readonly ended: number[] = [];
  readonly replies: number[] = [];
  readonly controls: number[] = [];
  readonly #write: (bytes: Uint8Array) => void;
  readonly #deflate = createDeflate({ dictionary: headerDictionary() });
  readonly #compressed: Buffer[] = [];
  #next = 1;
  #rest: Buffer = Buffer.alloc(0);

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
    this.#deflate.on('data', (part: Buffer) => this.#compressed.push(part));
  }

  /** Opens a stream, and gives its number. */
  async open(headers: Readonly<Record<string, string>>): Promise<number> {
    const id = this.#next;
    this.#next += 2;
    const words = Object.entries(headers).flat();
    const block = Buffer.concat([number(words.length / 2), ...words.flatMap((word) => [number(word.length), Buffer.from(word)])]);
    await new Promise<void>((resolve) => {
      this.#deflate.write(block);
      this.#deflate.flush(constants.Z_SYNC_FLUSH, () => resolve());
    });
    this.control(1, Buffer.concat([number(id), number(0), Buffer.alloc(2), ...this.#compressed.splice(0)]));
    return id;
  }

  send(id: number, text: string, isLast = false): void {
    const bytes = Buffer.from(text);
    this.#write(Buffer.concat([number(id), number((isLast ? 1 << 24 : 0) + bytes.length), bytes]));
  }

  control(type: number, payload: Uint8Array): void {
    this.#write(Buffer.concat([Buffer.from([0x80, 3, 0, type]), number(payload.length), payload]));
  }

  take(part: Uint8Array): void {
    this.#rest = Buffer.concat([this.#rest, part]);
    while (this.#rest.length >= 8) {
      const length = this.#rest.readUIntBE(5, 3);
      if (this.#rest.length < 8 + length) return;
      const [first, isLast, payload] = [this.#rest.readUInt32BE(0), this.#rest[4] === 1, this.#rest.subarray(8, 8 + length)];
      this.#rest = this.#rest.subarray(8 + length);
      const type = first >= 0x80000000 ? first & 0xffff : 0;
      if (type === 0) this.texts[first] = (this.texts[first] ?? '') + payload.toString();
      else if (type === 2) this.replies.push(payload.readUInt32BE(0));
      else this.controls.push(type);
      if (type === 0 && isLast) this.ended.push(first);
    }
  }
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
