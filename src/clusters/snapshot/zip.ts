import { PodcheckError, reasonOf } from '../../base/errors.ts';
import type { Instant } from '../../base/instant.ts';
import type { Note } from '../note.ts';
import { firstBytes, lastBytes } from './byte-pieces.ts';
import { crc32 } from './crc32.ts';
import { inflatedPieces } from './decompress.ts';
import { entryPath } from './entry-path.ts';
import { MAX_FILES, MAX_RATIO, MAX_TOTAL_BYTES, RATIO_FLOOR_BYTES } from './limits.ts';
import type { SourceFile } from './source-file.ts';
import { single } from './source-file.ts';
import type { FoundFiles } from './walk-folder.ts';

/**
 * The files of a zip archive, each inflated when it is read. Throws a PodcheckError when the table of contents is missing; reading an
 * entry throws a DamagedEntry where its bytes are not those that were packed.
 * Source: PKWARE's APPNOTE.TXT 6.3, sections 4.3.7, 4.3.12 and 4.3.16. Not read: zip64, encrypted entries, other methods than deflate.
 */
export function readZip(bytes: Uint8Array, archive: string, modified: Instant): FoundFiles {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = endRecord(view);
  if (end === undefined)
    throw new PodcheckError('bad-input', `${archive} is damaged: its table of contents is missing`, 'Download it again.');
  const files = new Map<string, SourceFile>();
  const notes: Note[] = [];
  let [total, beyond] = [0, 0];
  const count = view.getUint16(end + 10, true);
  let [at, seen] = [view.getUint32(end + 16, true), 0];
  for (; seen < count && at + 46 <= view.byteLength && view.getUint32(at, true) === ENTRY; seen++) {
    const entry = entryAt(view, at);
    at = entry.next;
    const path = entryPath(entry.name);
    if (path === undefined) continue;
    const problem = problemOf(view, entry, total);
    if (problem !== undefined) notes.push({ file: path, text: `not read: ${problem}` });
    else if (files.size < MAX_FILES || files.has(path)) files.set(path, zipFile({ archive, path, bytes, view, entry }, modified));
    else beyond++;
    total += problem === undefined ? entry.size : 0;
  }
  if (seen < count)
    notes.push({
      file: archive,
      text: `the archive is damaged, or larger than zip allows without extensions: ${String(count - seen)} of ${String(count)} files were not read`,
      hidesRest: true,
    });
  if (beyond > 0)
    notes.push({
      file: archive,
      text: `only the first ${String(MAX_FILES)} files are read: ${String(beyond)} more are in the archive`,
      hidesRest: true,
    });
  return { files: [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)), notes };
}

const [END, ENTRY, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50];
const MAX_COMMENT = 0xffff;

function endRecord(view: DataView): number | undefined {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - MAX_COMMENT); at--)
    if (view.getUint32(at, true) === END) return at;
  return undefined;
}

interface Entry {
  readonly name: string;
  readonly encrypted: boolean;
  readonly method: number;
  /** CRC-32 of the content. */
  readonly checksum: number;
  readonly packed: number;
  readonly size: number;
  /** Where its local header stands. */
  readonly offset: number;
  /** Where the next entry of the table stands. */
  readonly next: number;
}

function entryAt(view: DataView, at: number): Entry {
  const length = view.getUint16(at + 28, true);
  const name = new Uint8Array(view.buffer, view.byteOffset + at + 46, Math.min(length, view.byteLength - at - 46));
  return {
    name: new TextDecoder().decode(name),
    encrypted: (view.getUint16(at + 8, true) & 1) === 1,
    method: view.getUint16(at + 10, true),
    checksum: view.getUint32(at + 16, true),
    packed: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
    next: at + 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true),
  };
}

function problemOf(view: DataView, { encrypted, method, packed, size, offset }: Entry, total: number): string | undefined {
  if (encrypted) return 'it is encrypted';
  if (method !== 0 && method !== 8) return 'unsupported compression';
  if (size > RATIO_FLOOR_BYTES && size > packed * MAX_RATIO) return 'the unpacked file is too large';
  if (total + size > MAX_TOTAL_BYTES) return 'the archive contains more than podcheck reads';
  const readable =
    offset + 30 <= view.byteLength && view.getUint32(offset, true) === LOCAL && dataOf(view, offset) + packed <= view.byteLength;
  return readable ? undefined : 'the archive is damaged there';
}

function dataOf(view: DataView, offset: number): number {
  return offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
}

/** An entry whose bytes are not those that were packed: no part of the archive can be relied on. */
export class DamagedEntry extends PodcheckError {
  constructor(archive: string, entry: string, why: string) {
    super('bad-input', `${archive} is damaged: ${entry}: ${why}`, 'Download it again.');
  }
}

/** Where the content of an entry is. */
interface Packed {
  readonly archive: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly entry: Entry;
}

function zipFile(file: Packed, modified: Instant): SourceFile {
  const {
    path,
    entry: { size },
  } = file;
  const whole = async (keep: number): Promise<Uint8Array> => lastBytes(checkedPieces(file), keep);
  return {
    path,
    size,
    modified,
    head: async (limit) => (limit >= size ? whole(size) : firstBytes(piecesOf(file), limit)),
    tail: (limit) => whole(limit),
    pieces: () => checkedPieces(file),
  };
}

function piecesOf({ bytes, view, entry: { method, packed, size, offset } }: Packed): AsyncIterable<Uint8Array> {
  const start = dataOf(view, offset);
  const raw = bytes.subarray(start, start + packed);
  return method === 0 ? single(raw) : inflatedPieces(raw, size);
}

async function* checkedPieces({ archive, path, bytes, view, entry }: Packed): AsyncGenerator<Uint8Array, void, undefined> {
  let [made, checksum] = [0, 0];
  try {
    for await (const piece of piecesOf({ archive, path, bytes, view, entry })) {
      made += piece.length;
      checksum = crc32(piece, checksum);
      yield piece;
    }
  } catch (error) {
    throw new DamagedEntry(archive, path, reasonOf(error));
  }
  if (made !== entry.size) throw new DamagedEntry(archive, path, `it should have ${String(entry.size)} bytes`);
  if (checksum !== entry.checksum) throw new DamagedEntry(archive, path, 'its checksum (CRC-32) is wrong');
}
