import { parseDigits, parseInteger } from '../../../base/number.ts';
import type { FileEntry } from '../../programs/file-tree.ts';
import type { Routine } from '../../time/routine.ts';
import type { Result, Shell } from '../shell-state.ts';
import { flag, flagsOf } from './flags.ts';

/**
 * Looks at files and writes some, in this order, and says what it found.
 * Source: test/images/agnhost/mounttest/{mt.go,mt_utils_linux.go}.
 */
export function* mountTest(args: readonly string[], shell: Shell): Routine<Result> {
  const flags = flagsOf(args);
  const asked = (name: string, look: (path: string) => boolean): boolean => flag(flags, name) === '' || look(flag(flags, name));
  const found = [
    asked('fs_type', (path) => fileSystem(path, shell)),
    ...NEW_FILES.map((mode) => asked(`new_file_${mode}`, (path) => newFile(path, parseInt8(mode), shell))),
    asked('file_mode', (path) => modeOf(path, 'mode', shell)),
    asked('file_perm', (path) => modeOf(path, 'perms', shell)),
    asked('file_owner', (path) => ownerOf(path, shell)),
    asked('file_content', (path) => content(path, shell)),
  ];
  const loop = flag(flags, 'file_content_in_loop');
  if (loop !== '') {
    const seconds = parseInteger(flag(flags, 'retry_time', '180')) ?? 180;
    found.push(yield* contentInLoop(loop, seconds, flag(flags, 'break_on_expected_content', 'true') !== 'false', shell));
  }
  return { code: found.every(Boolean) ? 0 : 1 };
}

const NEW_FILES: readonly string[] = ['0644', '0666', '0660', '0777'];
const INITIAL = 'mount-tester new file\n';

function parseInt8(digits: string): number {
  return parseDigits(digits, 8) ?? 0;
}

function fileSystem(path: string, { process, output }: Shell): boolean {
  const mount = process.files.mountAt(path);
  output(
    `mount type of ${JSON.stringify(path)}: ${mount?.inMemory === true ? 'tmpfs' : mount === undefined ? 'overlayfs' : 'ext2/ext3'}\n`,
  );
  return true;
}

function newFile(path: string, mode: number, shell: Shell): boolean {
  const { process, output } = shell;
  const trouble = process.files.write(path, { type: 'file', content: INITIAL, mode, owner: process.user }, process.user);
  if (trouble === undefined) return content(path, shell);
  output(`error writing new file ${JSON.stringify(path)}: open ${path}: ${trouble.trouble.toLowerCase()}\n`);
  return false;
}

function entryAt(path: string, { process, output }: Shell): FileEntry | undefined {
  const entry = process.files.entry(path);
  if (entry === undefined) output(`error from Stat(${JSON.stringify(path)}): stat ${path}: no such file or directory\n`);
  return entry;
}

function modeOf(path: string, what: 'mode' | 'perms', shell: Shell): boolean {
  const entry = entryAt(path, shell);
  if (entry === undefined) return false;
  const mode = entry.mode ?? (entry.type === 'file' ? 0o644 : 0o755);
  shell.output(`${what} of file ${JSON.stringify(path)}: ${goMode(mode, what === 'mode' && entry.type === 'directory')}\n`);
  return true;
}

const BITS: readonly string[] = ['r', 'w', 'x', 'r', 'w', 'x', 'r', 'w', 'x'];

/** As Go prints a FileMode. Source: io/fs (FileMode.String). */
function goMode(mode: number, isFolder: boolean): string {
  const special = `${isFolder ? 'd' : ''}${isFolder && (mode & 0o1000) !== 0 ? 't' : ''}`;
  const bits = BITS.map((letter, index) => (((mode >> (8 - index)) & 1) === 0 ? '-' : letter)).join('');
  return `${special === '' ? '-' : special}${bits}`;
}

function ownerOf(path: string, shell: Shell): boolean {
  const entry = entryAt(path, shell);
  if (entry === undefined) return false;
  shell.output(`owner UID of ${JSON.stringify(path)}: ${entry.owner ?? 0}\nowner GID of ${JSON.stringify(path)}: ${entry.group ?? 0}\n`);
  return true;
}

function content(path: string, { process, output }: Shell): boolean {
  const read = process.files.read(path, process.user);
  if (typeof read === 'string') output(`content of file ${JSON.stringify(path)}: ${read}\n`);
  else output(`error reading file content for ${JSON.stringify(path)}: open ${path}: ${read.trouble.toLowerCase()}\n`);
  return typeof read === 'string';
}

function* contentInLoop(path: string, seconds: number, breaks: boolean, shell: Shell): Routine<boolean> {
  const { process, output } = shell;
  let isThere = false;
  for (const start = process.now(); process.now() - start < seconds * 1000; yield* process.sleep(2000, true)) {
    const read = process.files.read(path, process.user);
    isThere = typeof read === 'string';
    output(
      typeof read === 'string'
        ? `content of file ${JSON.stringify(path)}: ${read}\n`
        : `Error reading file ${path}: open ${path}: ${read.trouble.toLowerCase()}, retrying\n`,
    );
    if (!breaks || typeof read !== 'string') continue;
    if (read === INITIAL) break;
    output(`Unexpected content. Expected: ${INITIAL}. Retrying\n`);
  }
  return isThere;
}
