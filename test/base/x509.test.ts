import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/base/sha256.ts';
import { base64OfBytes, bytesOfBase64 } from '../../src/base/base64.ts';

describe('sha256Hex', () => {
  it('agrees with another implementation at every length around the block size', () => {
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + length) & 255);
      expect(sha256Hex(bytes), `${length} bytes`).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });
});

describe('bytesOfBase64', () => {
  it('reads what it writes, with line breaks anywhere', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length) & 255);
      const text = base64OfBytes(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64'));
      expect([...(bytesOfBase64(text.replaceAll(/(.{5})/g, '$1\r\n')) ?? [])]).toEqual([...bytes]);
    }
  });

  it('refuses text that is cut off within a byte, and text of anything else', () => {
    expect(bytesOfBase64('QUJDR')).toBeUndefined();
    expect(bytesOfBase64('QUJD!QUJD')).toBeUndefined();
  });
});
