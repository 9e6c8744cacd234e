import type { Prng } from '../../src/base/prng.ts';

/**
 * Command lines, one after the other, with all they are given to read. `{dir}` stands for the folder of the case, in words and in files.
 */
export interface AttackCase {
  readonly commands: readonly (readonly string[])[];
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: string | Uint8Array;
  /** What must not stand in any output. */
  readonly secrets?: readonly string[];
}

/** Makes cases of one kind: the same ones for a seed. */
export type AttackKind = (prng: Prng) => AttackCase;

/** What became of a case. */
export interface AttackResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly milliseconds: number;
  /** What the worker held after it, in megabytes. */
  readonly megabytes: number;
}

/** A file with this name in the folder of a case was made by something that nobody asked for. */
export const CANARY = 'canary';
