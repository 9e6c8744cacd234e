import { expect, test } from 'vitest';
import { LruMap } from '../../src/base/lru-map.ts';

test('what was used longest ago is forgotten first', () => {
  const map = new LruMap<number>(3);
  for (const [index, key] of ['tea', 'rice', 'salt'].entries()) map.set(key, index);
  expect(map.get('tea')).toBe(0);
  map.set('rice', 7);
  map.set('oil', 3);
  expect([...map.entries()]).toEqual([
    ['tea', 0],
    ['rice', 7],
    ['oil', 3],
  ]);
  expect(map.get('salt')).toBeUndefined();
});

test('what is deleted leaves the others in their order', () => {
  const map = new LruMap<number>(3);
  for (const [index, key] of ['tea', 'rice', 'salt'].entries()) map.set(key, index);
  for (const key of ['salt', 'tea', 'wine']) map.delete(key);
  expect([map.size, ...map.entries()]).toEqual([1, ['rice', 1]]);
  map.delete('rice');
  map.set('oil', 2);
  expect([map.size, ...map.entries()]).toEqual([1, ['oil', 2]]);
});
