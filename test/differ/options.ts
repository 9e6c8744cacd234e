import { parseInteger } from '../../src/base/number.ts';
import type { ComparedKind } from './kinds.ts';

export interface DifferOptions {
  /** Of a run, or of one sequence of it (`7/123`). */
  readonly seed: string;
  /** Operations, at least. */
  readonly count: number;
  readonly kinds: readonly ComparedKind[];
  readonly workers: number;
  /** How many mechanisms are shown, the most frequent first. */
  readonly show: number;
  readonly shrinks: boolean;
  /** Every value of every field instead of sequences from a seed. */
  readonly each: boolean;
}

const USAGE =
  'npm run differ -- [--seed N | --seed N/SEQUENCE] [--count OPERATIONS] [--kinds KIND,…] [--workers N] [--show N] [--no-shrink] [--each]';

/** The options, or what is wrong with them. */
export function readOptions(words: readonly string[], all: readonly ComparedKind[]): DifferOptions | string {
  const given = new Map<string, string>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (FLAGS.includes(word)) given.set(word, '');
    else if (NUMBERS.includes(word) || word === '--seed' || word === '--kinds') given.set(word, words[++index] ?? '');
    else return `${word} is not an option: ${USAGE}`;
  }
  const numbers = NUMBERS.map((name) => [name, parseInteger(given.get(name) ?? DEFAULTS[name])] as const);
  const wrong = numbers.find(([, value]) => value === undefined || value < 0);
  if (wrong !== undefined) return `${wrong[0]}: not a whole number: ${USAGE}`;
  const seed = given.get('--seed') ?? '1';
  if (!/^\d+(?:\/\d+)?$/.test(seed)) return `--seed: neither a number nor NUMBER/SEQUENCE: ${USAGE}`;
  const names = given.get('--kinds')?.split(',');
  const unknown = names?.find((name) => all.every(({ kind }) => kind !== name));
  if (unknown !== undefined)
    return `--kinds: there is no kind ${unknown}; one or more of: ${[...new Set(all.map(({ kind }) => kind))].join(', ')}`;
  const value = (name: string): number => numbers.find(([other]) => other === name)?.[1] ?? 0;
  return {
    seed,
    count: value('--count'),
    kinds: names === undefined ? all : all.filter(({ kind }) => names.includes(kind)),
    workers: Math.max(1, value('--workers')),
    show: value('--show'),
    shrinks: !FLAGS.some((flag) => given.has(flag)),
    each: given.has('--each'),
  };
}

const FLAGS: readonly string[] = ['--no-shrink', '--each'];
const NUMBERS: readonly string[] = ['--count', '--workers', '--show'];
const DEFAULTS: Readonly<Record<string, string>> = { '--count': '1000', '--workers': '12', '--show': '25' };
