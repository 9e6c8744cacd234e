import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SWEEPS } from '../.build/sweeps.ts';

const FILES = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
  .toSorted();
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };

/** The test files that a script of package.json runs. */
async function filesOf(script: string): Promise<readonly string[]> {
  const [, config = ''] = / --config (\S+)$/.exec(scripts[script] ?? '') ?? [];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json', '--config', config],
    { maxBuffer: 16 * 1024 * 1024 },
  );
  return (JSON.parse(stdout) as readonly { readonly file: string }[]).map(({ file }) => relative(resolve('.'), file)).toSorted();
}

describe('the test files', () => {
  it('are each run by either `npm run check` or `npm run sweep`', async () => {
    const [check, sweep] = await Promise.all([filesOf('check'), filesOf('sweep')]);
    expect(FILES.length).toBeGreaterThan(250);
    expect(sweep).toEqual(Object.keys(SWEEPS).toSorted());
    expect([...check, ...sweep].toSorted()).toEqual(FILES);
  }, 300_000);

  it('are all run by CI', () => {
    const ci = readFileSync('.ci/run', 'utf8').split('\n');
    for (const script of ['npm run check', 'npm run sweep']) expect(ci).toContain(script);
  });

  it('that go through very many situations say why', () => {
    for (const why of Object.values(SWEEPS)) expect(why).toMatch(/^[a-z].{20,}[^.]$/);
  });
});
