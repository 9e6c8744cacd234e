import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded } from './session.ts';

/**
 * What decides which tests a file has. The sources do not: a test goes on executing nearly the same functions of them, and where it does
 * not, it is run in vain or another one is run in its place.
 */
const PARTS = ['rules', 'playbooks', 'test/support', 'test/rules'];
/** What the tests read of scenarios is what the sources make of them. */
const SOURCES = ['src', ...PARTS];
const SITUATIONS = 'situations-';

/** What the tests of a file told when they ran. Without it they took more processor time than that, and were ended. */
export interface KeptRun {
  readonly recorded?: readonly Recorded[];
  readonly milliseconds: number;
}

/** Keeps what the tests of a file told of the functions that they execute: to record it takes minutes. */
export class KeptExecutions {
  /** Where the tests keep what they read of the scenarios. */
  readonly situations: string;
  readonly #root: string;
  readonly #folder: string;
  readonly #digest: string;

  /** Reads what is below `root`, before anything is changed. */
  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
    this.#digest = digestOf(root, PARTS);
    mkdirSync(folder, { recursive: true });
    const name = `${SITUATIONS}${digestOf(root, SOURCES)}.json`;
    for (const old of readdirSync(folder)) if (old.startsWith(SITUATIONS) && old !== name) rmSync(join(folder, old));
    this.situations = join(folder, name);
  }

  read(test: string): KeptRun | undefined {
    const file = this.#fileOf(test);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeptRun) : undefined;
  }

  write(test: string, run: KeptRun): void {
    writeFileSync(this.#fileOf(test), JSON.stringify(run));
  }

  #fileOf(test: string): string {
    const digest = createHash('sha256')
      .update(this.#digest)
      .update(test)
      .update(readFileSync(join(this.#root, test)));
    return join(this.#folder, `${digest.digest('hex')}.json`);
  }
}

function digestOf(root: string, folders: readonly string[]): string {
  const digest = createHash('sha256');
  for (const folder of folders.map((name) => join(root, name)).filter((name) => existsSync(name)))
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) digest.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
  return digest.digest('hex');
}
