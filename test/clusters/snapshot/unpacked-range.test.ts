import { describe, expect, it } from 'vitest';
import { unpackedRange } from '../../../src/clusters/snapshot/unpacked-range.ts';

const TEXT = 'the shop opens at nine and closes at six';

/** A source of pieces of three bytes, and how often it was begun. */
function source(): { readonly open: () => AsyncIterator<Uint8Array>; begun: number } {
  const counted = {
    begun: 0,
    open: async function* open(): AsyncGenerator<Uint8Array, void, undefined> {
      counted.begun++;
      for (let at = 0; at < TEXT.length; at += 3) yield await Promise.resolve(Buffer.from(TEXT.slice(at, at + 3)));
    },
  };
  return counted;
}

describe('bytes of what is unpacked piece by piece', () => {
  it('are had in any order, from one beginning for those that come later or were just read', async () => {
    const counted = source();
    const range = unpackedRange(counted.open, 8, 2);
    const text = async (from: number, length: number): Promise<string> => Buffer.from(await range(from, length)).toString();
    expect(await text(4, 4)).toBe('shop');
    expect(await text(2, 8)).toBe(TEXT.slice(2, 10));
    expect(await text(30, 100)).toBe(TEXT.slice(30));
    expect(await text(100, 4)).toBe('');
    expect(counted.begun).toBe(1);
    expect(await text(0, 8)).toBe('the shop');
    expect(counted.begun).toBe(2);
  });

  it('are had one after another where several ask at once', async () => {
    const range = unpackedRange(source().open, 8, 2);
    const read = await Promise.all([range(0, 3), range(20, 2), range(0, 8)]);
    expect(read.map((bytes) => Buffer.from(bytes).toString())).toEqual(['the', TEXT.slice(20, 22), 'the shop']);
  });

  it('are refused where all would have to be unpacked too often, and later ones are not', async () => {
    const range = unpackedRange(source().open, 4, 1);
    expect(Buffer.from(await range(20, 2)).toString()).toBe(TEXT.slice(20, 22));
    await expect(range(0, 1)).rejects.toThrow('unpack it and give the folder');
    expect(Buffer.from(await range(24, 4)).toString()).toBe(TEXT.slice(24, 28));
  });
});
