import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { JsonDigest } from '../../src/base/json-digest.ts';

function digestOf(...values: readonly (Json | undefined)[]): string {
  const digest = new JsonDigest();
  for (const value of values) digest.add(value);
  return digest.hex();
}

test('a value has the digest of what its text is read as, fields that are undefined aside', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read = JSON.parse(JSON.stringify(value)) as Json;
      expect(digestOf(value as Json)).toBe(digestOf(read));
    }),
  );
  expect(digestOf({ name: 'web', uid: undefined })).toBe(digestOf({ name: 'web' }));
});

test('values that are written differently have different digests', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(digestOf(one as Json) === digestOf(other as Json)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
  );
});

test.each<[Json, Json]>([
  ['web', 'wea'],
  ['web-1', 'web-2'],
  ['web', 'web '],
  ['', 'w'],
  ['1', 1],
  [0, false],
  [0, null],
  ['', null],
  ['null', null],
  [[], {}],
  [[[]], []],
  [['web', 'cart'], ['webcart']],
  [
    ['web', 'cart'],
    ['web', ['cart']],
  ],
  [{ web: 1 }, ['web', 1]],
  [
    { web: 1, cart: 2 },
    { cart: 2, web: 1 },
  ],
  [{ web: { cart: 1 } }, { web: {}, cart: 1 }],
  [1, -1],
  [1, 1.5],
  [2 ** 40, 2 ** 40 + 1],
  [0.1, 0.2],
  ['\u0000', ''],
  ['\u0000\u0000', '\u0000'],
])('%j is told from %j', (one, other) => {
  expect(digestOf(one)).not.toBe(digestOf(other));
});

test('what is added in other pieces has another digest, and reading it changes nothing', () => {
  expect(digestOf('web', 'cart')).not.toBe(digestOf('webcart'));
  const digest = new JsonDigest().add('web');
  const first = digest.hex();
  expect(digest.hex()).toBe(first);
  expect(digest.add(1).hex()).not.toBe(first);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
});

test('of what is never changed in place, long lists come to the same the first time and every other', () => {
  const endpoints = Array.from({ length: 400 }, (_, index) => ({ ip: `10.0.0.${index}`, ready: index % 3 === 0, weight: index / 7 }));
  const lists: Json[] = [endpoints, endpoints.toReversed(), [...endpoints.slice(0, 20), 'one more', null, 7, { of: endpoints }], endpoints];
  const [plain, kept] = [new JsonDigest(), new JsonDigest()];
  for (const list of lists) expect(kept.addKept({ list }).hex()).toBe(plain.add({ list }).hex());
});
