import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src/base/duration.ts';

describe('a duration', () => {
  it.each([
    ['1h30m', 5400],
    ['90s', 90],
    ['250ms', 0.25],
    ['1.5h', 5400],
    ['3d4h', 273_600],
    ['2y', 63_072_000],
    ['0', 0],
    ['-5m', -300],
  ])('%s is %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBeCloseTo(seconds, 9);
  });

  it.each(['', '5', 'm', '5 m', '1h-5m', 'never', '1'.repeat(80), '99999999999d', '293y', '9999999999s'])('%j is none', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it.each([Number.NaN, -5, Number.NEGATIVE_INFINITY])('of %d seconds is printed as kubectl prints what cannot be', (seconds) => {
    expect(formatDuration(seconds)).toBe('<invalid>');
  });

  it.each([
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [185, '3m5s'],
    [3600, '60m'],
    [4 * 3600 + 60, '4h1m'],
    [9 * 3600, '9h'],
    [50 * 3600, '2d2h'],
    [200 * 3600, '8d'],
    [3 * 31_536_000, '3y'],
  ])('of %d seconds is printed as kubectl prints ages: %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});
