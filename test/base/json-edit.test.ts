import { expect, test } from 'vitest';
import { canonicalJson, deepFreeze, mapShared, mergeDiff, sameJson, withDefaults, withFields, withPath } from '../../src/base/json-edit.ts';

const POD = deepFreeze({ metadata: { name: 'web-1', labels: { app: 'web' } }, spec: { containers: [{ name: 'web' }] } });

test('a change shares everything that is not on its way', () => {
  const changed = withPath(POD, ['metadata', 'labels', 'tier'], 'front');
  expect(changed).toEqual({ metadata: { name: 'web-1', labels: { app: 'web', tier: 'front' } }, spec: { containers: [{ name: 'web' }] } });
  expect(changed.spec).toBe(POD.spec);
  expect(POD.metadata.labels).toEqual({ app: 'web' });
});

test('a change to what is there already gives the same object back', () => {
  expect(withPath(POD, ['metadata', 'name'], 'web-1')).toBe(POD);
  expect(withFields(POD, { spec: POD.spec })).toBe(POD);
  expect(withDefaults(POD, { spec: {} })).toBe(POD);
  expect(mapShared(POD.spec.containers, (container) => container)).toBe(POD.spec.containers);
});

test('a field given as undefined goes', () => {
  expect(withFields({ a: 1, b: 2 }, { b: undefined })).toEqual({ a: 1 });
  expect(withPath({ a: { b: 1 } }, ['a', 'b'], undefined)).toEqual({ a: {} });
});

test('a default takes the place of null, not of false', () => {
  expect(withDefaults({ a: null, b: false }, { a: 1, b: true })).toEqual({ a: 1, b: false });
});

test.each([
  [{ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
  [[1, 2], [2, 1], false],
  [{}, [], false],
])('%j and %j are the same JSON: %s', (a, b, same) => {
  expect(sameJson(a, b)).toBe(same);
});

test('a diff says what was set, what went, and nothing of what stayed', () => {
  const after = { ...POD, metadata: { name: 'web-1', labels: { app: 'shop' } }, status: { phase: 'Running' } };
  expect(mergeDiff(POD, after)).toEqual({ metadata: { labels: { app: 'shop' } }, status: { phase: 'Running' } });
  expect(mergeDiff(after, POD)).toEqual({ metadata: { labels: { app: 'web' } }, status: null });
  expect(mergeDiff(POD, { ...POD })).toBeUndefined();
});

test('canonical JSON does not depend on the order of fields', () => {
  expect(canonicalJson({ b: 1, a: [{ d: 1, c: undefined }] })).toBe('{"a":[{"d":1}],"b":1}');
});
