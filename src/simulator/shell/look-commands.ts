import { formatInstant } from '../../base/instant.ts';
import { parseInteger } from '../../base/number.ts';
import type { Routine } from '../time/routine.ts';
import type { FileEntry } from '../programs/file-tree.ts';
import type { CommandRun, Result, Shell } from './shell-state.ts';
import { resolvePath } from './shell.ts';
import { bytesOf } from './storing.ts';
import { tar } from './tar.ts';

/** Commands of BusyBox by which somebody looks around in a container. */
export function lookCommands(): readonly (readonly [string, CommandRun])[] {
  return [
    ['ps', processes],
    ['mount', mounts],
    ['df', freeSpace],
    ['ls', list],
    ['head', head],
    ['tail', tail],
    ['wc', count],
    ['grep', grep],
    ['which', which],
    ['uname', kernel],
    ['stat', describe],
    ['tar', tar],
  ];
}

/** The container's own program is the first; who looks is the last. */
function* processes(_args: readonly string[], shell: Shell): Routine<Result> {
  const argv = shell.surroundings.container?.argv ?? shell.process.args;
  const user = shell.process.user === 0 ? 'root' : String(shell.process.user);
  shell.output('PID   USER     TIME  COMMAND\n');
  for (const [pid, command] of [
    [1, argv.join(' ')],
    [14, 'ps'],
  ] as const)
    shell.output(`${String(pid).padStart(5)} ${user.padEnd(8)}  0:00 ${command}\n`);
  return { code: 0 };
}

function* mounts(args: readonly string[], shell: Shell): Routine<Result> {
  const [flag, wanted] = args;
  const lines = mountLines(shell).filter((line) => flag !== '-t' || line.split(' ')[4] === wanted);
  shell.output(lines.map((line) => `${line}\n`).join(''));
  return { code: 0 };
}

function mountLines(shell: Shell): readonly string[] {
  const lines = [
    'overlay on / type overlay (rw,relatime)',
    'proc on /proc type proc (rw,nosuid,nodev,noexec,relatime)',
    'cgroup on /sys/fs/cgroup type cgroup2 (ro,nosuid,nodev,noexec,relatime)',
  ];
  for (const { path, source = '', readOnly } of shell.surroundings.container?.mounts ?? []) {
    // The kubelet keeps what is secret in memory.
    const [device, type] = /secret|projected|serviceaccount/.test(`${source}${path}`) ? ['tmpfs', 'tmpfs'] : ['/dev/vda1', 'ext4'];
    lines.push(`${device} on ${path} type ${type} (${readOnly ? 'ro' : 'rw'},relatime)`);
  }
  return lines;
}

function* freeSpace(_args: readonly string[], shell: Shell): Routine<Result> {
  shell.output('Filesystem           1K-blocks      Used Available Use% Mounted on\n');
  for (const path of ['/', ...(shell.surroundings.container?.mounts ?? []).map((mount) => mount.path)])
    shell.output(
      `${(path === '/' ? 'overlay' : '/dev/vda1').padEnd(20)} ${'102687672'.padStart(9)} ${'20537534'.padStart(9)} ${'82150138'.padStart(9)}  20% ${path}\n`,
    );
  return { code: 0 };
}

function* list(args: readonly string[], shell: Shell): Routine<Result> {
  const flags = args.filter((arg) => arg.startsWith('-')).join('');
  const paths = args.filter((arg) => !arg.startsWith('-'));
  let code = 0;
  for (const path of paths.length === 0 ? ['.'] : paths) {
    const full = resolvePath(shell, path);
    const entry = shell.process.files.entry(full);
    if (entry === undefined) {
      shell.errors(`ls: ${path}: No such file or directory\n`);
      code = 1;
      continue;
    }
    const names =
      entry.type === 'directory' && !flags.includes('d')
        ? shell.process.files.list(full).filter((name) => flags.includes('a') || flags.includes('A') || !name.startsWith('.'))
        : [path];
    for (const name of names)
      shell.output(
        flags.includes('l')
          ? `${longLine(name, shell.process.files.entry(name === path ? full : `${full === '/' ? '' : full}/${name}`), shell)}\n`
          : `${name}\n`,
      );
  }
  return { code };
}

