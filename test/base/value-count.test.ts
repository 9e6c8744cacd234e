import { describe, expect, it } from 'vitest';
import { countJson, countLines } from '../../src/base/value-count.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;

describe('counting values', () => {
  it.each([
    ['{}', 1, 1],
    ['{}{}\n[{}]', 4, 2],
    ['[1, 2, { "a": [ ] }]', 5, 3],
    ['[[], {}, [[]]]', 5, 3],
    [String.raw`{"a": "[[[{\"", "b": "\\", "c": [[]]}`, 5, 3],
  ])('finds what is in %s, and goes around its strings', (text, values, depth) => {
    expect(countJson(text, NO_LIMIT, NO_LIMIT)).toEqual({ values, depth });
  });

  it('is not kept from it by a quote that is missing', () => {
    expect(countJson(`{"a\n${'[{},{}]\n'.repeat(100)}`, NO_LIMIT, NO_LIMIT).values).toBe(302);
  });

  it('ends at its limits, and takes time that grows with the text', () => {
    expect(countJson('{},'.repeat(1_000_000), 100, NO_LIMIT).values).toBe(101);
    expect(countJson('['.repeat(1_000_000), NO_LIMIT, 100).depth).toBe(101);
    const started = performance.now();
    for (const text of ['"'.repeat(4_000_000), '\\"'.repeat(2_000_000), `"${'\\'.repeat(4_000_000)}"`, '"a":'.repeat(1_000_000)])
      countJson(text, NO_LIMIT, NO_LIMIT);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('takes a line for a value where the text is not JSON', () => {
    expect(countLines('- a\n- { b: [] }\n', NO_LIMIT).values).toBe(5);
    expect(countLines('-\n'.repeat(1_000_000), 100).values).toBe(101);
  });
});
