import { open } from 'node:fs/promises';
import type { Instant } from '../../base/instant.ts';
import { filePieces } from '../../files/file-pieces.ts';

/** A file of a source, wherever it lies: on disk, in an archive, or what came through a pipe. */
export interface SourceFile {
  /** Within what was opened, parted by `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly modified: Instant;
  /** The first bytes, at most as many as asked for. */
  head(limit: number): Promise<Uint8Array>;
  /** The last bytes, at most as many as asked for. */
  tail(limit: number): Promise<Uint8Array>;
  /** All bytes from the beginning, piece by piece. */
  pieces(): AsyncIterable<Uint8Array>;
  /** Some bytes, fewer at the end. Only where any of them can be had without those before. */
  readonly range?: (from: number, length: number) => Promise<Uint8Array>;
  /** To go back is to unpack all of it anew. */
  readonly isForward?: true;
}

/** A file that is in memory already. */
export function bytesFile(path: string, bytes: Uint8Array, modified: Instant): SourceFile {
  return {
    path,
    size: bytes.length,
    modified,
    head: (limit) => Promise.resolve(bytes.subarray(0, limit)),
    tail: (limit) => Promise.resolve(bytes.subarray(Math.max(0, bytes.length - limit))),
    pieces: () => single(bytes),
    range: (from, length) => Promise.resolve(bytes.subarray(from, from + length)),
  };
}

/** A file on disk, of which only what is asked for is read. Reading throws what the file system answers. */
export function diskFile(path: string, location: string, size: number, modified: Instant): SourceFile {
  return {
    path,
    size,
    modified,
    head: (limit) => readRange(location, 0, Math.min(limit, size)),
    tail: (limit) => readRange(location, Math.max(0, size - limit), Math.min(limit, size)),
    pieces: () => filePieces(location),
    range: (from, length) => readRange(location, from, length),
  };
}

/** A part of a file of which any bytes can be had. */
export function fileWithin(
  range: NonNullable<SourceFile['range']>,
  path: string,
  from: number,
  size: number,
  modified: Instant,
): SourceFile {
  const some = (at: number, length: number): Promise<Uint8Array> => range(from + at, Math.max(0, Math.min(length, size - at)));
  return {
    path,
    size,
    modified,
    head: (limit) => some(0, limit),
    tail: (limit) => some(Math.max(0, size - limit), limit),
    pieces: async function* pieces() {
      for (let at = 0; at < size; at += PIECE_BYTES) yield await some(at, PIECE_BYTES);
    },
    range: some,
  };
}

const PIECE_BYTES = 1024 * 1024;

/** One piece, which is all. */
export async function* single(piece: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(piece);
}

async function readRange(location: string, from: number, length: number): Promise<Uint8Array> {
  const file = await open(location, 'r');
  try {
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(bytes, filled, length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}
