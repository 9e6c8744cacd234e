import type { Exchange } from './exchange.ts';

/** The time one request may take with all its attempts. What is spent in waiting for its turn does not count. */
export class Budget {
  #left: number;
  readonly #seconds: number;
  readonly #host: string;

  constructor(seconds: number, host: string) {
    this.#left = seconds * 1000;
    this.#seconds = seconds;
    this.#host = host;
  }

  leftSeconds(): number {
    return this.#left / 1000;
  }

  spend(seconds: number): void {
    this.#left -= seconds * 1000;
  }

  /** What the attempt gives, or that it took too long; then the signal it was given ends it. `signal` ends it too. */
  async within(attempt: (signal: AbortSignal) => Promise<Exchange>, signal: AbortSignal | undefined): Promise<Exchange> {
    const ending = new AbortController();
    const abort = (): void => ending.abort();
    signal?.addEventListener('abort', abort, { once: true });
    const begun = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Exchange>((resolve) => {
      timer = setTimeout(
        () => {
          resolve({
            ok: false,
            stale: false,
            error: { kind: 'timeout', detail: `${this.#host} did not finish its response within ${this.#seconds} s.` },
          });
          ending.abort();
        },
        Math.max(0, this.#left),
      );
    });
    try {
      return await Promise.race([attempt(ending.signal), late]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#left -= performance.now() - begun;
    }
  }
}
