import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded } from './session.ts';

/** All that tests are made of: with the same files they pass again, and execute the same functions. */
const PARTS = ['src', 'rules', 'playbooks', 'test/support'];

/** Keeps what the tests of a file told of the functions that they execute: to record it takes minutes. */
export class KeptExecutions {
  readonly #root: string;
  readonly #folder: string;
  #digest: string | undefined;

  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  read(test: string): readonly Recorded[] | undefined {
    const file = this.#fileOf(test);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[]) : undefined;
  }

  write(test: string, recorded: readonly Recorded[]): void {
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(this.#fileOf(test), JSON.stringify(recorded));
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
