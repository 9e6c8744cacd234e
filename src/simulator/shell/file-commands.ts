import { parseDigits, parseInteger } from '../../base/number.ts';
import type { Routine } from '../time/routine.ts';
import type { CommandRun, Result, Shell } from './shell-state.ts';
import { resolvePath } from './shell.ts';
import { bytesOf, sizeOf, store } from './storing.ts';

/** Commands of BusyBox that write, copy and take away files. Sizes count, contents of devices do not. */
export function fileCommands(): readonly (readonly [string, CommandRun])[] {
  return [
    ['dd', copyBlocks],
    ['fallocate', allocate],
    ['rm', remove],
    ['cp', copy],
    ['mv', move],
    ['chown', changeOwner],
    ['chmod', changeMode],
  ];
}

const BYTES_PER_MILLISECOND = 500_000;

function* copyBlocks(args: readonly string[], shell: Shell): Routine<Result> {
  const given = new Map(args.map((arg): [string, string] => [arg.split('=')[0] ?? '', arg.slice(arg.indexOf('=') + 1)]));
  const [from, to] = [given.get('if'), given.get('of')];
  const size = from === undefined || from.startsWith('/dev/') ? ENDLESS : sizeOfFile(from, shell);
  if (size === undefined) {
    shell.errors(`dd: can't open '${from ?? ''}': No such file or directory\n`);
    return { code: 1 };
  }
  const [block, count] = [bytesOf(given.get('bs') ?? '512') ?? 512, given.get('count')];
  const bytes = count === undefined ? size : block * (parseInteger(count) ?? 0);
  yield* shell.process.sleep(Math.ceil(Math.min(bytes, ENDLESS) / BYTES_PER_MILLISECOND));
  const trouble =
    to === undefined || to.startsWith('/dev/')
      ? undefined
      : store(shell, resolvePath(shell, to), { type: 'file', content: '', size: bytes, owner: shell.process.user });
  if (trouble !== undefined) {
    shell.errors(`dd: can't open '${to ?? ''}': ${trouble}\n`);
    return { code: 1 };
  }
  shell.errors(`${Math.floor(bytes / block)}+0 records in\n${Math.floor(bytes / block)}+0 records out\n`);
  return { code: 0 };
}

function sizeOfFile(path: string, shell: Shell): number | undefined {
  const entry = shell.process.files.entry(resolvePath(shell, path));
  return entry === undefined ? undefined : sizeOf(entry);
}

/** What a device without an end fills before anybody stops it. */
const ENDLESS = 100 * 1_073_741_824;

function* allocate(args: readonly string[], shell: Shell): Routine<Result> {
  const path = args.at(-1) ?? '';
  const trouble = store(shell, resolvePath(shell, path), {
    type: 'file',
    content: '',
    size: bytesOf(args[args.indexOf('-l') + 1] ?? '') ?? 0,
    owner: shell.process.user,
  });
  if (trouble === undefined) return { code: 0 };
  shell.errors(`fallocate: can't open '${path}': ${trouble}\n`);
  return { code: 1 };
}

/** Only root gives files away. What is not known of an image is taken to be there. */
function* changeOwner(args: readonly string[], shell: Shell): Routine<Result> {
  const { user } = shell.process;
  const paths = user === 0 ? [] : operandsOf(args).slice(1);
  for (const path of paths) shell.errors(`chown: ${path}: Operation not permitted\n`);
  return { code: paths.length > 0 ? 1 : 0 };
}

function* changeMode(args: readonly string[], shell: Shell): Routine<Result> {
  const { files, user } = shell.process;
  const [mode = '', ...paths] = operandsOf(args);
  let code = 0;
  for (const path of paths) {
    const full = resolvePath(shell, path);
    const entry = files.entry(full);
    if (entry === undefined) continue;
    const isOwn = user === 0 || (entry.owner ?? user) === user;
    const trouble = isOwn
      ? files.write(full, { ...entry, mode: newMode(mode, entry.mode ?? (entry.type === 'directory' ? 0o755 : 0o644)) })?.trouble
      : 'Operation not permitted';
    if (trouble === undefined) continue;
    shell.errors(`chmod: ${path}: ${trouble}\n`);
    code = 1;
  }
  return { code };
}

