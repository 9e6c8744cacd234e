import { describe, expect, it } from 'vitest';
import { oldestFirst } from '../../../src/clusters/transcript/loose/newest-first.ts';

function ordered(...texts: readonly string[]): readonly string[] {
  return oldestFirst(texts.map((text, index) => ({ number: index + 1, text }))).map(({ text }) => text);
}

describe('lines in the order in which they were written', () => {
  it('are turned round where each time is no later than the one before, with what has none behind its time', () => {
    expect(ordered('1 minute ago', 'pulled', '9 minutes ago', 'failed')).toEqual(['9 minutes ago', 'failed', '1 minute ago', 'pulled']);
  });

  it.each([
    ['times go on', ['2026-03-04T08:00:00Z a', '2026-03-04T08:00:01Z b']],
    ['all times are one', ['2026-03-04T08:00:00Z a', '2026-03-04T08:00:00Z b']],
    ['some go on', ['9 minutes ago a', '10 minutes ago b', '1 minute ago c']],
    ['a sentence behind a log tells how long ago it was', ['2026-03-04T08:00:00Z a', 'b', 'It restarted 3 minutes ago.', 'c']],
  ])('are left where %s', (_, lines) => {
    expect(ordered(...lines)).toEqual(lines);
  });
});
