import { expect, test } from 'vitest';
import { BackOff } from '../../../src/simulator/kubelet/containers/back-off.ts';

const SECOND = 1000;

/** The waits after failures at these moments, in seconds: at first 10 s, at most 300 s. */
function waits(...failures: readonly number[]): readonly (number | undefined)[] {
  const backOff = new BackOff(10 * SECOND, 300 * SECOND);
  return failures.map((seconds) => {
    backOff.next('web', seconds * SECOND, seconds * SECOND);
    return (backOff.entry('web')?.wait ?? 0) / SECOND;
  });
}

test('a wait doubles with each failure up to the longest', () => {
  expect(waits(0, 1, 2, 3, 4, 5, 6)).toEqual([10, 20, 40, 80, 160, 300, 300]);
});

test('waits begin again after twice the longest without a failure, and not a moment before', () => {
  expect(waits(0, 1, 601, 1201)).toEqual([10, 20, 40, 80]);
  expect(waits(0, 1, 602, 603)).toEqual([10, 20, 10, 20]);
});

test('a wait is over when its time has passed, or when what it counts from is long after its failure', () => {
  const backOff = new BackOff(10 * SECOND, 300 * SECOND);
  backOff.next('web', 0, 0);
  expect([9, 10].map((seconds) => backOff.waitSinceUpdate('web', seconds * SECOND))).toEqual([10 * SECOND, undefined]);
  expect([600, 601].map((seconds) => backOff.waitSince('web', seconds * SECOND, seconds * SECOND))).toEqual([10 * SECOND, undefined]);
  expect(backOff.waitSinceUpdate('cart', 0)).toBeUndefined();
});

test('what is forgotten is all of one prefix', () => {
  const backOff = new BackOff(10 * SECOND, 300 * SECOND);
  for (const key of ['web-1/web', 'web-1/log', 'web-2/web']) backOff.next(key, 0, 0);
  backOff.forget('web-1/');
  expect(['web-1/web', 'web-1/log', 'web-2/web'].map((key) => backOff.entry(key)?.wait)).toEqual([undefined, undefined, 10 * SECOND]);
});
