import type { JsonObject } from '../../../base/json.ts';
import { asNumber, asObject, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf, refOf } from '../../../model/kube-object.ts';
import type { Failure } from '../../apiserver/request.ts';
import { labelSelectorMatcher } from '../../apiserver/selectors.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOfObject } from '../../store/store.ts';
import type { SyncResult, WorkQueue } from '../../components/work-queue.ts';
import { claim, controllerKey, isDeleted, splitKey, withOwnerIndex } from '../ownership.ts';
import { isAvailable, isReady, phaseOf } from '../pod-state.ts';
import { currentRevision, forgetRevisions } from '../revisions.ts';
import { writeStatus } from '../write-status.ts';
import { newClaims, newPod, ordinalOf, podName, revisionOfPod } from './pods.ts';

/**
 * Pods with names of their own, one after the other. That one waits for its predecessor is said nowhere: there is no event and
 * no condition for it. Source: pkg/controller/statefulset/{stateful_set,stateful_set_control,stateful_pod_control}.go.
 */
export const STATEFULSET_CONTROLLER: ComponentDefinition = { name: 'statefulset-controller', process: 'kube-controller-manager', start };

const HASH_LABEL = 'controller.kubernetes.io/hash';

interface Controller {
  readonly host: ComponentHost;
  readonly sets: Informer;
  readonly pods: Informer;
  readonly revisions: Informer;
  readonly claims: Informer;
}

function start(host: ComponentHost): void {
  const sets = host.informer({ kind: 'StatefulSet' }).addIndex('namespace', (set) => [set.metadata.namespace ?? '']);
  const pods = withOwnerIndex(host.informer({ kind: 'Pod' }));
  const revisions = withOwnerIndex(host.informer({ kind: 'ControllerRevision' }));
  const claims = host.informer({ kind: 'PersistentVolumeClaim' });
  const controller: Controller = { host, sets, pods, revisions, claims };
  const queue = host.queue({ name: 'statefulset' }, (key) => sync(controller, queue, key));
  sets.onChange(({ object }) => queue.add(keyOfObject(object)));
  pods.onChange(({ object, previous, type }) => {
    const key = controllerKey(object, 'StatefulSet');
    const before = previous === undefined ? undefined : controllerKey(previous, 'StatefulSet');
    if (before !== undefined && before !== key) queue.add(before);
    if (key !== undefined) queue.add(key);
    else if (type !== 'DELETED' && object.metadata['ownerReferences'] === undefined) {
      for (const set of sets.by('namespace', object.metadata.namespace ?? ''))
        if (ordinalOf(set, object) !== undefined && labelSelectorMatcher(dig(set, 'spec', 'selector'))(labelsOf(object)))
          queue.add(keyOfObject(set));
    }
  });
}

function* sync(controller: Controller, queue: WorkQueue, key: string): Routine<SyncResult> {
  const { host, sets, pods, revisions } = controller;
  const set = sets.get(...splitKey(key));
  if (set === undefined) return;
  const owned = yield* claim(
    host,
    pods,
    set,
    labelSelectorMatcher(dig(set, 'spec', 'selector')),
    (pod) => ordinalOf(set, pod) !== undefined,
  );
  const collisions = asNumber(dig(set, 'status', 'collisionCount')) ?? 0;
  const revised = yield* currentRevision({ host, revisions, hashLabel: HASH_LABEL, collisions }, set);
  if (!revised.ok) {
    if (revised.collided) yield* writeStatus(host, set, { ...asObject(set['status']), collisionCount: collisions + 1 });
    return { retry: revised.failure.message };
  }
  const { update, all } = revised;
  const current = all.find((revision) => revision.metadata.name === dig(set, 'status', 'currentRevision')) ?? update;
  const ordered = order(set, owned);
  const status = statusOf(host, set, ordered, { current, update, collisions });
  const failure = isDeleted(set) ? undefined : yield* act(controller, set, ordered, current, update);
  const next = completed(set, status, update);
  const written = isConsistent(set, next) ? undefined : yield* writeStatus(host, set, next);
  if (failure !== undefined) return { retry: failure.message };
  if (written !== undefined) return { retry: written.message };
  const live = new Set([current.metadata.name, update.metadata.name, ...owned.map(revisionOfPod)]);
  yield* forgetRevisions(host, all, live, asNumber(dig(set, 'spec', 'revisionHistoryLimit')) ?? 10);
  const minReady = minReadySecondsOf(set);
  if (minReady > 0 && status['readyReplicas'] !== status['availableReplicas']) queue.addAfter(key, minReady * 1000);
}

