import { assert } from '../base/assert.ts';
import { append } from '../base/lists.ts';
import type { Playbook, PlaybookParam, PlaybookStep, StepAction, StepTarget } from '../model/playbook.ts';
import { END } from '../model/playbook.ts';
import type { Condition } from '../model/playbook-condition.ts';

/** A playbook with what it includes put in its place: ids of included steps have the including step's id before them. */
export interface FlatPlaybook extends Playbook {
  /** Parameters of included playbooks, by the id of the step that includes them. */
  readonly included: ReadonlyMap<string, readonly PlaybookParam[]>;
}

export function flatten(playbook: Playbook, find: (name: string) => Playbook | undefined): FlatPlaybook {
  const included = new Map<string, readonly PlaybookParam[]>();
  const rollback: PlaybookStep[] = [...playbook.rollback];
  function expand(steps: readonly PlaybookStep[], prefix: string, after: StepTarget): readonly PlaybookStep[] {
    return steps.flatMap((step, index): readonly PlaybookStep[] => {
      const id = prefix + step.id;
      const fallthrough = steps[index + 1] === undefined ? after : prefix + (steps[index + 1]?.id ?? '');
      const place = (target: StepTarget): StepTarget => (target === END ? after : prefix + target);
      const next = step.next === undefined ? fallthrough : place(step.next);
      const { action } = step;
      if (action.kind !== 'include') return [{ ...step, id, next, action: placed(action, place, prefix) }];
      const inner = find(action.playbook);
      assert(inner !== undefined, `playbook ${action.playbook} was there when ${playbook.name} was loaded`);
      included.set(id, inner.params);
      append(
        rollback,
        inner.rollback.map((one) => ({ ...one, id: `${id}.${one.id}` })),
      );
      const inside = expand(inner.steps, `${id}.`, next);
      return [{ ...step, id, next: inside[0]?.id ?? next, action }, ...inside];
    });
  }
  return { ...playbook, steps: expand(playbook.steps, '', END), rollback, included };
}

function placed(action: StepAction, place: (target: StepTarget) => StepTarget, prefix: string): StepAction {
  const asked = (condition: Condition): Condition => prefixed(condition, prefix);
  switch (action.kind) {
    case 'decide':
      return {
        ...action,
        branches: action.branches.map(({ when, goto }) => ({ when: asked(when), goto: place(goto) })),
        else: place(action.else),
      };
    case 'diagnose':
      return {
        ...action,
        branches: action.branches.map(({ when, goto }) => ({ when: asked(when), goto: place(goto) })),
        ...(action.else === undefined ? {} : { else: place(action.else) }),
      };
    case 'check':
      return {
        ...action,
        condition: asked(action.condition),
        ...(action.pass === undefined ? {} : { pass: place(action.pass) }),
        ...(action.fail === undefined ? {} : { fail: place(action.fail) }),
        ...(action.unknown === undefined ? {} : { unknown: place(action.unknown) }),
      };
    case 'wait':
      return { ...action, until: asked(action.until), ...(action.timeout === undefined ? {} : { timeout: place(action.timeout) }) };
    case 'change':
      return {
        ...action,
        verify: { ...action.verify, until: asked(action.verify.until) },
        ...(action.fail === undefined ? {} : { fail: place(action.fail) }),
      };
    case 'show':
    case 'run':
    case 'ask':
    case 'manual':
    case 'include':
    case 'note':
    case 'escalate':
      return action;
  }
}

function prefixed(condition: Condition, prefix: string): Condition {
  if (condition.test === 'not') return { ...condition, condition: prefixed(condition.condition, prefix) };
  return condition.test === 'step' ? { ...condition, step: prefix + condition.step } : condition;
}
