import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { runList, runWatches, WATCH_CLIENT } from './serve-loads.ts';

describe('many watches of a namespace', () => {
  it('all hear the same, in the order it happened', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'podcheck-watches-'));
    const client = join(folder, 'client.mjs');
    try {
      await build({
        stdin: { contents: WATCH_CLIENT, resolveDir: process.cwd(), loader: 'ts' },
        bundle: true,
        platform: 'node',
        format: 'esm',
        outfile: client,
        logLevel: 'error',
      });
      const { events, faithful, ready } = await runWatches(20, 60, client);
      expect([faithful, ready, events >= 180]).toEqual([20, 60, true]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('a long list', () => {
  it.skipIf(!hasKubectl())('is printed by kubectl as long as it is, from pieces', async () => {
    expect((await runList(1100, 1)).rows).toBe(1100);
  });
});

function hasKubectl(): boolean {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
