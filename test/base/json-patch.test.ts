import { expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { applyJsonPatch } from '../../src/base/json-patch.ts';

const DOCUMENT: Json = { labels: { 'shop/tier': 'front' }, list: ['a', 'b', 'c'], count: 1 };

test.each<readonly [Json, Json]>([
  [
    { op: 'add', path: '/labels/app', value: 'web' },
    { ...DOCUMENT, labels: { 'shop/tier': 'front', app: 'web' } },
  ],
  [
    { op: 'add', path: '/list/-', value: 'd' },
    { ...DOCUMENT, list: ['a', 'b', 'c', 'd'] },
  ],
  [
    { op: 'add', path: '/list/1', value: 'x' },
    { ...DOCUMENT, list: ['a', 'x', 'b', 'c'] },
  ],
  [
    { op: 'remove', path: '/list/-1' },
    { ...DOCUMENT, list: ['a', 'b'] },
  ],
  [
    { op: 'remove', path: '/labels/shop~1tier' },
    { ...DOCUMENT, labels: {} },
  ],
  [
    { op: 'replace', path: '/list/0', value: 'z' },
    { ...DOCUMENT, list: ['z', 'b', 'c'] },
  ],
  [
    { op: 'replace', path: '/other', value: 2 },
    { ...DOCUMENT, other: 2 },
  ],
  [
    { op: 'copy', from: '/list/0', path: '/first' },
    { ...DOCUMENT, first: 'a' },
  ],
  [
    { op: 'move', from: '/count', path: '/labels/count' },
    { labels: { 'shop/tier': 'front', count: 1 }, list: ['a', 'b', 'c'] },
  ],
  [{ op: 'test', path: '/list/1', value: 'b' }, DOCUMENT],
])('%j', (operation, value) => {
  expect(applyJsonPatch(DOCUMENT, [operation])).toEqual({ ok: true, value });
});

test.each([
  [{ op: 'add', path: '/annotations/a', value: 'b' }, 'add operation does not apply: doc is missing path: "/annotations/a": missing value'],
  [
    { op: 'add', path: '/list/9', value: 'b' },
    "error in add for path: '/list/9': Unable to access invalid index: 9: invalid index referenced",
  ],
  [
    { op: 'add', path: '/list/x', value: 'b' },
    `error in add for path: '/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
  ],
  [{ op: 'remove', path: '/labels/app' }, "error in remove for path: '/labels/app': Unable to remove nonexistent key: app: missing value"],
  [{ op: 'remove', path: '/annotations/app' }, 'remove operation does not apply: doc is missing path: "/annotations/app": missing value'],
  [{ op: 'replace', path: '/list/3', value: 'b' }, 'replace operation does not apply: doc is missing key: /list/3: missing value'],
  [
    { op: 'replace', path: '/annotations/app', value: 'b' },
    'replace operation does not apply: doc is missing path: /annotations/app: missing value',
  ],
  [{ op: 'test', path: '/labels/app', value: 'b' }, 'testing value /labels/app failed: test failed'],
  [{ op: 'move', from: '/none/x', path: '/labels/x' }, 'move operation does not apply: doc is missing from path: /none/x: missing value'],
  [{ op: 'move', from: '/labels/x', path: '/labels/y' }, "error in move for path: 'x': Unable to remove nonexistent key: x: missing value"],
  [
    { op: 'copy', from: '/count', path: '/none/x' },
    'copy operation does not apply: doc is missing destination path: /none/x: missing value',
  ],
  [{ op: 'put', path: '/labels' }, 'Unexpected kind: put'],
])('%j is refused', (operation, error) => {
  expect(applyJsonPatch(DOCUMENT, [operation])).toEqual({ ok: false, error });
});
