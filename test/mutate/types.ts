import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CONFIG = '.mutate.tsconfig.json';

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
    if (!this.#isTyped) return true;
    const words = ['-p', CONFIG, '--noEmit', '--incremental', '--tsBuildInfoFile', '.mutate.tsbuildinfo'];
    return spawnSync(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), ...words], { cwd: this.#root }).status === 0;
  }
}
