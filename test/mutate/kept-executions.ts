import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded } from './session.ts';

/**
 * What decides which tests a file has. The sources do not: a test goes on executing nearly the same functions of them, and where it does
 * not, it is run in vain or another one is run in its place.
 */
const PARTS = ['rules', 'playbooks', 'test/support', 'test/rules'];

/** What the tests of a file told when they ran, and the processor time that the run took. */
export interface KeptRun {
  readonly recorded: readonly Recorded[];
  readonly milliseconds: number;
}

/** Keeps what the tests of a file told of the functions that they execute: to record it takes minutes. */
export class KeptExecutions {
  readonly #root: string;
  readonly #folder: string;
  #digest: string | undefined;

  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  read(test: string): KeptRun | undefined {
    const file = this.#fileOf(test);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeptRun) : undefined;
  }

  write(test: string, run: KeptRun): void {
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(this.#fileOf(test), JSON.stringify(run));
  }

  #fileOf(test: string): string {
    const digest = createHash('sha256')
      .update(this.#parts())
      .update(test)
      .update(readFileSync(join(this.#root, test)));
    return join(this.#folder, `${digest.digest('hex')}.json`);
  }

  /** Read once, before anything is changed. */
  #parts(): string {
    if (this.#digest === undefined) {
      const digest = createHash('sha256');
      for (const folder of PARTS.map((name) => join(this.#root, name)).filter((name) => existsSync(name)))
        for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
          if (entry.isFile()) digest.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
      this.#digest = digest.digest('hex');
    }
    return this.#digest;
  }
}
