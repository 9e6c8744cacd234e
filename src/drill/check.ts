import { collect } from '../collect/collect.ts';
import { dig } from '../base/json.ts';
import type { AuditEntry } from '../model/audit.ts';
import type { Target } from '../model/diagnosis.ts';
import type { Drill, DrillFault } from '../model/drill.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { formatRef, sameObject } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import type { Cluster } from '../simulator/index.ts';
import type { Baseline } from './baseline.ts';
import { keptObjects } from './baseline.ts';
import type { Goal } from './goal.ts';
import type { Shortcut } from './shortcuts.ts';
import { onlyRestarted, shortcutsBetween } from './shortcuts.ts';
import type { Judged, TargetState } from './target-state.ts';
import { targetState } from './target-state.ts';

/** How far the trainee has come, without saying what is wrong. */
export interface CheckResult {
  readonly fixed: boolean;
  readonly faults: readonly FaultState[];
  readonly shortcuts: readonly Shortcut[];
  /** Things that were well at the start and are not any more. */
  readonly damage: readonly string[];
  /** Causes that the trainee has not named, which may still be done when all is mended. */
  readonly unnamed?: number;
}

export interface FaultState {
  readonly target: ObjectRef;
  /** `coming`: mended, and well within a few minutes; `symptom`: quiet, but not for the right reason. */
  readonly state: 'mended' | 'coming' | 'symptom' | 'failing';
  readonly says: string;
}

/** What the trainee did, as far as it decides what a check looks at. */
export interface Doings {
  /** Requests that changed something. */
  readonly writes: readonly AuditEntry[];
  /** Others have done their part, when all causes were named. */
  readonly handedOver: boolean;
  /** A request with the trainee's own credentials was answered. */
  readonly signedIn: boolean;
  /** What there is to say against the trainee's kubeconfig as it is now. */
  readonly careless: readonly Shortcut[];
}

/**
 * Whether everything the drill broke works again, and for the right reason. What is not well yet is looked at a few minutes
 * ahead in a copy of the cluster: waiting is no part of a drill.
 */
export async function checkDrill(
  drill: Drill,
  cluster: Cluster,
  baseline: Baseline,
  rules: readonly Rule[],
  doings: Doings,
): Promise<CheckResult> {
  const { writes, handedOver, signedIn, careless } = doings;
  const judged = drill.faults.map((fault, index): Judged => ({ fault, goal: baseline.goals[index] ?? { by: 'diagnosis' }, signedIn }));
  const kept = keptObjects(cluster);
  const shortcuts = [...shortcutsBetween(baseline.objects, kept, drill.scenario.cure, cluster.server.resources), ...careless];
  const look = (at: Cluster): Promise<readonly TargetState[]> => statesOf(judged, at, rules);
  const now = await look(cluster);
  const { later, states: ahead } = writes.length > 0 || handedOver ? await lookAhead(cluster, now, look) : {};
  if (onlyRestarted(writes, baseline.objects, kept) && !handedOver && !curedByRestart(drill)) {
    for (const { target } of drill.faults)
      shortcuts.push({ about: target, how: 'only-restarted', says: 'Pods were only restarted: the cause is still there.' });
  }
  const faults = judged.map(({ fault, goal }, index) => faultState(shownTarget(fault, goal), now[index], ahead?.[index], shortcuts));
  const damage = await damageIn(judged, later ?? cluster, baseline, drill, rules);
  return {
    fixed: faults.every(({ state }) => state === 'mended' || state === 'coming') && shortcuts.length === 0,
    faults,
    shortcuts,
    damage,
  };
}

/** A few minutes on, or as long as events are kept where only these still tell of it. */
async function lookAhead(
  cluster: Cluster,
  now: readonly TargetState[],
  look: (at: Cluster) => Promise<readonly TargetState[]>,
): Promise<{ readonly later?: Cluster; readonly states?: readonly TargetState[] }> {
  if (now.every(({ well }) => well)) return {};
  const later = cluster.fork();
  later.advance(AHEAD_MILLISECONDS);
  const states = await look(later);
  if (states.every(({ well }) => well) || !states.every(({ well, past }) => well || past)) return { later, states };
  later.advance(EVENTS_KEPT_MILLISECONDS);
  return { later, states: await look(later) };
}

