import type { Difference } from './compare.ts';
import type { Reasons } from './known.ts';
import type { Played } from './play.ts';
import type { Sequence } from './operation.ts';

/** A way in which the two clusters differ, however often it showed. */
export interface Mechanism {
  readonly name: string;
  readonly about: Difference['about'];
  readonly because: string | undefined;
  /** Sequences that showed it. */
  count: number;
  /** Answers and fields that differ for it. */
  times: number;
  /** The first one that did, as far as it takes, and what was said there. */
  readonly first: Sequence;
  readonly real: string;
  readonly simulated: string;
}

/** What a whole run comes to. */
export interface Tally {
  operations: number;
  answersEqual: number;
  fields: number;
  fieldsEqual: number;
  /** Accepted by one and refused by the other, and nobody has given a reason. */
  acceptedDifferently: number;
  /** Sequences whose difference was gone when they were played again. */
  passing: number;
  /** Sequences that were played again because a connection broke. */
  broken: number;
  /** Sequences that broke it each time. */
  readonly leftOut: { readonly seed: string; readonly because: string }[];
  readonly mechanisms: Map<string, Mechanism>;
}

export function emptyTally(): Tally {
  return {
    operations: 0,
    answersEqual: 0,
    fields: 0,
    fieldsEqual: 0,
    acceptedDifferently: 0,
    passing: 0,
    broken: 0,
    leftOut: [],
    mechanisms: new Map(),
  };
}

/** Adds a played sequence. */
export function count(tally: Tally, sequence: Sequence, played: readonly Played[], reasons: Reasons): void {
  const seen = new Set<string>();
  for (const [index, { differences, fields, fieldsEqual }] of played.entries()) {
    tally.operations += 1;
    tally.fields += fields;
    tally.fieldsEqual += fieldsEqual;
    if (differences.every(({ about }) => about === 'field')) tally.answersEqual += 1;
    for (const difference of differences) {
      if (difference.about === 'accepted' && reasons(difference.mechanism) === undefined) tally.acceptedDifferently += 1;
      const known = tally.mechanisms.get(difference.mechanism);
      if (known !== undefined) known.times += 1;
      if (seen.has(difference.mechanism)) continue;
      seen.add(difference.mechanism);
      if (known !== undefined) known.count += 1;
      else
        tally.mechanisms.set(difference.mechanism, {
          name: difference.mechanism,
          about: difference.about,
          because: reasons(difference.mechanism),
          count: 1,
          times: 1,
          first: { ...sequence, operations: sequence.operations.slice(0, index + 1) },
          real: difference.real,
          simulated: difference.simulated,
        });
    }
  }
}

/** The most frequent first; those with a reason last. */
export function mechanismsOf({ mechanisms }: Tally): readonly Mechanism[] {
  const explained = (one: Mechanism): number => (one.because === undefined ? 0 : 1);
  return [...mechanisms.values()].sort((a, b) => explained(a) - explained(b) || b.times - a.times || (a.name < b.name ? -1 : 1));
}
