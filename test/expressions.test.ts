import { analyse } from 'scslre';
import { describe, expect, it } from 'vitest';
import { attackText, attackTexts } from './support/attack-texts.ts';
import { slownessOf } from './support/expression-time.ts';
import type { Expression } from './support/expressions.ts';
import { expressionsIn, expressionsOfSources } from './support/expressions.ts';

/** Each is tried, also on texts that no cluster sends today: what it is used for changes without it. */
const { known: ALL, unknown: UNKNOWN } = expressionsOfSources();
const EXPRESSIONS = [
  ...new Map(ALL.map((expression) => [JSON.stringify([expression.pattern, expression.flags, expression.everywhere]), expression])).values(),
];

describe('the expressions of the source', () => {
  it('are found: literals, and those made of constants', () => {
    expect(EXPRESSIONS.length).toBeGreaterThan(1000);
    const { known, unknown } = expressionsIn(
      "const NAMES = ['a', 'b'] as const;\nconst HOST = `(?:${NAMES.join('|')})`;\nexport const seen = new RegExp(`${HOST}:${String(port)}`, 'i');\ntext.split(/, /);\nnew RegExp(text);\n",
      'src/shop.ts',
    );
    expect(known).toEqual([
      { place: 'src/shop.ts:3', pattern: '(?:a|b):80', flags: 'i', everywhere: false },
      { place: 'src/shop.ts:4', pattern: ', ', flags: '', everywhere: true },
    ]);
    expect(unknown).toEqual(['src/shop.ts:5']);
  });

  it('are all constants: what a text of a user or of a cluster gives is tried with re2js', () => {
    const isOfThePage = (place: string): boolean => place.startsWith('src/page/browser/own-patterns.ts:');
    expect(
      UNKNOWN.filter((place) => !isOfThePage(place)),
      'take linearPattern of base/pattern',
    ).toEqual([]);
    // The playground has no room for re2js: what is slow there stops the Worker of whoever typed it, and nothing else.
    expect(UNKNOWN.filter(isOfThePage)).toHaveLength(1);
  });

  it('share no text between two repetitions', () => {
    const doubtful = EXPRESSIONS.flatMap(({ place, pattern, flags }) =>
      analyse({ source: pattern, flags }).reports.map(
        ({ type, character }) => `${place}: ${type} of ${JSON.stringify(character.pick)} in ${pattern}`,
      ),
    );
    expect(doubtful, 'bound one of the repetitions, keep their characters apart, or look for the place without an expression').toEqual([]);
  });
});

describe('the worst texts of an expression', () => {
  it.each([
    ['nested repetitions', /^(?:a+)+$/],
    ['a choice that fits twice', /^(?:\p{Mark}|[\uFE00-\uFE0F])+$/u],
    ['an indentation that each line of a block may share out', /^metadata:[^\n]*\n(?:[ \t]+[^\n]*\n){0,50}?[ \t]+name:/m],
    ['options and their values', /^kubectl\s+(?:-\S+\s+(?:\S+\s+)?)*get\b/],
    ['the end of a text looked for from each blank', /\s+$/],
    ['a word that begins anywhere', /errored.*exec/],
    ['two gaps with a word between them', /^(.*) from (.*) to (.*)$/],
    ['one repetition after another of the same', /^\d+\d+$/],
  ])('are found: %s', (_, { source, flags }) => {
    expect(slownessOf({ pattern: source, flags, everywhere: false })).toBeDefined();
    expect(attackTexts(source, flags).every((text) => attackText(text, 100_000).length >= 99_000)).toBe(true);
  });

  it.each([/^[a-z]+(?:-[a-z]+)*$/, /"([^"]*)"/, /(?<!\S)(\S{1,253}) is forbidden/, /[^a-z]/g])('are none for %s', (expression) => {
    expect(slownessOf({ pattern: expression.source, flags: expression.flags, everywhere: expression.global })).toBeUndefined();
  });
});

/** A twentieth of the expressions at a time: what a failure says stays short, and no test takes minutes. */
const PARTS = Array.from({ length: 20 }, (_, part) => EXPRESSIONS.filter((__, index) => index % 20 === part));

describe('a hundred thousand characters of its worst text', () => {
  it.each(PARTS.map((part, index) => [index + 1, part] as const))(
    'take an expression linear time (part %i of 20)',
    (_, part) => {
      expect(part.flatMap(slowTexts), 'bound the repetition, or look for the place without an expression').toEqual([]);
    },
    600_000,
  );
});

function slowTexts(expression: Expression): readonly string[] {
  const slow = slownessOf(expression);
  return slow === undefined
    ? []
    : [
        `${expression.place}: ${expression.pattern} takes ${slow.whole.toFixed()} ms for ${JSON.stringify(slow.text)}, ${slow.eighths.toFixed()} ms for its eighths`,
      ];
}
