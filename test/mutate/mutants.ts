import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Prng } from '../../src/base/prng.ts';
import type { Mutation } from './mutations.ts';
import { mutationsOf } from './mutations.ts';
import { typescriptBelow } from './related-tests.ts';

export interface Mutant extends Mutation {
  readonly file: string;
}

export interface Mutants {
  readonly all: number;
  /** Each comes as likely first as any other. */
  readonly mutants: Iterable<Mutant>;
}

/** All mutants of the sources in `paths` (folders or files), in an order that the seed chooses; in that of their places without one. */
export function mutantsOf(root: string, paths: readonly string[], seed: string | undefined): Mutants {
  const files = paths.flatMap((path) => (path.endsWith('.ts') ? [path] : typescriptBelow(root, path)));
  const all = files.flatMap((file) => mutationsOf(file, readFileSync(join(root, file), 'utf8')).map((mutation) => ({ ...mutation, file })));
  return { all: all.length, mutants: seed === undefined ? all : shuffled(all, new Prng(seed)) };
}

function* shuffled(all: readonly Mutant[], prng: Prng): Generator<Mutant> {
  const left = [...all];
  while (left.length > 0) yield* left.splice(prng.below(left.length), 1);
}