/** Source: stateful_set_utils.go (inconsistentStatus). */
function isConsistent(set: KubeObject, status: JsonObject): boolean {
  const before = asObject(set['status']);
  const number = (of: JsonObject, field: string): number => asNumber(of[field]) ?? 0;
  return (
    number(status, 'observedGeneration') <= number(before, 'observedGeneration') &&
    COUNTS.every((field) => number(status, field) === number(before, field)) &&
    ['currentRevision', 'updateRevision'].every((field) => status[field] === before[field])
  );
}

const COUNTS: readonly string[] = ['replicas', 'currentReplicas', 'readyReplicas', 'updatedReplicas', 'availableReplicas'];

/** Pods that belong there by ordinal, undefined where one is missing, and those that are too many, highest first. */
interface Ordered {
  readonly first: number;
  readonly replicas: readonly (KubeObject | undefined)[];
  readonly condemned: readonly KubeObject[];
}

/** What is looked at of a set at once: more pods no cluster holds. */
const MOST_REPLICAS = 150_000;

function order(set: KubeObject, owned: readonly KubeObject[]): Ordered {
  const first = asNumber(dig(set, 'spec', 'ordinals', 'start')) ?? 0;
  const count = asNumber(dig(set, 'spec', 'replicas')) ?? 1;
  const byOrdinal = new Map(
    owned.flatMap((pod) => {
      const ordinal = ordinalOf(set, pod);
      return ordinal === undefined ? [] : [[ordinal, pod] as const];
    }),
  );
  const replicas = Array.from({ length: Math.min(count, MOST_REPLICAS) }, (_, index) => byOrdinal.get(first + index));
  const condemned = [...byOrdinal]
    .filter(([ordinal]) => ordinal < first || ordinal >= first + count)
    .sort(([a], [b]) => b - a)
    .map(([, pod]) => pod);
  return { first, replicas, condemned };
}

interface Revisions {
  readonly current: KubeObject;
  readonly update: KubeObject;
  readonly collisions: number;
}

function statusOf(
  host: ComponentHost,
  set: KubeObject,
  { replicas, condemned }: Ordered,
  { current, update, collisions }: Revisions,
): JsonObject {
  const there = [...replicas, ...condemned].filter((pod) => pod !== undefined);
  const count = (test: (pod: KubeObject) => boolean): number => there.filter(test).length;
  const live =
    (revision: KubeObject) =>
    (pod: KubeObject): boolean =>
      !isDeleted(pod) && revisionOfPod(pod) === revision.metadata.name;
  const ready = count(isRunningAndReady);
  const [currentReplicas, updatedReplicas] = [count(live(current)), count(live(update))];
  return {
    observedGeneration: asNumber(set.metadata['generation']) ?? 1,
    replicas: there.length,
    ...(ready === 0 ? {} : { readyReplicas: ready }),
    ...(currentReplicas === 0 ? {} : { currentReplicas }),
    ...(updatedReplicas === 0 ? {} : { updatedReplicas }),
    currentRevision: current.metadata.name,
    updateRevision: update.metadata.name,
    collisionCount: collisions,
    availableReplicas: count((pod) => isRunningAndAvailable(host, set, pod)),
  };
}

/**
 * When as many as are wanted are there, and all are of the new revision, it is the current one. Source: stateful_set_utils.go
 * (completeRollingUpdate).
 */
