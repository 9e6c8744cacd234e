import type { Prng } from '../../src/base/prng.ts';
import type { Outcome } from './runner.ts';

/** What live cases share: made when the first of them needs it, closed at the end. */
export interface LiveWorld {
  /** The value, made once for each name. */
  readonly once: <T>(name: string, make: () => Promise<{ readonly value: T; readonly close: () => Promise<void> | void }>) => Promise<T>;
  /** A new folder, which is gone after the case. */
  readonly folder: string;
  /** The program of a run that can be killed. */
  readonly killed: URL;
}

/** One case with a server in it. The same for a seed, as far as two processes and a network can be. */
export type LiveKind = (prng: Prng, world: LiveWorld) => Promise<Outcome>;
