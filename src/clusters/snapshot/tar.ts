import { parseDigits, parseInteger } from '../../base/number.ts';
import type { Note } from '../note.ts';
import { entryPath } from './entry-path.ts';
import { MAX_FILES, MAX_HEADER_BYTES } from './limits.ts';
import type { SourceFile } from './source-file.ts';
import { fileWithin } from './source-file.ts';
import type { FoundFiles } from './walk-folder.ts';

const BLOCK = 512;

/** Whether the bytes begin with the header of a tar archive: its checksum is right. */
export function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= BLOCK && bytes[0] !== 0 && hasChecksum(bytes.subarray(0, BLOCK));
}

/**
 * The regular files of a tar archive (ustar, GNU long names, pax). A hard link is its target under another path. A symbolic link is
 * not followed: its target is read where it is in the archive itself; a note counts the links whose target is not. Of a file on disk no
 * more is read than the headers. `cut`: what is said of one that ends before its last entry does. The files of one that is only read
 * forward are in its order.
 * Source: POSIX.1-2017 pax, GNU tar's manual on the archive format.
 */
export async function readTar({ size: end, range = NOTHING, isForward }: SourceFile, archive: string, cut: string): Promise<FoundFiles> {
  const found: Found = { files: new Map(), notes: [], links: [], devices: 0 };
  const { files, notes } = found;
  const read = readAhead(range);
  let next: Extension = {};
  for (let at = 0; at + BLOCK <= end;) {
    const header = await read(at, BLOCK);
    if (header.length < BLOCK || header[0] === 0) break;
    if (!hasChecksum(header)) {
      notes.push({ file: archive, text: 'the archive is damaged: only its beginning was read', hidesRest: true });
      break;
    }
    const type = String.fromCharCode(header[156] ?? 0);
    const extended = EXTENSIONS.includes(type);
    const size = extended ? numberAt(header, 124, 12) : (next.size ?? numberAt(header, 124, 12));
    const start = at + BLOCK;
    if (extended && size > MAX_HEADER_BYTES) {
      notes.push({ file: archive, text: `only its beginning was read: a header of ${String(size)} bytes follows`, hidesRest: true });
      break;
    }
    if (start + size > end) notes.push({ file: archive, text: cut, hidesRest: true });
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    if (extended) {
      Object.assign(next, extensionOf(type, await read(start, size)));
      continue;
    }
    const content = (path: string): SourceFile =>
      fileWithin(range, path, start, Math.min(size, end - start), numberAt(header, 136, 12) * 1000);
    takeEntry({ type, header, content, path: next.path ?? nameOf(header), link: next.link }, found);
    next = {};
    if (files.size >= MAX_FILES) {
      notes.push({ file: archive, text: `only the first ${String(MAX_FILES)} files are read`, hidesRest: true });
      break;
    }
  }
  return filesOf(found, archive, isForward);
}

function filesOf({ files: found, links, notes, devices }: Found, archive: string, isForward?: true): FoundFiles {
  const lost = linkTargets(links, found);
  if (lost > 0) notes.push({ file: archive, text: `not read: links to files that are not in the archive (${String(lost)})` });
  if (devices > 0) notes.push({ file: archive, text: `not read: devices and pipes in the archive (${String(devices)})` });
  const files = [...found.values()];
  return { files: isForward === true ? files : files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), notes };
}

type Range = NonNullable<SourceFile['range']>;

const NOTHING: Range = () => Promise.resolve(new Uint8Array());

/** Of small files the headers stand close together, and are read at once. */
function readAhead(range: Range): Range {
  let from = 0;
  let bytes: Uint8Array = new Uint8Array();
  return async (at, length) => {
    if (at < from || at + length > from + bytes.length) [from, bytes] = [at, await range(at, Math.max(length, AHEAD_BYTES))];
    return bytes.subarray(at - from, at - from + length);
  };
}

const AHEAD_BYTES = 64 * 1024;

interface Found {
  readonly files: Map<string, SourceFile>;
  readonly notes: Note[];
  readonly links: Link[];
  devices: number;
}

/** What headers before an entry say of it: GNU's long names (`L`, `K`), and pax (`x`). */
interface Extension {
  readonly path?: string;
  readonly link?: string;
  readonly size?: number;
}

