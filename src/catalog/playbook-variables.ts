import { nearest } from '../base/text.ts';
import type { Playbook, PlaybookStep } from '../model/playbook.ts';
import { GIVEN_VARIABLES } from '../model/playbook.ts';
import type { Condition } from '../model/playbook-condition.ts';
import { problemsOfForms, variablesOf } from '../model/placeholders.ts';
import type { Fields } from './parse-playbook-values.ts';
import { conditionsOf } from './playbook-conditions.ts';
import { bindWhen } from './rule-variables.ts';
import type { YamlCursor } from './yaml-cursor.ts';

/** Every variable that words, commands, bodies and conditions use must be given, a parameter, or bound by a step before. */
export function checkPlaybookVariables({ params, preconditions, steps, rollback, use, title, escalation }: Playbook, fields: Fields): void {
  const paramCursors = fields.get('params')?.entries();
  for (const { name } of params)
    if (Object.hasOwn(GIVEN_VARIABLES, name)) paramCursors?.get(name)?.problem(`the variable ${name} is reserved: every run sets it`);
  const known = new Set([...Object.keys(GIVEN_VARIABLES), ...params.map(({ name }) => name)]);
  for (const [field, words] of [
    ['title', title],
    ['use', use],
    ['escalation', escalation],
  ] as const)
    checkWords(words, known, fields.get(field));
  for (const [index, { say, when }] of preconditions.entries()) {
    const cursor = fields.get('preconditions')?.items()[index];
    checkWords(say, known, cursor);
    bindCondition(when, known, cursor);
  }
  bindSteps(steps, known, fields.get('steps')?.items() ?? []);
  bindSteps(rollback, known, fields.get('rollback')?.items() ?? []);
}

function bindSteps(steps: readonly PlaybookStep[], known: Set<string>, cursors: readonly YamlCursor[]): void {
  for (const [index, { action, say, tells }] of steps.entries()) {
    const cursor = cursors[index];
    for (const condition of conditionsOf(action)) bindCondition(condition, known, cursor);
    if (action.kind === 'ask') {
      if (!/^[A-Za-z]\w{0,62}$/.test(action.variable))
        cursor?.problem(`${JSON.stringify(action.variable)} is not a valid variable name: use letters, digits and _`);
      known.add(action.variable);
    }
    checkWords([say, tells, action], known, cursor);
  }
}

function bindCondition(condition: Condition, known: Set<string>, cursor: YamlCursor | undefined): void {
  if (condition.test === 'not') bindCondition(condition.condition, known, cursor);
  if ((condition.test === 'variable' || condition.test === 'known') && !known.has(condition.name))
    cursor?.problem(unknown(condition.name, known));
  if (condition.test !== 'facts') return;
  const maybe = new Set<string>();
  bindWhen(condition.when, known, maybe, cursor);
  for (const name of maybe) known.add(name);
}

/** Whatever it is made of: every text in it may name variables. */
function checkWords(words: unknown, known: ReadonlySet<string>, cursor: YamlCursor | undefined): void {
  const text = JSON.stringify(words) ?? '';
  for (const problem of problemsOfForms(text)) cursor?.problem(problem);
  for (const name of new Set(variablesOf(text))) if (!known.has(name)) cursor?.problem(unknown(name, known));
}

function unknown(name: string, known: ReadonlySet<string>): string {
  const names = nearest(name, known);
  return `{{ ${name} }} has no value here${names.length === 0 ? '' : `; did you mean ${names.join(' or ')}?`}`;
}
