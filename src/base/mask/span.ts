/** A piece of a text that must not be shown. */
export interface Span {
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
  /** What is shown instead, where it is not the usual mask. */
  readonly shown?: string;
}
