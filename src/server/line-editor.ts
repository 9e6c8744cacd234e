import { repeated } from '../base/text.ts';

export interface LineEvents {
  /** Shown to who types. */
  readonly echo: (text: string) => void;
  /** A line that was ended, with its end. */
  readonly line: (text: string) => void;
  /** Ctrl-C. */
  readonly interrupt: () => void;
  /** Ctrl-D on an empty line. */
  readonly end: () => void;
}

/**
 * What a terminal's driver does with keys: echo, backspace, Ctrl-C, Ctrl-D, Ctrl-U. Other control keys and escape sequences are left out.
 */
export class LineEditor {
  readonly #events: LineEvents;
  #line: string[] = [];
  #escape: 'no' | 'begun' | 'sequence' = 'no';

  constructor(events: LineEvents) {
    this.#events = events;
  }

  type(text: string): void {
    for (const key of text) {
      if (this.#escape === 'no') this.#key(key);
      else this.#skip(key);
    }
  }

  /** `ESC [ 1 ; 5 C` and the like: an arrow, a function key. */
  #skip(key: string): void {
    if (this.#escape === 'begun') this.#escape = key === '[' || key === 'O' ? 'sequence' : 'no';
    else if (key >= '@' && key <= '~') this.#escape = 'no';
  }

  #key(key: string): void {
    const { echo, line, interrupt, end } = this.#events;
    switch (key) {
      case '\r':
      case '\n': {
        const whole = `${this.#line.join('')}\n`;
        this.#line = [];
        echo('\r\n');
        line(whole);
        return;
      }
      case '\u007F':
      case '\b':
        if (this.#line.pop() !== undefined) echo('\b \b');
        return;
      case '\u0003':
        this.#line = [];
        echo('^C\r\n');
        interrupt();
        return;
      case '\u0004':
        if (this.#line.length === 0) end();
        return;
      case '\u0015':
        echo(repeated('\b \b', this.#line.length));
        this.#line = [];
        return;
      case '\u001B':
        this.#escape = 'begun';
        return;
      default:
        if ((key < ' ' && key !== '\t') || this.#line.length >= MAX_LINE) return;
        this.#line.push(key);
        echo(key);
    }
  }
}

/** Source: drivers/tty/n_tty.c (N_TTY_BUF_SIZE). */
const MAX_LINE = 4095;
