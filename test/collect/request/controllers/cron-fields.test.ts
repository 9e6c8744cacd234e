import { describe, expect, it } from 'vitest';
import { parseCron, startsBetween } from '../../../../src/collect/request/controllers/cron-schedule.ts';

const DAY = 86_400_000;
/** A Thursday. */
const FROM = Date.parse('2026-01-01T00:00:00Z');

function starts(schedule: string, days: number): number | undefined {
  const parsed = parseCron(schedule);
  return parsed === undefined ? undefined : startsBetween(parsed, FROM - 60_000, FROM + days * DAY - 60_000, 100_000);
}

describe('a schedule', () => {
  it.each<readonly [string, number, number]>([
    ['* * * * *', 1, 1440],
    ['0 * * * *', 1, 24],
    ['*/15 * * * *', 1, 96],
    ['5/15 * * * *', 1, 96],
    ['50/5 * * * *', 1, 48],
    ['0,30 8-18 * * *', 1, 22],
    ['0 8-18/2 * * *', 1, 6],
    ['0 0 * * 4', 14, 2],
    ['0 0 * * thu', 14, 2],
    ['0 0 * * mon-fri', 7, 5],
    ['0 0 * * 0', 7, 1],
    ['0 0 * * 7', 7, 1],
    ['0 0 * * 6-7', 7, 2],
    ['0 0 1 * *', 31, 1],
    ['0 0 31 * *', 31, 1],
    ['0 0 2 * 4', 7, 2],
    ['0 0 ? * 4', 7, 1],
    ['0 0 * feb *', 31, 0],
    ['0 0 * JAN *', 31, 31],
    ['0 0 * 1-2 *', 31, 31],
    ['@hourly', 1, 24],
    ['@daily', 3, 3],
    ['@midnight', 3, 3],
    ['@weekly', 7, 1],
    ['@monthly', 31, 1],
    ['@yearly', 2, 1],
    [' @annually ', 2, 1],
  ])('%s in %d days starts %d times', (schedule, days, count) => {
    expect(starts(schedule, days)).toBe(count);
  });

  it.each([
    '',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 13 *',
    '* * * 0 *',
    '* * * * 8',
    '5-1 * * * *',
    '*/0 * * * *',
    '*/x * * * *',
    'x * * * *',
    '1- * * * *',
    '@never',
    `${'0,'.repeat(100)}0 * * * *`,
  ])('that is none is not read: %s', (schedule) => {
    expect(parseCron(schedule)).toBeUndefined();
  });

  it('may name months and days of the week', () => {
    const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
    expect(months.map((name) => [...(parseCron(`* * * ${name} *`)?.months ?? [])])).toEqual(months.map((_, index) => [index + 1]));
    const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    expect(days.map((name) => [...(parseCron(`* * * * ${name}`)?.weekdays ?? [])])).toEqual(days.map((_, index) => [index]));
  });

  it('counts no further than it was asked, and from the minute after', () => {
    const each = parseCron('* * * * *');
    if (each === undefined) throw new Error('it can be read');
    expect(startsBetween(each, FROM, FROM + DAY, 10)).toBe(10);
    expect(startsBetween(each, FROM, FROM + 60_000, 10)).toBe(1);
    expect(startsBetween(each, FROM, FROM + 59_999, 10)).toBe(0);
    expect(startsBetween(each, FROM + 1, FROM + 60_000, 10)).toBe(1);
  });
});
