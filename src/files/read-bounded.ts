import { closeSync, constants, openSync, readSync } from 'node:fs';
import { PodcheckError } from '../base/errors.ts';
import { systemReason } from '../base/system-error.ts';
import { filePieces } from './file-pieces.ts';

/** A text that a person writes: a rule, a playbook, a manifest, a key. */
export const MAX_WRITTEN_BYTES = 16 * 1024 * 1024;

/**
 * The bytes of a file, a pipe or a device, whose size says nothing, if they are no more than so many. Throws what the file system
 * answers, and TooLong, which says the limit, for a longer one.
 */
export async function readBounded(path: string, limit: number = MAX_WRITTEN_BYTES): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of filePieces(path)) {
    size += piece.length;
    if (size > limit) throw tooLong(limit);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** A file has more bytes than are read. */
export class TooLong extends Error {}

/** The text of a file that a person named. Throws a PodcheckError that says which, why it cannot be read, and what to do. */
export async function readText(path: string, what: string, hint: string, limit: number = MAX_WRITTEN_BYTES): Promise<string> {
  try {
    return (await readBounded(path, limit)).toString('utf8');
  } catch (error) {
    throw new PodcheckError('bad-input', `cannot read ${what} ${path}: ${systemReason(error)}`, hint);
  }
}

/** As readBounded, while everything else waits: for what is short and asked for at once. A pipe is empty. */
export function readBoundedSync(path: string, limit: number = MAX_WRITTEN_BYTES): Buffer {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const pieces: Buffer[] = [];
    for (let size = 0; ;) {
      const piece = Buffer.allocUnsafe(SYNC_PIECE_BYTES);
      const bytesRead = readSync(file, piece, 0, piece.length, null);
      if (bytesRead === 0) return Buffer.concat(pieces);
      size += bytesRead;
      if (size > limit) throw tooLong(limit);
      pieces.push(piece.subarray(0, bytesRead));
    }
  } finally {
    closeSync(file);
  }
}

const SYNC_PIECE_BYTES = 64 * 1024;

function tooLong(limit: number): TooLong {
  return new TooLong(
    `it is larger than ${limit < 1024 * 1024 ? `${String(Math.floor(limit / 1024))} KiB` : `${String(Math.floor(limit / 1024 / 1024))} MiB`}`,
  );
}
