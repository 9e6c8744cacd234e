import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linearPattern } from '../../../src/base/pattern/linear-pattern.ts';

function found(pattern: string, text: string): string | undefined {
  const known = linearPattern(pattern);
  if ('trouble' in known) throw new Error(known.trouble);
  return known.find(text)?.text;
}

const PARTS = [
  'a',
  'b',
  '.',
  '\\d',
  '\\w',
  '\\s',
  '[ab]',
  '[^a]',
  '[a-c1]',
  '^',
  '$',
  '\\b',
  '(a|b)',
  '(?:ab)',
  '(ab|a)',
  'a*',
  'b+',
  'a?',
  'b{2}',
  '(?:ab){1,2}',
  '(a+b)*',
  '[ab]+?',
  '|',
];

test('a pattern fits the same texts as in other engines', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 6 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' ', '\n'), maxLength: 10 }),
      (parts, text) => {
        const pattern = parts.join('');
        const known = linearPattern(pattern);
        expect('trouble' in known ? known.trouble : known.test(text)).toBe(new RegExp(pattern, 'u').test(text));
      },
    ),
    { numRuns: 2000, seed: 1 },
  );
});

describe('what fits first', () => {
  test.each<[string, string, string | undefined]>([
    ['a|ab', 'xab', 'a'],
    ['a+?', 'aaa', 'a'],
    ['(?U)a+', 'aaa', 'a'],
    ['(?i)shop', 'the SHOP', 'SHOP'],
    ['(?i:s)hop', 'SHOP Shop', 'Shop'],
    ['(?m)^till$', 'shop\ntill\n', 'till'],
    ['(?s)a.b', 'a\nb', 'a\nb'],
    ['a.b', 'a\nb', undefined],
    ['\\Aweb\\z', 'web', 'web'],
    ['\\x41\\x{42}\\103', 'ABC', 'ABC'],
    ['\\Qa.b\\E+', 'a.bb', 'a.bb'],
    ['[[:alpha:]]+[[:^digit:]]', 'till-4', 'till-'],
    ['[]a]+', 'x]a', ']a'],
    ['[\\d-]+', 'a1-2', '1-2'],
    ['\\p{Greek}+', 'abγδ', 'γδ'],
    ['\\PL', 'γ1', '1'],
    ['(?P<name>\\w+)=', 'app=web', 'app='],
    ['a{,2}', 'a{,2}', 'a{,2}'],
    ['.', '🍐', '🍐'],
  ])('%s in %j', (pattern, text, first) => {
    expect(found(pattern, text)).toBe(first);
  });
});

describe('what is no pattern', () => {
  test.each([
    ['(', 'missing closing ): `(`'],
    [')', 'unexpected ): `)`'],
    ['[a', 'missing closing ]: `[a`'],
    ['+', 'missing argument to repetition operator: `+`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['a{2,1}', 'invalid repeat count: `{2,1}`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['\\y', 'invalid escape sequence: `\\y`'],
    ['a\\', 'trailing backslash at end of expression: ``'],
    ['[z-a]', 'invalid character class range: `z-a`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<=a)b', 'invalid named capture: `(?<=a)b`'],
    ['((a{100}){100}){100}', 'invalid repeat count: `{100}`'],
  ])('%s', (pattern, words) => {
    expect(linearPattern(pattern)).toEqual({ trouble: `error parsing regexp: ${words}` });
  });
});

test('a pattern whose groups are in one another a thousand times is too deep', () => {
  const pattern = `${'('.repeat(2000)}a${')'.repeat(2000)}`;
  expect(linearPattern(pattern)).toEqual({ trouble: `error parsing regexp: expression nests too deeply: \`${pattern}\`` });
});

test.each(['^(a+)+$', '^(a|a)*$', '^(a*)*b$', 'a*a*a*a*a*a*b', '(x+x+)+y'])('%s comes to an end on a text that almost fits', (pattern) => {
  expect(found(pattern, `${'a'.repeat(5000)}!`)).toBeUndefined();
});
