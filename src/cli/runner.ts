import type { CommandContext } from '../commands/context.ts';
import type { ExitCode } from '../commands/exit-codes.ts';

/** What a parsed command line does. */
export interface Runner {
  readonly context: (options: { readonly color?: boolean }) => CommandContext;
  readonly exit: (code: ExitCode) => void;
}
