import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder that only its user can read, and the folders above it. Throws what the file system answers. Node's own way
 * (`recursive`) never ends below /proc, and says that a folder is missing where the disk is read-only.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let one = folder; !isFolder(one); one = dirname(one)) {
    if (missing.length > DEEPEST || dirname(one) === one) break;
    missing.push(one);
  }
  for (const one of missing.reverse()) make(one);
}

const DEEPEST = 1000;

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Another process may have made it meanwhile. */
function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}