function longLine(name: string, entry: FileEntry | undefined, shell: Shell): string {
  const type = entry?.type ?? 'directory';
  const directory = type === 'directory';
  const mode = entry?.mode ?? (directory ? 0o755 : 0o644);
  const owner = (entry?.owner ?? 0) === 0 ? 'root' : String(entry?.owner);
  const size = entry?.type === 'file' ? new TextEncoder().encode(entry.content).length : directory ? 4096 : 0;
  const kind = TYPE_LETTERS[type];
  return `${kind}${letters(mode)} ${directory ? '   2' : '   1'} ${owner.padEnd(8)} ${owner.padEnd(8)} ${String(size).padStart(9)} ${dayOf(shell)} ${name}`;
}

const TYPE_LETTERS: Readonly<Record<FileEntry['type'], string>> = { directory: 'd', socket: 's', character: 'c', block: 'b', file: '-' };

function dayOf(shell: Shell): string {
  const day = formatInstant(shell.process.clock());
  return `${MONTHS[(parseInteger(day.slice(5, 7)) ?? 0) - 1] ?? ''} ${day.slice(8, 10)} ${day.slice(11, 16)}`;
}

function letters(mode: number): string {
  return [6, 3, 0]
    .map((shift) => `${(mode >> shift) & 4 ? 'r' : '-'}${(mode >> shift) & 2 ? 'w' : '-'}${(mode >> shift) & 1 ? 'x' : '-'}`)
    .join('');
}

const MONTHS: readonly string[] = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function* head(args: readonly string[], shell: Shell): Routine<Result> {
  const count = args[args.indexOf('-c') + 1];
  if (args.includes('-c') && args.some((arg) => arg.startsWith('/dev/'))) {
    shell.output('', bytesOf(count ?? '') ?? 0);
    return { code: 0 };
  }
  return eachText('head', args, shell, (lines, amount) => lines.slice(0, amount));
}

function* tail(args: readonly string[], shell: Shell, last: boolean): Routine<Result> {
  if (args.includes('/dev/zero')) return yield* hoard(shell, last);
  const result = eachText('tail', args, shell, (lines, amount) => lines.slice(Math.max(0, lines.length - amount)));
  if (result.code === 0 && args.some((arg) => /^-[fF]/.test(arg))) for (;;) yield* shell.process.idle(0);
  return result;
}

/** Whoever looks for the end of a line where there is none holds all of it, until it is killed. */
function* hoard(shell: Shell, last: boolean): Routine<Result> {
  for (let bytes = 64 * MEBIBYTE; bytes <= 65_536 * MEBIBYTE; bytes *= 2) {
    yield* shell.process.sleep((bytes / (1000 * MEBIBYTE)) * 1000);
    if (last && shell.surroundings.main) shell.process.useMemory(bytes);
  }
  return { code: 137 };
}

const MEBIBYTE = 1_048_576;

/** `-n 5`, `-n5` or `-5`; ten lines without it. */
function eachText(
  program: string,
  args: readonly string[],
  shell: Shell,
  cut: (lines: readonly string[], amount: number) => readonly string[],
): Result {
  const at = args.findIndex((arg) => arg === '-n');
  const amount = parseInteger(at >= 0 ? args[at + 1] : args.map((arg) => /^-n?(\d+)$/.exec(arg)?.[1]).find((found) => found !== undefined));
  const paths = args.filter((arg, index) => !arg.startsWith('-') && !(at >= 0 && index === at + 1));
  let code = 0;
  for (const text of paths.length === 0 ? [shell.input] : paths.map((path) => textAt(program, path, shell))) {
    if (text === undefined) code = 1;
    else for (const line of cut(linesOf(text), amount ?? 10)) shell.output(`${line}\n`);
  }
  return { code };
}

