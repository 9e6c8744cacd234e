import { describe, expect, it } from 'vitest';
import type { Lifetime } from '../../src/certificates/status.ts';
import { statusAt } from '../../src/certificates/status.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-01-14T09:00:00Z');

/** A certificate of so long a life, with so much of it left. */
function life(lifetime: number, left: number, more: Partial<Lifetime> = {}): Lifetime {
  return { notBefore: NOW + left - lifetime, notAfter: NOW + left, isAuthority: false, rotatedBy: 'manual', dueAt: undefined, ...more };
}

describe('a certificate somebody has to renew', () => {
  it.each([
    ['a year', 365 * DAY, 31 * DAY, 'OK'],
    ['a year', 365 * DAY, 29 * DAY, 'WARN'],
    ['a year', 365 * DAY, 6 * DAY, 'CRITICAL'],
    ['a year', 365 * DAY, 0, 'CRITICAL'],
    ['a year', 365 * DAY, -1, 'EXPIRED'],
    ['a day', DAY, 9 * HOUR, 'OK'],
    ['a day', DAY, 7 * HOUR, 'WARN'],
    ['a day', DAY, 2 * HOUR, 'CRITICAL'],
    ['a year', 365 * DAY, 366 * DAY, 'NOT_YET_VALID'],
    // Each limit belongs to what is worse.
    ['a year', 365 * DAY, 30 * DAY, 'WARN'],
    ['a year', 365 * DAY, 30 * DAY + 1, 'OK'],
    ['a year', 365 * DAY, 7 * DAY, 'CRITICAL'],
    ['a year', 365 * DAY, 7 * DAY + 1, 'WARN'],
    ['a year', 365 * DAY, 365 * DAY, 'OK'],
    ['a year', 365 * DAY, 365 * DAY + 1, 'NOT_YET_VALID'],
    ['thirty days', 30 * DAY, 10 * DAY, 'WARN'],
    ['thirty days', 30 * DAY, 10 * DAY + 1, 'OK'],
    ['thirty days', 30 * DAY, 3 * DAY, 'CRITICAL'],
    ['thirty days', 30 * DAY, 3 * DAY + 1, 'WARN'],
  ])('for %s (%d ms) with %d ms left is %s', (_, lifetime, left, status) =>
    expect(statusAt(life(lifetime, left), NOW, undefined)).toBe(status),
  );
});

describe('an authority', () => {
  it.each([
    [3650 * DAY, 366 * DAY, 'OK'],
    [3650 * DAY, 364 * DAY, 'WARN'],
    [3650 * DAY, 29 * DAY, 'CRITICAL'],
    [365 * DAY, 122 * DAY, 'OK'],
    [365 * DAY, 121 * DAY, 'WARN'],
    [3650 * DAY, 365 * DAY, 'WARN'],
    [3650 * DAY, 365 * DAY + 1, 'OK'],
    [3650 * DAY, 30 * DAY, 'CRITICAL'],
    [3650 * DAY, 30 * DAY + 1, 'WARN'],
  ])('of %d ms with %d ms left is %s', (lifetime, left, status) =>
    expect(statusAt(life(lifetime, left, { isAuthority: true }), NOW, undefined)).toBe(status),
  );
});

describe('a certificate whose beginning is not known', () => {
  it.each([
    [false, 30 * DAY, 'WARN'],
    [false, 30 * DAY + 1, 'OK'],
    [false, 7 * DAY, 'CRITICAL'],
    [true, 365 * DAY, 'WARN'],
    [true, 365 * DAY + 1, 'OK'],
    [true, 30 * DAY, 'CRITICAL'],
  ])('is taken to live as long as most do (authority: %s), with %d ms left: %s', (isAuthority, left, status) =>
    expect(statusAt(life(0, left, { isAuthority, notBefore: undefined }), NOW, undefined)).toBe(status),
  );
});

describe('what renews itself', () => {
  it.each([
    ['kubelet', 365 * DAY, 40 * DAY, 'OK'],
    ['kubelet', 365 * DAY, 29 * DAY, 'DUE'],
    ['kubelet', 365 * DAY, 6 * DAY, 'CRITICAL'],
    ['kubelet', DAY, 3 * HOUR, 'OK'],
    ['kubelet', DAY, 2 * HOUR, 'DUE'],
    ['kubelet', DAY, HOUR, 'CRITICAL'],
    ['operator', 30 * DAY, 10 * DAY, 'OK'],
    ['kubelet', 100 * DAY, 10 * DAY + 1, 'OK'],
    ['kubelet', 100 * DAY, 10 * DAY - 1, 'DUE'],
    ['kubelet', 100 * DAY, 5 * DAY + 1, 'DUE'],
    ['kubelet', 100 * DAY, 5 * DAY, 'CRITICAL'],
    ['kubelet', 365 * DAY, 7 * DAY + 1, 'DUE'],
    ['kubelet', 365 * DAY, 7 * DAY, 'CRITICAL'],
  ] as const)('as the %s does it, of %d ms with %d ms left, is %s', (rotatedBy, lifetime, left, status) =>
    expect(statusAt(life(lifetime, left, { rotatedBy }), NOW, undefined)).toBe(status),
  );

  it('is due when its owner said it would renew it and did not', () => {
    const given = { rotatedBy: 'cert-manager', dueAt: NOW - 5 * DAY } as const;
    expect(statusAt(life(90 * DAY, 25 * DAY, given), NOW, undefined)).toBe('DUE');
    expect(statusAt(life(90 * DAY, 29 * DAY, { ...given, dueAt: NOW - DAY }), NOW, undefined)).toBe('OK');
    // A fiftieth of the lifetime may pass before it is late.
    expect(
      [2 * DAY, 2 * DAY + 1].map((late) => statusAt(life(100 * DAY, 25 * DAY, { ...given, dueAt: NOW - late }), NOW, undefined)),
    ).toEqual(['OK', 'DUE']);
  });
});

describe('a window', () => {
  it('is taken at its word, whoever renews', () => {
    expect(statusAt(life(DAY, 12 * HOUR, { rotatedBy: 'kubelet' }), NOW, 30 * DAY)).toBe('WARN');
    expect(statusAt(life(3650 * DAY, 100 * DAY, { isAuthority: true }), NOW, 30 * DAY)).toBe('OK');
    expect(statusAt(life(365 * DAY, -1), NOW, 30 * DAY)).toBe('EXPIRED');
    expect([3 * DAY, 7 * DAY, 7 * DAY + 1, 30 * DAY, 30 * DAY + 1].map((left) => statusAt(life(365 * DAY, left), NOW, 30 * DAY))).toEqual([
      'CRITICAL',
      'CRITICAL',
      'WARN',
      'WARN',
      'OK',
    ]);
  });
});
