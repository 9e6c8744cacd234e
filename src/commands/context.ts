import type { Instant } from '../base/instant.ts';
import type { Typing } from './typed-lines.ts';
import type { Look } from '../report/format/text-style.ts';
import type { WayStage } from '../report/simulation/stage-story.ts';

/** What a command may touch of the world: handed in by cli, so that a command can be run in a test. */
export interface CommandContext {
  readonly write: (text: string) => void;
  /** A remark beside the answer: goes to stderr. */
  readonly note: (text: string) => void;
  readonly look: Look;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Empty where nobody knows it. */
  readonly homeFolder: string;
  readonly workingFolder: string;
  readonly clock: () => Instant;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Calls back once nobody reads stdout any more: what writes on and on can end then. */
  readonly whenUnread?: (unread: () => void) => void;
  /**
   * Lets Ctrl-C only raise the signal, for who has something to bring to an end first; a second one ends the program all the same.
   * Gives back how to let go.
   */
  readonly holdInterruption?: () => () => void;
  /**
   * Does work whose listeners to the signal have something to take away; at other times Ctrl-C ends the program without a word to anybody.
   */
  readonly heedInterruption?: Heed;
  /** Asks whoever sits at the terminal; undefined where nobody does. */
  readonly typing?: Typing | undefined;
  readonly version?: string;
  /** Everything on stdin. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  readonly stdinIsTerminal: boolean;
  /** Shows what goes on while the work runs, where somebody watches and it takes long. */
  readonly progress: <T>(title: string, work: (say: (step: string) => void) => Promise<T>) => Promise<T>;
  /** A terminal on which a picture is drawn again and again; undefined where stdout is something else. */
  readonly screen?: Screen | undefined;
  /** Shows the stages while a cluster is played; undefined where nobody watches. */
  readonly liveStages?: LiveStages;
}

/** A part of a terminal that is drawn over and over. */
export interface Screen {
  /** Lines that can be seen. */
  readonly rows: () => number;
  /** Shows these lines instead of the last ones. */
  readonly draw: (lines: readonly string[]) => void;
  /** Leaves the last picture where it is. */
  readonly end: () => void;
}

/** Does the work, and has Ctrl-C raise the signal before it ends the program. */
export type Heed = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs the work and shows what it gives to `show`, which comes back when it could be seen. */
export type LiveStages = <T>(work: (show: (way: readonly WayStage[]) => Promise<void>) => Promise<T>) => Promise<T>;
