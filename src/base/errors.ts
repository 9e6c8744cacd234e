/** What a misuse is, for exit codes and for programs that read the JSON. */
export type ErrorCode = 'usage' | 'bad-input' | 'not-found' | 'unreachable' | 'unsupported';

/** Misuse or bad input: says what happened and what to do about it. Never thrown for trouble in the cluster: that is a value. */
export class PodcheckError extends Error {
  readonly code: ErrorCode;
  /** One sentence that says what to do; empty when there is nothing to add. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint = '') {
    super(message);
    this.name = 'PodcheckError';
    this.code = code;
    this.hint = hint;
  }
}

/** Words of an error of any kind, for a message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
