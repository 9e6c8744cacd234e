import { parseInteger } from '../../base/number.ts';
import type { Routine } from '../time/routine.ts';
import type { CommandRun, Result, Shell } from './shell-state.ts';
import { resolvePath } from './shell.ts';

/** Commands that write text: their own, a file's, or what they are given. */
export function textCommands(): readonly (readonly [string, CommandRun])[] {
  return [
    ['echo', echo],
    ['printf', printf],
    ['cat', cat],
    ['env', showEnvironment],
    ['tee', pass],
    ['sort', pass],
    ['seq', sequence],
    ['expr', expression],
    ['awk', fields],
  ];
}

function* echo(args: readonly string[], shell: Shell): Routine<Result> {
  const plain = args[0] === '-n' || args[0] === '-e' ? args.slice(1) : args;
  shell.output(plain.join(' ').replaceAll('\\n', args[0] === '-e' ? '\n' : '\\n') + (args[0] === '-n' ? '' : '\n'));
  return { code: 0 };
}

function* printf(args: readonly string[], shell: Shell): Routine<Result> {
  const [format = '', ...rest] = args;
  let next = 0;
  const text = format.replace(/\\([nrt\\"])|%[-0-9]*([sdi%])/g, (_whole, escaped: string | undefined, kind: string | undefined) => {
    if (escaped !== undefined) return { n: '\n', r: '\r', t: '\t' }[escaped] ?? escaped;
    return kind === '%' ? '%' : (rest[next++] ?? (kind === 's' ? '' : '0'));
  });
  shell.output(text);
  return { code: 0 };
}

function* cat(args: readonly string[], shell: Shell): Routine<Result> {
  const paths = args.filter((arg) => !arg.startsWith('-'));
  if (paths.length === 0) shell.output(shell.input);
  let code = 0;
  for (const path of paths) {
    const read = path === '/dev/null' ? '' : shell.process.files.read(resolvePath(shell, path), shell.process.user);
    if (typeof read === 'string') shell.output(read);
    else {
      shell.errors(
        read.trouble === 'Is a directory' ? 'cat: read error: Is a directory\n' : `cat: can't open '${path}': ${read.trouble}\n`,
      );
      code = 1;
    }
  }
  return { code };
}

function* showEnvironment(_args: readonly string[], shell: Shell): Routine<Result> {
  for (const [name, value] of shell.variables) shell.output(`${name}=${value}\n`);
  return { code: 0 };
}

/** `awk '{print $1}'`, and `$NF` for the last one: the fields of each line. Other programs of it print nothing. */
function* fields(args: readonly string[], shell: Shell): Routine<Result> {
  const [, wanted] = /^\s*\{\s*print\s+((?:\$(?:\d+|NF)[\s,]*)+)\}\s*$/.exec(args[0] ?? '') ?? [];
  if (wanted === undefined) return { code: 0 };
  const places = wanted.match(/\d+|NF/g) ?? [];
  for (const line of shell.input.replace(/\n$/, '').split('\n')) {
    const words = line.trim().split(/\s+/);
    const field = (place: string): string =>
      (place === '0' ? line : place === 'NF' ? words.at(-1) : words[(parseInteger(place) ?? 1) - 1]) ?? '';
    shell.output(`${places.map(field).join(' ')}\n`);
  }
  return { code: 0 };
}

/** `seq 3`, `seq 2 5`, `seq 0 2 10`: no longer a list than anybody reads. */
function* sequence(args: readonly string[], shell: Shell): Routine<Result> {
  const numbers = args.map((arg) => parseInteger(arg) ?? 1);
  const [first, step, last] =
    numbers.length >= 3
      ? [numbers[0] ?? 1, numbers[1] ?? 1, numbers[2] ?? 0]
      : numbers.length === 2
        ? [numbers[0] ?? 1, 1, numbers[1] ?? 0]
        : [1, 1, numbers[0] ?? 0];
  if (step === 0) return { code: 1 };
  const count = Math.min(MOST_NUMBERS, Math.max(0, Math.floor((last - first) / step) + 1));
  shell.output(Array.from({ length: count }, (_, index) => `${first + index * step}\n`).join(''));
  return { code: 0 };
}

/** `expr 5 % 2`: two numbers; the exit code says whether the result is something. Source: busybox coreutils/expr.c. */
function* expression([left = '', operator = '', right = '']: readonly string[], shell: Shell): Routine<Result> {
  const [a, b] = [parseInteger(left), parseInteger(right)];
  if (a === undefined || b === undefined || (b === 0 && ['/', '%'].includes(operator))) {
    shell.errors(`expr: ${b === 0 ? 'division by zero' : 'non-numeric argument'}\n`);
    return { code: 2 };
  }
  const value = {
    '+': a + b,
    '-': a - b,
    '*': a * b,
    '/': Math.trunc(a / b),
    '%': a % b,
    '=': a === b ? 1 : 0,
    '<': a < b ? 1 : 0,
    '>': a > b ? 1 : 0,
  }[operator];
  if (value === undefined) {
    shell.errors('expr: syntax error\n');
    return { code: 2 };
  }
  shell.output(`${value}\n`);
  return { code: value === 0 ? 1 : 0 };
}

const MOST_NUMBERS = 100_000;

function* pass(_args: readonly string[], shell: Shell): Routine<Result> {
  shell.output(shell.input);
  return { code: 0 };
}
