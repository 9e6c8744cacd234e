import { expect, it } from 'vitest';
import { withoutUndefined } from '../../src/base/without-undefined.ts';

it('leaves out members that are undefined, and keeps the order and every other value', () => {
  const left = withoutUndefined({ name: 'web', namespace: undefined, port: 0, host: '', uid: null, ready: false });
  expect(Object.entries(left)).toEqual([
    ['name', 'web'],
    ['port', 0],
    ['host', ''],
    ['uid', null],
    ['ready', false],
  ]);
  expect('namespace' in left).toBe(false);
});
