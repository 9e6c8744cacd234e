import { describe, expect, it } from 'vitest';
import { loadPlaybooks, readPlaybooks } from '../../src/catalog/load-playbooks.ts';
import { parsePlaybook } from '../../src/catalog/parse-playbook.ts';
import type { Problem } from '../../src/catalog/yaml-problem.ts';
import { problemText } from '../../src/catalog/yaml-problem.ts';
import type { Playbook } from '../../src/model/playbook.ts';
import type { Condition } from '../../src/model/playbook-condition.ts';
import { folderWith } from '../support/folder.ts';

const STEPS = 'steps: [{ note: N }]\n';
const SHORT = `title: T\nuse: U\nfor: {}\nescalation: E\n${STEPS}`;

function read(source: string): { readonly playbook: Playbook | undefined; readonly problems: string } {
  const problems: Problem[] = [];
  const playbook = parsePlaybook('shop.yaml', source, 'shop', problems);
  return { playbook, problems: problems.map(problemText).join('\n') };
}

describe('a playbook', () => {
  it('needs no more than five fields', () => {
    expect(read(SHORT).playbook).toEqual({
      name: 'shop',
      title: 'T',
      use: 'U',
      for: { alerts: [], rules: [], stages: [] },
      params: [],
      preconditions: [],
      limits: { objects: 5 },
      steps: [{ id: 'note-1', say: 'N', action: { kind: 'note' } }],
      rollback: [],
      escalation: { say: 'E', bring: [] },
    });
  });

  it.each(['title', 'use', 'for', 'escalation', 'steps'])('needs %s', (field) => {
    expect(read(SHORT.replace(new RegExp(`^${field}: .*\\n`, 'm'), '')).problems).toBe(`shop.yaml:1:1: "${field}" is missing`);
  });

  it.each<readonly [string, object]>([
    ['owner: the shop\nreviewed: in May', { owner: 'the shop', reviewed: 'in May' }],
    ['limits: { objects: 0 }', { limits: { objects: 0 } }],
    ['limits: { objects: 500 }', { limits: { objects: 500 } }],
    [
      'preconditions: [{ say: S, when: { outcome: healthy } }]',
      { preconditions: [{ say: 'S', when: { test: 'outcome', is: ['healthy'] } }] },
    ],
    ['rollback: [{ note: N }, { manual: M }]', { rollback: [{ id: 'note-1' }, { id: 'manual-2' }] }],
    ['params: { word: { type: text, says: W } }', { params: [{ name: 'word', type: 'text', says: 'W', required: false, secret: false }] }],
    [
      'params: { count: { type: number, says: C, required: true, default: 5, pattern: "[0-9]+", oneOf: [5, 6], cause: replicas } }',
      { params: [{ name: 'count', type: 'number', required: true, default: 5, pattern: '[0-9]+', oneOf: [5, 6], cause: 'replicas' }] },
    ],
    ['params: { word: { type: name, says: W, secret: true } }', { params: [{ type: 'name', secret: true }] }],
  ])('has what it says: %s', (more, expected) => {
    const { playbook, problems } = read(`${SHORT}${more}\n`);
    expect(problems).toBe('');
    expect(playbook).toMatchObject(expected);
  });

  it('is for alerts, rules and stages, one or many, and says whom to call with what', () => {
    const source = SHORT.replace('for: {}', 'for: { alerts: Down, rules: [a/b, c/*], stages: [images, probes] }').replace(
      'escalation: E',
      'escalation: { say: E, to: the owner, bring: [the log] }',
    );
    expect(read(source).playbook).toMatchObject({
      for: { alerts: ['Down'], rules: ['a/b', 'c/*'], stages: ['images', 'probes'] },
      escalation: { say: 'E', to: 'the owner', bring: ['the log'] },
    });
  });

  it.each([
    ['limits: { objects: 501 }', '6:20: limits.objects: expected a number of objects up to 500'],
    ['limits: { objects: -1 }', 'limits.objects: expected a number of objects up to 500'],
    ['limits: { objects: 1.5 }', 'limits.objects: expected a number of objects up to 500'],
    ['limits: { pods: 5 }', 'limits.pods: unknown field "pods"'],
    ['preconditions: [{ when: { outcome: healthy } }]', 'preconditions[0]: "say" is missing'],
    ['preconditions: [{ say: S }]', 'preconditions[0]: "when" is missing'],
    [
      'preconditions: [{ say: S, when: { step: note-1, is: done } }]',
      'preconditions: a precondition cannot depend on a step: no step has run yet',
    ],
    [
      'preconditions: [{ say: S, when: { not: { step: note-1, is: done } } }]',
      'preconditions: a precondition cannot depend on a step: no step has run yet',
    ],
    ['preconditions: [{ say: "{{ wrod }}", when: { outcome: healthy } }]', 'preconditions[0]: {{ wrod }} has no value here'],
    ['preconditions: [{ say: S, when: { known: wrod } }]', 'preconditions[0]: {{ wrod }} has no value here'],
    ['rollback: [{ diagnose: target }]', 'rollback[0]: a rollback step needs exactly one of: change, manual, note, show, wait'],
    ['rollback: [{ id: a, note: N }, { id: a, note: N }]', 'rollback[1]: an earlier step already has the ID "a"'],
    ['rollback: [{ note: "{{ wrod }}" }]', 'rollback[0]: {{ wrod }} has no value here'],
    ['params: { 5a: { type: text, says: W } }', 'params.5a: "5a" is not a valid parameter name: use letters, digits and _'],
    ['params: { word: { says: W } }', 'params.word: "type" is missing'],
    ['params: { word: { type: text } }', 'params.word: "says" is missing'],
    ['params: { word: { type: tekst, says: W } }', 'params.word.type: unknown value "tekst"; one of: text, number,'],
    ['params: { word: { type: text, says: W, needed: true } }', 'params.word.needed: unknown field "needed"'],
    ['params: { word: { type: text, says: W, required: 1 } }', 'params.word.required: expected true or false'],
    ['params: { word: { type: text, says: W, default: tea, oneOf: [milk] } }', 'params.word.default: expected one of milk'],
    ['params: { target: { type: text, says: W } }', 'params.target: the variable target is reserved: every run sets it'],
  ])('is refused, with its line and field: %s', (more, problem) => {
    const { playbook, problems } = read(`${SHORT}${more}\n`);
    expect(playbook).toBeUndefined();
    expect(problems).toContain(problem);
  });

  it.each([
    ['title: T', 'title: "{{ wrod }}"', '1:8: title: {{ wrod }} has no value here'],
    ['use: U', 'use: "{{ targte }}"', '2:6: use: {{ targte }} has no value here; did you mean target?'],
    ['escalation: E', 'escalation: "{{ wrod }}"', '4:13: escalation: {{ wrod }} has no value here'],
    ['for: {}', 'for: { stages: [image] }', '3:17: for.stages[0]: unknown value "image"; did you mean images?'],
    ['for: {}', 'for: { rule: a/b }', '3:8: for.rule: unknown field "rule"; did you mean rules?'],
    ['escalation: E', 'escalation: { to: O }', '4:13: escalation: "say" is missing'],
  ])('is refused with another head: %s', (from, to, problem) => {
    expect(read(SHORT.replace(from, to)).problems).toContain(`shop.yaml:${problem}`);
  });

  it('has 200 steps at most', () => {
    const many = (count: number): string => SHORT.replace(STEPS, `steps:\n${'  - note: N\n'.repeat(count)}`);
    expect(read(many(200)).playbook?.steps).toHaveLength(200);
    expect(read(many(201)).problems).toBe('shop.yaml:6:3: steps: 201 steps, but the limit is 200');
  });

  it('knows a variable from the step that asks for it on, and a parameter everywhere', () => {
    const steps = (text: string): string => SHORT.replace(STEPS, `params: { count: { type: number, says: C } }\nsteps: [${text}]\n`);
    expect(read(steps('{ say: "{{ count }}", ask: { as: word } }, { note: "{{ word }} {{ pod }}" }')).problems).toBe('');
    expect(read(steps('{ note: "{{ word }}" }, { say: S, ask: { as: word } }')).problems).toContain(
      'steps[0]: {{ word }} has no value here',
    );
    expect(read(steps('{ say: S, check: { variable: word, is: 5 } }')).problems).toContain('steps[0]: {{ word }} has no value here');
    expect(read(steps('{ note: N, tells: "{{ word }}" }')).problems).toContain('steps[0]: {{ word }} has no value here');
    expect(read(steps('{ note: "{{ wrod }}" }')).problems).toBe('shop.yaml:6:9: steps[0]: {{ wrod }} has no value here');
    const bound = '{ say: S, check: { all: [{ fact: reference, where: { refName: $map } }] } }, { note: "{{ map }}" }';
    expect(read(steps(bound)).problems).toBe('');
  });
});

