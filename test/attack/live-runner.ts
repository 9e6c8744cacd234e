import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Prng } from '../../src/base/prng.ts';
import type { LiveKind, LiveWorld } from './live-case.ts';
import type { Outcome } from './runner.ts';

/** A case that is not over by then hangs. */
const HANGS_MILLISECONDS = 180_000;

/** Runs cases with servers, one after the other, in this thread: what they connect to is of this process. */
export class LiveRunner {
  readonly #killed: URL;
  readonly #made = new Map<string, Promise<{ readonly value: unknown; readonly close: () => Promise<void> | void }>>();

  constructor(killed: URL) {
    this.#killed = killed;
  }

  async run(kind: LiveKind, prng: Prng): Promise<Outcome> {
    const folder = mkdtempSync(join(tmpdir(), 'podcheck-attack-'));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Outcome>((resolve) => {
      timer = setTimeout(
        () => resolve({ fell: [`it hangs: no end after ${String(HANGS_MILLISECONDS / 1000)} s`], refused: false, said: '' }),
        HANGS_MILLISECONDS,
      );
    });
    try {
      return await Promise.race([
        kind(prng, this.#world(folder)).catch((error: unknown) => ({
          fell: [`it dies: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
          refused: false,
          said: '',
        })),
        late,
      ]);
    } finally {
      clearTimeout(timer);
      rmSync(folder, { recursive: true, force: true });
    }
  }

  async end(): Promise<void> {
    for (const made of this.#made.values()) await (await made).close();
    this.#made.clear();
  }

  #world(folder: string): LiveWorld {
    return {
      folder,
      killed: this.#killed,
      once: async <T>(name: string, make: () => Promise<{ readonly value: T; readonly close: () => Promise<void> | void }>): Promise<T> => {
        const known = this.#made.get(name) ?? make();
        this.#made.set(name, known);
        return (await known).value as T;
      },
    };
  }
}
