import { describe, expect, it } from 'vitest';
import { problemsOf } from '../support/facts.ts';

const good = `id: volumes/missing
stage: volumes
title: A title
when:
  all:
    - fact: reference
      where: { refKind: ConfigMap, exists: false, refName: $name }
what: "{{ name }} is missing."
why: Because.
fix:
  - say: Make it.
`;

function problem(from: string, to: string): string {
  const [first] = problemsOf(good.replace(from, to));
  return first === undefined ? '' : `${String(first.line)} ${first.field}: ${first.message}`;
}

describe('a rule file', () => {
  it('that is right has no problems', () => {
    expect(problemsOf(good)).toEqual([]);
  });

  it.each([
    ['an unknown field, with its line', 'why: Because.', 'reason: Because.', /^9 reason: unknown field "reason"/],
    ['a missing field', 'why: Because.\n', '', /"why" is missing/],
    ['an id that is not its path', 'id: volumes/missing', 'id: volumes/other', /^1 id: "volumes\/other" does not match the path/],
    ['a stage that there is not', 'stage: volumes', 'stage: volume', /^2 stage: unknown value "volume"; did you mean volumes\?$/],
    [
      'a namespace that is asked of nothing, with what to write',
      'refName: $name }',
      'refName: $name, namespace: { maybe: $anywhere } }',
      /^7 when.all\[0\].where.namespace: to look in every namespace, write `scope: cluster`/,
    ],
    [
      'an unknown kind of fact, with the nearest one',
      'fact: reference',
      'fact: refrence',
      /^6 when.all\[0\].fact: unknown kind of fact: "refrence"; did you mean reference/,
    ],
    [
      'an unknown field of a fact',
      'exists: false',
      'exist: false',
      /^7 when.all\[0\].where.exist: a reference fact has no field "exist"; did you mean exists/,
    ],
    ['a value of the wrong type', 'exists: false', 'exists: "no"', /this field is a flag, but "no" is a text/],
    [
      'a value that the field never has, with the nearest one',
      'fact: reference\n      where: { refKind: ConfigMap, exists: false,',
      'fact: exit\n      where: { class: competed,',
      /^7 when.all\[0\].where.class: this field never has the value "competed"; did you mean completed\?$/,
    ],
    [
      'a value that is near none',
      'refKind: ConfigMap',
      'refKind: Shop',
      /this field never has the value "Shop"; one of: ConfigMap, Secret, /,
    ],
    [
      'a value among others that the field never has',
      'refKind: ConfigMap',
      'refKind: ConfigMap, via: { oneOf: [volume, volumes] }',
      /^7 when.all\[0\].where.via.oneOf\[1\]: this field never has the value "volumes"; did you mean volume\?/,
    ],
    ['an unknown check', 'exists: false', 'exists: { equal: false }', /unknown field "equal"/],
    ['a word that no pattern binds', '{{ name }}', '{{ configMap }}', /no pattern binds \{\{ configMap \}\}/],
    [
      'a variable used before it is bound',
      'refKind: ConfigMap',
      'refKind: { contains: "$kind" }',
      /\$kind is used before a pattern binds it/,
    ],
    ['a word that may have no value outside of an optional part', 'refName: $name', 'refName: { maybe: $name }', /put it in \[\[ … \]\]/],
    ['a form of a word that there is not', '{{ name }}', '{{ name | pod }}', /^8 what: unknown form: "\| pod"/],
    ['a playbook that is no text', 'why: Because.', 'why: Because.\nplaybook: [first]', /^10 playbook: expected a text$/],
    [
      'a wording of a fact that lacks a captured field',
      'title: A title',
      `title: A title\nsays:\n  - { fact: refusal, text: 'quota {{ quota }} is full' }`,
      /^5 says\[0\].text: a refusal fact has no field "quota"/,
    ],
    [
      'a wording of a fact with a value that its field never has',
      'title: A title',
      `title: A title\nsays:\n  - { fact: refusal, text: 'quota is full', as: { reason: quota-exceded } }`,
      /^5 says\[0\].as: "quota-exceded" is not a value of field "reason"; did you mean quota-exceeded\?$/,
    ],
    [
      'a wording of a fact of no known kind',
      'title: A title',
      `title: A title\nsays:\n  - { fact: refusl, text: 'quota is full' }`,
      /^5 says\[0\].fact: unknown kind of fact: "refusl"; did you mean refusal/,
    ],
    ['no fix', 'fix:\n  - say: Make it.\n', 'fix: []\n', /expected at least one fix/],
    [
      'somebody unknown who must do the fix',
      '- say: Make it.',
      '- say: Make it.\n    by: develper',
      /unknown value "develper"; did you mean developer\?$/,
    ],
    ['broken YAML', 'title: A title', 'title: "A title', /^\d+ :/],
    ['the same field twice', 'why: Because.', 'why: Because.\nwhy: Again.', /unique/i],
  ])('is refused for %s', (_, from, to, message) => {
    expect(problem(from, to)).toMatch(message);
  });

  it('says of a wording that cannot be read only why', () => {
    const says = `says:\n  - { fact: refusal, text: 'quota {{ is full', as: { reason: quota-exceded } }\n`;
    expect(problemsOf(good.replace('title: A title\n', `title: A title\n${says}`)).map(({ field }) => field)).toEqual(['says[0].text']);
  });

  it('knows of what type a wording binds each variable', () => {
    const says = `says:\n  - { in: event, text: '{{ share: number }} of {{ name: name }}', as: { times: 5, open: true, sort: other } }\n`;
    const asking = (where: string): readonly string[] =>
      problemsOf(
        good
          .replace('title: A title\n', `title: A title\n${says}`)
          .replace('- fact: reference', '- said: own')
          .replace(/where: .*/, `where: { ${where} }`),
      ).map(({ field, message }) => `${field}: ${message}`);
    expect(asking('share: 5, name: $name, times: 5, open: true, sort: other')).toEqual([]);
    const [share, times, open, sort] = ['share: five', 'times: true', 'open: 5', 'sort: 5'].map(asking);
    expect([share?.[0], times?.[0], open?.[0], sort?.[0]]).toEqual([
      expect.stringContaining('share: this field is a number, but "five" is a text'),
      expect.stringContaining('times: this field is a number, but true is a flag'),
      expect.stringContaining('open: this field is a flag, but 5 is a number'),
      expect.stringContaining('sort: this field is a text, but 5 is a number'),
    ]);
  });

  it('reports everything that is wrong, not only the first thing', () => {
    expect(problemsOf(good.replace('stage: volumes', 'stage: volume').replace('why: Because.\n', '')).length).toBeGreaterThan(1);
  });
});
