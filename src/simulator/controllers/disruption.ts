import type { JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../base/json.ts';
import { parseInstant } from '../../base/instant.ts';
import { sameJson, withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { controllerOf, labelsOf } from '../../model/kube-object.ts';
import { labelSelectorMatcher } from '../apiserver/selectors.ts';
import type { ComponentDefinition, ComponentHost } from '../component.ts';
import type { Informer } from '../informer.ts';
import type { Routine } from '../routine.ts';
import { keyOf, keyOfObject } from '../store.ts';
import { timeOf } from '../times.ts';
import type { SyncResult } from '../work-queue.ts';
import { findCondition, withoutCondition } from './conditions.ts';
import { countOrPercent } from './deployment/arithmetic.ts';
import { isDeleted, splitKey } from './ownership.ts';
import { isActive, isReady } from './pod-state.ts';

/** Counts how many pods may be disrupted now. Source: pkg/controller/disruption/disruption.go. */
export const DISRUPTION_CONTROLLER: ComponentDefinition = { name: 'disruption-controller', process: 'kube-controller-manager', eventSource: 'controllermanager', start };

/** How long a pod that was allowed to go is waited for. */
const DELETION_TIMEOUT_MILLISECONDS = 120_000;
const NO_PODS = { type: 'Normal', reason: 'NoPods', message: 'No matching pods found' } as const;

interface Controller {
  readonly host: ComponentHost;
  readonly budgets: Informer;
  readonly pods: Informer;
  readonly owners: ReadonlyMap<string, Informer>;
}

function start(host: ComponentHost): void {
  const budgets = host.informer({ kind: 'PodDisruptionBudget' }).addIndex('namespace', inNamespace);
  const pods = host.informer({ kind: 'Pod' }).addIndex('namespace', inNamespace);
  const owners = new Map(['ReplicaSet', 'Deployment', 'StatefulSet', 'ReplicationController'].map((kind) => [kind, host.informer({ kind })]));
  const controller: Controller = { host, budgets, pods, owners };
  const queue = host.queue({ name: 'disruption', workers: 1 }, (key) => sync(controller, key));
  budgets.onChange(({ object, type }) => type !== 'DELETED' && queue.add(keyOfObject(object)));
  pods.onChange(({ object, previous, type }) => {
    if (type === 'MODIFIED' && previous !== undefined && isReady(previous) === isReady(object) && isActive(previous) === isActive(object) && previous.metadata['labels'] === object.metadata['labels']) return;
    for (const budget of budgets.by('namespace', object.metadata.namespace ?? '')) if (labelSelectorMatcher(dig(budget, 'spec', 'selector'))(labelsOf(object))) queue.add(keyOfObject(budget));
  });
}

function inNamespace(object: KubeObject): readonly string[] {
  return [object.metadata.namespace ?? ''];
}

function* sync(controller: Controller, key: string): Routine<SyncResult> {
  const { host, budgets, pods } = controller;
  const budget = budgets.get(...splitKey(key));
  if (budget === undefined || isDeleted(budget)) return;
  const matches = labelSelectorMatcher(dig(budget, 'spec', 'selector'));
  const chosen = pods.by('namespace', budget.metadata.namespace ?? '').filter((pod) => matches(labelsOf(pod)) && isActive(pod));
  if (chosen.length === 0) host.events.event(budget, NO_PODS);
  const expectation = expect(controller, budget, chosen);
  if ('error' in expectation) {
    host.events.event(budget, { type: 'Warning', reason: 'CalculateExpectedPodCountFailed', message: `Failed to calculate the number of expected pods: ${expectation.error}` });
    return yield* write(host, budget, { ...asObject(budget['status']), disruptionsAllowed: 0, observedGeneration: asNumber(budget.metadata['generation']) ?? 1 }, { status: 'False', reason: 'SyncFailed', message: expectation.error });
  }
  const disrupted = disruptedPods(host, budget, chosen);
  const healthy = chosen.filter((pod) => isReady(pod) && disrupted.open[pod.metadata.name] === undefined).length;
  const allowed = expectation.expected > 0 ? Math.max(0, healthy - expectation.desired) : 0;
  const status: JsonObject = {
    observedGeneration: asNumber(budget.metadata['generation']) ?? 1,
    ...(Object.keys(disrupted.open).length === 0 ? {} : { disruptedPods: disrupted.open }),
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: expectation.desired,
    expectedPods: expectation.expected,
  };
  const result = yield* write(host, budget, status, allowed > 0 ? { status: 'True', reason: 'SufficientPods', message: '' } : { status: 'False', reason: 'InsufficientPods', message: '' });
  return result ?? (disrupted.againAfter === undefined ? undefined : { againAfter: disrupted.againAfter });
}

type Expectation = { readonly expected: number; readonly desired: number } | { readonly error: string };

/** Source: getExpectedPodCount: percentages count what the owners want, plain numbers what is there. */
function expect(controller: Controller, budget: KubeObject, pods: readonly KubeObject[]): Expectation {
  const least = dig(budget, 'spec', 'minAvailable');
  const most = dig(budget, 'spec', 'maxUnavailable');
  if (most === undefined && typeof least === 'number') return { expected: pods.length, desired: least };
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const scale = scaleOf(controller, pod);
    if (scale === undefined) return { error: `found no controllers for pod "${pod.metadata.name}"` };
    scales.set(scale.id, scale.replicas);
  }
  const expected = [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  if (most !== undefined) return { expected, desired: Math.max(0, expected - countOrPercent(most, expected, 'up')) };
  return { expected, desired: countOrPercent(least, expected, 'up') };
}

function scaleOf({ owners }: Controller, pod: KubeObject): { readonly id: string; readonly replicas: number } | undefined {
  const owner = controllerOf(pod);
  const found = owner === undefined ? undefined : owners.get(owner.kind)?.get(owner.namespace, owner.name);
  if (found === undefined) return undefined;
  const above = controllerOf(found);
  const top = above === undefined ? found : (owners.get(above.kind)?.get(above.namespace, above.name) ?? found);
  return { id: `${top.kind}/${keyOf(top.metadata.namespace, top.metadata.name)}`, replicas: asNumber(dig(top, 'spec', 'replicas')) ?? 1 };
}

/** Pods that were allowed to go and have not gone yet count as gone for two minutes. */
function disruptedPods(host: ComponentHost, budget: KubeObject, pods: readonly KubeObject[]): { readonly open: Readonly<Record<string, string>>; readonly againAfter: number | undefined } {
  const open: Record<string, string> = {};
  let againAfter: number | undefined;
  const present = new Set(pods.map((pod) => pod.metadata.name));
  for (const [name, time] of Object.entries(asObject(dig(budget, 'status', 'disruptedPods')))) {
    const left = (parseInstant(time) ?? 0) + DELETION_TIMEOUT_MILLISECONDS - host.now();
    if (!present.has(name) || left <= 0) continue;
    open[name] = asText(time) ?? '';
    againAfter = Math.min(againAfter ?? left, left);
  }
  return { open, againAfter };
}

function* write(host: ComponentHost, budget: KubeObject, status: JsonObject, words: { readonly status: string; readonly reason: string; readonly message: string }): Routine<SyncResult> {
  const known = asList(dig(budget, 'status', 'conditions'));
  const current = findCondition(known, 'DisruptionAllowed');
  const lastTransitionTime = current?.['status'] === words.status ? (current['lastTransitionTime'] ?? null) : timeOf(host.now());
  const condition = { type: 'DisruptionAllowed', observedGeneration: asNumber(budget.metadata['generation']) ?? 1, lastTransitionTime, ...words };
  const next = { ...status, conditions: [...withoutCondition(known, 'DisruptionAllowed'), condition] };
  if (sameJson(budget['status'], next)) return undefined;
  const answer = yield* host.client.updateStatus(withFields(budget, { status: next }));
  return answer.ok || answer.code === 404 ? undefined : { retry: answer.message };
}
