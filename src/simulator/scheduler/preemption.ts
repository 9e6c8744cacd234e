import { asList, asNumber, dig } from '../../base/json.ts';
import { smallest } from '../../base/lists.ts';
import type { Prng } from '../../base/prng.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf } from '../../model/kube-object.ts';
import { labelSelectorMatcher } from '../apiserver/selectors.ts';
import type { Searched } from './find-nodes.ts';
import { rejectionNow } from './find-nodes.ts';
import { countReason, fitMessage } from './fit-message.ts';
import type { NodeInfo } from './node-info.ts';
import type { Nominator } from './nominator.ts';
import type { PodInfo } from './pod-info.ts';
import { nominatedNodeOf, startOf } from './pod-info.ts';
import type { SchedulerCache } from './scheduler-cache.ts';
import type { SchedulerView } from './view.ts';
import { WORDS } from './scheduler-messages.ts';

/** Where room can be made and by whom, or why not: the words that follow `preemption: `. */
export type Preemption =
  | { readonly node: string; readonly victims: readonly PodInfo[] }
  | { readonly why: string; readonly eligible: boolean };

/**
 * Looks for a node that would take the pod if pods of lower priority were gone.
 * Source: pkg/scheduler/framework/preemption/preemption.go, plugins/defaultpreemption/default_preemption.go.
 */
export function findPreemption(pod: PodInfo, search: Searched, view: SchedulerView, nominator: Nominator, prng: Prng): Preemption {
  const obstacle = ineligibility(pod, search, view.cache);
  if (obstacle !== undefined) return { why: obstacle, eligible: false };
  const reasons = new Map<string, number>();
  const potential: NodeInfo[] = [];
  for (const node of view.cache.list()) {
    if (search.rejections.get(node.name)?.resolvable === true) potential.push(node);
    else countReason(reasons, WORDS.notHelpful);
  }
  const candidates: Candidate[] = [];
  const wanted = Math.min(potential.length, Math.max(MIN_CANDIDATES, Math.floor(potential.length / 10)));
  const offset = potential.length === 0 ? 0 : prng.below(potential.length);
  for (let index = 0; index < potential.length && candidates.length < wanted; index++) {
    const node = potential[(offset + index) % potential.length] as NodeInfo;
    const outcome = victimsOn(node, pod, view, nominator);
    if ('victims' in outcome) candidates.push(outcome);
    else for (const reason of outcome.reasons) countReason(reasons, reason);
  }
  const chosen = choose(candidates);
  if (chosen === undefined) return { why: fitMessage(view.cache.list().length, { reasons }), eligible: true };
  return { node: chosen.node.name, victims: chosen.victims };
}

const MIN_CANDIDATES = 100;

interface Candidate {
  readonly node: NodeInfo;
  /** The most important first. */
  readonly victims: readonly PodInfo[];
  /** How many of them a PodDisruptionBudget would keep. */
  readonly violations: number;
}

function ineligibility(pod: PodInfo, search: Searched, cache: SchedulerCache): string | undefined {
  if (!pod.spec.mayPreempt) return WORDS.never;
  const nominated = nominatedNodeOf(pod.pod);
  if (nominated === '' || search.rejections.get(nominated)?.resolvable !== true) return undefined;
  for (const other of cache.node(nominated)?.pods.values() ?? []) {
    if (other.spec.priority < pod.spec.priority && other.terminating && wasPreempted(other.pod)) return WORDS.terminatingVictim;
  }
  return undefined;
}

function wasPreempted(pod: KubeObject): boolean {
  return asList(dig(pod, 'status', 'conditions')).some(
    (condition) =>
      dig(condition, 'type') === 'DisruptionTarget' &&
      dig(condition, 'reason') === 'PreemptionByScheduler' &&
      dig(condition, 'status') === 'True',
  );
}

