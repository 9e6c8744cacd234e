import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { append, largest, smallest } from '../src/base/lists.ts';

/** Longer than what the stack takes as arguments. */
const MANY = Array.from({ length: 500_000 }, (_, index) => index);

describe('lists that are longer than the arguments a call can have', () => {
  it('are put at the end of others, and searched for their largest and smallest', () => {
    const list = [-1];
    append(list, MANY);
    expect([list.length, largest(list), smallest(list)]).toEqual([500_001, 499_999, -1]);
  });

  it('are not there: the limits are those of Math.max and Math.min', () => {
    expect([largest([]), smallest([]), largest([1, Number.NaN]), smallest([Number.NaN, 1])]).toEqual([
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      Number.NaN,
      Number.NaN,
    ]);
  });
});

describe('no list is spread into the arguments of a call', () => {
  it.each(['list.push(...more)', 'Math.max(0, ...numbers)', 'new Date(...parts)', 'dig(value, ...path)'])(
    'and %s would be found',
    (text) => {
      expect(spreadCalls('src/shop.ts', text)).toEqual([`src/shop.ts:1: ${text}`]);
    },
  );

  it('in the source', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .toSorted();
    expect(files.length).toBeGreaterThan(500);
    expect(
      files.flatMap((file) => spreadCalls(`src/${file}`, readFileSync(`src/${file}`, 'utf8'))),
      'take append, largest or smallest of base/lists.ts, digAt of base/json.ts, or a parameter that is a list',
    ).toEqual([]);
  });
});

/** Parameters that get tuples and short lists of constants. */
const SHORT = /^(?:String\.fromCharCode|flagOf|followedBy|orEnd|on|text|(?:.*\.)?(?:covers|get|gap|find|#exec))$/s;

function spreadCalls(file: string, source: string): readonly string[] {
  const found: string[] = [];
  const check = (call: {
    readonly start: number;
    readonly end: number;
    readonly callee: { readonly start: number; readonly end: number };
    readonly arguments: readonly { readonly type: string }[];
  }): void => {
    if (!call.arguments.some(({ type }) => type === 'SpreadElement') || SHORT.test(source.slice(call.callee.start, call.callee.end)))
      return;
    found.push(`${file}:${String(source.slice(0, call.start).split('\n').length)}: ${source.slice(call.start, call.end)}`);
  };
  new Visitor({ CallExpression: check, NewExpression: check }).visit(parseSync(file, source).program);
  return found;
}