function* count(args: readonly string[], shell: Shell): Routine<Result> {
  const flags = args.filter((arg) => arg.startsWith('-')).join('');
  const paths = args.filter((arg) => !arg.startsWith('-'));
  let code = 0;
  for (const path of paths.length === 0 ? [undefined] : paths) {
    const text = path === undefined ? shell.input : textAt('wc', path, shell);
    if (text === undefined) {
      code = 1;
      continue;
    }
    const counts = {
      l: text.split('\n').length - 1,
      w: text.split(/\s+/).filter((word) => word !== '').length,
      c: new TextEncoder().encode(text).length,
    };
    const wanted = (['l', 'w', 'c'] as const).filter((flag) => flags === '' || flags.includes(flag));
    shell.output(
      `${wanted.map((flag) => (wanted.length === 1 ? String(counts[flag]) : String(counts[flag]).padStart(9))).join(' ')}${path === undefined ? '' : ` ${path}`}\n`,
    );
  }
  return { code };
}

/** Words are sought as they are; of patterns only `^` at the beginning and `$` at the end are known. */
function* grep(args: readonly string[], shell: Shell): Routine<Result> {
  const flags = args.filter((arg) => arg.startsWith('-')).join('');
  const [pattern = '', ...paths] = args.filter((arg) => !arg.startsWith('-'));
  const folded = (word: string): string => (flags.includes('i') ? word.toLowerCase() : word);
  const has = matcher(folded(pattern));
  let found = 0;
  for (const path of paths.length === 0 ? [undefined] : paths) {
    const text = path === undefined ? shell.input : textAt('grep', path, shell);
    const file = paths.length > 1 ? `${path ?? ''}:` : '';
    for (const [index, line] of linesOf(text ?? '').entries()) {
      if (has(folded(line)) === flags.includes('v')) continue;
      found++;
      const number = flags.includes('n') ? `${index + 1}:` : '';
      if (!/[qc]/.test(flags)) shell.output(`${file}${number}${line}\n`);
    }
  }
  if (flags.includes('c')) shell.output(`${found}\n`);
  return { code: found > 0 ? 0 : 1 };
}

function matcher(pattern: string): (line: string) => boolean {
  const [begins, ends] = [pattern.startsWith('^'), pattern.endsWith('$')];
  const wanted = pattern.slice(begins ? 1 : 0, ends ? -1 : undefined);
  if (begins && ends) return (line) => line === wanted;
  return begins ? (line) => line.startsWith(wanted) : ends ? (line) => line.endsWith(wanted) : (line) => line.includes(wanted);
}

function* which(args: readonly string[], shell: Shell): Routine<Result> {
  const { programs } = shell.surroundings;
  const found = args.filter((arg) => !arg.startsWith('-') && programs?.includes(arg) === true);
  for (const name of found) shell.output(`/usr/bin/${name}\n`);
  return { code: found.length === args.length ? 0 : 1 };
}

function* kernel(args: readonly string[], shell: Shell): Routine<Result> {
  shell.output(
    args.some((arg) => arg.includes('a'))
      ? `Linux ${shell.process.hostname} 6.8.0 #1 SMP x86_64 Linux\n`
      : args.includes('-n')
        ? `${shell.process.hostname}\n`
        : 'Linux\n',
  );
  return { code: 0 };
}

function* describe(args: readonly string[], shell: Shell): Routine<Result> {
  let code = 0;
  for (const path of args.filter((arg) => !arg.startsWith('-'))) {
    const entry = shell.process.files.entry(resolvePath(shell, path));
    if (entry === undefined) {
      shell.errors(`stat: can't stat '${path}': No such file or directory\n`);
      code = 1;
    } else {
      const mode = entry.mode ?? (entry.type === 'directory' ? 0o755 : 0o644);
      shell.output(
        `  File: ${path}\n  Size: ${entry.type === 'file' ? entry.content.length : 4096}\t${entry.type === 'file' ? 'regular file' : entry.type}\nAccess: (0${mode.toString(8)}/${entry.type === 'directory' ? 'd' : '-'}${letters(mode)})  Uid: (${entry.owner ?? 0})\n`,
      );
    }
  }
  return { code };
}

function textAt(program: string, path: string, shell: Shell): string | undefined {
  if (path === '/dev/null') return '';
  const read = shell.process.files.read(resolvePath(shell, path), shell.process.user);
  if (typeof read === 'string') return read;
  shell.errors(`${program}: ${path}: ${read.trouble}\n`);
  return undefined;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
