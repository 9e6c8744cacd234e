import { append } from '../base/lists.ts';
import { nearest } from '../base/text.ts';
import type { Playbook, PlaybookStep, StepTarget } from '../model/playbook.ts';
import { END } from '../model/playbook.ts';
import type { Condition } from '../model/playbook-condition.ts';
import type { Fields } from './parse-playbook-values.ts';
import { conditionsOf } from './playbook-conditions.ts';
import type { YamlCursor } from './yaml-cursor.ts';

/** The way through the steps: every id once, every target there, no way round in circles, no step that no way leads to. */
export function checkSteps({ steps, rollback, preconditions }: Playbook, fields: Fields): void {
  const cursors = fields.get('steps')?.items() ?? [];
  checkIds(steps, cursors);
  checkIds(rollback, fields.get('rollback')?.items() ?? []);
  const ids = new Set(steps.map(({ id }) => id));
  for (const [index, step] of steps.entries()) {
    const named = [...[...namedTargets(step)].filter((target) => target !== END), ...stepsAskedFor(step)];
    for (const name of named.filter((one) => !ids.has(one)))
      cursors[index]?.problem(`unknown step ${JSON.stringify(name)}${near(name, ids)}`);
  }
  for (const { when } of preconditions)
    if (stepsOf(when).length > 0) fields.get('preconditions')?.problem('a precondition cannot depend on a step: no step has run yet');
  const circle = circleIn(steps);
  if (circle !== undefined) cursors[steps.findIndex(({ id }) => id === circle[0])]?.problem(`the steps form a loop: ${circle.join(' → ')}`);
  for (const index of unreachable(steps)) cursors[index]?.problem('this step cannot be reached');
}

function checkIds(steps: readonly PlaybookStep[], cursors: readonly YamlCursor[]): void {
  for (const [index, { id }] of steps.entries()) {
    if (steps.findIndex((other) => other.id === id) < index)
      cursors[index]?.problem(`an earlier step already has the ID ${JSON.stringify(id)}`);
  }
}

function near(word: string, known: Iterable<string>): string {
  const names = nearest(word, known);
  return names.length === 0 ? '' : `; did you mean ${names.join(' or ')}?`;
}

/** Where a step may go on, besides to the step after it. */
function namedTargets({ next, action }: PlaybookStep): readonly StepTarget[] {
  const targets = [next];
  if (action.kind === 'decide' || action.kind === 'diagnose') append(targets, [...action.branches.map(({ goto }) => goto), action.else]);
  if (action.kind === 'check') targets.push(action.pass, action.fail, action.unknown);
  if (action.kind === 'wait') targets.push(action.timeout);
  if (action.kind === 'change') targets.push(action.fail);
  return targets.filter((target) => target !== undefined);
}

/** All steps that may come next; the end is left out. */
function nextSteps(steps: readonly PlaybookStep[], index: number): readonly number[] {
  const step = steps[index];
  if (step === undefined || step.action.kind === 'escalate') return [];
  const { action } = step;
  const decided =
    action.kind === 'decide' ||
    (action.kind === 'diagnose' && action.else !== undefined) ||
    (action.kind === 'check' && [action.pass, action.fail, action.unknown].every((target) => target !== undefined));
  const named = namedTargets(step).map((target) => steps.findIndex(({ id }) => id === target));
  return [...new Set([...named, ...(decided || step.next !== undefined ? [] : [index + 1])])].filter(
    (next) => next >= 0 && next < steps.length,
  );
}

function circleIn(steps: readonly PlaybookStep[]): readonly string[] | undefined {
  const done = new Set<number>();
  const way: number[] = [];
  function visit(index: number): readonly string[] | undefined {
    if (way.includes(index)) return [...way.slice(way.indexOf(index)), index].map((at) => steps[at]?.id ?? '');
    if (done.has(index)) return undefined;
    way.push(index);
    for (const next of nextSteps(steps, index)) {
      const circle = visit(next);
      if (circle !== undefined) return circle;
    }
    way.pop();
    done.add(index);
    return undefined;
  }
  for (let index = 0; index < steps.length; index++) {
    const circle = visit(index);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

function unreachable(steps: readonly PlaybookStep[]): readonly number[] {
  const reached = new Set([0]);
  for (const index of reached) for (const next of nextSteps(steps, index)) reached.add(next);
  return steps.map((_, index) => index).filter((index) => !reached.has(index));
}

function stepsAskedFor({ action }: PlaybookStep): readonly string[] {
  return conditionsOf(action).flatMap(stepsOf);
}

function stepsOf(condition: Condition): readonly string[] {
  if (condition.test === 'not') return stepsOf(condition.condition);
  return condition.test === 'step' ? [condition.step] : [];
}
