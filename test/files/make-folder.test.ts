import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/files/make-folder.ts';
import { folderWith } from '../support/folder.ts';

describe('a folder that is made', () => {
  it('comes with the folders above it, which only its user can read', () => {
    const folder = join(folderWith({}), 'state/podcheck/runs');
    makeFolder(folder);
    makeFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, '..')).mode & 0o777).toBe(0o700);
  });

  it('is an error at once below what is not a folder', () => {
    const root = folderWith({});
    writeFileSync(join(root, 'state'), '');
    expect(() => makeFolder(join(root, 'state/podcheck/runs'))).toThrow(/EEXIST|ENOTDIR/);
  });

  it.runIf(process.platform === 'linux')('is an error at once below /proc, where Node itself would try without end', () => {
    expect(() => makeFolder('/proc/podcheck/runs/1')).toThrow(/ENOENT|EACCES|EPERM/);
  });
});
