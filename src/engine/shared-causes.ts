import { grouped } from '../base/lists.ts';
import type { Finding } from '../model/diagnosis.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';
import { fill, requiredVariablesOf } from '../model/placeholders.ts';
import type { Explanations } from './explain.ts';

/**
 * Findings of one rule that come of the same thing (a registry, the scheduler) as one, in the place of the first: a hundred workloads that
 * wait for one registry have one cause. `explanations` are theirs together.
 */
export function sharedOnce(
  ranked: readonly Finding[],
  explanations: Explanations,
): { readonly ranked: readonly Finding[]; readonly explanations: Explanations } {
  const groups = [...grouped(ranked, (finding) => sharedKey(finding) ?? finding).values()];
  if (groups.length === ranked.length) return { ranked, explanations };
  const together = groups.map((group) => [joined(group), group] as const);
  return {
    ranked: together.map(([finding]) => finding),
    explanations: new Map(
      together.map(([finding, group]) => [finding, new Set(group.flatMap((one) => [...(explanations.get(one) ?? [])]))] as const),
    ),
  };
}

/** Undefined where the rule names nothing of the kind, or what it names is not known. */
function sharedKey({ rule, params }: Finding): string | undefined {
  if (rule.shared === undefined || !requiredVariablesOf(rule.shared).every((name) => Object.hasOwn(params, name))) return undefined;
  return `${rule.id} ${fill(rule.shared, params)}`;
}

function joined(group: readonly Finding[]): Finding {
  const [first, ...more] = group as [Finding, ...Finding[]];
  if (more.length === 0) return first;
  const affected = new Map<string, ObjectRef>();
  for (const { object, affected: own } of group) for (const ref of [object, ...own]) affected.set(formatRef(ref), ref);
  affected.delete(formatRef(first.object));
  return {
    ...first,
    facts: group.flatMap(({ facts }) => facts),
    affected: [...affected].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, ref]) => ref),
    others: more.map(({ object }) => object),
  };
}
