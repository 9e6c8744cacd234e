import type { Diagnosis, Evidence, Finding, Outcome, Target } from '../model/diagnosis.ts';
import type { Gap } from '../model/fact.ts';
import { isUnread } from '../model/fact.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { sameObject } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import { toCauses } from './cause.ts';
import type { Explanations } from './explain.ts';
import { explain } from './explain.ts';
import { FactIndex } from './fact-index.ts';
import type { Judged } from './findings.ts';
import { judge } from './findings.ts';
import { hear } from './find-wordings.ts';
import { rank } from './rank.ts';
import { verdicts } from './verdicts.ts';

/** What the rules make of evidence that was collected for one target: verdicts for every stage, and the ranked causes. */
export function diagnose(evidence: Evidence, rules: readonly Rule[], ref: ObjectRef): Diagnosis {
  const reasoned = reason(evidence, rules);
  const target = evidence.targets.find((candidate) => sameObject(candidate.ref, ref)) ?? { ref, state: 'unknown', members: [] };
  const gaps = relevantGaps(evidence, reasoned.judged);
  return {
    target: ref,
    at: evidence.at,
    outcome: outcomeOf(target, reasoned.ranked, gaps),
    state: target.state,
    ...(target.reason === undefined ? {} : { reason: target.reason }),
    ...(target.pods === undefined ? {} : { pods: target.pods }),
    stages: verdicts(evidence, target, reasoned.ranked),
    causes: toCauses(reasoned.ranked, reasoned.explanations),
    gaps,
  };
}

/** Judging, explaining and ranking: the same for one target and for a whole scope. */
export interface Reasoned {
  readonly judged: Judged;
  readonly explanations: Explanations;
  readonly ranked: readonly Finding[];
}

export function reason(evidence: Evidence, rules: readonly Rule[]): Reasoned {
  const judged = judge(rules, new FactIndex([...evidence.facts, ...hear(evidence, rules)], evidence.gaps));
  const explanations = explain(judged.findings, evidence.facts);
  return { judged, explanations, ranked: rank(judged.findings, explanations, evidence) };
}

function outcomeOf(target: Target, ranked: readonly Finding[], gaps: readonly Gap[]): Outcome {
  if (ranked.length > 0) return 'explained';
  // What looks healthy may be about to fail for a reason that stands in an answer nobody got.
  if (target.state === 'healthy') return gaps.some(isUnread) ? 'inconclusive' : 'healthy';
  if (target.state === 'unknown' || gaps.length > 0) return 'inconclusive';
  return 'unexplained';
}

/** Gaps that kept a rule from deciding, and every read that got no answer; the others changed nothing and would only be noise. */
export function relevantGaps(evidence: Evidence, judged: Judged): readonly Gap[] {
  const deciding = new Set(judged.undecided.flatMap(({ gaps }) => gaps));
  return evidence.gaps.filter((gap) => deciding.has(gap) || isUnread(gap));
}
