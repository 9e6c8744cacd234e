import { describe, expect, it } from 'vitest';
import { loadPlaybooks } from '../../src/catalog/load-playbooks.ts';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { parsePlaybook } from '../../src/catalog/parse-playbook.ts';
import type { Problem } from '../../src/catalog/yaml-problem.ts';
import { PLAYBOOK_TEMPLATE } from '../../src/commands/runbook/playbook-template.ts';
import { STEP_KINDS } from '../../src/model/playbook.ts';

const { playbooks, problems } = await loadPlaybooks('playbooks');
const rules = await shippedRules();

describe('the playbooks', () => {
  it('are all readable', () => {
    expect(problems).toEqual([]);
    expect(playbooks.length).toBeGreaterThan(0);
  });

  it('are there for every rule that names one', () => {
    const named = new Set(rules.flatMap(({ playbook }) => playbook ?? []));
    expect([...named].filter((name) => !playbooks.some((playbook) => playbook.name === name))).toEqual([]);
  });

  it('each are led to by something', () => {
    const named = new Set(rules.flatMap(({ playbook }) => playbook ?? []));
    expect(
      playbooks
        .filter(({ name, for: { alerts, rules: own, stages } }) => !named.has(name) && alerts.length + own.length + stages.length === 0)
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it('each look before they do anything', () => {
    const looking = new Set(['diagnose', 'check', 'show', 'run', 'manual', 'include']);
    expect(playbooks.filter(({ steps }) => !steps.some(({ action }) => looking.has(action.kind))).map(({ name }) => name)).toEqual([]);
  });
});

describe('the playbook to begin with', () => {
  it('is valid, and has an example of every kind of step', () => {
    const found: Problem[] = [];
    const playbook = parsePlaybook('new.yaml', PLAYBOOK_TEMPLATE, 'new', found);
    expect(found).toEqual([]);
    expect([...new Set(playbook?.steps.map(({ action }) => action.kind))].toSorted()).toEqual([...STEP_KINDS].toSorted());
  });
});

const HEAD = 'title: T\nuse: U\nfor: {}\nescalation: E\nsteps:\n';
const VERIFY = 'verify: { until: { outcome: healthy }, limit: 1m }';

describe('a playbook file', () => {
  it.each([
    ['an unknown field', `${HEAD}  - note: N\nowners: me\n`, 7, /unknown field "owners"/],
    ['a missing field', 'title: T\nuse: U\nfor: {}\nsteps: [{ note: N }]\n', 1, /"escalation" is missing/],
    ['no steps', 'title: T\nuse: U\nfor: {}\nescalation: E\nsteps: []\n', 5, /at least one step/],
    ['a step without words', `${HEAD}  - show: { list: Pod }\n`, 6, /"say" is missing/],
    ['a step of two kinds', `${HEAD}  - { note: N, manual: M }\n`, 6, /a step needs exactly one of/],
    ['a decision without else', `${HEAD}  - decide: [{ when: { outcome: healthy }, goto: end }]\n`, 6, /"else" is missing/],
    ['a change without verify', `${HEAD}  - { say: S, change: { restart: "{{ target }}" }, undo: restore }\n`, 6, /"verify" is missing/],
    ['a change without undo', `${HEAD}  - { say: S, change: { restart: "{{ target }}" }, ${VERIFY} }\n`, 6, /"undo" is missing/],
    [
      'a change that is called a read',
      `${HEAD}  - { say: S, change: { delete: "{{ target }}" }, effect: write, ${VERIFY}, undo: { none: gone } }\n`,
      6,
      /the effect is larger: write destructive/,
    ],
    ['a wait without a limit', `${HEAD}  - { say: S, wait: { outcome: healthy } }\n`, 6, /"limit" is missing/],
    ['a line for a shell', `${HEAD}  - { say: S, run: "kubectl get pods | grep web" }\n`, 6, /expected a list of words/],
    ['a pipe among the words', `${HEAD}  - { say: S, run: [kubectl, get, pods, "|", grep, web] }\n`, 6, /"\|" is shell syntax/],
    ['a target there is not', `${HEAD}  - { id: look, diagnose: target, else: lok }\n`, 6, /unknown step "lok"; did you mean look/],
    [
      'a way in circles',
      `${HEAD}  - { id: one, note: N }\n  - { id: two, note: N, then: one }\n`,
      6,
      /the steps form a loop: one → two → one/,
    ],
    ['a step that no way leads to', `${HEAD}  - { note: N, then: end }\n  - { id: lost, note: N }\n`, 7, /this step cannot be reached/],
    ['two steps of one id', `${HEAD}  - { id: one, note: N }\n  - { id: one, note: N }\n`, 7, /an earlier step already has the ID "one"/],
    [
      'a variable nobody binds',
      `${HEAD}  - { say: "See {{ configmap }}.", show: { list: Pod } }\n`,
      6,
      /\{\{ configmap \}\} has no value here/,
    ],
    [
      'a kind of fact there is not',
      `${HEAD}  - { say: S, check: { all: [{ fact: pods }] } }\n`,
      6,
      /unknown kind of fact: "pods"; did you mean pod/,
    ],
    [
      'a condition that asks two things',
      `${HEAD}  - { say: S, check: { outcome: healthy, cause: volumes/* } }\n`,
      6,
      /or exactly one of outcome/,
    ],
    [
      'a pattern that needs backtracking',
      `params: { tag: { type: text, says: S, pattern: '(a+)\\1' } }\n${HEAD}  - note: N\n`,
      1,
      /invalid escape sequence/,
    ],
    [
      'a default that does not fit',
      `params: { count: { type: number, says: S, default: many } }\n${HEAD}  - note: N\n`,
      1,
      /expected a number/,
    ],
    [
      'a secret with a default',
      `params: { word: { type: text, says: S, secret: true, default: sesame } }\n${HEAD}  - note: N\n`,
      1,
      /a secret cannot have a default/,
    ],
    ['YAML that is none', `title: [\n`, 2, /./],
  ])('is refused for %s, with its line', (_, source, line, message) => {
    const found: Problem[] = [];
    expect(parsePlaybook('crash-loop.yaml', source, 'crash-loop', found)).toBeUndefined();
    expect(found.map((problem) => problem.message).join('\n')).toMatch(message);
    expect(found.find((problem) => message.test(problem.message))?.line).toBe(line);
  });
});
