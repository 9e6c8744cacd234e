import type { Command } from 'commander';
import type { CommandContext } from '../commands/context.ts';
import type { ExitCode } from '../commands/exit-codes.ts';

/** Runs what a command stands for, with all options that were given, and exits with its code. */
export type Finish = (command: Command, run: (context: CommandContext, options: object) => Promise<ExitCode>) => Promise<void>;
