import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.ts';

const CONFIG = '.mutate.tsconfig.json';
/** What a changed source is called that stands next to the one that it is made of. */
const CHANGED = /\.mutant-(\d+)\.ts\b/g;

/** Asks the compiler whether the sources below a folder fit together. Without a tsconfig.json they always do. */
export class Types {
  readonly #root: string;
  readonly #isTyped: boolean;

  constructor(root: string) {
    this.#root = root;
    this.#isTyped = existsSync(join(root, 'tsconfig.json'));
    // The page has a config of its own.
    if (this.#isTyped)
      writeFileSync(join(root, CONFIG), JSON.stringify({ extends: './tsconfig.json', include: ['src'], exclude: ['src/page'] }));
  }

  /** After the first time only what has changed is looked at. */
  fit(): boolean {
    return !this.#isTyped || this.#compile().status === 0;
  }

  /** Mutants with errors in the changed source itself, all looked at together: the compiler takes longer to start than to look at one. */
  unfit(mutants: readonly Mutant[]): ReadonlySet<Mutant> {
    if (!this.#isTyped) return new Set();
    const files = mutants.map(({ file, source }, index) => {
      const whole = join(this.#root, file.replace(/\.ts$/, `.mutant-${String(index)}.ts`));
      writeFileSync(whole, source);
      return whole;
    });
    try {
      const told = this.#compile().stdout.matchAll(CHANGED);
      return new Set([...told].flatMap(([, index]) => mutants[Number(index)] ?? []));
    } finally {
      for (const file of files) rmSync(file);
    }
  }

  #compile(): { readonly status: number | null; readonly stdout: string } {
    const words = ['-p', CONFIG, '--noEmit', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', '.mutate.tsbuildinfo'];
    return spawnSync(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), ...words], {
      cwd: this.#root,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
  }
}
