import { grouped, largest } from '../base/lists.ts';
import { onceEach } from '../base/once.ts';
import type { Diagnosis, Evidence, Finding, Outcome, StageVerdict, Target } from '../model/diagnosis.ts';
import type { Gap, Scalar } from '../model/fact.ts';
import { isUnread } from '../model/fact.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { formatRef, sameObject } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import { NORMAL_SECONDS } from '../model/stage.ts';
import { toCauses } from './cause.ts';
import type { Explanations } from './explain.ts';
import { explain } from './explain.ts';
import { FactIndex } from './fact-index.ts';
import type { Judged } from './findings.ts';
import { judge } from './findings.ts';
import { hear } from './find-wordings.ts';
import { objectsOf, rank } from './rank.ts';
import { sharedOnce } from './shared-causes.ts';
import { surroundings } from './surroundings.ts';
import { verdicts } from './verdicts.ts';

/** What the rules make of evidence that was collected for one target: verdicts for every stage, and the ranked causes. */
export function diagnose(evidence: Evidence, rules: readonly Rule[], ref: ObjectRef): Diagnosis {
  const reasoned = reason(evidence, rules);
  return diagnosisOf(evidence, ref.kind === 'Node' ? ofNode(reasoned, ref) : reasoned, targetIn(evidence, ref));
}

/** What is the matter with a node: not what is the matter with the programs of its pods, unless that explains it. */
function ofNode({ ranked, explanations, judged }: Reasoned, node: ObjectRef): Reasoned {
  const isOwn = (finding: Finding): boolean => objectsOf(finding).includes(formatRef(node));
  const counts = (finding: Finding): boolean => isOwn(finding) || [...(explanations.get(finding) ?? [])].some(isOwn);
  return { judged, explanations, ranked: ranked.filter(counts) };
}

/** The same for evidence that was collected for a whole scope: only the causes that concern the target, its owners or pods count. */
export function diagnoseWithin(evidence: Evidence, rules: readonly Rule[], ref: ObjectRef): Diagnosis {
  const reasoned = reason(evidence, rules);
  const target = targetIn(evidence, ref);
  const own = new Set([ref, ...target.members].map(formatRef));
  const isOwn = (finding: Finding): boolean => objectsOf(finding).some((object) => own.has(object));
  // What it calls may be at fault: then that explains what shows here.
  const ranked = reasoned.ranked.filter((finding) => isOwn(finding) || [...(reasoned.explanations.get(finding) ?? [])].some(isOwn));
  return diagnosisOf(evidence, { ...reasoned, ranked }, target);
}

function targetIn({ targets }: Evidence, ref: ObjectRef): Target {
  return targets.find((candidate) => sameObject(candidate.ref, ref)) ?? { ref, state: 'unknown', members: [] };
}

function diagnosisOf(evidence: Evidence, reasoned: Reasoned, target: Target): Diagnosis {
  const { ref } = target;
  const own = new Set([ref, ...target.members].map(formatRef));
  // First what is to be seen of the target itself.
  const gaps = relevantGaps(evidence, reasoned.judged).toSorted(
    (a, b) => (own.has(formatRef(a.about)) ? 0 : 1) - (own.has(formatRef(b.about)) ? 0 : 1),
  );
  const stages = verdicts(evidence, target, reasoned.ranked);
  const outcome = outcomeOf(target, reasoned.ranked, gaps);
  const around = surroundings(evidence, target, reasoned.ranked[0]);
  const causes = sharedOnce(reasoned.ranked, reasoned.explanations);
  return {
    target: ref,
    at: evidence.at,
    outcome: outcome === 'unexplained' && isStarting(evidence, target, stages) ? 'waiting' : outcome,
    state: target.state,
    ...(target.reason === undefined ? {} : { reason: target.reason }),
    ...(target.pods === undefined ? {} : { pods: target.pods }),
    stages,
    causes: toCauses(causes.ranked, causes.explanations),
    ...(around.length === 0 ? {} : { around }),
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
  return reasonedBy(evidence)(rules);
}

/** Asked of the same evidence again: by a scan, and by whoever looks for what it rests on. */
const reasonedBy = onceEach((evidence: Evidence) => onceEach((rules: readonly Rule[]) => reasonAnew(evidence, rules)));

function reasonAnew(evidence: Evidence, rules: readonly Rule[]): Reasoned {
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

/**
 * Whether the target waits at a stage since a short time only and no event warns of anything but a probe that fails while the application
 * starts, or for startup probes that have time left.
 */
export function isStarting(evidence: Evidence, { ref, members }: Target, stages: readonly StageVerdict[]): boolean {
  const waiting = stages.find(({ verdict }) => verdict === 'waiting');
  if (waiting === undefined || stages.some(({ verdict }) => verdict === 'blocked')) return false;
  const own = [ref, ...members].map(formatRef);
  const warnings = own.flatMap((key) => [...(warningsIn(evidence).get(key) ?? [])]);
  const isCalm = warnings.every((reason) => reason === 'Unhealthy');
  if (hasStartupTime(evidence, own)) return isCalm;
  const since = largest(stages.map((stage) => stage.at ?? 0));
  return since > 0 && evidence.at - since <= (NORMAL_SECONDS[waiting.id] ?? 0) * 1000 && isCalm;
}

/** Whether pods wait, and all that do wait for startup probes that may still fail. */
function hasStartupTime(evidence: Evidence, keys: readonly string[]): boolean {
  // Who waits with patience is no endpoint meanwhile, either.
  const waiting = keys.flatMap((key) => [waitingIn(evidence).get(key) ?? []]).filter(({ length }) => length > 0);
  return waiting.length > 0 && waiting.every((pod) => pod.some(({ fields }) => fields['patienceSeconds'] !== undefined));
}

/** Milestones of pods that are not passed yet, by the pod's key. */
const waitingIn = onceEach(({ facts }: Evidence) =>
  grouped(
    facts.filter(({ kind, about, fields }) => kind === 'milestone' && about.kind === 'Pod' && fields['state'] === 'waiting'),
    ({ about }) => formatRef(about),
  ),
);

/** Reasons of warnings, by the key of the object: all facts of a large cluster are not gone through for each target. */
const warningsIn = onceEach(({ facts }: Evidence) => {
  const reasons = new Map<string, Set<Scalar>>();
  for (const { kind, about, fields } of facts) {
    if (kind !== 'event' || fields['type'] !== 'Warning') continue;
    const known = reasons.get(formatRef(about)) ?? new Set();
    reasons.set(formatRef(about), known.add(fields['reason'] ?? ''));
  }
  return reasons;
});

/** Gaps that kept a rule from deciding, and every read that got no answer; the others changed nothing and would only be noise. */
export function relevantGaps(evidence: Evidence, judged: Judged): readonly Gap[] {
  const deciding = new Set(judged.undecided.flatMap(({ gaps }) => gaps));
  return evidence.gaps.filter((gap) => deciding.has(gap) || isUnread(gap));
}
