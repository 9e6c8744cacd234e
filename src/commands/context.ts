import type { Instant } from '../base/instant.ts';
import type { Look } from '../report/look.ts';

/** What a command may touch of the world: handed in by cli, so that a command can be run in a test. */
export interface CommandContext {
  readonly write: (text: string) => void;
  /** A remark beside the answer: goes to stderr. */
  readonly note: (text: string) => void;
  readonly look: Look;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  readonly workingFolder: string;
  readonly clock: () => Instant;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Everything on stdin. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  readonly stdinIsTerminal: boolean;
  /** Shows what goes on while the work runs, where somebody watches and it takes long. */
  readonly progress: <T>(title: string, work: (say: (step: string) => void) => Promise<T>) => Promise<T>;
}
