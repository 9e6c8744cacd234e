import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from '../support/folder.ts';

const SHOP =
  'export function isFree(price: number): boolean {\n  return price === 0;\n}\n\nexport function paid(price: number): number {\n  let coins = 0;\n  for (let left = price; left > 0; left--) coins++;\n  return coins;\n}\n';
const CART =
  "import { isFree } from './shop.ts';\n\nexport function free(prices: readonly number[]): number {\n  let count = 0;\n  for (const price of prices) if (isFree(price)) count++;\n  return count;\n}\n";
const SHOP_TEST =
  "import { expect, test } from 'vitest';\nimport { isFree, paid } from '../src/shop.ts';\n\ntest('what costs nothing is free', () => expect([isFree(0), isFree(1), paid(0), paid(3)]).toEqual([true, false, 0, 3]));\n";
const CART_TEST =
  "import { expect, test } from 'vitest';\nimport { free } from '../src/cart.ts';\n\ntest('an empty cart has nothing in it', () => expect(free([])).toBeLessThan(2));\n";
const CONFIG =
  "export default { test: { projects: [{ test: { name: 'unit', include: ['test/**/*.test.ts'], pool: 'threads', isolate: false } }] } };\n";

function mutate(
  args: readonly string[],
  folder = '.',
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [resolve('.build/mutate.mjs'), ...args], { encoding: 'utf8', cwd: folder });
}

describe('npm run mutate', () => {
  it('tells which changes no test notices, and leaves the sources as they are', () => {
    const folder = folderWith({
      'src/shop.ts': SHOP,
      'src/cart.ts': CART,
      'test/shop.test.ts': SHOP_TEST,
      'test/cart.test.ts': CART_TEST,
      '.build/vitest.config.ts': CONFIG,
    });
    // Failures of one file are not taken for those of the next.
    const { status, stdout } = mutate(['src/shop.ts', 'src/cart.ts', '--seed', '1'], folder);
    // With `left++` the test would run for ever.
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining('src/shop.ts: 100 % (9 of 9 changes noticed, of 9 there are)\n') as string,
    ]);
    expect(stdout).toContain('SURVIVED src/cart.ts:4:15 0 → 1\n');
    expect(stdout).toContain('src/cart.ts: 0 % (0 of 5 changes noticed, of 5 there are)');
    expect(readFileSync(join(folder, 'src/shop.ts'), 'utf8')).toBe(SHOP);
  });

  it('says how it is used', () => {
    for (const args of [['--cuont', '1'], ['--count', 'many'], ['src/nothing'], ['README.md']])
      expect(mutate(args)).toMatchObject({ status: 2, stdout: expect.stringContaining('npm run mutate') as string });
  });
});
