import { constants, createGunzip, createInflateRaw } from 'node:zlib';
import type { Gunzip, InflateRaw } from 'node:zlib';
import { PodcheckError, reasonOf } from '../../base/errors.ts';
import { MAX_DOCUMENT_BYTES, MAX_RATIO, MAX_TOTAL_BYTES, RATIO_FLOOR_BYTES } from './limits.ts';
import { isTar } from './tar.ts';

/** What is in a gzip file; `isCut` where it was cut off. */
export interface Gunzipped {
  readonly unpacked: Uint8Array;
  readonly isCut: boolean;
}

/**
 * Unpacks a gzip file: once to see how much comes out, which is forgotten again, then into just as much memory. Throws a PodcheckError
 * for one that is damaged, or that grows beyond the limits.
 */
export async function gunzipped(bytes: Uint8Array, path: string): Promise<Gunzipped> {
  const { size, isCut } = await measured(bytes, path);
  const unpacked = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  for await (const piece of piecesOf(createGunzip({ chunkSize: PIECE_BYTES, finishFlush: constants.Z_SYNC_FLUSH }), bytes))
    filled += piece.copy(unpacked, filled);
  return { unpacked: unpacked.subarray(0, filled), isCut };
}

/** The bytes of a deflated entry, piece by piece; ends after one piece more than it should have. Throws what zlib throws. */
export async function* inflatedPieces(bytes: Uint8Array, size: number): AsyncGenerator<Buffer, void, undefined> {
  let made = 0;
  for await (const piece of piecesOf(createInflateRaw({ chunkSize: PIECE_BYTES }), bytes)) {
    made += piece.length;
    yield piece;
    if (made > size) return;
  }
}

const PIECE_BYTES = 256 * 1024;

async function* piecesOf(stream: Gunzip | InflateRaw, bytes: Uint8Array): AsyncGenerator<Buffer, void, undefined> {
  stream.end(bytes);
  yield* stream as AsyncIterable<Buffer>;
}

async function measured(bytes: Uint8Array, path: string): Promise<{ readonly size: number; readonly isCut: boolean }> {
  const stream = createGunzip({ chunkSize: PIECE_BYTES });
  let size = 0;
  let limit = MAX_DOCUMENT_BYTES;
  try {
    for await (const piece of piecesOf(stream, bytes)) {
      if (size === 0 && isTar(piece)) limit = MAX_TOTAL_BYTES;
      size += piece.length;
      if (size > limit) throw tooLarge(path, `contains more than ${megabytes(limit)}`);
      if (size > RATIO_FLOOR_BYTES && size > stream.bytesWritten * MAX_RATIO)
        throw tooLarge(path, `grows by more than a factor of ${String(MAX_RATIO)} when it is unpacked`);
    }
    return { size, isCut: false };
  } catch (error) {
    if (error instanceof PodcheckError) throw error;
    if ((error as NodeJS.ErrnoException).code !== 'Z_BUF_ERROR')
      throw new PodcheckError('bad-input', `${path} is damaged: ${reasonOf(error)}`, 'Download it again.');
    return { size, isCut: true };
  }
}

/** For an archive beyond the limits. */
export function tooLarge(path: string, what: string): PodcheckError {
  return new PodcheckError('bad-input', `${path} ${what}`, 'Unpack it and give the folder with the cluster resources.');
}

export function megabytes(bytes: number): string {
  return `${String(Math.round(bytes / 1024 / 1024))} MiB`;
}
