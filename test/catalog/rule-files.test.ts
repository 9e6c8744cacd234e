import { describe, expect, it } from 'vitest';
import { parseRule } from '../../src/catalog/parse-rule.ts';
import type { Problem } from '../../src/catalog/yaml-problem.ts';
import { problemLines, problemText } from '../../src/catalog/yaml-problem.ts';
import type { Rule } from '../../src/model/rule.ts';

const HEAD = `id: volumes/missing\nstage: volumes\ntitle: T\nwhat: What.\nwhy: Why.\nfix: [{ say: Fix. }]\n`;
const WHEN = 'when: { all: [{ fact: reference }] }\n';

function read(more: string): { readonly rule: Rule | undefined; readonly problems: string } {
  const problems: Problem[] = [];
  const rule = parseRule('r.yaml', HEAD + more, 'volumes/missing', problems);
  return { rule, problems: problems.map(problemText).join('\n') };
}

function asked(where: string, fact = 'reference'): unknown {
  const { rule, problems } = read(`when: { all: [{ fact: ${fact}, where: { ${where} } }] }`);
  expect(problems).toBe('');
  return rule?.when.all[0]?.where;
}

function refused(more: string, problem: string): void {
  const { rule, problems } = read(more);
  expect(rule).toBeUndefined();
  expect(problems).toContain(problem);
}

const checks = (...all: readonly object[]): object => ({ test: 'checks', checks: all });

describe('what a pattern asks of a field', () => {
  it.each<readonly [string, object]>([
    ['refName: prices', { refName: { test: 'equals', value: 'prices' } }],
    ['exists: false', { exists: { test: 'equals', value: false } }],
    ['refName: $name', { refName: { test: 'variable', name: 'name' } }],
    ['refName: "$ name"', { refName: { test: 'equals', value: '$ name' } }],
    ['refName: { not: prices }', { refName: checks({ check: 'not', value: ['prices'] }) }],
    ['refName: { oneOf: [a, b] }', { refName: checks({ check: 'oneOf', values: ['a', 'b'] }) }],
    [
      'refName: { contains: a, lacks: [b, c] }',
      { refName: checks({ check: 'contains', any: ['a'] }, { check: 'lacks', any: ['b', 'c'] }) },
    ],
    [
      'refName: { startsWith: a, endsWith: b }',
      { refName: checks({ check: 'startsWith', any: ['a'] }, { check: 'endsWith', any: ['b'] }) },
    ],
    ['refName: { parse: "a ${b} c" }', { refName: checks({ check: 'parse', any: ['a ${b} c'] }) }],
    ['refName: { as: $name }', { refName: checks({ check: 'as', name: 'name' }) }],
    ['refName: { maybe: $name }', { refName: checks({ check: 'maybe', name: 'name' }) }],
    ['refName: { absent: true }', { refName: checks({ check: 'absent' }) }],
  ])('is what it says: %s', (where, expected) => {
    expect(asked(where)).toEqual(expected);
  });

  it('may be a bound, of a number or a variable', () => {
    expect(asked('restarts: $most, exitCode: { above: 1, below: 9, atLeast: 2, atMost: $most }', 'exit')).toMatchObject({
      exitCode: checks(
        { check: 'above', value: 1 },
        { check: 'below', value: 9 },
        { check: 'atLeast', value: 2 },
        { check: 'atMost', value: '$most' },
      ),
    });
  });

  it.each([
    ['refName: {}', 'when.all[0].where.refName: expected at least one check'],
    ['refName: { absent: false }', 'where.refName.absent: the only valid value is `absent: true`'],
    ['refName: { as: name }', 'where.refName.as: expected a variable such as $name'],
    ['refName: { maybe: name }', 'where.refName.maybe: expected a variable such as $name'],
    ['refName: { above: many }', 'where.refName.above: expected a number or a variable'],
    ['refName: { parse: "${a}${b}" }', 'where.refName.parse: two placeholders need text between them'],
    ['exists: { contains: a }', 'where.exists.contains: contains needs a text field, but this field is a flag'],
    ['exists: 1', 'where.exists: this field is a flag, but 1 is a number'],
    ['exists: { not: "no" }', 'where.exists.not: this field is a flag, but "no" is a text'],
    ['refName: [a]', 'where.refName: expected a text, a number or true/false'],
    ['refName: { containz: a }', 'where.refName.containz: unknown field "containz"; did you mean contains?'],
    ['refNam: a', 'where.refNam: a reference fact has no field "refNam"; did you mean refName'],
  ])('is refused, with its field: %s', (where, problem) => {
    refused(`when: { all: [{ fact: reference, where: { ${where} } }] }`, problem);
  });
});

