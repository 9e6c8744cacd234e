import { expect, test } from 'vitest';
import { goDiff } from '../../../src/simulator/apiserver/validation/go-diff.ts';

const difference = (before: readonly string[], after: readonly string[]): string =>
  goDiff('PersistentVolumeClaimSpec', { accessModes: before }, { accessModes: after });

/** What Python's difflib, whose algorithm Go's is, makes of the same lines. */
test('the longest stretch that both have is what stays, wherever it begins', () => {
  expect(difference(['c', 'c', 'b'], ['c', 'b'])).toBe(`@@ -1,6 +1,5 @@
 {
  "AccessModes": [
-  "c",
   "c",
   "b"
  ],
`);
});

test('of 200 lines and more, a line that comes often begins no stretch', () => {
  const long = (modes: readonly string[]): readonly string[] => [...modes, ...Array.from({ length: 220 }, () => 'often')];
  expect(difference(long(['a', 'often', 'b']), long(['c', 'often', 'd'])).split('\n')).toEqual([
    '@@ -1,8 +1,8 @@',
    ' {',
    '  "AccessModes": [',
    '-  "a",',
    '-  "often",',
    '-  "b",',
    '+  "c",',
    '+  "often",',
    '+  "d",',
    '   "often",',
    '   "often",',
    '   "often",',
    '',
  ]);
});

test('lines that did not change are shown in part, and nothing of what is the same', () => {
  expect(difference(['a'], ['a'])).toBe('');
  const lines = Array.from({ length: 12 }, (_, index) => `m${index}`);
  const hunks = difference(lines, lines.with(0, 'x').with(11, 'y')).match(/^@@.*@@$/gm);
  expect(hunks).toEqual(['@@ -1,6 +1,6 @@', '@@ -11,7 +11,7 @@']);
});
