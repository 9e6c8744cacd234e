import { isWorkloadKind } from '../../collect/survey/scene.ts';
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
  const explained = label.rules.some((id) => rules.get(id)?.explains.some((other) => other === first.rule || (other.endsWith('/*') && first.rule.startsWith(other.slice(0, -1)))));
  const near = rules.get(first.rule)?.kind === 'symptom' || label.rules.includes(first.rule) || explained;
  return score === 'top3' || (near && isNear(first, expected.object)) ? 'less-exact' : 'wrong';
}

/** Whether the cause is at the workload that is expected, or at what its name begins with: a pod of a workload that was not seen. Other objects may be unseen. */
function isNear({ object, workload }: ScoredCause, expected: string | undefined): boolean {
  const [kind = '', name = ''] = expected?.split('/') ?? [];
  const isWorkload = kind === 'app' || kind === 'Pod' || isWorkloadKind(kind);
  if (!isWorkload || UNNAMED.has(object.kind)) return true;
  return [object, workload].some((ref) => ref !== undefined && (ref.name === name || ref.name.startsWith(`${name}-`) || ref.name.startsWith('<')));
}

/** What stands for an object that was never made, or that no text names. */
const UNNAMED: ReadonlySet<string> = new Set(['Manifest', 'Cluster', 'User', 'Text']);
