import { describe, expect, it } from 'vitest';
import { computed, crc32 } from '../../../src/clusters/snapshot/crc32.ts';

describe('the checksum of a zip entry', () => {
  it.each([
    ['what Node has', crc32],
    ['what is computed where Node has none', computed],
  ] as const)('is that of the standard: %s', (_, checksum) => {
    expect(checksum(Buffer.from('123456789'), 0)).toBe(0xcbf43926);
    expect(checksum(Buffer.from('6789'), checksum(Buffer.from('12345'), 0))).toBe(0xcbf43926);
    expect(checksum(new Uint8Array(0), 0)).toBe(0);
  });
});
