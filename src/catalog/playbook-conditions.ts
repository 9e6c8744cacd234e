import type { StepAction } from '../model/playbook.ts';
import type { Condition } from '../model/playbook-condition.ts';

/** Every condition a step asks, in the order they are written. */
export function conditionsOf(action: StepAction): readonly Condition[] {
  switch (action.kind) {
    case 'decide':
    case 'diagnose':
      return action.branches.map(({ when }) => when);
    case 'check':
      return [action.condition];
    case 'wait':
      return [action.until];
    case 'change':
      return [action.verify.until];
    case 'show':
    case 'run':
    case 'ask':
    case 'manual':
    case 'include':
    case 'note':
    case 'escalate':
      return [];
  }
}
