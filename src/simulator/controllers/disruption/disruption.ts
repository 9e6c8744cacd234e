import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import type { JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, asTextMap, dig } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { controllerOf } from '../../../model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOf, keyOfObject } from '../../store/store.ts';
import { timeOf } from '../../time/api-times.ts';
import type { SyncResult, WorkQueue } from '../../components/work-queue.ts';
import { findCondition } from '../conditions.ts';
import { countOrPercent, replicasOf } from '../deployment/arithmetic.ts';
import { isDeleted, splitKey } from '../ownership.ts';
import type { BudgetTally } from './budget-pods.ts';
import { BudgetPods, isHealthy } from './budget-pods.ts';
import { DISRUPTION_WORDS } from './disruption-messages.ts';

/** Keeps the status of PodDisruptionBudgets. Source: pkg/controller/disruption/disruption.go. */
export const DISRUPTION_CONTROLLER: ComponentDefinition = {
  name: 'disruption-controller',
  process: 'kube-controller-manager',
  eventSource: 'controllermanager',
  start,
};

/** How long an evicted pod may take until its deletion is seen. */
const DELETION_TIMEOUT_MILLISECONDS = 120_000;

interface Controller {
  readonly host: ComponentHost;
  readonly budgets: Informer;
  readonly members: BudgetPods;
  /** Informers of what can be scaled, by kind. */
  readonly scalable: ReadonlyMap<string, Informer>;
}

function start(host: ComponentHost): void {
  const budgets = host.informer({ kind: 'PodDisruptionBudget' });
  const pods = host.informer({ kind: 'Pod' });
  const scalable = new Map(
    ['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController'].map((kind) => [kind, host.informer({ kind })]),
  );
  const controller: Controller = { host, budgets, members: new BudgetPods(budgets, pods), scalable };
  const queue = host.queue({ name: 'disruption', workers: 1 }, (key) => sync(controller, queue, key));
  budgets.onChange(({ type, object }) => type !== 'DELETED' && queue.add(keyOfObject(object)));
  pods.onChange(({ object }) => podChanged(controller, queue, object));
}

/** Only the first of several budgets of a pod hears of it. */
function podChanged({ host, members }: Controller, queue: WorkQueue, pod: KubeObject): void {
  const budgets = members.budgetsOf(pod);
  const [first] = budgets;
  if (first === undefined) return;
  if (budgets.length > 1)
    host.events.event(pod, DISRUPTION_WORDS.multiple(pod.metadata.namespace ?? '', pod.metadata.name, first.metadata.name));
  queue.add(keyOfObject(first));
}

/** A budget that cannot be worked out allows no disruption. */
function* refuseAll(host: ComponentHost, budget: KubeObject, error: string): Routine<SyncResult> {
  host.events.event(budget, DISRUPTION_WORDS.notCalculated(error));
  const status = { ...statusOf(budget), disruptionsAllowed: 0 };
  const failed = yield* write(host, budget, status, { status: 'False', reason: 'SyncFailed', message: error });
  return failed === undefined ? undefined : { retry: failed };
}

function* sync(controller: Controller, queue: WorkQueue, key: string): Routine<SyncResult> {
  const { host, budgets, members } = controller;
  const budget = budgets.get(...splitKey(key));
  const tally = budget === undefined ? undefined : members.of(budget);
  if (budget === undefined || tally === undefined) return;
  if (tally.pods.size === 0) host.events.event(budget, DISRUPTION_WORDS.noPods);
  const expected = expectedPods(controller, budget, tally);
  if ('error' in expected) return yield* refuseAll(host, budget, expected.error);
  if (expected.unmanaged) host.events.event(budget, DISRUPTION_WORDS.unmanaged(selectorText(budget)));
  const { disrupted, againAt } = disruptedPods(host, budget, tally);
  const healthy = tally.healthy - Object.keys(disrupted).filter((name) => isHealthyMember(tally, budget, name)).length;
  const spare = healthy - expected.healthy;
  const allowed = expected.count <= 0 || spare <= 0 ? 0 : spare;
  const counted = {
    disruptedPods: Object.keys(disrupted).length === 0 ? undefined : disrupted,
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: expected.healthy,
    expectedPods: expected.count,
    observedGeneration: asNumber(budget.metadata['generation']) ?? 0,
  };
  const verdict = allowed > 0 ? { status: 'True', reason: 'SufficientPods' } : { status: 'False', reason: 'InsufficientPods' };
  const failed = yield* write(host, budget, { ...statusOf(budget), ...counted }, { ...verdict, message: '' });
  if (failed !== undefined) return { retry: failed };
  if (againAt !== undefined) queue.addAfter(key, againAt + 1 - host.now(), { background: true });
}

type Expected = { readonly count: number; readonly healthy: number; readonly unmanaged: boolean } | { readonly error: string };

