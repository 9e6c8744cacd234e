import { expect, test } from 'vitest';
import { duplicateKeys } from '../../src/base/yaml/duplicate-keys.ts';

test('a key that stands twice in one map is found, with its line', () => {
  expect(duplicateKeys('\nspec:\n  mode: fast\n  ports:\n  - name: a\n    name: b\n  mode: slow\n')).toEqual([
    'line 7: key "mode" already set in map',
    'line 6: key "name" already set in map',
  ]);
  expect(duplicateKeys('a: {b: 1}\nc: {b: 2}\n')).toEqual([]);
  expect(duplicateKeys('a: [')).toEqual([]);
});
