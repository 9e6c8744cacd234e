import type { FileEntry } from '../../programs/file-tree.ts';
import { removeFrom } from '../../programs/file-tree.ts';

/** A volume one can write to; it starts empty. */
export function emptyVolume(): {
  readonly files: ReadonlyMap<string, FileEntry>;
  readonly write: (path: string, entry: FileEntry | undefined) => void;
} {
  const files = new Map<string, FileEntry>();
  return { files, write: (path, entry) => void (entry === undefined ? removeFrom(files, path) : files.set(path, entry)) };
}
