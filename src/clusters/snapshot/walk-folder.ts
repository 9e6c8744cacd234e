import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { systemReason } from '../../base/system-error.ts';
import type { Note } from '../note.ts';
import { MAX_FILES, MAX_FOLDER_DEPTH } from './limits.ts';
import type { SourceFile } from './source-file.ts';
import { diskFile } from './source-file.ts';

export interface FoundFiles {
  /** Sorted by path; those of an archive that is only read forward in its order. */
  readonly files: readonly SourceFile[];
  readonly notes: readonly Note[];
}

/**
 * All regular files of a folder. Dotfiles are passed over, and so are links that lead out of the folder; a file that is
 * reached in several ways comes once. What cannot be read becomes a note.
 */
export async function walkFolder(folder: string, most: number = MAX_FILES): Promise<FoundFiles> {
  const walk: Walk = { root: await realpath(folder), files: new Map(), notes: [], most, beyond: 0 };
  await visit(walk, walk.root, '', 0);
  if (walk.beyond > 0)
    walk.notes.push({
      text: `only the first ${String(most)} files are read: ${String(walk.beyond)} more are in the folder`,
      hidesRest: true,
    });
  const files = [...walk.files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { files, notes: walk.notes };
}

interface Walk {
  readonly root: string;
  /** By location. */
  readonly files: Map<string, SourceFile>;
  readonly notes: Note[];
  /** How many files there may be, and how many there are beyond that. */
  readonly most: number;
  beyond: number;
}

async function visit(walk: Walk, folder: string, path: string, depth: number): Promise<void> {
  if (depth > MAX_FOLDER_DEPTH) {
    walk.notes.push({ file: path, text: `folders below ${String(MAX_FOLDER_DEPTH)} levels are not read` });
    return;
  }
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    walk.notes.push({ file: path === '' ? '.' : path, text: `the folder cannot be read: ${systemReason(error)}` });
    return;
  }
  const links: Dirent[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const here = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) await visit(walk, join(folder, entry.name), here, depth + 1);
    else if (entry.isFile()) await add(walk, join(folder, entry.name), here);
    else if (entry.isSymbolicLink()) links.push(entry);
    else walk.notes.push({ file: here, text: 'not read: a device, a pipe or a socket' });
  }
  for (const { name } of links) await follow(walk, join(folder, name), path === '' ? name : `${path}/${name}`);
}

/** A link to a folder needs no following: within the root the folder is visited by itself. */
async function follow(walk: Walk, link: string, path: string): Promise<void> {
  try {
    const target = await realpath(link);
    if (target !== walk.root && !target.startsWith(walk.root + sep))
      walk.notes.push({ file: path, text: 'not read: the link points outside the folder' });
    else await addTarget(walk, target, path);
  } catch {
    walk.notes.push({ file: path, text: 'not read: the link target does not exist' });
  }
}

async function addTarget(walk: Walk, target: string, path: string): Promise<void> {
  const found = await stat(target);
  if (found.isFile()) await add(walk, target, path);
  else if (!found.isDirectory()) walk.notes.push({ file: path, text: 'not read: a device, a pipe or a socket' });
}

async function add(walk: Walk, location: string, path: string): Promise<void> {
  if (walk.files.has(location)) return;
  if (walk.files.size >= walk.most) {
    walk.beyond++;
    return;
  }
  try {
    const { size, mtimeMs } = await stat(location);
    walk.files.set(location, diskFile(path, location, size, Math.trunc(mtimeMs)));
  } catch (error) {
    walk.notes.push({ file: path, text: `cannot be read: ${systemReason(error)}` });
  }
}
