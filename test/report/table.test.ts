import { expect, it } from 'vitest';
import { tableText } from '../../src/report/format/table.ts';
import { PLAIN } from '../../src/report/format/text-style.ts';

const MANY = 500;

it('has each column at one place in all its rows, however many there are', () => {
  const rows = Array.from({ length: MANY }, (_, index) => [
    index === MANY - 1 ? 'a-name-that-is-wider-than-all-before' : `web-${index}`,
    `at ${index}`,
  ]);
  const [head = '', ...lines] = tableText(['NAME', 'WHERE'], rows, PLAIN).trimEnd().split('\n');
  const column = head.indexOf('WHERE');
  expect(lines.map((line) => line.slice(column))).toEqual(rows.map(([, where]) => where));
  expect(lines.map((line) => line.slice(0, column).trimEnd())).toEqual(rows.map(([name]) => name));
});

it('has a line for each of a cell, with nothing beside the later ones', () => {
  const rows = [
    ['a', 'one\ntwo\nthree'],
    ['b', 'four'],
  ];
  expect(tableText(['', ''], rows, PLAIN)).toBe('a  one\n   two\n   three\nb  four\n');
});

it('has no line for no rows, and the head alone', () => {
  expect(tableText(['', ''], [], PLAIN)).toBe('\n');
  expect(tableText(['NAME', 'AGE'], [], PLAIN)).toBe('NAME  AGE\n');
});
