import type { ErrorCode } from '../base/errors.ts';
import { PodcheckError, reasonOf } from '../base/errors.ts';
import { systemTrouble } from '../base/system-error.ts';
import { printable } from '../base/text.ts';
import type { ExitCode } from '../commands/exit-codes.ts';
import { EXIT } from '../commands/exit-codes.ts';
import { VERSION } from './version.ts';

const CODES: Readonly<Record<ErrorCode, ExitCode>> = {
  usage: EXIT.usage,
  'bad-input': EXIT.usage,
  'not-found': EXIT.usage,
  unsupported: EXIT.usage,
  // Nobody could look, so nothing is known: that is no fault of the command line.
  unreachable: EXIT.inconclusive,
};

export interface Failure {
  readonly text: string;
  readonly code: ExitCode;
}

/**
 * What to print for an error, and how to exit: misuse, and what the operating system refuses, in a sentence with a hint; everything
 * else as a bug with how to report it.
 */
export function failureOf(error: unknown, argv: readonly string[]): Failure {
  if (error instanceof PodcheckError) return { text: sentence(error), code: CODES[error.code] };
  const trouble = systemTrouble(error);
  if (trouble !== undefined) return { text: sentence(trouble), code: EXIT.usage };
  const trace = error instanceof Error && error.stack !== undefined ? error.stack : reasonOf(error);
  return {
    text: [
      `podcheck failed, and that is a bug in podcheck: ${printable(reasonOf(error))}`,
      'Please report it with the lines below, and if you can with what it was given to read.',
      '',
      `podcheck ${VERSION}, node ${process.version}, ${process.platform} ${process.arch}`,
      printable(`podcheck ${argv.join(' ')}`),
      printable(trace),
      '',
    ].join('\n'),
    code: EXIT.bug,
  };
}

function sentence({ message, hint }: { readonly message: string; readonly hint: string }): string {
  return `error: ${printable(message)}\n${hint === '' ? '' : `hint: ${printable(hint)}\n`}`;
}
