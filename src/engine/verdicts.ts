import type { Evidence, Finding, StageVerdict, Target } from '../model/diagnosis.ts';
import type { Fact } from '../model/fact.ts';
import { formatRef } from '../model/kube-object.ts';
import type { StageId, Verdict } from '../model/stage.ts';
import { STAGE_IDS, stageOrder } from '../model/stage.ts';

/**
 * One verdict for every stage, in order. Milestones of the least advanced member speak; a cause blocks its stage; a stage before one
 * that was passed was passed; what lies behind a blocked or waiting stage was not reached.
 */
export function verdicts(evidence: Evidence, target: Target, ranked: readonly Finding[]): readonly StageVerdict[] {
  const milestones = milestonesOf(evidence, target);
  const blocked = blockedStages(ranked);
  const furthest = furthestPassed(milestones);
  const result: StageVerdict[] = [];
  let stopped = false;
  for (const id of STAGE_IDS) {
    const milestone = milestones.get(id);
    const finding = blocked.get(id);
    const verdict = verdictOf({ milestone, finding, stopped, before: stageOrder(id) < furthest, hidden: isHidden(evidence, id) });
    const reason = finding === undefined ? milestone?.fields['reason'] : finding.rule.title;
    result.push({
      id,
      verdict,
      ...(verdict === 'passed' && milestone?.at !== undefined ? { at: milestone.at } : {}),
      ...(verdict !== 'passed' && verdict !== 'not-reached' && reason !== undefined ? { reason: String(reason) } : {}),
    });
    if (verdict === 'blocked' || verdict === 'waiting') stopped = true;
  }
  return result;
}

interface Known {
  readonly milestone: Fact | undefined;
  readonly finding: Finding | undefined;
  /** An earlier stage is blocked or waiting. */
  readonly stopped: boolean;
  /** A later stage was passed. */
  readonly before: boolean;
  readonly hidden: boolean;
}

function verdictOf({ milestone, finding, stopped, before, hidden }: Known): Verdict {
  if (finding !== undefined) return 'blocked';
  const state = milestone?.fields['state'];
  if (state === 'passed') return 'passed';
  if (before) return 'passed';
  if (stopped) return 'not-reached';
  if (state === 'failed') return 'blocked';
  if (state === 'waiting') return 'waiting';
  return hidden || milestone === undefined ? 'unknown' : 'passed';
}

/** Per stage the milestone of the member that is least far, so that one healthy replica does not hide a stuck one. */
function milestonesOf(evidence: Evidence, target: Target): ReadonlyMap<StageId, Fact> {
  const members = new Set([target.ref, ...target.members].map(formatRef));
  const byStage = new Map<StageId, Fact>();
  for (const fact of evidence.facts) {
    if (fact.kind !== 'milestone' || !members.has(formatRef(fact.about))) continue;
    const stage = fact.fields['stage'] as StageId;
    const known = byStage.get(stage);
    if (known === undefined || severity(fact) > severity(known)) byStage.set(stage, fact);
  }
  return byStage;
}

function severity(milestone: Fact): number {
  const state = milestone.fields['state'];
  return state === 'failed' ? 2 : state === 'waiting' ? 1 : 0;
}

/** Only the first-ranked trouble decides: what is merely a further candidate does not block a stage that was passed. */
function blockedStages(ranked: readonly Finding[]): ReadonlyMap<StageId, Finding> {
  const blocked = new Map<StageId, Finding>();
  const first = ranked[0];
  if (first !== undefined) blocked.set(first.rule.stage, first);
  return blocked;
}

function furthestPassed(milestones: ReadonlyMap<StageId, Fact>): number {
  let furthest = -1;
  for (const [stage, fact] of milestones) if (fact.fields['state'] === 'passed') furthest = Math.max(furthest, stageOrder(stage));
  return furthest;
}

function isHidden(evidence: Evidence, stage: StageId): boolean {
  return evidence.gaps.some((gap) => gap.kind === 'milestone' && gap.reason.startsWith(`${stage}:`));
}
