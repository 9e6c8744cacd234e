import type { ErrorCode } from '../base/errors.ts';
import { PodcheckError, reasonOf } from '../base/errors.ts';
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

/** What to print for an error, and how to exit: misuse in a sentence with a hint, everything else as a bug with how to report it. */
export function failureOf(error: unknown, argv: readonly string[]): Failure {
  if (error instanceof PodcheckError) {
    const hint = error.hint === '' ? '' : `hint: ${printable(error.hint)}\n`;
    return { text: `error: ${printable(error.message)}\n${hint}`, code: CODES[error.code] };
  }
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