const AHEAD_MILLISECONDS = 300_000;
/** An hour, kube-apiserver's --event-ttl, and a little. */
const EVENTS_KEPT_MILLISECONDS = 3_700_000;

async function statesOf(judged: readonly Judged[], cluster: Cluster, rules: readonly Rule[]): Promise<readonly TargetState[]> {
  const states: TargetState[] = [];
  for (const each of judged) states.push(await targetState(each, cluster, rules));
  return states;
}

/** What is spoken of: what the alert was about. */
function shownTarget({ target }: DrillFault, goal: Goal): ObjectRef {
  if (goal.by === 'object') return goal.object;
  const drained = goal.by === 'again' ? goal.steps.find((step) => step.do === 'drain') : undefined;
  return drained === undefined ? target : { kind: 'Node', name: drained.node };
}

function faultState(
  target: ObjectRef,
  now: TargetState | undefined,
  ahead: TargetState | undefined,
  shortcuts: readonly Shortcut[],
): FaultState {
  const own = shortcuts.find(({ about }) => sameObject(about, target)) ?? shortcuts[0];
  const isWell = now?.well === true || ahead?.well === true;
  if (own !== undefined && (isWell || hidesCause(own, target, ahead ?? now))) return { target, state: 'symptom', says: own.says };
  if (now?.well === true) return { target, state: 'mended', says: now.words };
  if (isWell) return { target, state: 'coming', says: 'fixed: it will be healthy in a few minutes' };
  return { target, state: 'failing', says: failingWords(now?.words, ahead?.causeGone === true) };
}

function failingWords(words: string | undefined, isFirstCauseGone: boolean): string {
  return isFirstCauseGone ? `the first cause is fixed, but it still fails: ${words ?? ''}` : (words ?? 'is not healthy');
}

/** Whether the object was taken away with what was wrong in it. */
function hidesCause({ about, how }: Shortcut, target: ObjectRef, state: TargetState | undefined): boolean {
  return sameObject(about, target) && (how === 'removed' || state?.causeGone === true);
}

/** The drill's own cure only restarts things: then so may the trainee. */
function curedByRestart({ scenario }: Drill): boolean {
  return scenario.cure.some((step) => (step.do === 'delete' && step.objects.every(({ kind }) => kind === 'Pod')) || step.do === 'fault');
}

async function damageIn(
  judged: readonly Judged[],
  cluster: Cluster,
  baseline: Baseline,
  { scenario }: Drill,
  rules: readonly Rule[],
): Promise<readonly string[]> {
  const meantToGo = scenario.cure.flatMap((step) => (step.do === 'delete' ? step.objects : []));
  const { targets } = await collect(cluster.reader(), {}, rules);
  const today = new Map(targets.map((target) => [formatRef(target.ref), target]));
  const damage: string[] = [];
  for (const { ref } of baseline.targets.filter(isWell)) {
    if (
      ref.kind === 'Pod' ||
      meantToGo.some((one) => sameObject(one, ref)) ||
      judged.some(({ fault, goal }) => sameObject(fault.target, ref) || (goal.by === 'object' && sameObject(goal.object, ref)))
    )
      continue;
    const target = today.get(formatRef(ref));
    if (target === undefined) damage.push(`${formatRef(ref)} was healthy and is gone`);
    else if (target.state === 'unhealthy') damage.push(`${formatRef(ref)} was healthy and no longer is: ${target.reason ?? 'unhealthy'}`);
  }
  for (const node of keptObjects(cluster).values()) {
    const before = baseline.objects.get(formatRef({ kind: node.kind, name: node.metadata.name }));
    if (node.kind === 'Node' && isCordoned(node) && before !== undefined && !isCordoned(before))
      damage.push(`Node ${node.metadata.name} was left cordoned`);
  }
  return damage;
}

function isWell({ state }: Target): boolean {
  return state === 'healthy';
}

function isCordoned(node: KubeObject): boolean {
  return dig(node, 'spec', 'unschedulable') === true;
}
