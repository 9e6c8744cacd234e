import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  /** Where the tests keep what they read of the scenarios: below the root, for others may run beside this. */
  readonly situations: string;
  readonly #keptSituations: string;
  readonly #root: string;
  readonly #folder: string;
  readonly #digest: string;

  /** Reads what is below `root`, before anything is changed. */
  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
    this.#digest = digestOf(root, PARTS);
    mkdirSync(folder, { recursive: true });
    this.situations = join(root, '.situations.json');
    this.#keptSituations = join(folder, `${SITUATIONS}${digestOf(root, SOURCES)}.json`);
    if (existsSync(this.#keptSituations)) copyFileSync(this.#keptSituations, this.situations);
  }

  read(test: string): KeptRun | undefined {
    const file = this.#fileOf(test);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeptRun) : undefined;
  }

  write(test: string, run: KeptRun): void {
    writeFileSync(this.#fileOf(test), JSON.stringify(run));
  }

  /** For the next run, in the place of those of other sources. */
  keepSituations(): void {
    if (!existsSync(this.situations) || existsSync(this.#keptSituations)) return;
    for (const old of readdirSync(this.#folder)) if (old.startsWith(SITUATIONS)) rmSync(join(this.#folder, old), { force: true });
    copyFileSync(this.situations, this.#keptSituations);
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
