import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asTextMap, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import type { Failure } from '../../apiserver/request.ts';
import { labelSelectorMatcher } from '../../apiserver/selectors.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer, ObjectEvent } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { together } from '../../time/routine.ts';
import { keyOfObject } from '../../store/store.ts';
import { timeOf } from '../../time/api-times.ts';
import type { SyncResult, WorkQueue } from '../../components/work-queue.ts';
import { findCondition, withoutCondition } from '../conditions.ts';
import { Expectations } from '../expectations.ts';
import { claim, controllerKey, isDeleted, orphansIn, ownedBy, splitKey, withOwnerIndex } from '../ownership.ts';
import { createPod, deletePod, isNamespaceTerminating, podOfTemplate, slowStart } from '../pod-control.ts';
import { isActive, isAvailable } from '../pod-state.ts';
import { writeStatus } from '../write-status.ts';
import { PodTallies } from './pod-tally.ts';
import type { Tally } from './pod-tally.ts';
import { chooseVictims } from './victims.ts';

/** Keeps as many pods as a ReplicaSet wants. Source: pkg/controller/replicaset/{replica_set,replica_set_utils}.go. */
export const REPLICASET_CONTROLLER: ComponentDefinition = {
  name: 'replicaset-controller',
  process: 'kube-controller-manager',
  start: (host) => start(host, 'ReplicaSet'),
};

/** The same for the kind there was before ReplicaSets. Source: pkg/controller/replication/{replication_controller,conversion}.go. */
export const REPLICATION_CONTROLLER: ComponentDefinition = {
  name: 'replication-controller',
  process: 'kube-controller-manager',
  start: (host) => start(host, 'ReplicationController'),
};

type Kind = 'ReplicaSet' | 'ReplicationController';

/** Pods created or deleted in one go at most. */
const BURST_REPLICAS = 500;

interface Controller {
  readonly kind: Kind;
  readonly host: ComponentHost;
  readonly sets: Informer;
  readonly pods: Informer;
  readonly tallies: PodTallies;
  readonly expectations: Expectations;
  /** Matchers of the selectors there are. */
  readonly selectors: WeakMap<JsonObject, ReturnType<typeof labelSelectorMatcher>>;
}

function start(host: ComponentHost, kind: Kind): void {
  const sets = host.informer({ kind }).addIndex('namespace', (set) => [set.metadata.namespace ?? '']);
  const pods = withOwnerIndex(host.informer({ kind: 'Pod' }));
  const [tallies, expectations] = [new PodTallies(pods), new Expectations()];
  const controller: Controller = { kind, host, sets, pods, tallies, expectations, selectors: new WeakMap() };
  const queue = host.queue({ name: kind.toLowerCase() }, (key) => sync(controller, queue, key));
  sets.onChange(({ object }) => queue.add(keyOfObject(object)));
  pods.onChange((event) => podChanged(controller, queue, event));
}

function podChanged({ kind, sets, expectations, selectors }: Controller, queue: WorkQueue, { type, object, previous }: ObjectEvent): void {
  const key = controllerKey(object, kind);
  const before = previous === undefined ? undefined : controllerKey(previous, kind);
  if (before !== undefined && before !== key) queue.add(before);
  if (key !== undefined) {
    if (type === 'ADDED' && !isDeleted(object)) expectations.created(key);
    if (type === 'DELETED' || isDeleted(object)) expectations.deleted(key, object.metadata.uid ?? '');
    queue.add(key);
    return;
  }
  if (type === 'DELETED' || !controllerless(object)) return;
  const labels = labelsOf(object);
  for (const set of sets.by('namespace', object.metadata.namespace ?? ''))
    if (selectorOf({ selectors }, set)(labels)) queue.add(keyOfObject(set));
}

function controllerless(object: KubeObject): boolean {
  return !asList(object.metadata['ownerReferences']).some((reference) => dig(reference, 'controller') === true);
}

function* sync(controller: Controller, queue: WorkQueue, key: string): Routine<SyncResult> {
  const { host, sets, pods, tallies, expectations } = controller;
  const set = sets.get(...splitKey(key));
  if (set === undefined) {
    expectations.forget(key);
    return;
  }
  const needed = expectations.satisfied(key, host.now());
  const matches = selectorOf(controller, set);
  const before = tallies.of(set);
  const strayed = [...before.labels.values()].some(({ labels }) => !matches(labels));
  const findable = !isDeleted(set) && orphansIn(pods, set.metadata.namespace).some((pod) => isActive(pod) && matches(labelsOf(pod)));
  if (strayed || findable) {
    yield* claim(host, pods, set, matches, isActive);
    return { againAfter: ADOPTION_SEEN_MILLISECONDS };
  }
  const counted = statusOf(controller, set, before);
  const failure = needed && !isDeleted(set) ? yield* manage(controller, set, key, before.active) : undefined;
  const status = withFailure(counted, set, failure, before.active, host);
  const written = yield* writeStatus(host, set, status);
  if (failure !== undefined) return { retry: failure.message };
  if (written !== undefined) return { retry: written.message };
  const minReady = minReadySecondsOf(set);
  if (minReady > 0 && status['readyReplicas'] === replicasOf(set) && status['availableReplicas'] !== replicasOf(set))
    queue.addAfter(key, minReady * 1000);
}

