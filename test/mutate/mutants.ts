import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Prng } from '../../src/base/prng.ts';
import type { Mutation } from './mutations.ts';
import { mutationsOf } from './mutations.ts';
import { typescriptBelow } from './related-tests.ts';

export interface Mutant extends Mutation {
  readonly file: string;
}

export interface Chosen {
  readonly all: number;
  readonly mutants: readonly Mutant[];
}

/** So many mutants of the sources in `paths` (folders or files), each as likely as any other; all without a count. */
export function mutantsOf(root: string, paths: readonly string[], count: number | undefined, seed: string): Chosen {
  const files = paths.flatMap((path) => (path.endsWith('.ts') ? [path] : typescriptBelow(root, path)));
  const all = files.flatMap((file) => mutationsOf(file, readFileSync(join(root, file), 'utf8')).map((mutation) => ({ ...mutation, file })));
  if (count === undefined || count >= all.length) return { all: all.length, mutants: all };
  const prng = new Prng(seed);
  const left = all.map((_, index) => index);
  const taken = Array.from({ length: count }, () => left.splice(prng.below(left.length), 1)[0] ?? 0);
  return { all: all.length, mutants: taken.toSorted((a, b) => a - b).flatMap((index) => all[index] ?? []) };
}
