import { expect, test } from 'vitest';
import { warningHeaders } from '../../../../src/simulator/apiserver/wire/warning-headers.ts';

test('each warning is sent once, whole', () => {
  expect(warningHeaders(['unknown field "spec.a"', 'unknown field "spec.b"', 'unknown field "spec.a"'])).toEqual([
    '299 - "unknown field \\"spec.a\\""',
    '299 - "unknown field \\"spec.b\\""',
  ]);
});

test('many warnings are cut to what a header takes', () => {
  const headers = warningHeaders(Array.from({ length: 100_000 }, (_, index) => `unknown field "spec.${'a'.repeat(300)}${index}"`));
  expect([headers.length, headers[0]?.length]).toEqual([16, 265]);
  expect(warningHeaders(Array.from({ length: 100_000 }, (_, index) => `unknown field "spec.a${index}"`)).join('').length).toBeLessThan(
    8000,
  );
});
