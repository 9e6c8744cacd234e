import type { Examination } from '../library/examine.ts';
import { examine, requestAbout } from '../library/examine.ts';
import type { ClusterReader } from '../model/cluster-reader.ts';
import type { Diagnosis } from '../model/diagnosis.ts';
import type { DrillFault } from '../model/drill.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { sameObject } from '../model/kube-object.ts';
import { APPLIED_MANIFEST, CLIENT_ANSWER } from '../model/record-kinds.ts';
import type { Rule } from '../model/rule.ts';
import type { Cluster } from '../simulator/index.ts';
import { doStep } from '../simulator/index.ts';
import { unexpectedOutcome } from './compared-outcome.ts';
import type { Goal } from './goal.ts';

/** How it is with one thing the drill broke. */
export interface TargetState {
  /** The goal is reached. */
  readonly well: boolean;
  /** The cause of the drill is named no longer. */
  readonly causeGone: boolean;
  /** It is well by itself, and only what happened to it earlier is still found. */
  readonly past: boolean;
  readonly words: string;
}

export interface Judged {
  readonly fault: DrillFault;
  readonly goal: Goal;
  /** Whether a request of the trainee's own was answered; where nobody has to sign in, always. */
  readonly signedIn: boolean;
}

export async function targetState({ fault, goal, signedIn }: Judged, cluster: Cluster, rules: readonly Rule[]): Promise<TargetState> {
  switch (goal.by) {
    case 'absence': {
      const there = storedObject(cluster, fault.target) !== undefined;
      return { well: !there, causeGone: !there, past: false, words: there ? 'was deleted, but still exists' : 'is gone, as intended' };
    }
    case 'object':
      return meantState(goal, { cluster, rules, signedIn });
    case 'again': {
      const drains = goal.steps.flatMap((step) => (step.do === 'drain' ? [step.node] : []));
      if (drains.length > 0) return drainedState(drains, cluster, fault);
      const copy = goal.steps.length === 0 ? cluster : cluster.fork();
      for (const step of goal.steps) doStep(copy, { ...step, atMilliseconds: undefined }, copy.now());
      if (goal.steps.length > 0) copy.runUntilSettled(AGAIN);
      const state = diagnosedState(fault, await examineFault(copy.reader(), rules, fault));
      return state.well || !goal.steps.some(({ do: action }) => action === 'apply')
        ? state
        : { ...state, words: 'the rejected request would be rejected again' };
    }
    case 'diagnosis':
      return diagnosedState(fault, await examineFault(cluster.reader(), rules, fault));
  }
}

/** Empties the nodes in a copy, as kubectl does: it goes on for as long as pods leave one after the other. */
function drainedState(nodes: readonly string[], cluster: Cluster, { target }: DrillFault): TargetState {
  const copy = cluster.fork();
  let left = [...nodes];
  for (let round = 0; round < DRAIN_ROUNDS && left.length > 0; round++) {
    left = left.filter((node) => copy.run({ command: 'drain', node }).exitCode !== 0);
    copy.runUntilSettled(AGAIN);
  }
  const gone = storedObject(copy, target) === undefined;
  const well = left.length === 0 && !gone;
  return {
    well,
    causeGone: well,
    past: false,
    words: well ? 'can be drained' : gone ? 'can be drained, but the workload on it is gone' : 'cannot be drained',
  };
}

const DRAIN_ROUNDS = 10;

const AGAIN = { milliseconds: 180_000, tasks: 2_000_000 };

/** What there is to know about a fault's target, or about all around it where it only shows there. */
export function examineFault(
  reader: ClusterReader,
  rules: readonly Rule[],
  { target, scan }: Pick<DrillFault, 'target' | 'scan'>,
): Promise<Examination> {
  return examine(reader, rules, requestAbout(target, scan));
}

/** The fault's cause in a diagnosis, wherever it stands. */
export function causeOf(diagnosis: Diagnosis | undefined, fault: DrillFault): Diagnosis['causes'][number] | undefined {
  return (
    diagnosis?.causes.find(
      ({ rule, object }) => rule === fault.cause && (fault.object === undefined || sameObject(object, fault.object)),
    ) ?? diagnosis?.causes.find(({ rule }) => rule === fault.cause)
  );
}

function diagnosedState(fault: DrillFault, examination: Examination): TargetState {
  const diagnosis = examination.diagnosisOf(fault.target);
  const target = examination.evidence.targets.find(({ ref }) => sameObject(ref, fault.target));
  const well = diagnosis.outcome === 'healthy';
  const causeGone = causeOf(diagnosis, fault) === undefined;
  const past = !well && target?.state === 'healthy';
  return {
    well,
    causeGone,
    past,
    words: well
      ? 'works again'
      : past && !causeGone
        ? 'is healthy, but the original fault is still present'
        : (target?.reason ?? (target === undefined ? 'does not exist' : `is ${target.state}`)),
  };
}

async function meantState(
  { object, wanted, given, login }: Goal & { readonly by: 'object' },
  { cluster, rules, signedIn }: { readonly cluster: Cluster; readonly rules: readonly Rule[]; readonly signedIn: boolean },
): Promise<TargetState> {
  const state = (well: boolean, causeGone: boolean, words: string): TargetState => ({ well, causeGone, past: false, words });
  const live = storedObject(cluster, object);
  if (live === undefined) return state(false, false, 'does not exist');
  const unlike = wanted === undefined ? undefined : unexpectedOutcome(wanted, live, given);
  if (unlike !== undefined) return state(false, false, `exists, but ${unlike} is not as intended`);
  const examination = await examine(withoutTerminal(cluster.reader()), rules, requestAbout(object));
  const target = examination.evidence.targets.find(({ ref }) => sameObject(ref, object));
  const diagnosis = examination.diagnosisOf(object);
  const well = diagnosis.outcome === 'healthy' || target === undefined;
  if (!well) return state(false, true, target.reason ?? `is ${target.state}`);
  return login && !signedIn
    ? state(false, false, 'is healthy, but another user created it: your kubeconfig does not work yet')
    : state(true, true, 'exists as intended, and works');
}

/** What the API says, whatever was said in a terminal before: a live cluster's reader has no such records either. */
function withoutTerminal(reader: ClusterReader): ClusterReader {
  const unread = { ok: false, why: 'not-collected', detail: 'what was said in a terminal does not count here' } as const;
  return {
    get: (ref) => reader.get(ref),
    list: (kind, scope) => (kind === CLIENT_ANSWER || kind === APPLIED_MANIFEST ? Promise.resolve(unread) : reader.list(kind, scope)),
    logs: (pod, container, options) => reader.logs(pod, container, options),
    now: () => reader.now(),
    ...(reader.stored === undefined ? {} : { stored: reader.stored }),
  };
}

function storedObject(cluster: Cluster, ref: ObjectRef): KubeObject | undefined {
  const resource = cluster.server.resources.named(ref.kind);
  return resource === undefined ? undefined : cluster.store.get(resource.key, resource.namespaced ? ref.namespace : undefined, ref.name);
}
