/** A block of code, which is what a machine printed. */
export interface CodeBlock {
  /** The last words before it; empty for none. */
  readonly intro: string;
}
