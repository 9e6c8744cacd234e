import type { Routine } from '../time/routine.ts';
import type { Listening } from '../programs/behaviour.ts';
import type { FileMount } from '../programs/file-tree.ts';
import type { ProcessContext } from '../programs/program.ts';
import type { Command } from './parse.ts';

/** What a command is run in: variables, folder, streams. Sub-shells share all but the streams. */
export interface Shell {
  readonly process: ProcessContext;
  readonly surroundings: ShellSurroundings;
  readonly variables: Map<string, string>;
  readonly functions: Map<string, Command>;
  readonly positional: readonly string[];
  readonly state: ShellState;
  /** What a process may use up: one for it and all its sub-shells and background jobs. */
  readonly budget: ShellBudget;
  /** How many commands, functions and substitutions it is inside of. */
  readonly depth: number;
  readonly input: string;
  /** `bytes`: how many there are, where the text stands for more. */
  readonly output: (text: string, bytes?: number) => void;
  readonly errors: (text: string) => void;
}

export interface ShellSurroundings {
  /** Programs of the image; undefined when every program is taken to be there. */
  readonly programs: readonly string[] | undefined;
  readonly ports: readonly Listening[] | 'every';
  /** Whether it is the container's own program and not a probe's or hook's. */
  readonly main: boolean;
  /** Whether somebody types it: what is not known is said then. */
  readonly typed?: boolean;
  /** What the container runs, and what is mounted in it. */
  readonly container?: { readonly argv: readonly string[]; readonly mounts: readonly FileMount[] };
  readonly run: (words: readonly string[], shell: Shell, last: boolean) => Routine<Result>;
  /** Runs the script of a command substitution. */
  readonly evaluate: (script: string, shell: Shell) => Routine<Result>;
}

/** A command; `last` when nothing follows it in its shell. */
export type CommandRun = (args: readonly string[], shell: Shell, last: boolean) => Routine<Result>;

export interface ShellState {
  folder: string;
  status: number;
  exitOnError: boolean;
  unsetIsError: boolean;
  /** Whether a pipe fails with any of its parts. */
  pipeFails: boolean;
  trap: Command | 'ignore' | undefined;
}

export interface ShellBudget {
  /** Commands that were run; each thousand characters that a command handled counts as one. */
  steps: number;
  /** Background jobs that have not ended. */
  jobs: number;
}

export interface Result {
  readonly code: number;
  /** Set when commands that follow are left out: up to the loop, the function, or all. */
  readonly flow?: 'exit' | 'break' | 'continue' | 'return';
}
