/** Something about a source that a person should know but that stops nothing: a file left out, a line not understood. */
export interface Note {
  /** The file's path within what was opened. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  readonly text: string;
  /** All the rest of the source was not read: whatever is not seen may be there. */
  readonly hidesRest?: true;
}
