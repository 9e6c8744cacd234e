import { describe, expect, it } from 'vitest';
import { parseCron, startsBetween } from '../../../../src/collect/request/controllers/cron-schedule.ts';

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

  it.each(['', 'every day', '61 * * * *', '* * * *', '*/0 * * * *', '5-1 * * * *'])('is not read from "%s"', (text) => {
    expect(parseCron(text)).toBeUndefined();
  });
});
