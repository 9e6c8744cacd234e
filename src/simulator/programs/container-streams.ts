import type { ExecSink } from './exec-session.ts';
import { Foreground, InputLines } from './input-lines.ts';

/** The streams of a container's own program: what is typed into it, and who hears what it says beside its log. */
export class ContainerStreams {
  readonly input = new InputLines();
  readonly foreground = new Foreground();
  /** Of most containers nobody hears anything. */
  #hearers: Set<ExecSink> | undefined;
  /** A program that is typed into says what it says letter by letter, not only line by line. */
  typed = false;
  #line = '';

  hear(hearer: ExecSink): () => void {
    const hearers = (this.#hearers ??= new Set());
    hearers.add(hearer);
    return () => void hearers.delete(hearer);
  }

  /** A line of the log. */
  logged(line: string): void {
    if (!this.typed) this.#say(`${line}\n`);
  }

  /** What a program that is typed into says; its whole lines are logged. */
  said(text: string, log: (line: string) => void): void {
    this.#say(text);
    const lines = `${this.#line}${text}`.split('\n');
    this.#line = (lines.pop() ?? '').slice(-LONGEST_LINE);
    for (const line of lines) log(line);
  }

  #say(text: string): void {
    for (const { output } of Array.from(this.#hearers ?? [])) output(text);
  }
}

const LONGEST_LINE = 16_384;
