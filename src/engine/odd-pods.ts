import type { Evidence } from '../model/diagnosis.ts';
import { formatRef } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import { reason, relevantGaps } from './diagnose.ts';

/**
 * Pods, by key, that have to be looked at one by one after all: a finding or a gap that counts rests on one of those that stand for others,
 * or something was said of one of the others. None where no pod stands for another.
 */
export function oddPods(evidence: Evidence, rules: readonly Rule[]): ReadonlySet<string> {
  const { sample } = evidence;
  if (sample === undefined) return new Set();
  const { judged } = reason(evidence, rules);
  const about = [
    ...judged.findings.flatMap(({ facts, support, affected, object }) => [
      ...[...facts, ...support].map((fact) => fact.about),
      ...affected,
      object,
    ]),
    ...relevantGaps(evidence, judged).map((gap) => gap.about),
  ].map(formatRef);
  return new Set([...sample.spoken, ...about.filter((key) => sample.standing.has(key) || sample.started.has(key))]);
}
