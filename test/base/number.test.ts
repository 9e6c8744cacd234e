import { describe, expect, it } from 'vitest';
import { bigintOf, isLess, numberOf, parseBigint, parseDecimal, parseDigits, parseInteger, rounded } from '../../src/base/number.ts';

describe('a number in a text', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['+7', 7],
    ['-12', -12],
    ['007', 7],
    ['9007199254740991', 9_007_199_254_740_991],
  ])('%s is the whole number %d', (text, number) => {
    expect(Object.is(parseInteger(text), number)).toBe(true);
  });

  it.each([
    undefined,
    '',
    ' ',
    '1.5',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '1 2',
    '9007199254740992',
    '-9007199254740992',
    '9'.repeat(400),
    '١٢',
  ])('%j is no whole number', (text) => {
    expect(parseInteger(text)).toBeUndefined();
  });

  it.each([
    ['0.5', 0.5],
    ['-3', -3],
    ['.5', 0.5],
    ['1e3', 1000],
    ['1.', 1],
    ['-0', 0],
    ['1e-400', 0],
    ['1e999', undefined],
    ['Infinity', undefined],
    ['0x1', undefined],
    ['', undefined],
    ['1'.repeat(65), undefined],
  ])('%s is the number %s', (text, number) => {
    expect(Object.is(parseDecimal(text), number)).toBe(true);
  });

  it('may be octal or hexadecimal digits', () => {
    expect([
      parseDigits('755', 8),
      parseDigits('8', 8),
      parseDigits('ff', 16),
      parseDigits('0xff', 16),
      parseDigits('', 16),
      parseDigits('f'.repeat(20), 16),
    ]).toEqual([493, undefined, 255, undefined, undefined, undefined]);
  });

  it('may be of any size as a bigint', () => {
    expect([
      parseBigint('99999999999999999999'),
      parseBigint('-1'),
      parseBigint('1.5'),
      parseBigint(''),
      parseBigint('1'.repeat(65)),
      parseBigint('ff', 16),
    ]).toEqual([99_999_999_999_999_999_999n, -1n, undefined, undefined, undefined, 255n]);
  });

  it('is compared as a whole number of any size, and nothing else is less', () => {
    expect([isLess('9', '10'), isLess('10', '9'), isLess('9', '9'), isLess('a', '10'), isLess('9', undefined), isLess('1.5', '2')]).toEqual(
      [true, false, false, false, false, false],
    );
  });
});

describe('a number and a bigint', () => {
  it('become each other for every value, and never throw or become infinite', () => {
    expect([bigintOf(1.9), bigintOf(-1.9), bigintOf(Number.NaN), bigintOf(Number.POSITIVE_INFINITY), bigintOf(1e21)]).toEqual([
      1n,
      -1n,
      0n,
      0n,
      10n ** 21n,
    ]);
    expect([numberOf(5n), numberOf(10n ** 999n), numberOf(-(10n ** 999n))]).toEqual([5, Number.MAX_VALUE, -Number.MAX_VALUE]);
    expect([rounded(1.23456, 3), rounded(2, 3)]).toEqual([1.235, 2]);
  });
});
