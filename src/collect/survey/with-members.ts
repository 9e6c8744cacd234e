import { once } from '../../base/once.ts';
import type { Target } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';

/** A target whose members are named when somebody asks for them: of the healthy ones of a large cluster nobody does. */
export function withMembers(target: Omit<Target, 'members'>, name: () => readonly ObjectRef[]): Target {
  const members = once(name);
  return {
    ...target,
    get members() {
      return members();
    },
  };
}
