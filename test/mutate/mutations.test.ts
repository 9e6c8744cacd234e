import { describe, expect, it } from 'vitest';
import { mutationsOf } from './mutations.ts';

function changed(source: string): readonly string[] {
  return mutationsOf('shop.ts', source).map((mutation) => mutation.source);
}

describe('mutations', () => {
  it.each([
    ['const open = a === b;', ['const open = a !== b;']],
    ['const open = a < b;', ['const open = a <= b;', 'const open = a >= b;']],
    ['const open = a && !b;', ['const open = a || !b;', 'const open = a && b;']],
    ['const sum = (a + b) * c;', ['const sum = (a + b) / c;', 'const sum = (a - b) * c;']],
    ['const name = a ?? b;', ['const name = a;']],
    ["const name = a + 'x';", ["const name = a + '';"]],
    ['const one = a ? b : c;', ['const one = true ? b : c;', 'const one = false ? b : c;']],
    ['if (a) b();', ['if (true) b();', 'if (false) b();', 'if (a) ;']],
    [
      'for (const a of b) if (a) continue;',
      ['for (const a of b) if (true) continue;', 'for (const a of b) if (false) continue;', 'for (const a of b) if (a) ;'],
    ],
    ['a += 1;', [';', 'a -= 1;', 'a += 2;']],
    ['const found = a.some(b);', ['const found = a.every(b);']],
    ['const set = { closed: true };', ['const set = { closed: false };']],
  ])('of %s are those of its operators, conditions, literals and statements', (source, expected) => {
    expect(changed(source).toSorted()).toEqual([...expected].toSorted());
  });

  it.each([
    "import { a } from './a.ts';",
    "export type Kind = 'a' | 'b';",
    'interface A { readonly b: 1 }',
    "const a = 'a text for a person';",
    'assert(a === b, `${a}`);',
    "export * from './a.ts';",
  ])('leave alone what says nothing at run time: %s', (source) => {
    expect(changed(source)).toEqual([]);
  });

  it('look into expressions with a type, and say where they are', () => {
    expect(mutationsOf('shop.ts', 'f();\nconst a = (b as number) > 1;')).toMatchObject([
      { line: 1, column: 1, was: 'f();', becomes: ';' },
      { line: 2, column: 24, was: ' > ', becomes: ' >= ' },
      { line: 2, column: 24, was: ' > ', becomes: ' <= ' },
      { line: 2, column: 27, was: '1', becomes: '2' },
    ]);
  });

  it.each([
    ['function pay() { return 1; }', ['pay']],
    ['const pay = () => 1;', ['pay']],
    ['const till = { pay() { return 1; } };', ['pay']],
    ['const till = { pay: () => 1 };', ['pay']],
    ['class Till { pay = () => 1; }', ['pay']],
    ['class Till { #pay() { return 1; } }', ['#pay']],
    ['class Till { get open() { return 1; } }', ['get open']],
    ['function pay() { return coins.map(() => 1); }', ['pay']],
    ['function pay() { const count = () => 1; }', ['count', 'pay']],
    ['const pay = 1;', []],
  ])('say in which functions they are, by the names that V8 gives: %s', (source, inside) => {
    expect(mutationsOf('shop.ts', source).map((mutation) => mutation.inside)).toContainEqual(inside);
  });
});
