import { describe, expect, it } from 'vitest';
import { MAX_DOCUMENT_BYTES } from '../../../src/clusters/snapshot/limits.ts';
import { PipedFile } from '../../../src/clusters/snapshot/piped-file.ts';

async function* come(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += Buffer.from(piece).toString();
  return text;
}

describe('what comes through a pipe', () => {
  it('is read as it comes, and short as it is again', async () => {
    const piped = new PipedFile('stdin', come('pods ', 'and ', 'nodes'), 0);
    await piped.fill(6);
    expect([piped.size, piped.isEnded]).toEqual([9, false]);
    expect(Buffer.from(await piped.head(3)).toString()).toBe('pod');
    expect(await textOf(piped.pieces())).toBe('pods and nodes');
    expect([piped.size, piped.isEnded]).toEqual([14, true]);
    expect(await textOf(piped.pieces())).toBe('pods and nodes');
    expect(Buffer.from(await piped.tail(5)).toString()).toBe('nodes');
  });

  it('is read to its end where a reader goes away', async () => {
    const piped = new PipedFile('stdin', come('pods ', 'and ', 'nodes'), 0);
    for await (const piece of piped.pieces()) if (piece.length > 0) break;
    expect([piped.size, piped.isEnded]).toEqual([14, true]);
    expect(await textOf(piped.pieces())).toBe('pods and nodes');
  });

  it('is read once where it is long, and not held', async () => {
    const piece = Buffer.alloc(MAX_DOCUMENT_BYTES / 4);
    let ended = false;
    async function* long(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield await Promise.resolve(piece);
      } finally {
        ended = true;
      }
    }
    const piped = new PipedFile('stdin', long(), 0);
    let pieces = 0;
    for await (const _ of piped.pieces()) if (++pieces === 6) break;
    expect([piped.size, ended]).toEqual([6 * piece.length, true]);
    expect((await piped.head(2 * piece.length)).length).toBe(piece.length);
    await expect(textOf(piped.pieces())).rejects.toThrow('it came through a pipe, and can be read only once');
  });
});
