import { pipeline } from 'node:stream';
import { constants, createGunzip, createInflateRaw } from 'node:zlib';
import type { Gunzip, InflateRaw } from 'node:zlib';
import { PodcheckError, reasonOf } from '../../base/errors.ts';
import { MAX_DOCUMENT_BYTES, MAX_RATIO, MAX_TOTAL_BYTES, RATIO_FLOOR_BYTES } from './limits.ts';
import { firstBytes, lastBytes } from './byte-pieces.ts';
import type { SourceFile } from './source-file.ts';
import { bytesFile } from './source-file.ts';
import { isTar } from './tar.ts';
import { unpackedRange } from './unpacked-range.ts';

/** What is in a gzip file; `isCut` where it was cut off. */
export interface Gunzipped {
  readonly file: SourceFile;
  readonly isTar: boolean;
  readonly isCut: boolean;
}

/**
 * What is in a gzip file. It is unpacked once to see how much comes out, which is forgotten again, and then into just as much memory, or
 * anew each time it is read where that would be too much: an archive of more than a gibibyte is best read from its beginning to its end.
 * Throws a PodcheckError for one that is damaged, or made to harm.
 */
export async function gunzipped(packed: SourceFile, keepsArchive: number = MAX_TOTAL_BYTES): Promise<Gunzipped> {
  const { size, ...found } = await measured(packed);
  const path = packed.path.replace(/\.gz$/i, '');
  const pieces = (): AsyncGenerator<Buffer, void, undefined> =>
    piecesOf(createGunzip({ chunkSize: PIECE_BYTES, finishFlush: constants.Z_SYNC_FLUSH }), packed.pieces());
  if (size > (found.isTar ? keepsArchive : MAX_DOCUMENT_BYTES)) {
    const [head, tail] = [(limit: number) => firstBytes(pieces(), limit), (limit: number) => lastBytes(pieces(), limit)];
    const file = { path, size, modified: packed.modified, head, tail, pieces };
    return { ...found, file: found.isTar ? { ...file, range: unpackedRange(pieces), isForward: true } : file };
  }
  const unpacked = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  for await (const piece of pieces()) {
    filled += piece.copy(unpacked, filled);
    if (filled === size) break;
  }
  return { ...found, file: bytesFile(path, unpacked.subarray(0, filled), packed.modified) };
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

async function* piecesOf(
  stream: Gunzip | InflateRaw,
  source: AsyncIterable<Uint8Array> | Uint8Array,
): AsyncGenerator<Buffer, void, undefined> {
  if (source instanceof Uint8Array) stream.end(source);
  // What fails ends the stream, and is thrown to whoever reads it.
  else pipeline(source, stream, () => undefined);
  yield* stream as AsyncIterable<Buffer>;
}

async function measured(packed: SourceFile): Promise<{ readonly size: number } & Omit<Gunzipped, 'file'>> {
  const { path } = packed;
  const stream = createGunzip({ chunkSize: PIECE_BYTES });
  let size = 0;
  let isArchive = false;
  try {
    for await (const piece of piecesOf(stream, packed.pieces())) {
      if (size === 0) isArchive = isTar(piece);
      size += piece.length;
      if (size > RATIO_FLOOR_BYTES && size > stream.bytesWritten * MAX_RATIO)
        throw tooLarge(path, `grows by more than a factor of ${String(MAX_RATIO)} when it is unpacked`);
    }
    return { size, isTar: isArchive, isCut: false };
  } catch (error) {
    if (error instanceof PodcheckError) throw error;
    if ((error as NodeJS.ErrnoException).code !== 'Z_BUF_ERROR')
      throw new PodcheckError('bad-input', `${path} is damaged: ${reasonOf(error)}`, 'Download it again.');
    return { size, isTar: isArchive, isCut: true };
  }
}

/** For an archive beyond the limits. */
export function tooLarge(path: string, what: string): PodcheckError {
  return new PodcheckError('bad-input', `${path} ${what}`, 'Unpack it and give the folder with the cluster resources.');
}

export function megabytes(bytes: number): string {
  return `${String(Math.round(bytes / 1024 / 1024))} MiB`;
}
