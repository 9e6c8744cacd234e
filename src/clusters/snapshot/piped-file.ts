import type { Instant } from '../../base/instant.ts';
import { MAX_DOCUMENT_BYTES } from './limits.ts';
import type { SourceFile } from './source-file.ts';

/**
 * What comes through a pipe. It can be read to its end once; what is no longer than a text that is read whole is kept, and can be read
 * again. Its size is that of what has come so far.
 */
export class PipedFile implements SourceFile {
  readonly path: string;
  readonly modified: Instant;
  size = 0;
  isEnded = false;
  readonly #source: AsyncIterator<Uint8Array>;
  #kept: Uint8Array[] = [];
  #isKept = true;

  constructor(path: string, source: AsyncIterable<Uint8Array>, modified: Instant) {
    [this.path, this.modified, this.#source] = [path, modified, source[Symbol.asyncIterator]()];
  }

  /** Waits until so many bytes have come, or all. */
  async fill(bytes: number): Promise<void> {
    while (!this.isEnded && this.size < bytes) await this.#next();
  }

  /** Of what has come. */
  head(limit: number): Promise<Uint8Array> {
    return Promise.resolve(Buffer.concat(this.#kept).subarray(0, limit));
  }

  tail(limit: number): Promise<Uint8Array> {
    return Promise.resolve(Buffer.concat(this.#kept).subarray(-Math.max(1, limit)));
  }

  /** A reader that goes away has what is short read to its end, and then another may begin. */
  async *pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    if (!this.#isKept) throw new Error('it came through a pipe, and can be read only once');
    try {
      yield* this.#kept;
      for (let piece = await this.#next(); piece !== undefined; piece = await this.#next()) yield piece;
    } finally {
      if (this.#isKept) await this.fill(MAX_DOCUMENT_BYTES + 1);
      if (!this.isEnded) await this.#source.return?.();
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    const read = await this.#source.next();
    if (read.done === true) {
      this.isEnded = true;
      return undefined;
    }
    this.size += read.value.length;
    if (this.size <= MAX_DOCUMENT_BYTES) this.#kept.push(read.value);
    else [this.#kept, this.#isKept] = [this.#kept.slice(0, 1), false];
    return read.value;
  }
}
