import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * The bytes of a file, a pipe or a device, whose size says nothing, if they are no more than so many. Throws what the file system
 * answers, and an Error that says the limit for a longer one.
 */
export async function readBounded(path: string, limit: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const chunks = new Chunks(limit);
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunks.next());
      const { bytesRead } = await file.read(chunk, 0, chunk.length);
      if (bytesRead === 0) return chunks.whole();
      chunks.add(chunk.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** The same while everything else waits: for what is short and asked for at once. */
export function readBoundedSync(path: string, limit: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const chunks = new Chunks(limit);
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunks.next());
      const bytesRead = readSync(file, chunk, 0, chunk.length, null);
      if (bytesRead === 0) return chunks.whole();
      chunks.add(chunk.subarray(0, bytesRead));
    }
  } finally {
    closeSync(file);
  }
}

const CHUNK = 64 * 1024;

class Chunks {
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How much to ask for next. */
  next(): number {
    return Math.min(this.#limit + 1 - this.#size, Math.max(CHUNK, this.#size));
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit) throw new Error(`it has more than ${String(Math.floor(this.#limit / 1024))} KiB`);
    this.#chunks.push(chunk);
  }

  whole(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
