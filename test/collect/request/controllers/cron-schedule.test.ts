import { describe, expect, it } from 'vitest';
import { hasDate, parseCron, startsBetween } from '../../../../src/collect/request/controllers/cron-schedule.ts';

function starts(schedule: string, from: string, to: string): number | undefined {
  const parsed = parseCron(schedule);
  return parsed === undefined ? undefined : startsBetween(parsed, Date.parse(from), Date.parse(to), 100);
}

describe('a cron schedule', () => {
  it('starts at each of its minutes after the first time and up to the last', () => {
    expect(starts('*/15 * * * *', '2026-01-15T12:00:00Z', '2026-01-15T13:00:00Z')).toBe(4);
    expect(starts('0,30 8-18 * * mon-fri', '2026-01-15T17:59:00Z', '2026-01-16T08:05:00Z')).toBe(3);
    expect(starts('@hourly', '2026-01-15T12:00:01Z', '2026-01-15T15:59:59Z')).toBe(3);
  });

  it('knows Sunday by both of its numbers', () => {
    expect(starts('0 0 * * 7', '2026-01-17T12:00:00Z', '2026-01-18T12:00:00Z')).toBe(1);
    expect(starts('0 0 * * 0', '2026-01-17T12:00:00Z', '2026-01-18T12:00:00Z')).toBe(1);
  });

  it('takes either day when days of the month and of the week are both given', () => {
    expect(starts('0 0 20 * fri', '2026-01-15T12:00:00Z', '2026-01-21T12:00:00Z')).toBe(2);
  });

  it.each([
    ['* * * * *', 5],
    ['? * * * *', 5],
    ['2/2 * * * *', 2],
    ['2 * * * *', 1],
    ['1-5/2 * * * *', 3],
    ['1,1,4 * * * *', 2],
    ['* 11 * * *', 0],
    ['* * * jan *', 5],
    ['* * * JAN *', 5],
    ['* * * feb *', 0],
    ['* * * * thu', 5],
    ['* * * * wed', 0],
    ['* * 15 * fri', 5],
    ['* * 16 * thu', 5],
    ['* * 16 * *', 0],
    ['* * 16 * ?', 0],
    ['* * */2 * fri', 0],
    ['  * * * * *  ', 5],
  ])('"%s" starts %i times in the first five minutes of a Thursday noon in January', (schedule, count) => {
    expect(starts(schedule, '2026-01-15T12:00:00Z', '2026-01-15T12:05:59Z')).toBe(count);
  });

  it.each([
    ['@yearly', '0 0 1 1 *'],
    ['@annually', '0 0 1 1 *'],
    ['@monthly', '0 0 1 * *'],
    ['@weekly', '0 0 * * 0'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    [' @hourly ', '0 * * * *'],
  ])('"%s" is "%s"', (word, schedule) => {
    expect(parseCron(word)).toEqual(parseCron(schedule));
    expect(parseCron(word)).toBeDefined();
  });

  it('is counted up to a limit, and for a month of minutes', () => {
    const every = parseCron('* * * * *');
    const rare = parseCron('0 0 15 2 *');
    if (every === undefined || rare === undefined) throw new Error('not read');
    const from = Date.parse('2026-01-15T00:00:00Z');
    expect(startsBetween(every, from, from + 3_600_000, 7)).toBe(7);
    expect(startsBetween(every, from, from, 7)).toBe(0);
    expect(startsBetween(rare, Date.parse('2026-01-15T12:00:00Z'), Date.parse('2026-02-20T00:00:00Z'), 7)).toBe(1);
    expect(startsBetween(rare, from - 60_000, Date.parse('2026-06-20T00:00:00Z'), 7)).toBe(1);
    expect(startsBetween(rare, Date.parse('2026-01-01T00:00:00Z'), Date.parse('2026-06-20T00:00:00Z'), 7)).toBe(0);
  });

  it.each([
    ['0 0 31 2 *', false],
    ['0 0 30 2 *', false],
    ['0 0 29 2 *', true],
    ['0 0 31 4,6,9,11 *', false],
    ['0 0 30 4 *', true],
    ['0 0 31 1 *', true],
    ['0 0 31 3 *', true],
    ['0 0 31 5 *', true],
    ['0 0 31 7 *', true],
    ['0 0 31 8 *', true],
    ['0 0 31 10 *', true],
    ['0 0 31 12 *', true],
    ['0 0 31 2 mon', true],
    ['0 0 31 1,2 *', true],
    ['0 0 28-31 2 *', true],
    ['0 0 30,31 2 *', false],
  ])('"%s" has a date: %j', (schedule, expected) => {
    const parsed = parseCron(schedule);
    expect(parsed === undefined ? undefined : hasDate(parsed)).toBe(expected);
  });

  it.each(['59 23 31 12 7', '0 0 1 1 0', '00 09 * * *'])('is read from "%s"', (text) => {
    expect(parseCron(text)).toBeDefined();
  });

  it.each([
    '',
    'every day',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 0 *',
    '* * * 13 *',
    '* * * * 8',
    '-1 * * * *',
    '001 * * * *',
    '1- * * * *',
    'jan * * * *',
    '* * * * jan',
    '* * * *',
    '* * * * * *',
    '*/0 * * * *',
    '*/x * * * *',
    '5-1 * * * *',
    `${' '.repeat(200)}* * * * *`,
  ])('is not read from "%s"', (text) => {
    expect(parseCron(text)).toBeUndefined();
  });
});