describe('a rule', () => {
  it('needs no more than its words and one pattern', () => {
    expect(read(WHEN).rule).toEqual({
      id: 'volumes/missing',
      stage: 'volumes',
      title: 'T',
      kind: 'cause',
      says: [],
      tells: [],
      frames: { around: [], phrases: [], openings: [] },
      when: { all: [{ fact: 'reference', where: {} }], any: [], none: [], optional: [], unless: [] },
      support: [],
      what: 'What.',
      why: 'Why.',
      fix: [{ say: 'Fix.' }],
      explains: [],
      before: [],
      references: [],
    });
  });

  it.each<readonly [string, object]>([
    ['kind: symptom', { kind: 'symptom' }],
    ['support: [{ fact: event, where: { reason: Failed } }]', { support: [{ fact: 'event' }] }],
    ['object: Node/worker-1\nparams: [pod]', { object: 'Node/worker-1', params: ['pod'] }],
    [
      'explains: [images/*, probes/a]\nbefore: [probes/b]\nplaybook: shop\nreferences: [a, b]',
      { explains: ['images/*', 'probes/a'], before: ['probes/b'], playbook: 'shop', references: ['a', 'b'] },
    ],
  ])('has what it says: %s', (more, expected) => {
    const { rule, problems } = read(`${WHEN}${more}`);
    expect(problems).toBe('');
    expect(rule).toMatchObject(expected);
  });

  it('has fixes with commands, who does them and what they need', () => {
    const { rule } = read(WHEN);
    expect(Object.keys(rule?.fix[0] ?? {})).toEqual(['say']);
    const problems: Problem[] = [];
    const source = (HEAD + WHEN).replace('{ say: Fix. }', '{ say: Fix., run: kubectl get, by: developer, needs: [pod] }');
    expect(parseRule('r.yaml', source, 'volumes/missing', problems)?.fix).toEqual([
      { say: 'Fix.', run: 'kubectl get', by: 'developer', needs: ['pod'] },
    ]);
  });

  it('has patterns that must fit, alternatives, and such as must not fit', () => {
    const where = (fact: string): string => `{ fact: ${fact} }`;
    const text =
      `when: { all: [${where('pod')}], any: [${where('event')}, [${where('node')}, ${where('exit')}]], none: [${where('job')}], optional: [${where('hpa')}], unless: [{ fact: claim, scope: cluster }] }`
        .replace('job', 'workload')
        .replace('hpa', 'quota')
        .replace('claim', 'reference');
    expect(read(text).rule?.when).toMatchObject({
      all: [{ fact: 'pod' }],
      any: [[{ fact: 'event' }], [{ fact: 'node' }, { fact: 'exit' }]],
      none: [{ fact: 'workload' }],
      optional: [{ fact: 'quota' }],
      unless: [{ fact: 'reference', scope: 'cluster' }],
    });
  });

  it.each([
    ['', 'r.yaml:1:1: "when" or "says" is missing: a rule needs facts, wordings or both'],
    ['when: { none: [{ fact: reference }] }', 'r.yaml:7:7: when: expected at least one pattern'],
    ['when: { all: [] }', 'r.yaml:7:14: when.all: expected at least one pattern'],
    ['when: { all: [{ where: {} }] }', 'when.all[0]: a pattern needs `fact` (a kind of fact) or `said` (wordings)'],
    ['when: { all: [{ fact: pod, said: own }] }', 'when.all[0]: a pattern needs `fact` (a kind of fact) or `said` (wordings)'],
    ['when: { all: [{ fact: pod, scope: all }] }', 'when.all[0].scope: unknown value "all"'],
    ['when: { some: [{ fact: pod }] }', 'when.some: unknown field "some"'],
    ['when: { all: [{ said: own }] }', 'when.all[0].said: this rule has no `says`'],
    ['when: { all: [{ said: images/gone }] }', 'when.all[0].said: no rule "images/gone" has wordings'],
    [`${WHEN}kind: case`, 'kind: unknown value "case"; did you mean cause?'],
    [`${WHEN}params: [map]`, 'params: no pattern binds $map'],
    [`${WHEN}object: "Node/{{ node }}"`, 'object: no pattern binds {{ node }}'],
    [`${WHEN}support: [{ fact: event, where: { reason: { contains: $map } } }]`, 'support: $map is used before a pattern binds it'],
    ["says: [{ fact: refusal, text: 'full' }]", 'says: a wording of a fact needs a `when` with that fact'],
  ])('is refused, with its line and field: %s', (more, problem) => {
    refused(more, problem);
  });

  it('belongs to the stage of its id', () => {
    const problems: Problem[] = [];
    parseRule('r.yaml', (HEAD + WHEN).replace('stage: volumes', 'stage: images'), 'volumes/missing', problems);
    expect(problems.map(problemText)).toEqual(['r.yaml:2:8: stage: the ID "volumes/missing" belongs to another stage']);
  });
});

