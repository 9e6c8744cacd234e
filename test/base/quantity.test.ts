import { describe, expect, it } from 'vitest';
import { formatQuantity, parseQuantity } from '../../src/base/quantity.ts';

describe('a quantity', () => {
  it.each([
    ['1', 1_000_000_000n],
    ['250m', 250_000_000n],
    ['1.5Gi', 1_610_612_736n * 1_000_000_000n],
    ['0.5Ki', 512n * 1_000_000_000n],
    ['2e3', 2000n * 1_000_000_000n],
    ['100E', 100n * 10n ** 27n],
    ['1n', 1n],
    ['.5', 500_000_000n],
    ['-1', -1_000_000_000n],
  ])('%s is read exactly', (text, nano) => {
    expect(parseQuantity(text)).toBe(nano);
  });

  it('finer than a billionth is rounded up, as the API server does', () => {
    expect(parseQuantity('0.0000000001')).toBe(1n);
    expect(parseQuantity('1e-12')).toBe(1n);
  });

  it.each(['', '.', 'Gi', '1 Gi', '1gi', '--1', '1.2.3', 'NaN', '9'.repeat(80)])('%j is none', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  it('is printed in the family asked for', () => {
    expect(formatQuantity(parseQuantity('1536Mi') ?? 0n, 'bytes')).toBe('1536Mi');
    expect(formatQuantity(parseQuantity('2048Mi') ?? 0n, 'bytes')).toBe('2Gi');
    expect(formatQuantity(parseQuantity('0.25') ?? 0n, 'decimal')).toBe('250m');
    expect(formatQuantity(parseQuantity('-3') ?? 0n, 'decimal')).toBe('-3');
  });
});
