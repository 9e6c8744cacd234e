import { spawnSync } from 'node:child_process';
import { appendFileSync, closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { filePieces } from '../../src/files/file-pieces.ts';
import { folderWith } from '../support/folder.ts';

function pipe(): string | undefined {
  const path = join(folderWith(), 'pipe');
  return spawnSync('mkfifo', [path]).status === 0 ? path : undefined;
}

async function textOf(path: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of filePieces(path)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe.runIf(process.platform !== 'win32')('the pieces of a file', () => {
  it('are all its bytes', async () => {
    const text = 'shop '.repeat(200_000);
    expect(await textOf(join(folderWith({ 'web.yaml': text }), 'web.yaml'))).toBe(text);
    expect(await textOf('/dev/null')).toBe('');
  });

  it('of a pipe come as they are written, however slowly', async () => {
    const path = pipe() ?? '';
    const read = textOf(path);
    await pause(100);
    const writer = openSync(path, 'w');
    for (const word of ['shop', 'web', 'cart']) {
      writeSync(writer, word);
      await pause(100);
    }
    closeSync(writer);
    expect(await read).toBe('shopwebcart');
  });

  it('of a pipe to which nobody writes are not waited for', async () => {
    await expect(textOf(pipe() ?? '')).rejects.toThrow('it is a pipe, and nothing writes to it');
  });

  it('of what cannot be read are an error', async () => {
    await expect(textOf(join(folderWith(), 'web.yaml'))).rejects.toThrow('ENOENT');
    await expect(textOf(folderWith())).rejects.toThrow('EISDIR');
    const file = join(folderWith(), 'web.yaml');
    appendFileSync(file, 'shop');
    expect(await textOf(file)).toBe('shop');
  });
});
