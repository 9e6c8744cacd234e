import type { FileEntry } from './files.ts';

/** A volume one can write to; it starts empty. */
export function emptyVolume(): { readonly files: ReadonlyMap<string, FileEntry>; readonly write: (path: string, entry: FileEntry) => void } {
  const files = new Map<string, FileEntry>();
  return { files, write: (path, entry) => void files.set(path, entry) };
}
