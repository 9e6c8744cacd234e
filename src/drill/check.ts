import { collect } from '../collect/collect.ts';
import { diagnose } from '../engine/diagnose.ts';
import { dig } from '../base/json.ts';
import type { AuditEntry } from '../model/audit.ts';
import type { Target } from '../model/diagnosis.ts';
import type { Drill, DrillFault } from '../model/drill.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { formatRef, sameObject } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import type { Cluster } from '../simulator/cluster.ts';
import type { Baseline } from './baseline.ts';
import { causeOf, evidenceOf, keptObjects } from './baseline.ts';
import type { Shortcut } from './shortcuts.ts';
import { onlyRestarted, shortcutsBetween } from './shortcuts.ts';

/** How far the trainee has come, without saying what is wrong. */
export interface CheckResult {
  readonly fixed: boolean;
  readonly faults: readonly FaultState[];
  readonly shortcuts: readonly Shortcut[];
  /** Things that were well at the start and are not any more. */
  readonly damage: readonly string[];
}

export interface FaultState {
  readonly target: ObjectRef;
  /** `coming`: mended, and well within a few minutes; `symptom`: quiet, but not for the right reason. */
  readonly state: 'mended' | 'coming' | 'symptom' | 'failing';
  readonly says: string;
}

/**
 * Whether everything the drill broke works again, and for the right reason. What is not well yet is looked at a few minutes
 * ahead in a copy of the cluster: waiting is no part of a drill.
 */
export async function checkDrill(drill: Drill, cluster: Cluster, baseline: Baseline, rules: readonly Rule[], writes: readonly AuditEntry[]): Promise<CheckResult> {
  const shortcuts = [...shortcutsBetween(baseline.objects, keptObjects(cluster), drill.scenario.cure)];
  const now = await statesOf(drill, cluster, rules);
  let ahead: readonly TargetState[] | undefined;
  let later: Cluster | undefined;
  if (now.some(({ well }) => !well) && writes.length > 0) {
    later = cluster.fork();
    later.runUntilSettled(AHEAD);
    ahead = await statesOf(drill, later, rules);
  }
  if (onlyRestarted(writes) && !curedByRestart(drill)) {
    for (const { target } of drill.faults) shortcuts.push({ about: target, how: 'only-restarted', says: 'Pods were restarted, and nothing else was changed: what was wrong is wrong still.' });
  }
  const faults = drill.faults.map((fault, index) => faultState(fault, now[index], ahead?.[index], shortcuts));
  const damage = await damageIn(drill, later ?? cluster, baseline);
  return { fixed: faults.every(({ state }) => state === 'mended' || state === 'coming') && shortcuts.length === 0, faults, shortcuts, damage };
}

const AHEAD = { milliseconds: 300_000, tasks: 2_000_000 };

interface TargetState {
  readonly well: boolean;
  /** The cause of the drill is named no longer. */
  readonly causeGone: boolean;
  readonly words: string;
}

async function statesOf(drill: Drill, cluster: Cluster, rules: readonly Rule[]): Promise<readonly TargetState[]> {
  const states: TargetState[] = [];
  for (const fault of drill.faults) {
    const evidence = await evidenceOf(cluster, fault.target);
    const diagnosis = diagnose(evidence, rules, fault.target);
    const target = evidence.targets.find(({ ref }) => sameObject(ref, fault.target));
    states.push({ well: diagnosis.outcome === 'healthy', causeGone: causeOf(diagnosis, fault) === undefined, words: target?.reason ?? (target === undefined ? 'is not there' : `is ${target.state}`) });
  }
  return states;
}

function faultState({ target }: DrillFault, now: TargetState | undefined, ahead: TargetState | undefined, shortcuts: readonly Shortcut[]): FaultState {
  const own = shortcuts.find(({ about }) => sameObject(about, target)) ?? shortcuts[0];
  if (now?.well === true) return own === undefined ? { target, state: 'mended', says: 'works again' } : { target, state: 'symptom', says: own.says };
  if (ahead?.well === true) return own === undefined ? { target, state: 'coming', says: 'mended: it will be well in a few minutes by itself' } : { target, state: 'symptom', says: own.says };
  if (own !== undefined && own.how === 'removed' && sameObject(own.about, target)) return { target, state: 'symptom', says: own.says };
  if (ahead?.causeGone === true) return { target, state: 'failing', says: `what was wrong at first is mended, but something else keeps it down: ${now?.words ?? ''}` };
  return { target, state: 'failing', says: now?.words ?? 'is not well' };
}

/** The drill's own cure only restarts things: then so may the trainee. */
function curedByRestart({ scenario }: Drill): boolean {
  return scenario.cure.some((step) => (step.do === 'delete' && step.objects.every(({ kind }) => kind === 'Pod')) || step.do === 'fault');
}

async function damageIn(drill: Drill, cluster: Cluster, baseline: Baseline): Promise<readonly string[]> {
  const { targets } = await collect(cluster.reader(), {});
  const today = new Map(targets.map((target) => [formatRef(target.ref), target]));
  const damage: string[] = [];
  for (const { ref } of baseline.targets.filter(isWell)) {
    if (ref.kind === 'Pod' || drill.faults.some(({ target }) => sameObject(target, ref))) continue;
    const target = today.get(formatRef(ref));
    if (target === undefined) damage.push(`${formatRef(ref)} was well and is gone`);
    else if (target.state === 'unhealthy') damage.push(`${formatRef(ref)} was well and is not any more: ${target.reason ?? 'unhealthy'}`);
  }
  for (const node of keptObjects(cluster).values()) {
    const before = baseline.objects.get(formatRef({ kind: node.kind, name: node.metadata.name }));
    if (node.kind === 'Node' && isCordoned(node) && before !== undefined && !isCordoned(before)) damage.push(`Node ${node.metadata.name} was left cordoned`);
  }
  return damage;
}

function isWell({ state }: Target): boolean {
  return state === 'healthy';
}

function isCordoned(node: KubeObject): boolean {
  return dig(node, 'spec', 'unschedulable') === true;
}
