import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
/** Tells in the folder of the sources which of its tests ran: the copy is gone at the end. */
const SITUATIONS = `import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isFree, paid } from '../src/shop.ts';

const ran = (name) => appendFileSync('RUNS', name + '\\n');
test('free', () => { ran('free'); expect([isFree(0), isFree(1)]).toEqual([true, false]); });
test('paid', () => { ran('paid'); expect([paid(0), paid(3)]).toEqual([0, 3]); });
`;
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

  it('runs of the tests that try everything those that execute the changed function', () => {
    const folder = folderWith({
      'src/shop.ts': SHOP,
      '.build/vitest.config.ts': CONFIG,
    });
    const runsFile = join(folder, 'runs.txt');
    mkdirSync(join(folder, 'test'));
    writeFileSync(join(folder, 'test/situations.test.ts'), SITUATIONS.replace('RUNS', runsFile));
    const { status, stdout } = mutate(['src/shop.ts', '--seed', '1'], folder);
    expect(status).toBe(0);
    expect(stdout).toContain('src/shop.ts: 100 % (9 of 9 changes noticed, of 9 there are)\n');
    const runs = (): readonly number[] =>
      ['free', 'paid'].map(
        (name) =>
          readFileSync(runsFile, 'utf8')
            .split('\n')
            .filter((run) => run === name).length,
      );
    // Each once to be recorded. Of isFree there are two changes, of paid seven; two of them run for ever.
    expect(runs()).toEqual([1 + 2, 1 + 7]);
    // None where a nearer test notices the change.
    writeFileSync(join(folder, 'test/shop.test.ts'), SHOP_TEST);
    expect(mutate(['src/shop.ts', '--seed', '1'], folder).stdout).toContain('src/shop.ts: 100 % (9 of 9');
    expect(runs()).toEqual([1 + 2, 1 + 7]);
  });

  it('leaves out what does not compile', () => {
    const folder = folderWith({
      'src/till.ts': "export const till: { readonly is: 'open' | 'shut' } = { is: 'open' };\nexport const count = 1;\n",
      'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [] } }),
      '.build/vitest.config.ts': CONFIG,
      'test/till.test.ts':
        "import { test } from 'vitest';\nimport { till } from '../src/till.ts';\n\ntest('there is a till', () => void till);\n",
    });
    const { stdout } = mutate(['src/till.ts', '--seed', '1'], folder);
    expect(stdout).toContain('SURVIVED src/till.ts:2:22 1 → 2\n');
    expect(stdout).toContain('src/till.ts: 0 % (0 of 1 changes noticed, of 2 there are; 1 more did not compile)\n');
  });

  it('says how it is used', () => {
    for (const args of [['--cuont', '1'], ['--count', 'many'], ['src/nothing'], ['README.md']])
      expect(mutate(args)).toMatchObject({ status: 2, stdout: expect.stringContaining('npm run mutate') as string });
  });
});