function selectorOf({ selectors }: Pick<Controller, 'selectors'>, set: KubeObject): ReturnType<typeof labelSelectorMatcher> {
  const selector = asObject(dig(set, 'spec', 'selector'));
  const known =
    selectors.get(selector) ?? labelSelectorMatcher(set.kind === 'ReplicationController' ? { matchLabels: selector } : selector);
  selectors.set(selector, known);
  return known;
}

/** By when what was adopted is in the cache. */
const ADOPTION_SEEN_MILLISECONDS = 5;

function replicasOf(set: KubeObject): number {
  return asNumber(dig(set, 'spec', 'replicas')) ?? 1;
}

function minReadySecondsOf(set: KubeObject): number {
  return asNumber(dig(set, 'spec', 'minReadySeconds')) ?? 0;
}

function statusOf({ kind, host, pods }: Controller, set: KubeObject, tally: Tally): JsonObject {
  const wanted = Object.entries(asTextMap(dig(set, 'spec', 'template', 'metadata', 'labels')));
  const labelled = [...tally.labels.values()]
    .filter(({ labels }) => wanted.every(([name, value]) => labels[name] === value))
    .reduce((sum, { active }) => sum + active, 0);
  const minReady = minReadySecondsOf(set);
  const available =
    minReady === 0 ? tally.ready : ownedBy(pods, set).filter((pod) => isActive(pod) && isAvailable(pod, minReady, host.now())).length;
  return {
    replicas: tally.active,
    ...(labelled === 0 ? {} : { fullyLabeledReplicas: labelled }),
    ...(tally.ready === 0 ? {} : { readyReplicas: tally.ready }),
    ...(available === 0 ? {} : { availableReplicas: available }),
    ...(kind === 'ReplicaSet' ? { terminatingReplicas: tally.terminating } : {}),
    observedGeneration: set.metadata['generation'] ?? 0,
  };
}

/** The failure that was first stays as it is until there is none. */
function withFailure(status: JsonObject, set: KubeObject, failure: Failure | undefined, active: number, host: ComponentHost): JsonObject {
  const conditions = asList(dig(set, 'status', 'conditions'));
  let next: readonly Json[] = conditions;
  const known = findCondition(conditions, 'ReplicaFailure');
  if (failure !== undefined && known === undefined) {
    const reason = active < replicasOf(set) ? 'FailedCreate' : 'FailedDelete';
    next = [
      ...conditions,
      { type: 'ReplicaFailure', status: 'True', lastTransitionTime: timeOf(host.now()), reason, message: failure.message },
    ];
  }
  if (failure === undefined && known !== undefined) next = withoutCondition(conditions, 'ReplicaFailure');
  return next.length === 0 ? status : { ...status, conditions: next };
}

function* manage(controller: Controller, set: KubeObject, key: string, active: number): Routine<Failure | undefined> {
  const missing = replicasOf(set) - active;
  if (missing > 0) return yield* createMissing(controller, set, key, Math.min(missing, BURST_REPLICAS));
  if (missing < 0) return yield* deleteSurplus(controller, set, key, Math.min(-missing, BURST_REPLICAS));
  return undefined;
}

function* createMissing({ host, expectations }: Controller, set: KubeObject, key: string, count: number): Routine<Failure | undefined> {
  expectations.expectCreations(key, count, host.now());
  const pod = podOfTemplate(set, asObject(dig(set, 'spec', 'template')));
  const { made, failure } = yield* slowStart(count, () => createPod(host, set, pod));
  if (made < count) expectations.created(key, count - made);
  return failure !== undefined && isNamespaceTerminating(failure) ? undefined : failure;
}

function* deleteSurplus(
  { host, pods, expectations }: Controller,
  set: KubeObject,
  key: string,
  count: number,
): Routine<Failure | undefined> {
  const victims = chooseVictims(ownedBy(pods, set).filter(isActive), count, host.now());
  expectations.expectDeletions(
    key,
    victims.map((pod) => pod.metadata.uid ?? ''),
    host.now(),
  );
  const answers = yield* together(victims.map((pod) => deletePod(host, set, pod)));
  let failure: Failure | undefined;
  for (const [index, answer] of answers.entries()) {
    if (answer.ok) continue;
    expectations.deleted(key, victims[index]?.metadata.uid ?? '');
    if (answer.code !== 404) failure ??= answer;
  }
  return failure;
}
