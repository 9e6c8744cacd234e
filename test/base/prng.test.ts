import { expect, test } from 'vitest';
import { Prng } from '../../src/base/prng.ts';

test('the same seed gives the same numbers, another seed others', () => {
  const draw = (seed: number): readonly number[] =>
    Array.from(
      { length: 20 },
      (
        (prng) => () =>
          prng.bits()
      )(new Prng(seed)),
    );
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test('the numbers are the same on every machine and in every version', () => {
  const prng = new Prng('shop');
  expect([prng.bits(), prng.bits(), prng.below(1000), prng.text('abc', 6), prng.uuid()]).toEqual(KNOWN);
});

test('a stream that is split off does not depend on what was drawn before', () => {
  const fresh = new Prng(1);
  const used = new Prng(1);
  used.bits();
  expect(used.split('names').bits()).toBe(fresh.split('names').bits());
  expect(fresh.split('names').bits()).not.toBe(fresh.split('delays').bits());
});

test('numbers below a limit are spread evenly', () => {
  const prng = new Prng(3);
  const counts = [0, 0, 0, 0];
  for (let draw = 0; draw < 40_000; draw++) counts[prng.below(4)] = (counts[prng.below(4)] ?? 0) + 1;
  for (const count of counts) expect(count).toBeGreaterThan(8000);
});

const KNOWN = [3_025_556_196, 1_970_220_956, 108, 'baacab', '58a27057-253c-4d75-9d78-c94331e61d56'];