/** `g` is about all entries, and says nothing that is needed. */
const EXTENSIONS: readonly string[] = ['L', 'K', 'x', 'g'];

function extensionOf(type: string, content: Uint8Array): Extension {
  if (type === 'L') return { path: textOf(content) };
  if (type === 'K') return { link: textOf(content) };
  return type === 'x' ? paxFields(content) : {};
}

interface Entry {
  readonly type: string;
  readonly header: Uint8Array;
  readonly content: (path: string) => SourceFile;
  readonly path: string;
  readonly link: string | undefined;
}

function takeEntry({ type, header, content, path: name, link }: Entry, found: Found): void {
  switch (type) {
    case '0':
    case '\0':
    case '7': {
      const path = entryPath(name);
      if (path === undefined) return;
      // The last of several counts, and stands where it is.
      found.files.delete(path);
      found.files.set(path, content(path));
      return;
    }
    case '1':
    case '2':
      if (found.links.length < MAX_FILES)
        found.links.push({ path: name, target: link ?? textOf(header.subarray(157, 257)), isHard: type === '1' });
      return;
    case '3':
    case '4':
    case '6':
      found.devices++;
      return;
    case 'S':
      found.notes.push({ file: name, text: 'not read: a sparse file' });
      break;
    default:
  }
}

interface Link {
  readonly path: string;
  /** As it is written: from the root of the archive for a hard link, from the link's folder for a symbolic one. */
  readonly target: string;
  readonly isHard: boolean;
}

/** Adds the hard links to the files. Gives how many links have a target that is not in the archive. */
function linkTargets(links: readonly Link[], files: Map<string, SourceFile>): number {
  const folders = new Set([...files.keys()].flatMap((path) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))));
  let lost = 0;
  for (const { path, target, isHard } of links) {
    const own = entryPath(path);
    if (own === undefined) continue;
    const to = isHard ? entryPath(target) : normalPath(target.startsWith('/') ? target : `${path}/../${target}`);
    const file = files.get(to ?? '');
    if (isHard && file !== undefined && files.size < MAX_FILES) files.set(own, { ...file, path: own });
    else if (file === undefined && !folders.has(to ?? '')) lost++;
  }
  return lost;
}

/** A path without its `..`; undefined when it leads out of the archive, or is absolute. */
function normalPath(path: string): string | undefined {
  const parts: string[] = [];
  if (path.startsWith('/')) return undefined;
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function nameOf(header: Uint8Array): string {
  const name = textOf(header.subarray(0, 100));
  const isUstar = textOf(header.subarray(257, 262)) === 'ustar';
  const prefix = isUstar ? textOf(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Octal digits; GNU writes what does not fit as a big-endian number after a set first bit. Never negative, never beyond what is exact. */
function numberAt(header: Uint8Array, offset: number, length: number): number {
  const field = header.subarray(offset, offset + length);
  if (((field[0] ?? 0) & 0x80) === 0) return parseDigits(textOf(field).trim(), 8) ?? 0;
  let value = (field[0] ?? 0) & 0x7f;
  for (const byte of field.subarray(1)) value = value * 256 + byte;
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}

function hasChecksum(header: Uint8Array): boolean {
  let sum = 0;
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 0x20 : (header[at] ?? 0);
  return sum === numberAt(header, 148, 8);
}

/** Records `<length> <key>=<value>\n`. */
function paxFields(content: Uint8Array): { readonly path?: string; readonly link?: string; readonly size?: number } {
  const fields: { path?: string; link?: string; size?: number } = {};
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(0x20, at);
    const length = space < 0 || space - at > 10 ? undefined : parseInteger(textOf(content.subarray(at, space)));
    if (length === undefined || length <= 0) break;
    const [key = '', ...value] = textOf(content.subarray(space + 1, at + length - 1)).split('=');
    if (key === 'path') fields.path = value.join('=');
    if (key === 'linkpath') fields.link = value.join('=');
    const size = key === 'size' ? parseInteger(value[0]) : undefined;
    if (size !== undefined && size >= 0) fields.size = size;
    at += length;
  }
  return fields;
}

/** Up to the first zero byte. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}
