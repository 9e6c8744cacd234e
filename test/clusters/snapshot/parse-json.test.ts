import { describe, expect, it } from 'vitest';
import { parseJsonDocuments } from '../../../src/clusters/snapshot/parse-json.ts';

const names = (text: string): unknown[] =>
  parseJsonDocuments(text).documents.map(({ value, line }) => [(value as { name?: string }).name, line]);

describe('documents of a JSON text', () => {
  it('is one document, or one on each line, or one after another', () => {
    expect(names('{"name": "web"}')).toEqual([['web', 1]]);
    expect(names('{"name": "web"}\n{"name": "cart"}\n')).toEqual([
      ['web', 1],
      ['cart', 2],
    ]);
    expect(names('{\n "name": "web"\n}\n{\n "name": "cart"\n}{"name":"db"}')).toEqual([
      ['web', 1],
      ['cart', 4],
      ['db', 6],
    ]);
    expect(names('{"name": "web"}\n---\n{"name": "cart"}')).toEqual([
      ['web', 1],
      ['cart', 3],
    ]);
  });

  it('passes over warnings that were written to the same file', () => {
    const { documents, errors } = parseJsonDocuments(
      'Warning: v1 Endpoints is deprecated {in v1.33+}\n{"name": "web"}\nW1121 10:00:00.1 warnings.go:70] old\n{"name": "cart"}',
    );
    expect(documents.map(({ line }) => line)).toEqual([2, 4]);
    expect(errors).toEqual([]);
  });

  it('does not mistake brackets and quotes within strings for structure', () => {
    expect(names('{"name": "a } b { \\" ] "}\n{"name": "c"}')).toEqual([
      ['a } b { " ] ', 1],
      ['c', 2],
    ]);
  });

  it.each([
    ['{"name": "web",}', 1, 16, /unexpected '}': a field name in double quotes/],
    ['{\n  "name": "web"\n  "kind": "Pod"\n}', 3, 3, /',' or '}' is needed after a value/],
    ['{"a": [1, 2,, 3]}', 1, 13, /unexpected ',': a value is needed/],
    ['{"a" 1}', 1, 6, /':' is needed/],
    ["{'a': 1}", 1, 2, /a field name in double quotes/],
    ['{"a": tru}', 1, 7, /unexpected 't'/],
    ['{"a": "x\ny"}', 1, 9, /a string is not closed on its line/],
    ['{"a": "\\q"}', 1, 8, /no escape that JSON knows/],
    ['[1, 2}', 1, 6, /unexpected '}'/],
    ['{"a": [', 1, 8, /cut off \(open brackets: 2\)/],
    ['{"a": "b', 1, 9, /cut off within a string/],
  ])('names line and column of the fault in %j', (text, line, column, message) => {
    const { documents, errors } = parseJsonDocuments(text);
    expect(documents).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ line, column });
    expect(errors[0]?.message).toMatch(message);
  });

  it('keeps the documents around a broken one', () => {
    const { documents, errors } = parseJsonDocuments('{"name": "web"}\n{"name": }\n{"name": "cart"}\n');
    expect(documents.map(({ line }) => line)).toEqual([1, 3]);
    expect(errors).toMatchObject([{ line: 2, column: 10 }]);
  });

  it('ends a document that was cut off where the next begins in the first column', () => {
    const { documents, errors } = parseJsonDocuments('{\n "items": [\n  {"name": "web"},\n{\n "name": "cart"\n}\n');
    expect(documents.map(({ line }) => line)).toEqual([4]);
    expect(errors).toMatchObject([{ line: 4, column: 1 }]);
  });

  it('goes through deep nesting and long texts without recursion', () => {
    expect(parseJsonDocuments('['.repeat(900)).errors[0]?.message).toMatch(/open brackets: 900/);
    expect(parseJsonDocuments('['.repeat(200_000)).errors[0]?.message).toMatch(/nested more than 1000 levels deep/);
    const long = `${'{"name": "web"}\n'.repeat(50_000)}{`;
    expect(parseJsonDocuments(long).documents).toHaveLength(50_000);
  });
});
