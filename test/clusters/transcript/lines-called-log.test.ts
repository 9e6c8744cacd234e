import { expect, it } from 'vitest';
import { linesCalledLog } from '../../../src/clusters/transcript/loose/program-lines.ts';

const linesOf = (...texts: readonly string[]) => texts.map((text, index) => ({ number: index + 1, text }));
const called = (texts: readonly string[], intro?: string): readonly number[] => [
  ...linesCalledLog(linesOf(...texts), intro === undefined ? undefined : { intro }),
];

it('calls the lines of a block a log after such words, but not what somebody typed in a shell', () => {
  expect(called(['price list is empty', '', 'giving up'], 'The log of the pod:')).toEqual([1, 3]);
  expect(called(['price list is empty'], 'The events of the pod:')).toEqual([]);
  expect(called(['> redis-cli ping', 'Could not connect'], 'After I read the log:')).toEqual([]);
});

it('calls the lines below a heading a log up to a gap', () => {
  expect(called(['Hello', '', 'Logs:', '', 'price list is empty', 'giving up', '', 'Any ideas?'])).toEqual([5, 6]);
  expect(called(['### Log of till', 'giving up', '', '--- previous logs ---', 'starting'])).toEqual([2, 5]);
  expect(called(['The log is empty:', 'Any ideas?'])).toEqual([]);
});

it('goes on behind a gap with what a program writes', () => {
  expect(called(['Logs:', 'starting', '', 'Error: Cannot find module till', '    at load', '', '    at run', '', 'Any ideas?'])).toEqual([
    2, 4, 5, 7,
  ]);
});
