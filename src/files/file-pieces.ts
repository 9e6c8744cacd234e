import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The bytes of a file, a pipe or a device, piece by piece. A pipe to which nobody writes is waited for a short time, not for ever.
 * Throws what the file system answers, and an Error for such a pipe.
 */
export async function* filePieces(path: string): AsyncGenerator<Buffer, void, undefined> {
  // Opening a pipe in the usual way waits until somebody writes to it, and cannot be ended.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await file.stat();
    if (stat.isFile() && stat.size > PIECE_BYTES) return yield* aheadOf(file);
    const isPipe = stat.isFIFO();
    let [waited, delay, length] = [0, SHORTEST_MILLISECONDS, FIRST_BYTES];
    let seen = !isPipe;
    for (;;) {
      const piece = await nextPiece(file, length);
      if (piece === 'later') seen = true;
      else if (piece.length > 0) {
        [seen, delay, length] = [true, SHORTEST_MILLISECONDS, Math.min(length * 4, PIECE_BYTES)];
        yield piece;
        continue;
      } else if (seen) return;
      if (!seen && waited >= WRITER_MILLISECONDS) throw new Error('it is a pipe, and nothing writes to it');
      await pause(delay);
      waited += delay;
      delay = Math.min(delay * 2, LONGEST_MILLISECONDS);
    }
  } finally {
    await file.close();
  }
}

/** Of a long file the next piece is read while somebody works on this one. */
async function* aheadOf(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  for (let next = nextPiece(file, LONG_PIECE_BYTES); ;) {
    const piece = await next;
    if (piece === 'later' || piece.length === 0) return;
    next = nextPiece(file, LONG_PIECE_BYTES);
    // Who takes no more pieces waits for none.
    next.catch(() => undefined);
    yield piece;
  }
}

/** Most files are short, and many are read at once. */
const [FIRST_BYTES, PIECE_BYTES, LONG_PIECE_BYTES] = [16 * 1024, 256 * 1024, 1024 * 1024];
const WRITER_MILLISECONDS = 1500;
const [SHORTEST_MILLISECONDS, LONGEST_MILLISECONDS] = [1, 32];

/** Empty at the end; `later` where the writer of a pipe has written nothing more yet. */
async function nextPiece(file: FileHandle, length: number): Promise<Buffer | 'later'> {
  const piece = Buffer.allocUnsafe(length);
  try {
    const { bytesRead } = await file.read(piece, 0, length, null);
    return piece.subarray(0, bytesRead);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 'later';
    throw error;
  }
}
