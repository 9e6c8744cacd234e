import type { Instant } from '../base/instant.ts';
import { largest } from '../base/lists.ts';
import { onceEach } from '../base/once.ts';
import type { Evidence, Finding, StageVerdict, Target } from '../model/diagnosis.ts';
import type { Fact, Scalar } from '../model/fact.ts';
import { formatRef } from '../model/kube-object.ts';
import type { StageId, Verdict } from '../model/stage.ts';
import { STAGE_IDS, stageOrder } from '../model/stage.ts';
import { titleOf } from './cause.ts';

/**
 * One verdict for every stage, in order. Milestones of the least advanced member speak; a cause blocks its stage; a stage before one
 * that was passed was passed; what lies behind a blocked or waiting stage was not reached,
 * and neither is what the target has no need of: a pod that no Service selects has no endpoints.
 */
export function verdicts(evidence: Evidence, target: Target, ranked: readonly Finding[]): readonly StageVerdict[] {
  const milestones = milestonesOf(evidence, target);
  const blocked = blockedStages(ranked);
  const furthest = Math.max(furthestPassed(milestones.values()), refusedAt(blocked));
  const result: StageVerdict[] = [];
  let stopped = false;
  let unneeded: string | undefined;
  for (const id of STAGE_IDS) {
    const milestone = milestones.get(id);
    const finding = blocked.get(id);
    const verdict = verdictOf({ milestone, finding, stopped, before: stageOrder(id) < furthest });
    if (verdict === 'not-reached' && milestone?.fields['state'] === 'not-needed') unneeded = String(milestone.fields['reason']);
    const reason = finding !== undefined ? titleOf(finding) : verdict === 'not-reached' ? unneeded : milestone?.fields['reason'];
    result.push({ id, verdict, ...(verdict === 'passed' ? since(milestone?.at) : because(reason)) });
    if (verdict === 'blocked' || verdict === 'waiting' || unneeded !== undefined) stopped = true;
  }
  return result;
}

function since(at: Instant | undefined): Pick<StageVerdict, 'at'> {
  return at === undefined ? {} : { at };
}

function because(reason: Scalar | undefined): Pick<StageVerdict, 'reason'> {
  return reason === undefined ? {} : { reason: String(reason) };
}

interface Known {
  readonly milestone: Fact | undefined;
  readonly finding: Finding | undefined;
  /** An earlier stage is blocked or waiting. */
  readonly stopped: boolean;
  /** A later stage was passed. */
  readonly before: boolean;
}

function verdictOf({ milestone, finding, stopped, before }: Known): Verdict {
  if (finding !== undefined) return 'blocked';
  const state = milestone?.fields['state'];
  if (state === 'passed') return 'passed';
  if (state === 'not-needed' && !before) return 'not-reached';
  if (stopped && !before) return 'not-reached';
  if (state === 'failed') return 'blocked';
  if (state === 'waiting') return 'waiting';
  return before ? 'passed' : 'unknown';
}

/** Milestones of the target's controllers and of the pod that is least far, so that one healthy replica does not hide a stuck one. */
function milestonesOf(evidence: Evidence, target: Target): ReadonlyMap<StageId, Fact> {
  const members = new Set([target.ref, ...target.members].map(formatRef));
  const byPod = new Map<string, Fact[]>();
  const chosen: Fact[] = [];
  const known = milestonesIn(evidence);
  const own = [...members].flatMap((key) => known.get(key) ?? []).toSorted((a, b) => a.position - b.position);
  for (const { fact } of own) {
    const key = formatRef(fact.about);
    if (fact.about.kind !== 'Pod') chosen.push(fact);
    else byPod.set(key, [...(byPod.get(key) ?? []), fact]);
  }
  let least: { readonly facts: readonly Fact[]; readonly furthest: number } | undefined;
  for (const facts of byPod.values()) {
    const furthest = furthestPassed(facts);
    if (least === undefined || furthest < least.furthest) least = { facts, furthest };
  }
  const byStage = new Map<StageId, Fact>();
  for (const fact of [...chosen, ...(least?.facts ?? [])]) {
    const stage = fact.fields['stage'] as StageId;
    const known = byStage.get(stage);
    if (known === undefined || severity(fact) > severity(known)) byStage.set(stage, fact);
  }
  return byStage;
}

/** Milestones by the object they are about: all facts of a large cluster are not gone through for each target. */
const milestonesIn = onceEach(({ facts }: Evidence) => {
  const byObject = new Map<string, { readonly fact: Fact; readonly position: number }[]>();
  for (const [position, fact] of facts.entries()) {
    if (fact.kind !== 'milestone') continue;
    const key = formatRef(fact.about);
    const same = byObject.get(key);
    if (same === undefined) byObject.set(key, [{ fact, position }]);
    else same.push({ fact, position });
  }
  return byObject;
});

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

function furthestPassed(milestones: Iterable<Fact>): number {
  let furthest = -1;
  for (const { fields } of milestones)
    if (fields['state'] === 'passed') furthest = Math.max(furthest, stageOrder(fields['stage'] as StageId));
  return furthest;
}

/** A request that is refused at one stage has passed those before it: the API server takes them in order. */
function refusedAt(blocked: ReadonlyMap<StageId, Finding>): number {
  const orders = [...blocked.keys()].map(stageOrder).filter((order) => order <= stageOrder('persistence'));
  return largest([-1, ...orders]);
}
