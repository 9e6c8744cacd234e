import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walkFolder } from '../../../src/clusters/snapshot/walk-folder.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'podcheck-walk-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text = '{}'): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function paths(): Promise<readonly string[]> {
  return (await walkFolder(join(folder, 'case'))).files.map(({ path }) => path);
}

describe('the files of a folder', () => {
  it('are found at all depths, sorted, without dotfiles', async () => {
    for (const path of ['case/b.json', 'case/a/pods.json', 'case/.git/config', 'case/.hidden.json', 'case/a/b/c/d.log']) write(path);
    expect(await paths()).toEqual(['a/b/c/d.log', 'a/pods.json', 'b.json']);
  });

  it('are read in parts, from the beginning and from the end', async () => {
    write('case/web.log', 'one\ntwo\nthree\n');
    const [log] = (await walkFolder(join(folder, 'case'))).files;
    expect(Buffer.from((await log?.head(3)) ?? []).toString()).toBe('one');
    expect(Buffer.from((await log?.tail(6)) ?? []).toString()).toBe('three\n');
    expect(Buffer.from((await log?.head(1000)) ?? []).toString()).toBe('one\ntwo\nthree\n');
  });

  it('are not looked for behind links that lead out, lead nowhere or lead in circles', async () => {
    write('secret.json');
    write('case/pods.json');
    symlinkSync(join(folder, 'secret.json'), join(folder, 'case', 'out.json'));
    symlinkSync('nowhere', join(folder, 'case', 'broken.json'));
    symlinkSync('.', join(folder, 'case', 'circle'));
    symlinkSync('pods.json', join(folder, 'case', 'again.json'));
    const { files, notes } = await walkFolder(join(folder, 'case'));
    expect(files.map(({ path }) => path)).toEqual(['pods.json']);
    expect(notes.map(({ file, text }) => `${file ?? ''}: ${text}`)).toEqual([
      'broken.json: not read: the link target does not exist',
      'out.json: not read: the link points outside the folder',
    ]);
  });

  it.runIf(process.platform !== 'win32')('are not devices and pipes, which are named', async () => {
    write('case/pods.json');
    expect(spawnSync('mkfifo', [join(folder, 'case', 'pipe.json')]).status).toBe(0);
    symlinkSync('pipe.json', join(folder, 'case', 'way.json'));
    const { files, notes } = await walkFolder(join(folder, 'case'));
    expect(files.map(({ path }) => path)).toEqual(['pods.json']);
    expect(notes.map(({ file, text }) => `${file ?? ''}: ${text}`)).toEqual([
      'pipe.json: not read: a device, a pipe or a socket',
      'way.json: not read: a device, a pipe or a socket',
    ]);
  });

  it('are found behind links into a dot folder, as a mounted ConfigMap has them', async () => {
    write('case/..2026_11_21/pods.json');
    symlinkSync('..2026_11_21', join(folder, 'case', '..data'));
    symlinkSync('..data/pods.json', join(folder, 'case', 'pods.json'));
    expect(await paths()).toEqual(['pods.json']);
  });

  it('are not followed down without end', async () => {
    write(`case/${'d/'.repeat(40)}pods.json`);
    write('case/nodes.json');
    const { files, notes } = await walkFolder(join(folder, 'case'));
    expect(files.map(({ path }) => path)).toEqual(['nodes.json']);
    expect(notes[0]?.text).toMatch(/levels are not read/);
  });

  it('are no more than can be read, and those left out are counted', async () => {
    for (const name of ['events', 'nodes', 'pods', 'services']) write(`case/${name}.json`);
    const { files, notes } = await walkFolder(join(folder, 'case'), 2);
    expect(files.map(({ path }) => path)).toEqual(['events.json', 'nodes.json']);
    expect(notes.map(({ text }) => text)).toEqual(['only the first 2 files are read: 2 more are in the folder']);
  });
});