/** Takes all pods of lower priority off the node, and puts back as many as the pod can live with. */
function victimsOn(
  node: NodeInfo,
  pod: PodInfo,
  view: SchedulerView,
  nominator: Nominator,
): Candidate | { readonly reasons: readonly string[] } {
  const { cache } = view;
  const lower = [...node.pods.values()]
    .filter(({ spec }) => spec.priority < pod.spec.priority)
    .map(({ key }) => cache.placed(key))
    .filter((placed) => placed !== undefined);
  if (lower.length === 0) return { reasons: [WORDS.noVictims] };
  for (const { pod: other } of lower) cache.remove(other.key);
  const rejection = rejectionNow(pod, node, view, nominator);
  const victims: PodInfo[] = [];
  let violations = 0;
  if (rejection === undefined) {
    const { kept, free } = splitByBudgets(lower.map((placed) => placed.pod).toSorted(byImportance), view);
    for (const [protectedOnes, others] of [
      [true, kept],
      [false, free],
    ] as const) {
      for (const other of others) {
        cache.place(other, node.name);
        if (rejectionNow(pod, node, view, nominator) === undefined) continue;
        cache.remove(other.key);
        victims.push(other);
        if (protectedOnes) violations++;
      }
    }
  }
  for (const placed of lower) cache.place(placed.pod, placed.node, placed.assumed);
  return rejection === undefined ? { node, victims: victims.toSorted(byImportance), violations } : { reasons: rejection.reasons };
}

function splitByBudgets(
  pods: readonly PodInfo[],
  view: SchedulerView,
): { readonly kept: readonly PodInfo[]; readonly free: readonly PodInfo[] } {
  const budgets = [...view.all('PodDisruptionBudget')].map((budget) => ({
    budget,
    matches: labelSelectorMatcher(dig(budget, 'spec', 'selector')),
    left: asNumber(dig(budget, 'status', 'disruptionsAllowed')) ?? 0,
  }));
  const [kept, free]: [PodInfo[], PodInfo[]] = [[], []];
  for (const pod of pods) {
    let violates = false;
    for (const one of budgets) {
      if (one.budget.metadata.namespace !== pod.namespace || Object.keys(labelsOf(pod.pod)).length === 0 || !one.matches(pod.labels))
        continue;
      if (dig(one.budget, 'status', 'disruptedPods', pod.pod.metadata.name) !== undefined) continue;
      one.left--;
      if (one.left < 0) violates = true;
    }
    (violates ? kept : free).push(pod);
  }
  return { kept, free };
}

/** Higher priority first, then who has run longer. Source: pkg/scheduler/util/utils.go (MoreImportantPod). */
function byImportance(a: PodInfo, b: PodInfo): number {
  return b.spec.priority - a.spec.priority || startOf(a) - startOf(b) || (a.key < b.key ? -1 : 1);
}

/** Source: preemption.go (pickOneNodeForPreemption): each rule decides only where those before it did not. */
function choose(candidates: readonly Candidate[]): Candidate | undefined {
  const without = candidates.find(({ victims }) => victims.length === 0);
  if (without !== undefined) return without;
  const rules: readonly ((candidate: Candidate) => number)[] = [
    ({ violations }) => violations,
    ({ victims }) => victims[0]?.spec.priority ?? 0,
    ({ victims }) => prioritySum(victims),
    ({ victims }) => victims.length,
    ({ victims }) => -earliestOfHighest(victims),
  ];
  let left = candidates;
  for (const rule of rules) {
    const least = smallest(left.map(rule));
    left = left.filter((candidate) => rule(candidate) === least);
  }
  return left[0];
}

const PRIORITY_OFFSET = 2 ** 31;

function prioritySum(victims: readonly PodInfo[]): number {
  let sum = 0;
  for (const { spec } of victims) sum += spec.priority + PRIORITY_OFFSET;
  return sum;
}

function earliestOfHighest(victims: readonly PodInfo[]): number {
  const highest = victims[0]?.spec.priority ?? 0;
  return smallest(victims.filter(({ spec }) => spec.priority === highest).map(startOf));
}
