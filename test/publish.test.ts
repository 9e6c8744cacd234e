import { existsSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from './support/folder.ts';

type Publish = (from: string, to: string) => Promise<void>;

const DAY = 86_400_000;

async function published(to: string, files: Readonly<Record<string, string>>): Promise<void> {
  const { publish } = (await import(join(process.cwd(), '.build/publish.mjs'))) as { readonly publish: Publish };
  await publish(folderWith(files), to);
}

function age(file: string, days: number): void {
  const then = new Date(Date.now() - days * DAY);
  utimesSync(file, then, then);
}

describe('what an earlier build left in dist/', () => {
  it('stays for a week after it was left, out of the package', async () => {
    const dist = folderWith();
    await published(dist, { 'podcheck.js': 'one', 'chunks/scan-1.js': 'one' });
    expect(existsSync(join(dist, '.npmignore'))).toBe(false);
    // It was built long ago, but is left only now.
    age(join(dist, 'chunks/scan-1.js'), 30);
    await published(dist, { 'podcheck.js': 'two', 'chunks/scan-2.js': 'two' });
    expect(readFileSync(join(dist, '.npmignore'), 'utf8')).toBe('/chunks/scan-1.js\n');
    expect(readFileSync(join(dist, 'chunks/scan-1.js'), 'utf8')).toBe('one');
    age(join(dist, 'chunks/scan-1.js'), 6);
    await published(dist, { 'podcheck.js': 'three', 'chunks/scan-2.js': 'two' });
    expect(existsSync(join(dist, 'chunks/scan-1.js'))).toBe(true);
    age(join(dist, 'chunks/scan-1.js'), 8);
    await published(dist, { 'podcheck.js': 'four', 'chunks/scan-2.js': 'two' });
    expect([
      existsSync(join(dist, 'chunks/scan-1.js')),
      existsSync(join(dist, '.npmignore')),
      readFileSync(join(dist, 'podcheck.js'), 'utf8'),
    ]).toEqual([false, false, 'four']);
  });
});
