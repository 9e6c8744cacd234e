/** A command under way. */
export interface ExecSession {
  send(text: string): void;
  endInput(): void;
  /** Ctrl-C: ends what runs in the foreground. */
  interrupt(): void;
  kill(): void;
}

/** Who hears what a command says. */
export interface ExecSink {
  readonly output: (text: string) => void;
  readonly errors: (text: string) => void;
  readonly ended: (code: number) => void;
}

/** A command to be run beside a container's own, or (`attach`) that one itself. */
export interface ExecWish {
  readonly attach?: true;
  readonly command: readonly string[];
  /** Whether what is typed is given to it. */
  readonly stdin: boolean;
  readonly tty: boolean;
}
