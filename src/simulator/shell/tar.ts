import { append } from '../../base/lists.ts';
import { parseDigits } from '../../base/number.ts';
import { repeated } from '../../base/text.ts';
import type { Routine } from '../time/routine.ts';
import type { FileEntry } from '../programs/file-tree.ts';
import type { Result, Shell } from './shell-state.ts';
import { resolvePath } from './shell.ts';

/**
 * `tar cf - PATH…` and `tar xf - -C FOLDER`, as far as `kubectl cp` needs them: files of text, to and from the streams. Source: POSIX
 * ustar.
 */
export function* tar(args: readonly string[], shell: Shell): Routine<Result> {
  const flags = args.filter((arg, index) => index === 0 || /^-[a-z]+$/.test(arg)).join('');
  const at = args.indexOf('-C');
  const folder = at < 0 ? shell.state.folder : resolvePath(shell, args[at + 1] ?? '.');
  const inside: Shell = { ...shell, state: { ...shell.state, folder } };
  if (flags.includes('x')) return extract(inside);
  if (!flags.includes('c')) {
    shell.errors('tar: must specify one -c, -x, -t\n');
    return { code: 1 };
  }
  const paths = args.filter((arg, index) => index > 0 && !arg.startsWith('-') && index !== at + 1);
  return create(paths, inside);
}

function create(paths: readonly string[], shell: Shell): Result {
  let code = 0;
  for (const path of paths) {
    const full = resolvePath(shell, path);
    if (shell.process.files.entry(full) === undefined) {
      shell.errors(`tar: ${path}: No such file or directory\n`);
      code = 1;
    } else for (const [name, entry] of below(full, shell)) shell.output(member(name.replace(/^\/+/, ''), entry, shell));
  }
  shell.output(repeated('\0', BLOCK * 2));
  return { code };
}

/** The entry and, of a directory, all that lies in it. */
function* below(path: string, shell: Shell): Generator<readonly [string, FileEntry]> {
  const { files } = shell.process;
  const waiting = [path];
  for (let count = 0; count < MAX_MEMBERS; count++) {
    const next = waiting.shift();
    if (next === undefined) return;
    const entry = files.entry(next);
    if (entry === undefined) continue;
    yield [next, entry];
    if (entry.type === 'directory')
      append(
        waiting,
        files.list(next).map((name) => `${next === '/' ? '' : next}/${name}`),
      );
  }
}

function member(name: string, entry: FileEntry, shell: Shell): string {
  const content = entry.type === 'file' ? entry.content : '';
  const size = new TextEncoder().encode(content).length;
  const directory = entry.type === 'directory';
  const field = (text: string, length: number): string => text.slice(0, length).padEnd(length, '\0');
  const octal = (amount: number, length: number): string => `${amount.toString(8).padStart(length - 1, '0')}\0`;
  const begin =
    field(directory ? `${name}/` : name, 100) +
    octal(entry.mode ?? (directory ? 0o755 : 0o644), 8) +
    octal(entry.owner ?? 0, 8) +
    octal(0, 8) +
    octal(size, 12) +
    octal(Math.floor(shell.process.clock() / 1000), 12);
  const end =
    `${directory ? '5' : '0'}${field('', 100)}${MAGIC}${field('root', 32)}${field('root', 32)}${octal(0, 8)}${octal(0, 8)}`.padEnd(
      BLOCK - 156,
      '\0',
    );
  let checksum = 0;
  for (const byte of new TextEncoder().encode(`${begin}        ${end}`)) checksum += byte;
  return `${begin}${checksum.toString(8).padStart(6, '0')}\0 ${end}${content}${repeated('\0', (BLOCK - (size % BLOCK)) % BLOCK)}`;
}

function extract(shell: Shell): Result {
  const bytes = new TextEncoder().encode(shell.input);
  const textAt = (from: number, length: number): string =>
    (new TextDecoder().decode(bytes.subarray(from, from + length)).split('\0')[0] ?? '').trim();
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const name = textAt(at, 100);
    if (name === '') break;
    const size = parseDigits(textAt(at + 124, 12), 8);
    if (size === undefined) {
      shell.errors('tar: invalid tar header checksum\n');
      return { code: 1 };
    }
    const directory = textAt(at + 156, 1) === '5';
    const content = new TextDecoder().decode(bytes.subarray(at + BLOCK, at + BLOCK + size));
    const owner = shell.process.user;
    const trouble = shell.process.files.write(
      resolvePath(shell, name),
      directory ? { type: 'directory', owner } : { type: 'file', content, owner },
      shell.process.user,
    );
    if (trouble !== undefined) {
      shell.errors(`tar: can't open '${name}': ${trouble.trouble}\n`);
      return { code: 1 };
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return { code: 0 };
}

/** `ustar`, a zero byte, and the version. */
const MAGIC = 'ustar\u000000';
const BLOCK = 512;
const MAX_MEMBERS = 10_000;
