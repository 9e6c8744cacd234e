import { parseDigits, parseInteger } from '../../base/number.ts';
import type { Note } from '../note.ts';
import { entryPath } from './entry-path.ts';
import { MAX_FILES, MAX_HEADER_BYTES } from './limits.ts';
import type { SourceFile } from './source-file.ts';
import { bytesFile } from './source-file.ts';
import type { FoundFiles } from './walk-folder.ts';

const BLOCK = 512;

/** Whether the bytes begin with the header of a tar archive: its checksum is right. */
export function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= BLOCK && bytes[0] !== 0 && hasChecksum(bytes.subarray(0, BLOCK));
}

/**
 * The regular files of a tar archive (ustar, GNU long names, pax). A hard link is its target under another path. A symbolic link is
 * not followed: its target is read where it is in the archive itself; a note counts the links whose target is not. Nothing is copied. Source: POSIX.1-2017 pax, GNU tar's manual on the archive format.
 */
export function readTar(bytes: Uint8Array, archive: string): FoundFiles {
  const files = new Map<string, SourceFile>();
  const notes: Note[] = [];
  const links: Link[] = [];
  let devices = 0;
  let next: { path?: string; link?: string; size?: number } = {};
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header[0] === 0) break;
    if (!hasChecksum(header)) {
      notes.push({ file: archive, text: 'the archive is damaged: only its beginning was read' });
      break;
    }
    const type = String.fromCharCode(header[156] ?? 0);
    const extended = type === 'L' || type === 'K' || type === 'x' || type === 'g';
    const size = extended ? numberAt(header, 124, 12) : (next.size ?? numberAt(header, 124, 12));
    const start = at + BLOCK;
    const content = bytes.subarray(start, Math.min(bytes.length, start + size));
    if (extended && size > MAX_HEADER_BYTES) {
      notes.push({ file: archive, text: `only its beginning was read: a header of ${String(size)} bytes follows` });
      break;
    }
    if (start + size > bytes.length) notes.push({ file: archive, text: 'the archive is cut off: only its beginning was read' });
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'L') next.path = textOf(content);
    else if (type === 'K') next.link = textOf(content);
    else if (type === 'x') Object.assign(next, paxFields(content));
    if (extended) continue;
    if (type === '0' || type === '\0' || type === '7') {
      const path = entryPath(next.path ?? nameOf(header));
      if (path !== undefined) files.set(path, bytesFile(path, content, numberAt(header, 136, 12) * 1000));
    } else if ((type === '1' || type === '2') && links.length < MAX_FILES) links.push({ path: next.path ?? nameOf(header), target: next.link ?? textOf(header.subarray(157, 257)), isHard: type === '1' });
    else if (type === '3' || type === '4' || type === '6') devices++;
    else if (type === 'S') notes.push({ file: next.path ?? nameOf(header), text: 'not read: a sparse file' });
    next = {};
    if (files.size >= MAX_FILES) {
      notes.push({ file: archive, text: `only the first ${String(MAX_FILES)} files are read` });
      break;
    }
  }
  const lost = linkTargets(links, files);
  if (lost > 0) notes.push({ file: archive, text: `not read: links to files that are not in the archive (${String(lost)})` });
  if (devices > 0) notes.push({ file: archive, text: `not read: devices and pipes in the archive (${String(devices)})` });
  return { files: [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)), notes };
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
  for (let at = 0; at < content.length; ) {
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
