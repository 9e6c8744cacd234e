import type { SourceFile } from './source-file.ts';

/** So much of what was read last is kept: whoever has looked at the beginning of a file mostly reads that file next. */
const WINDOW_BYTES = 64 * 1024 * 1024;
/** To go back further is to unpack all from the beginning. */
const MOST_RESTARTS = 32;

/**
 * Any bytes of what comes piece by piece, and can be had from its beginning again. Whoever asks in the order of the bytes has each of them
 * unpacked once, and no more is in memory than what was read last.
 */
export function unpackedRange(
  open: () => AsyncIterator<Uint8Array>,
  window: number = WINDOW_BYTES,
  most: number = MOST_RESTARTS,
): NonNullable<SourceFile['range']> {
  const reader = new ForwardReader(open, window, most);
  // One after another: two at once would take pieces from each other.
  let last: Promise<unknown> = Promise.resolve();
  return (from, length) => {
    const read = last.then(() => reader.read(from, length));
    last = read.catch(() => undefined);
    return read;
  };
}

class ForwardReader {
  readonly #open: () => AsyncIterator<Uint8Array>;
  readonly #window: number;
  #restarts: number;
  #source: AsyncIterator<Uint8Array> | undefined;
  /** What is kept ends here. */
  #end = 0;
  #kept: Uint8Array[] = [];
  #size = 0;

  constructor(open: () => AsyncIterator<Uint8Array>, window: number, most: number) {
    [this.#open, this.#window, this.#restarts] = [open, window, most];
  }

  async read(from: number, length: number): Promise<Uint8Array> {
    if (this.#source === undefined || from < this.#end - this.#size) await this.#restart();
    while (this.#end < from + length && (await this.#next()))
      for (let first = this.#kept[0]; first !== undefined && this.#isPast(first, from); first = this.#kept[0]) this.#forget(first);
    const start = Math.max(0, from - (this.#end - this.#size));
    return Buffer.concat(this.#partsFrom(start, length)).subarray(0, length);
  }

  /** The pieces that have these bytes, the first of them without what is before. */
  #partsFrom(start: number, length: number): readonly Uint8Array[] {
    const parts: Uint8Array[] = [];
    let at = 0;
    for (const piece of this.#kept) {
      if (at < start + length && at + piece.length > start) parts.push(piece.subarray(Math.max(0, start - at)));
      at += piece.length;
    }
    return parts;
  }

  async #restart(): Promise<void> {
    if (this.#restarts-- <= 0) throw new Error('its archive would have to be unpacked too often: unpack it and give the folder');
    await this.#source?.return?.();
    [this.#source, this.#end, this.#kept, this.#size] = [this.#open(), 0, [], 0];
  }

  async #next(): Promise<boolean> {
    const read = await this.#source?.next();
    if (read === undefined || read.done === true) return false;
    this.#kept.push(read.value);
    this.#size += read.value.length;
    this.#end += read.value.length;
    return true;
  }

  #isPast(piece: Uint8Array, from: number): boolean {
    return this.#size - piece.length >= this.#window && this.#end - this.#size + piece.length <= from;
  }

  #forget(piece: Uint8Array): void {
    this.#kept.shift();
    this.#size -= piece.length;
  }
}
