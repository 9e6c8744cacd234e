import type { Rule } from '../../model/rule.ts';
import type { AnswerVerdict } from './accepted.ts';
import type { JudgedCase } from './score.ts';
import { scoreCase } from './score.ts';
import type { ScoredCause } from './scored-cause.ts';

/**
 * How the answer to a part of a case fits its label; undefined for a case outside of what podcheck can tell. Less exact is the right cause behind
 * another one or at a pod of the right workload, and a symptom or what the right cause explains at the right object: what was seen may show no more.
 */
export function verdictOnPart(judged: JudgedCase, rules: ReadonlyMap<string, Rule>): AnswerVerdict | undefined {
  const { causes, label, expected } = judged;
  const score = scoreCase(judged);
  if (score === 'outside') return undefined;
  if (causes === undefined) return 'unreadable';
  const [first] = causes;
  if (score === 'top1') return 'right';
  if (first === undefined) return 'inconclusive';
  if (label.kind !== 'rule') return 'wrong';
  const known = new Set([...label.rules, ...label.rules.flatMap((id) => rules.get(id)?.explains ?? [])]);
  const near = rules.get(first.rule)?.kind === 'symptom' || known.has(first.rule);
  return score === 'top3' || (near && isNear(first, expected.object)) ? 'less-exact' : 'wrong';
}

/** Whether the cause is at the object that is expected, or at what its name begins with: a pod of a workload that was not seen. */
function isNear({ object, workload }: ScoredCause, expected: string | undefined): boolean {
  const [kind = '', name = ''] = expected?.split('/') ?? [];
  if (kind !== 'app') return expected === undefined || kind === 'namespace' || kind === 'node';
  return [object, workload].some((ref) => ref !== undefined && (ref.name === name || ref.name.startsWith(`${name}-`)));
}
