import { parseInteger } from '../../base/number.ts';
import type { FileEntry } from '../programs/file-tree.ts';
import type { Shell } from './shell-state.ts';

/** Writes a file, and tells the machine how much the container has written by now. */
export function store(shell: Shell, path: string, entry: FileEntry): string | undefined {
  const { files } = shell.process;
  const trouble = files.write(path, entry, shell.process.user)?.trouble;
  if (trouble === undefined && sizeOf(entry) >= NOTICEABLE) shell.process.useDisk(files.written());
  return trouble;
}

export function sizeOf(entry: FileEntry): number {
  return entry.type === 'file' ? (entry.size ?? entry.content.length) : 0;
}

/** `50M`, `10m`, `4096`, `1MiB`: bytes; undefined for anything else. Source: busybox libbb/xatonum.c suffixes. */
export function bytesOf(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,15})([bkKmMgG]?)(?:i?B)?$/.exec(text) ?? [];
  return amount === undefined ? undefined : (parseInteger(amount) ?? 0) * (UNITS[unit] ?? 1);
}

const UNITS: Readonly<Record<string, number>> = {
  b: 512,
  k: 1024,
  K: 1024,
  m: 1_048_576,
  M: 1_048_576,
  g: 1_073_741_824,
  G: 1_073_741_824,
};
/** Below it nobody counts. */
const NOTICEABLE = 4096;
