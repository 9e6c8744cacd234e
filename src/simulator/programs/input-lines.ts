import type { Routine } from '../time/routine.ts';
import { wait } from '../time/routine.ts';

/** What is typed or sent, line by line; an end without a new line is a line too. */
export class InputLines {
  #text = '';
  #ended = false;
  #waiting: ((line: string | undefined) => void) | undefined;

  /** Whether somebody waits for the next line. */
  get awaited(): boolean {
    return this.#waiting !== undefined;
  }

  send(text: string): void {
    if (this.#text.length + text.length <= MAX_INPUT) this.#text += text;
    this.#give();
  }

  end(): void {
    this.#ended = true;
    this.#give();
  }

  /** The next line without its end; undefined after the last. */
  *line(): Routine<string | undefined> {
    return yield* wait<string | undefined>((resume) => {
      this.#waiting = resume;
      this.#give();
    });
  }

  /** Everything up to the end. */
  *all(): Routine<string> {
    const lines: string[] = [];
    for (;;) {
      const line = yield* this.line();
      if (line === undefined) return lines.map((each) => `${each}\n`).join('');
      lines.push(line);
    }
  }

  #give(): void {
    const waiting = this.#waiting;
    const end = this.#text.indexOf('\n');
    if (waiting === undefined || (end < 0 && !this.#ended)) return;
    const line = end < 0 ? (this.#text === '' ? undefined : this.#text) : this.#text.slice(0, end);
    this.#text = end < 0 ? '' : this.#text.slice(end + 1);
    this.#waiting = undefined;
    waiting(line);
  }
}

/** What can be interrupted of a shell: the command it waits for. */
export class Foreground {
  #stop: (() => void) | undefined;
  #over = false;

  /** Whether the shell is still there: what an abandoned command says later is heard by nobody. */
  get over(): boolean {
    return this.#over;
  }

  begin(stop: () => void): void {
    this.#stop = stop;
  }

  done(): void {
    this.#stop = undefined;
  }

  end(): void {
    this.#over = true;
    this.#stop = undefined;
  }

  /** Whether there was something to interrupt. */
  interrupt(): boolean {
    const stop = this.#stop;
    this.#stop = undefined;
    stop?.();
    return stop !== undefined;
  }
}

const MAX_INPUT = 4_000_000;