describe('a wording', () => {
  it.each<readonly [string, object]>([
    ["{ text: 'map {{ map }} is gone' }", { in: [], reason: [], text: 'map {{ map }} is gone', anyCase: false, general: false, as: {} }],
    ['{ in: event, reason: FailedMount }', { in: ['event'], reason: ['FailedMount'], text: '' }],
    ['{ in: [event, log], reason: [A, B], text: gone }', { in: ['event', 'log'], reason: ['A', 'B'], text: 'gone' }],
    ["{ text: ' gone ', anyCase: true, general: true }", { text: ' gone ', anyCase: true, general: true }],
    [
      '{ text: gone, as: { map: a, count: 5, open: true }, since: "1.30", until: "1.32" }',
      { as: { map: 'a', count: 5, open: true }, since: '1.30', until: '1.32' },
    ],
  ])('is what it says: %s', (wording, expected) => {
    const { rule, problems } = read(`says: [${wording}]\n`);
    expect(problems).toBe('');
    expect(rule?.says).toMatchObject([expected]);
    expect(Object.keys(rule?.says[0] ?? {})).not.toContain('fact');
  });

  it('alone is what the rule looks for, and its captures are variables', () => {
    const { rule } = read("says: [{ in: event, text: 'map {{ map }} is gone' }, { in: log, text: 'map {{ map }} of {{ zone }} is gone' }]");
    expect(rule?.when.all).toMatchObject([
      {
        fact: 'said',
        where: {
          rule: { test: 'equals', value: 'volumes/missing' },
          map: { test: 'variable', name: 'map' },
          zone: checks({ check: 'maybe', name: 'zone' }),
        },
        places: ['event', 'log', 'text'],
      },
    ]);
    expect(rule?.support).toEqual(rule?.when.all);
  });

  it('of a fact is told to its collector instead', () => {
    const { rule } = read(`says: [{ fact: refusal, text: 'quota is full', as: { reason: quota-exceeded } }]\n${WHEN}`);
    expect([rule?.says, rule?.tells]).toMatchObject([[], [{ fact: 'refusal', text: 'quota is full', as: { reason: 'quota-exceeded' } }]]);
    expect(rule?.support).toEqual([]);
  });

  it.each([
    ['{ in: event }', 'says[0]: a wording needs a text or a reason'],
    ['{ in: somewhere, text: gone }', 'says[0].in: unknown value "somewhere"'],
    ["{ text: 'map {{ map' }", 'says[0].text: '],
    ['{ text: gone, anyCase: 1 }', 'says[0].anyCase: expected true or false'],
    ['{ text: gone, general: 1 }', 'says[0].general: expected true or false'],
    ['{ text: gone, since: "2.0" }', 'says[0].since: "2.0" is not a valid Kubernetes minor version: write "1.32", in quotes'],
    ['{ text: gone, until: "1.1234" }', 'says[0].until: "1.1234" is not a valid Kubernetes minor version'],
    ['{ text: gone, reasons: A }', 'says[0].reasons: unknown field "reasons"; did you mean reason?'],
    ['{ text: gone, as: { a: [b] } }', 'says[0].as.a: expected a text, a number or true/false'],
    ["{ fact: exit, text: 'code {{ exitCode }}' }", 'says[0].text: field "exitCode" of a exit fact is a number, not a text'],
  ])('is refused, with its field: %s', (wording, problem) => {
    refused(`says: [${wording}]\n${WHEN}`, problem);
  });

  it('has fields that a pattern over it may ask for, and no others', () => {
    const says = "says: [{ in: event, text: 'map {{ map }} of {{ count: number }}' }]\n";
    expect(read(`${says}when: { all: [{ said: own, where: { map: { contains: a }, count: { above: 5 } } }] }`).problems).toBe('');
    refused(`${says}when: { all: [{ said: own, where: { mapp: a } }] }`, 'the wordings of own have no field "mapp"; did you mean map');
    refused(`${says}when: { all: [{ said: own, where: { count: a } }] }`, 'this field is a number, but "a" is a text');
    expect(read(`${says}when: { all: [{ said: images/* }] }`).rule?.when.all).toMatchObject([
      { fact: 'said', where: { stage: { test: 'equals', value: 'images' } } },
    ]);
  });
});

describe('a list of problems', () => {
  it('ends after as many as were wanted, with the number of the others', () => {
    const problem = { file: 'r.yaml', line: 7, field: '', message: 'M' };
    expect(problemLines([problem, { ...problem, column: 3, field: 'when' }])).toEqual(['  r.yaml:7: M', '  r.yaml:7:3: when: M']);
    expect(problemLines([problem, problem, problem], 2)).toEqual(['  r.yaml:7: M', '  r.yaml:7: M', '  and 1 more']);
    expect(problemLines([problem, problem], 2)).toHaveLength(2);
    expect(problemLines(Array.from({ length: 21 }, () => problem))).toHaveLength(21);
    expect(problemLines(Array.from({ length: 22 }, () => problem)).at(-1)).toBe('  and 2 more');
  });
});
