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
  ])('of %d ms with %d ms left is %s', (lifetime, left, status) =>
    expect(statusAt(life(lifetime, left, { isAuthority: true }), NOW, undefined)).toBe(status),
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
  ] as const)('as the %s does it, of %d ms with %d ms left, is %s', (rotatedBy, lifetime, left, status) =>
    expect(statusAt(life(lifetime, left, { rotatedBy }), NOW, undefined)).toBe(status),
  );

  it('is due when its owner said it would renew it and did not', () => {
    const given = { rotatedBy: 'cert-manager', dueAt: NOW - 5 * DAY } as const;
    expect(statusAt(life(90 * DAY, 25 * DAY, given), NOW, undefined)).toBe('DUE');
    expect(statusAt(life(90 * DAY, 29 * DAY, { ...given, dueAt: NOW - DAY }), NOW, undefined)).toBe('OK');
  });
});

describe('a window', () => {
  it('is taken at its word, whoever renews', () => {
    expect(statusAt(life(DAY, 12 * HOUR, { rotatedBy: 'kubelet' }), NOW, 30 * DAY)).toBe('WARN');
    expect(statusAt(life(3650 * DAY, 100 * DAY, { isAuthority: true }), NOW, 30 * DAY)).toBe('OK');
    expect(statusAt(life(365 * DAY, -1), NOW, 30 * DAY)).toBe('EXPIRED');
    expect(statusAt(life(365 * DAY, 3 * DAY), NOW, 30 * DAY)).toBe('CRITICAL');
  });
});