function operandsOf(args: readonly string[]): readonly string[] {
  return args.filter((arg) => !/^-[A-Zfcv]+$/.test(arg));
}

/** `755`, `+x`, `u+x,go-w`. */
function newMode(text: string, mode: number): number {
  const given = parseDigits(text, 8);
  if (given !== undefined) return given;
  let result = mode;
  for (const part of text.split(',')) {
    const [, who = '', sign = '', rights = ''] = /^([ugoa]*)([-+=])([rwxX]*)$/.exec(part) ?? [];
    const bits = rights.split('').reduce((sum, right) => sum | (RIGHTS[right] ?? 0), 0);
    const whose = who === '' || who.includes('a') ? 'ugo' : who;
    for (const each of whose) {
      const shift = SHIFTS[each] ?? 0;
      if (sign === '=') result &= ~(7 << shift);
      result = sign === '-' ? result & ~(bits << shift) : result | (bits << shift);
    }
  }
  return result;
}

const RIGHTS: Readonly<Record<string, number>> = { r: 4, w: 2, x: 1, X: 1 };
const SHIFTS: Readonly<Record<string, number>> = { u: 6, g: 3, o: 0 };

function* remove(args: readonly string[], shell: Shell): Routine<Result> {
  const flags = args.filter((arg) => arg.startsWith('-')).join('');
  let code = 0;
  for (const path of args.filter((arg) => !arg.startsWith('-'))) {
    const full = resolvePath(shell, path);
    const entry = shell.process.files.entry(full);
    const trouble =
      entry === undefined
        ? 'No such file or directory'
        : entry.type === 'directory' && !/[rR]/.test(flags)
          ? 'Is a directory'
          : shell.process.files.remove(full)?.trouble;
    if (trouble === undefined || (trouble === 'No such file or directory' && flags.includes('f'))) continue;
    shell.errors(trouble === 'Is a directory' ? `rm: '${path}' is a directory\n` : `rm: can't remove '${path}': ${trouble}\n`);
    code = 1;
  }
  shell.process.useDisk(shell.process.files.written());
  return { code };
}

function* copy(args: readonly string[], shell: Shell): Routine<Result> {
  const paths = args.filter((arg) => !arg.startsWith('-'));
  const to = paths.at(-1) ?? '';
  let code = 0;
  for (const from of paths.slice(0, -1)) if (!transfer(from, to, 'cp', shell)) code = 1;
  return { code };
}

function* move(args: readonly string[], shell: Shell): Routine<Result> {
  const paths = args.filter((arg) => !arg.startsWith('-'));
  const to = paths.at(-1) ?? '';
  let code = 0;
  for (const from of paths.slice(0, -1)) {
    if (transfer(from, to, 'mv', shell)) shell.process.files.remove(resolvePath(shell, from));
    else code = 1;
  }
  return { code };
}

function transfer(from: string, to: string, program: string, shell: Shell): boolean {
  const entry = shell.process.files.entry(resolvePath(shell, from));
  if (entry === undefined) {
    shell.errors(
      program === 'cp'
        ? `cp: can't stat '${from}': No such file or directory\n`
        : `mv: can't rename '${from}': No such file or directory\n`,
    );
    return false;
  }
  const folder = shell.process.files.entry(resolvePath(shell, to))?.type === 'directory';
  const target = folder ? `${to}/${from.split('/').at(-1) ?? ''}` : to;
  const trouble = store(shell, resolvePath(shell, target), entry);
  if (trouble !== undefined) shell.errors(`${program}: can't create '${target}': ${trouble}\n`);
  return trouble === undefined;
}
