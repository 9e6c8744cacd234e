/** Lines somebody types; undefined when nobody does any more. */
export interface Typing {
  line(question: string): Promise<string | undefined>;
  /** As `line`, without showing what is typed. */
  hidden(question: string): Promise<string | undefined>;
  /** Lines up to one that has only a dot. */
  block(): Promise<string | undefined>;
}