describe('a condition', () => {
  it.each<readonly [string, Condition | object]>([
    ['{ outcome: [healthy, explained] }', { test: 'outcome', is: ['healthy', 'explained'] }],
    ['{ cause: volumes/* }', { test: 'cause', is: ['volumes/*'] }],
    ['{ stage: images, is: [blocked, waiting] }', { test: 'stage', stage: 'images', is: ['blocked', 'waiting'] }],
    ['{ step: note-1, is: [done] }', { test: 'step', step: 'note-1', is: ['done'] }],
    ['{ variable: pod, is: [web, 5] }', { test: 'variable', name: 'pod', is: ['web', 5] }],
    ['{ known: pod }', { test: 'known', name: 'pod' }],
    ['{ not: { known: pod } }', { test: 'not', condition: { test: 'known', name: 'pod' } }],
    [
      '{ all: [{ fact: pod }], any: [{ fact: event }, [{ fact: node }, { fact: exit }]], none: [{ fact: reference }] }',
      {
        test: 'facts',
        when: {
          all: [{ fact: 'pod' }],
          any: [[{ fact: 'event' }], [{ fact: 'node' }, { fact: 'exit' }]],
          none: [{ fact: 'reference' }],
        },
      },
    ],
  ])('is what it says: %s', (text, expected) => {
    const { playbook, problems } = read(`${SHORT.replace(STEPS, '')}steps:\n  - { note: N }\n  - { say: S, check: ${text} }\n`);
    expect(problems).toBe('');
    expect(playbook?.steps[1]?.action).toMatchObject({ condition: expected });
  });

  it.each([
    ['{}', 'check: expected patterns over facts (all, any, none), or exactly one of outcome, cause, stage'],
    ['{ known: pod, cause: a/b }', 'or exactly one of outcome, cause, stage, step, variable, known, not'],
    ['{ known: pod, all: [{ fact: pod }] }', 'or exactly one of outcome, cause, stage, step, variable, known, not'],
    ['{ known: pod, is: web }', 'check.is: `is` needs stage, step or variable'],
    ['{ all: [{ fact: pod }], is: web }', 'check.is: `is` needs stage, step or variable'],
    ['{ stage: images }', 'check: "is" is missing: the expected value'],
    ['{ step: note-1 }', 'check: "is" is missing: the expected value'],
    ['{ variable: pod }', 'check: "is" is missing: the expected value'],
    ['{ stage: image, is: blocked }', 'check.stage: unknown value "image"; did you mean images?'],
    ['{ stage: images, is: stopped }', 'check.is: unknown value "stopped"'],
    ['{ step: note-2, is: done }', 'steps[1]: unknown step "note-2"; did you mean note-1'],
    ['{ not: { step: note-2, is: done } }', 'steps[1]: unknown step "note-2"; did you mean note-1'],
    ['{ not: { known: wrod } }', 'steps[1]: {{ wrod }} has no value here'],
    ['{ wheres: a }', 'check.wheres: unknown field "wheres"'],
    ['{ all: [{ said: own }] }', 'check.all[0].said: this rule has no `says`'],
  ])('is refused: %s', (text, problem) => {
    const { playbook, problems } = read(`${SHORT.replace(STEPS, '')}steps:\n  - { note: N }\n  - { say: S, check: ${text} }\n`);
    expect(playbook).toBeUndefined();
    expect(problems).toContain(problem);
  });
});

