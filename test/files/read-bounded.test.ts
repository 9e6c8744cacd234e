import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBounded, readBoundedSync } from '../../src/files/read-bounded.ts';
import { folderWith } from '../support/folder.ts';

const TEXT = 'shop '.repeat(50_000);

describe('reading within a bound', () => {
  it('gives the bytes of a file that is no longer', async () => {
    const file = join(folderWith({ 'web.yaml': TEXT }), 'web.yaml');
    expect((await readBounded(file, TEXT.length)).toString()).toBe(TEXT);
    expect(readBoundedSync(file, TEXT.length).toString()).toBe(TEXT);
  });

  it('refuses a longer one', async () => {
    const file = join(folderWith({ 'web.yaml': TEXT }), 'web.yaml');
    await expect(readBounded(file, TEXT.length - 1)).rejects.toThrow('larger than 244 KiB');
    expect(() => readBoundedSync(file, TEXT.length - 1)).toThrow('larger than 244 KiB');
  });

  it.runIf(process.platform === 'linux')('stops in a device that never ends', async () => {
    await expect(readBounded('/dev/zero', 100_000)).rejects.toThrow('larger than');
    expect(() => readBoundedSync('/dev/zero', 100_000)).toThrow('larger than');
  });
});
