import { parseInteger } from '../../base/number.ts';
import type { Routine } from '../time/routine.ts';
import type { Result, Shell } from './shell-state.ts';
import { resolvePath } from './shell.ts';

/** `test` and `[`: whether two words compare, or a file is of a kind. */
export function* test(args: readonly string[], shell: Shell): Routine<Result> {
  const words = [']', ']]'].includes(args.at(-1) ?? '') ? args.slice(0, -1) : args;
  const verdict = tested(words, shell);
  return { code: verdict === undefined ? 2 : verdict ? 0 : 1 };
}

function tested(words: readonly string[], shell: Shell): boolean | undefined {
  const or = words.indexOf('-o');
  if (or > 0) return tested(words.slice(0, or), shell) === true || tested(words.slice(or + 1), shell) === true;
  const and = words.indexOf('-a');
  if (and > 0) return tested(words.slice(0, and), shell) === true && tested(words.slice(and + 1), shell) === true;
  if (words[0] === '!') {
    const inner = tested(words.slice(1), shell);
    return inner === undefined ? undefined : !inner;
  }
  const [left = '', operator = '', right = ''] = words;
  if (words.length <= 1) return left !== '';
  return words.length === 2 ? testedFile(left, operator, shell) : compared(left, operator, right, shell);
}

function compared(left: string, operator: string, right: string, shell: Shell): boolean | undefined {
  if (operator === '=' || operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  const a = wholeNumber(left, shell);
  const b = a === undefined ? undefined : wholeNumber(right, shell);
  if (a === undefined || b === undefined) return undefined;
  return { '-eq': a === b, '-ne': a !== b, '-gt': a > b, '-ge': a >= b, '-lt': a < b, '-le': a <= b }[operator];
}

function testedFile(flag: string, value: string, shell: Shell): boolean | undefined {
  if (flag === '-z') return value === '';
  if (flag === '-n') return value !== '';
  const entry = shell.process.files.entry(resolvePath(shell, value));
  switch (flag) {
    case '-e':
      return entry !== undefined;
    case '-f':
      return entry?.type === 'file';
    case '-d':
      return entry?.type === 'directory';
    case '-S':
      return entry?.type === 'socket';
    case '-s':
      return entry?.type === 'file' && entry.content !== '';
    case '-r':
      return entry?.type === 'directory' || typeof shell.process.files.read(resolvePath(shell, value), shell.process.user) === 'string';
    case '-w':
      return entry !== undefined;
    case '-x':
      return entry?.type === 'file' && isExecutable(value, shell);
    default:
      return undefined;
  }
}

function wholeNumber(text: string, shell: Shell): number | undefined {
  const number = parseInteger(text);
  if (number !== undefined) return number;
  shell.errors(`sh: ${text}: bad number\n`);
  return undefined;
}

export function isExecutable(word: string, shell: Shell): boolean {
  const entry = shell.process.files.entry(resolvePath(shell, word));
  return entry === undefined || ((entry.mode ?? 0o644) & 0o111) !== 0;
}