/** Source: disruption.go (getExpectedPodCount). A plain minAvailable asks nobody how many pods there should be. */
function expectedPods(controller: Controller, budget: KubeObject, tally: BudgetTally): Expected {
  const [minimum, maximum] = [dig(budget, 'spec', 'minAvailable'), dig(budget, 'spec', 'maxUnavailable')];
  if (maximum === undefined && typeof minimum === 'number') return { count: tally.pods.size, healthy: minimum, unmanaged: false };
  if (maximum === undefined && minimum === undefined) return { count: 0, healthy: 0, unmanaged: false };
  const scale = expectedScale(controller, budget, tally);
  if (typeof scale === 'string') return { error: scale };
  const healthy = maximum === undefined ? countOrPercent(minimum, scale, 'up') : Math.max(0, scale - countOrPercent(maximum, scale, 'up'));
  return { count: scale, healthy, unmanaged: tally.unmanaged > 0 };
}

/** The replicas its pods' controllers want together; what is wrong when one cannot be scaled. */
function expectedScale({ scalable }: Controller, budget: KubeObject, tally: BudgetTally): number | string {
  const scales = new Map<string, number>();
  for (const { ref, pod } of tally.controllers.values()) {
    const found = scalable.get(ref.kind)?.get(budget.metadata.namespace, ref.name);
    if (found === undefined || found.metadata.uid !== ref.uid) {
      if (scalable.has(ref.kind)) continue;
      return `found no controllers for pod ${JSON.stringify(pod)}`;
    }
    const above = controllerOf(found);
    const deployment = above?.kind === 'Deployment' ? scalable.get('Deployment')?.get(budget.metadata.namespace, above.name) : undefined;
    const owner = deployment ?? found;
    scales.set(owner.metadata.uid ?? '', replicasOf(owner));
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

/** Pods that were evicted and are not seen deleted yet; and when the first of them counts again. */
function disruptedPods(
  host: ComponentHost,
  budget: KubeObject,
  tally: BudgetTally,
): { readonly disrupted: Readonly<Record<string, string>>; readonly againAt: Instant | undefined } {
  const disrupted: Record<string, string> = {};
  let againAt: Instant | undefined;
  for (const [name, time] of Object.entries(asTextMap(dig(budget, 'status', 'disruptedPods')))) {
    const pod = memberOf(tally, budget, name);
    if (pod === undefined || isDeleted(pod)) continue;
    const until = (parseInstant(time) ?? 0) + DELETION_TIMEOUT_MILLISECONDS;
    if (until < host.now()) {
      host.events.event(pod, DISRUPTION_WORDS.notDeleted(budget.metadata.namespace ?? '', budget.metadata.name));
      continue;
    }
    disrupted[name] = time;
    againAt = Math.min(againAt ?? until, until);
  }
  return { disrupted, againAt };
}

function memberOf(tally: BudgetTally, budget: KubeObject, name: string): KubeObject | undefined {
  return tally.pods.get(keyOf(budget.metadata.namespace, name));
}

function isHealthyMember(tally: BudgetTally, budget: KubeObject, name: string): boolean {
  const pod = memberOf(tally, budget, name);
  return pod !== undefined && isHealthy(pod);
}

function statusOf(budget: KubeObject): JsonObject {
  const status = budget['status'];
  return typeof status === 'object' && status !== null && !Array.isArray(status) ? (status as JsonObject) : {};
}

/** Source: staging/src/k8s.io/component-helpers/apps/poddisruptionbudget/helpers.go. */
function* write(
  host: ComponentHost,
  budget: KubeObject,
  counted: JsonObject,
  verdict: { readonly status: string; readonly reason: string; readonly message: string },
): Routine<string | undefined> {
  const generation = asNumber(budget.metadata['generation']) ?? 0;
  const known = findCondition(dig(budget, 'status', 'conditions'), 'DisruptionAllowed');
  const since =
    known !== undefined && known['status'] === verdict.status ? (asText(known['lastTransitionTime']) ?? '') : timeOf(host.now());
  const condition = { type: 'DisruptionAllowed', observedGeneration: generation, ...verdict, lastTransitionTime: since };
  const others = asList(dig(budget, 'status', 'conditions')).filter((one) => dig(one, 'type') !== 'DisruptionAllowed');
  const status = withFields(counted, { conditions: [...others, condition] });
  if (sameJson(budget['status'], status)) return undefined;
  const answer = yield* host.client.updateStatus(withFields(budget, { status }));
  return answer.ok || answer.code === 404 ? undefined : answer.message;
}

/** metav1.FormatLabelSelector: `app=web,tier in (a,b)`. */
function selectorText(budget: KubeObject): string {
  const selector = dig(budget, 'spec', 'selector');
  const labels = Object.entries(asTextMap(dig(selector, 'matchLabels'))).map(([key, value]) => `${key}=${value}`);
  const expressions = asList(dig(selector, 'matchExpressions')).map((one) => {
    const [key, operator] = [asText(dig(one, 'key')) ?? '', asText(dig(one, 'operator')) ?? ''];
    const values = asList(dig(one, 'values')).map(String).join(',');
    return operator === 'Exists' ? key : operator === 'DoesNotExist' ? `!${key}` : `${key} ${operator.toLowerCase()} (${values})`;
  });
  return [...labels, ...expressions].sort().join(',');
}
