import { expect, test } from 'vitest';
import { Digest, digestOf, fnv32a } from '../../src/base/digest.ts';

test('a digest is the same however the text is cut', () => {
  expect(new Digest().add('shop/').add('web').hex()).toBe(digestOf('shop/web'));
});

test('one other character gives another digest in most of its digits', () => {
  const [a, b] = [digestOf('shop/web-1'), digestOf('shop/web-2')];
  const same = Array.from(a).filter((digit, index) => digit === b[index]).length;
  expect(a).toHaveLength(32);
  expect(same).toBeLessThan(10);
});

test('reading a digest does not change it', () => {
  const digest = new Digest().add('shop');
  const first = digest.hex();
  expect(digest.hex()).toBe(first);
  expect(digest.add('!').hex()).not.toBe(first);
});

test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('FNV-1a of %j is as published', (text, hash) => {
  expect(fnv32a(text)).toBe(hash);
});