describe('playbooks that include others', () => {
  const including = (...names: readonly string[]): string =>
    SHORT.replace(STEPS, `steps:\n${names.map((name) => `  - { include: ${name} }\n`).join('')}`);
  const problemsOf = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const folder = folderWith(files);
    return (await loadPlaybooks(folder)).problems.map((problem) => problemText(problem).slice(folder.length + 1));
  };

  it('may include any that is there, in order of their names, however often', async () => {
    const folder = folderWith({
      'a.yaml': including('b', 'b', 'c'),
      'b.yaml': including('c'),
      'c.yaml': SHORT,
      'README.md': 'no playbook',
    });
    const { playbooks, problems, texts } = await loadPlaybooks(folder);
    expect(problems).toEqual([]);
    expect(playbooks.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(texts.get(`${folder}/c.yaml`)).toBe(SHORT);
    expect((await readPlaybooks([`${folder}/b.yaml`], playbooks)).problems).toEqual([]);
    expect((await readPlaybooks([`${folder}/b.yaml`], [])).problems).toMatchObject([{ message: 'unknown playbook "c"; did you mean b?' }]);
  });

  it('are told of one that is not there, a parameter it has not, and a way round', async () => {
    expect(await problemsOf({ 'till.yaml': including('tlil', 'web'), 'web.yaml': SHORT })).toEqual([
      'till.yaml:6:16: steps[0].include: unknown playbook "tlil"; did you mean till?',
    ]);
    const given = including('web').replace('web }', 'web, params: { count: 5, word: tea } }');
    expect(await problemsOf({ 'till.yaml': given, 'web.yaml': `${SHORT}params: { count: { type: number, says: C } }\n` })).toEqual([
      'till.yaml:6:29: steps[0].params: playbook web has no parameter "word"',
    ]);
    const circles = await problemsOf({
      'a.yaml': including('b'),
      'b.yaml': including('d', 'c'),
      'c.yaml': including('a'),
      'd.yaml': SHORT,
    });
    expect(circles).toEqual([
      'a.yaml:6:16: steps[0].include: it includes itself: a → b → c → a',
      'b.yaml:7:16: steps[1].include: it includes itself: b → c → a → b',
      'c.yaml:6:16: steps[0].include: it includes itself: c → a → b → c',
    ]);
    expect(await problemsOf({ 'a.yaml': including('b'), 'b.yaml': including('b') })).toEqual([
      'b.yaml:6:16: steps[0].include: it includes itself: b → b',
    ]);
  });

  it('have 1,000 steps at most, with what they include', async () => {
    const long = SHORT.replace(STEPS, `steps:\n${'  - note: N\n'.repeat(199)}`);
    const five = including('long', 'long', 'long', 'long', 'long');
    expect(await problemsOf({ 'five.yaml': five, 'long.yaml': long })).toEqual([]);
    expect(await problemsOf({ 'six.yaml': including('five', 'rest'), 'five.yaml': five, 'long.yaml': long, 'rest.yaml': SHORT })).toEqual([
      'six.yaml:6:3: steps: more than 1000 steps, with the included playbooks',
    ]);
  });

  it('are read up to half a mebibyte', async () => {
    await expect(problemsOf({ 'a.yaml': `${SHORT}${'#'.repeat(512 * 1024)}\n` })).rejects.toMatchObject({ code: 'bad-input' });
    expect(await problemsOf({ 'a.yaml': `${SHORT}${'#'.repeat(512 * 1024 - SHORT.length)}` })).toEqual([]);
  });
});
