import { describe, expect, it } from 'vitest';
import type { Execution } from './executions.ts';
import { executionsOf, shortestThrough, testsThrough } from './executions.ts';

function tested(id: string, ...functions: readonly string[]): Execution {
  return { id, milliseconds: 10, functions: new Set(functions.map((name) => `src/shop.ts#${name}`)) };
}

const TESTS = [tested('a', 'open', 'pay'), tested('b', 'open'), tested('c', 'open', 'pay'), tested('d', 'open')];
const EXECUTIONS = { loaded: new Set(['src/shop.ts#prices']), tests: TESTS, loadMilliseconds: 5 };

function chosen(inside: readonly string[], milliseconds = 1000, file = 'src/shop.ts'): string {
  return testsThrough({ file, inside }, EXECUTIONS, milliseconds)
    .map(({ id }) => id)
    .join('');
}

describe('tests of a place', () => {
  it('are those that execute the function around it', () => {
    expect(chosen(['pay'])).toBe('ac');
    expect(chosen(['callback', 'pay', 'open'])).toBe('ac');
    expect(chosen(['open'])).toBe('abcd');
  });

  it('are all where it is executed while the file is loaded, or where nothing is known of it', () => {
    expect(chosen(['prices'])).toBe('abcd');
    expect(chosen([])).toBe('abcd');
    expect(chosen(['pay'], 1000, 'src/till.ts')).toBe('abcd');
  });

  it('are as many as there is time for, spread over all, and one at least', () => {
    expect(chosen(['open'], 20)).toBe('ac');
    expect(chosen(['open'], 30)).toBe('abc');
    expect(chosen(['pay'], 1)).toBe('a');
  });

  it('leave out one that takes longer than all are to take', () => {
    const executions = { ...EXECUTIONS, tests: [{ ...tested('all', 'pay'), milliseconds: 31 }, ...TESTS] };
    expect(testsThrough({ file: 'src/shop.ts', inside: ['pay'] }, executions, 30).map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('are the shortest of several files, those of its own folder first, in the order of the files', () => {
    const files = [
      { file: 'far.test.ts', distance: 2, loaded: new Set<string>(), tests: [tested('e', 'close')], loadMilliseconds: 1 },
      { file: 'shop.test.ts', distance: 0, ...EXECUTIONS },
      {
        file: 'cart.test.ts',
        distance: 0,
        loaded: new Set<string>(),
        tests: [{ ...tested('f', 'pay'), milliseconds: 4 }, tested('g', 'open')],
        loadMilliseconds: 2,
      },
      {
        file: 'till.test.ts',
        distance: 2,
        loaded: new Set<string>(),
        tests: [{ id: 'h', milliseconds: 1, functions: new Set(['src/till.ts#ring', 'src/shop.ts#pay']) }],
        loadMilliseconds: 2,
      },
    ];
    const of = (inside: readonly string[], milliseconds = 1000, file = 'src/shop.ts'): string =>
      shortestThrough({ file, inside }, files, milliseconds)
        .map((one) => `${one.file.slice(0, 4)} ${one.tests.map(({ id }) => id).join('')}`)
        .join(', ');
    expect(of(['pay'])).toBe('shop ac, cart f, till h');
    // What one file executes decides for all of them.
    expect(of(['close', 'open'])).toBe('far. e');
    expect([of(['pay'], 15), of(['pay'], 24)]).toEqual(['shop a, cart f', 'shop ac, cart f']);
    // One is tried, however long it takes.
    expect([of(['pay'], 1), of(['open'], 5)]).toEqual(['cart f', 'shop a']);
    // What no function is around is used by those of its file; without any, all tests may tell.
    expect([of([], 1000, 'src/till.ts'), of([], 1000, 'src/cart.ts')]).toEqual(['till h', 'far. e, shop abcd, cart fg, till h']);
  });

  it('tell the functions they execute by numbers, each name once', () => {
    const recorded = [
      { id: 'a', milliseconds: 1, loaded: ['prices'], loadMilliseconds: 7, executed: [0, 1], named: ['open', 'pay'], firstNamed: 0 },
      { id: 'b', milliseconds: 2, executed: [2, 0], named: ['close'], firstNamed: 2 },
      { id: 'skipped', milliseconds: 0 },
    ];
    const { loaded, tests, loadMilliseconds } = executionsOf(recorded);
    expect([[...loaded], loadMilliseconds]).toEqual([['prices'], 7]);
    expect(tests.map(({ id, functions }) => [id, [...functions]])).toEqual([
      ['a', ['open', 'pay']],
      ['b', ['close', 'open']],
      ['skipped', []],
    ]);
  });
});
