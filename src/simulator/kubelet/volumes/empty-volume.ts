import type { FileEntry } from '../../programs/file-tree.ts';
import { removeFrom } from '../../programs/file-tree.ts';

/** A volume one can write to; it starts empty. */
export function emptyVolume(): {
  readonly files: ReadonlyMap<string, FileEntry>;
  readonly write: (path: string, entry: FileEntry | undefined) => void;
} {
  // Everybody may write into it. Source: pkg/volume/emptydir/empty_dir.go (perm).
  const files = new Map<string, FileEntry>([['', { type: 'directory', mode: 0o777 }]]);
  return { files, write: (path, entry) => void (entry === undefined ? removeFrom(files, path) : files.set(path, entry)) };
}