function completed(set: KubeObject, status: JsonObject, update: KubeObject): JsonObject {
  const rolling = dig(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete';
  const wanted = asNumber(dig(set, 'spec', 'replicas')) ?? 1;
  if (!rolling || status['currentRevision'] === update.metadata.name) return status;
  if (['replicas', 'updatedReplicas', 'readyReplicas'].some((field) => (asNumber(status[field]) ?? 0) !== wanted)) return status;
  return { ...status, ...(wanted === 0 ? {} : { currentReplicas: wanted }), currentRevision: update.metadata.name };
}

/** Source: stateful_set_control.go (updateStatefulSet): the first thing that is to be done is done, and with OrderedReady nothing else. */
function* act(
  controller: Controller,
  set: KubeObject,
  ordered: Ordered,
  current: KubeObject,
  update: KubeObject,
): Routine<Failure | undefined> {
  const { host } = controller;
  const monotonic = dig(set, 'spec', 'podManagementPolicy') !== 'Parallel';
  for (const [index, pod] of ordered.replicas.entries()) {
    const step = yield* actOnReplica(controller, set, pod, {
      ordinal: ordered.first + index,
      revision: revisionFor(set, index, current, update),
      monotonic,
    });
    if (step.failure !== undefined) return step.failure;
    if (step.wait) return undefined;
  }
  const isThere = (pod: KubeObject): boolean => isRunningAndAvailable(host, set, pod);
  const unavailable = [...ordered.replicas, ...ordered.condemned.toReversed()].find(
    (pod) => pod !== undefined && (isDeleted(pod) || !isThere(pod)),
  );
  for (const pod of ordered.condemned) {
    if (isDeleted(pod)) {
      if (monotonic) return undefined;
      continue;
    }
    if (monotonic && !isThere(pod) && pod !== unavailable) return undefined;
    const failure = yield* remove(host, set, pod);
    if (failure !== undefined || monotonic) return failure;
  }
  return yield* replaceOutdated(host, set, ordered, update);
}

/** A partition counts pods, whatever number the first one has. Source: stateful_set_utils.go (newVersionedStatefulSetPod). */
function revisionFor(set: KubeObject, index: number, current: KubeObject, update: KubeObject): KubeObject {
  if (dig(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return update;
  return index < partitionOf(set) ? current : update;
}

function partitionOf(set: KubeObject): number {
  return asNumber(dig(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition')) ?? 0;
}

interface Acted {
  readonly wait: boolean;
  readonly failure: Failure | undefined;
}

interface Replica {
  readonly ordinal: number;
  readonly revision: KubeObject;
  /** One after the other (podManagementPolicy OrderedReady). */
  readonly monotonic: boolean;
}

function* actOnReplica(
  controller: Controller,
  set: KubeObject,
  pod: KubeObject | undefined,
  { ordinal, revision, monotonic }: Replica,
): Routine<Acted> {
  const { host } = controller;
  if (pod === undefined) return { wait: monotonic, failure: yield* add(controller, set, ordinal, revision) };
  const phase = phaseOf(pod);
  if (phase === 'Failed' || phase === 'Succeeded') {
    if (isDeleted(pod)) return { wait: true, failure: undefined };
    const failed = phase === 'Failed';
    host.events.event(set, {
      type: failed ? 'Warning' : 'Normal',
      reason: failed ? 'RecreatingFailedPod' : 'RecreatingTerminatedPod',
      message: `StatefulSet ${keyOfObject(set)} is recreating ${failed ? 'failed' : 'terminated'} Pod ${pod.metadata.name}`,
    });
    return { wait: true, failure: yield* remove(host, set, pod) };
  }
  if (phase === 'Pending') {
    const failure = yield* addClaims(controller, set, ordinal);
    if (failure !== undefined) return { wait: false, failure };
  }
  const wait = monotonic && (isDeleted(pod) || !isRunningAndAvailable(host, set, pod));
  return { wait, failure: undefined };
}

function* add(controller: Controller, set: KubeObject, ordinal: number, revision: KubeObject): Routine<Failure | undefined> {
  const { host } = controller;
  const claimFailure = yield* addClaims(controller, set, ordinal);
  if (claimFailure !== undefined) return claimFailure;
  const name = podName(set, ordinal);
  const answer = yield* host.client.create(newPod(set, revision, ordinal));
  if (answer.ok)
    host.events.event(set, {
      type: 'Normal',
      reason: 'SuccessfulCreate',
      message: `Create Pod ${name} in StatefulSet ${set.metadata.name} successful`,
    });
  else if (answer.reason !== 'AlreadyExists')
    host.events.event(set, {
      type: 'Warning',
      reason: 'FailedCreate',
      message: `Create Pod ${name} in StatefulSet ${set.metadata.name} failed error: ${answer.message}`,
    });
  return answer.ok || answer.reason === 'AlreadyExists' ? undefined : answer;
}

function* addClaims({ host, claims }: Controller, set: KubeObject, ordinal: number): Routine<Failure | undefined> {
  const name = podName(set, ordinal);
  for (const wanted of newClaims(set, ordinal)) {
    const claimName = asText(wanted.metadata['name']) ?? '';
    if (claims.get(set.metadata.namespace, claimName) !== undefined) continue;
    const answer = yield* host.client.create(wanted);
    if (answer.ok)
      host.events.event(set, {
        type: 'Normal',
        reason: 'SuccessfulCreate',
        message: `Create Claim ${claimName} Pod ${name} in StatefulSet ${set.metadata.name} success`,
      });
    else if (answer.reason !== 'AlreadyExists') {
      host.events.event(set, {
        type: 'Warning',
        reason: 'FailedCreate',
        message: `Create Claim ${claimName} for Pod ${name} in StatefulSet ${set.metadata.name} failed error: ${answer.message}`,
      });
      return answer;
    }
  }
  return undefined;
}

function* remove(host: ComponentHost, set: KubeObject, pod: KubeObject): Routine<Failure | undefined> {
  const { name } = pod.metadata;
  const answer = yield* host.client.delete(refOf(pod));
  if (answer.ok)
    host.events.event(set, {
      type: 'Normal',
      reason: 'SuccessfulDelete',
      message: `Delete Pod ${name} in StatefulSet ${set.metadata.name} successful`,
    });
  else if (answer.code !== 404)
    host.events.event(set, {
      type: 'Warning',
      reason: 'FailedDelete',
      message: `Delete Pod ${name} in StatefulSet ${set.metadata.name} failed error: ${answer.message}`,
    });
  return answer.ok || answer.code === 404 ? undefined : answer;
}

/** From the highest ordinal down, one at a time; a pod of the old revision that never becomes ready stops it for good. */
function* replaceOutdated(host: ComponentHost, set: KubeObject, { replicas }: Ordered, update: KubeObject): Routine<Failure | undefined> {
  if (dig(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return undefined;
  for (let index = replicas.length - 1; index >= partitionOf(set); index--) {
    const pod = replicas[index];
    if (pod === undefined) return undefined;
    if (revisionOfPod(pod) !== update.metadata.name && !isDeleted(pod)) return yield* remove(host, set, pod);
    if (isDeleted(pod) || !isRunningAndAvailable(host, set, pod)) return undefined;
  }
  return undefined;
}

function isRunningAndReady(pod: KubeObject): boolean {
  return phaseOf(pod) === 'Running' && isReady(pod);
}

function isRunningAndAvailable(host: ComponentHost, set: KubeObject, pod: KubeObject): boolean {
  return phaseOf(pod) === 'Running' && isAvailable(pod, minReadySecondsOf(set), host.now());
}

function minReadySecondsOf(set: KubeObject): number {
  return asNumber(dig(set, 'spec', 'minReadySeconds')) ?? 0;
}
