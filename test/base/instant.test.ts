import { describe, expect, it } from 'vitest';
import { calendarOf, formatInstant, formatMilliseconds, instantOf, isInstant, parseDate, parseInstant } from '../../src/base/instant.ts';

const NOON = 1_768_478_400_000;

describe('a time as Kubernetes writes it', () => {
  it.each([
    ['2026-01-15T12:00:00Z', NOON],
    ['2026-01-15T12:00:00.123456789Z', NOON + 123],
    ['2026-01-15T13:00:00+01:00', NOON],
    ['2026-01-15 12:00:00 +0000 UTC', NOON],
    ['2026-01-15T12:00Z', NOON],
  ])('%s is read', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it('is in UTC when it names no zone, in whatever zone podcheck runs', () => {
    expect(new Date(2026, 0, 15, 12).getTime(), 'the tests run in a zone of their own').not.toBe(NOON);
    expect([parseInstant('2026-01-15T12:00:00'), parseInstant('2026-01-15 12:00:00')]).toEqual([NOON, NOON]);
    expect(parseDate('Jan 15 12:00:00 2026')).toBeUndefined();
    expect(parseDate('Mon, 01 Jan 0001 00:00:00 +0000')).toBeUndefined();
  });

  it.each([
    undefined,
    5,
    '',
    'now',
    '2026-13-45T99:99:99Z',
    '2026-01-15T12:00:00Z (about)',
    '2026-01-15T12:00:00+99:99',
    '+275760-09-13T00:00:00.000Z',
    '10000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:00',
    `2026-01-15T12:00:00.${'9'.repeat(400)}Z`,
  ])('%j is none', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

describe('a time as certificates and HTTP headers write it', () => {
  it.each([
    ['Jan 15 12:00:00 2026 GMT', NOON],
    ['Thu, 15 Jan 2026 12:00:00 GMT', NOON],
    ['Jan  1 00:00:00 99999 GMT', undefined],
    ['soon GMT', undefined],
    [undefined, undefined],
  ])('%s is read', (text, instant) => {
    expect(parseDate(text)).toBe(instant);
  });
});

describe('an instant', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 8.64e15, -8.64e15, 1e300, 253_402_300_800_000])(
    '%d, which no calendar has, is written as kubectl writes it and never throws',
    (instant) => {
      expect([isInstant(instant), formatInstant(instant), formatMilliseconds(instant)]).toEqual([false, '<invalid>', '<invalid>']);
      expect(calendarOf(instant).year).toBe(1970);
    },
  );

  it('is written to the second and to the millisecond', () => {
    expect([formatInstant(NOON + 999.5), formatMilliseconds(NOON + 7)]).toEqual(['2026-01-15T12:00:00Z', '2026-01-15T12:00:00.007Z']);
  });

  it('is made of a day that exists, and taken apart again', () => {
    expect(calendarOf(NOON)).toEqual({ year: 2026, month: 1, day: 15, hour: 12, minute: 0, second: 0, weekday: 4 });
    expect(instantOf({ year: 2026, month: 1, day: 15, hour: 12 })).toBe(NOON);
    expect([
      instantOf({ year: 2026, month: 2, day: 30 }),
      instantOf({ year: 2026, month: 1, day: 15, hour: 24 }),
      instantOf({ year: Number.NaN, month: 1, day: 1 }),
      instantOf({ year: 10_000, month: 1, day: 1 }),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
