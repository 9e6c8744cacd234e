import type { JsonObject } from '../../../base/json.ts';
import { asList, asNumber, dig } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import { append } from '../../../base/lists.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import type { Failure } from '../../apiserver/request.ts';
import { labelSelectorMatcher } from '../../apiserver/selectors.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import { sleep } from '../../components/component.ts';
import { countOrPercent } from '../deployment/arithmetic.ts';
import { Expectations } from '../expectations.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { together } from '../../time/routine.ts';
import { keyOfObject } from '../../store/store.ts';
import type { SyncResult, WorkQueue } from '../../components/work-queue.ts';
import { claim, controllerKey, isDeleted, splitKey, withOwnerIndex } from '../ownership.ts';
import { createPod, deletePod, isNamespaceTerminating, slowStart } from '../pod-control.ts';
import { createdAt, isAvailable, isReady, phaseOf } from '../pod-state.ts';
import { currentRevision, forgetRevisions, hashOfRevision } from '../revisions.ts';
import { writeStatus } from '../write-status.ts';
import { daemonPod, HASH_LABEL, targetNode, WantedNodes } from './pods.ts';

/** One pod on every node that is for it. Source: pkg/controller/daemon/{daemon_controller,update}.go. */
export const DAEMONSET_CONTROLLER: ComponentDefinition = {
  name: 'daemon-set-controller',
  process: 'kube-controller-manager',
  eventSource: 'daemonset-controller',
  start,
};

const BURST = 250;
const WORKERS = 2;
/** A failed pod is replaced at first after a second, at last after fifteen minutes. */
const FAILED_FROM_MILLISECONDS = 1000;
const FAILED_TO_MILLISECONDS = 900_000;

interface Controller {
  readonly host: ComponentHost;
  readonly sets: Informer;
  readonly pods: Informer;
  readonly nodes: Informer;
  readonly revisions: Informer;
  readonly expectations: Expectations;
  readonly wanted: WantedNodes;
  /** Failures of a set's pods on a node, and when the last was replaced. */
  readonly failures: Map<string, { count: number; until: number }>;
}

function start(host: ComponentHost): void {
  const sets = host.informer({ kind: 'DaemonSet' });
  const pods = withOwnerIndex(host.informer({ kind: 'Pod' }));
  const nodes = host.informer({ kind: 'Node' });
  const revisions = withOwnerIndex(host.informer({ kind: 'ControllerRevision' }));
  const [expectations, wanted] = [new Expectations(), new WantedNodes()];
  const controller: Controller = { host, sets, pods, nodes, revisions, expectations, wanted, failures: new Map() };
  const queue = host.queue({ name: 'daemonset', workers: WORKERS }, (key) => sync(controller, queue, key));
  sets.onChange(({ object }) => queue.add(keyOfObject(object)));
  pods.onChange(({ object, type }) => {
    const key = controllerKey(object, 'DaemonSet');
    if (key === undefined) return;
    if (type === 'ADDED') controller.expectations.created(key);
    if (type === 'DELETED' || isDeleted(object)) controller.expectations.deleted(key, object.metadata.uid ?? '');
    queue.add(key);
  });
  nodes.onChange(({ object, previous, type }) => {
    for (const set of sets.list()) {
      const isChanged = type === 'MODIFIED' && previous !== undefined;
      if (isChanged && sameJson({ ...wanted.on(set, previous) }, { ...wanted.on(set, object) })) continue;
      queue.add(keyOfObject(set));
    }
  });
}

function* sync(controller: Controller, queue: WorkQueue, key: string): Routine<SyncResult> {
  const { host, sets, pods, revisions, expectations } = controller;
  const set = sets.get(...splitKey(key));
  if (set === undefined) {
    expectations.forget(key);
    return;
  }
  if (Object.keys((dig(set, 'spec', 'selector') ?? {}) as JsonObject).length === 0) {
    host.events.event(set, {
      type: 'Warning',
      reason: 'SelectingAll',
      message: 'This daemon set is selecting all pods. A non-empty selector is required.',
    });
    return;
  }
  if (isDeleted(set)) return;
  const revised = yield* currentRevision(
    { host, revisions, hashLabel: HASH_LABEL, collisions: asNumber(dig(set, 'status', 'collisionCount')) },
    set,
  );
  if (!revised.ok) return { retry: revised.failure.message };
  const hash = hashOfRevision(revised.update, HASH_LABEL);
  if (!expectations.satisfied(key, host.now())) {
    const failed = yield* reportStatus(controller, set, hash);
    return failed === undefined ? undefined : { retry: failed.message };
  }
  const owned = yield* claim(host, pods, set, labelSelectorMatcher(dig(set, 'spec', 'selector')));
  const failure = yield* manage(controller, { queue, key, set }, owned, hash);
  const written = yield* reportStatus(controller, set, hash);
  if (failure !== undefined) return { retry: failure.message };
  if (written !== undefined) return { retry: written.message };
  if (expectations.satisfied(key, host.now())) yield* replaceOutdated(controller, key, set, hash);
  const live = new Set([revised.update.metadata.name, ...owned.map((pod) => `${set.metadata.name}-${labelsOf(pod)[HASH_LABEL] ?? ''}`)]);
  yield* forgetRevisions(host, revised.all, live, asNumber(dig(set, 'spec', 'revisionHistoryLimit')) ?? 10);
}

function byNode(pods: readonly KubeObject[]): ReadonlyMap<string, readonly KubeObject[]> {
  const map = new Map<string, KubeObject[]>();
  for (const pod of pods) {
    const node = targetNode(pod);
    const known = map.get(node);
    if (known === undefined) map.set(node, [pod]);
    else known.push(pod);
  }
  return map;
}

/** A DaemonSet at work, and where it is worked on again. */
interface Work {
  readonly queue: WorkQueue;
  readonly key: string;
  readonly set: KubeObject;
}

/** Source: daemon_controller.go (manage, podsShouldBeOnNode, syncNodes). */
function* manage(controller: Controller, work: Work, owned: readonly KubeObject[], hash: string): Routine<Failure | undefined> {
  const { key, set } = work;
  const { host, expectations } = controller;
  const { needed, surplus } = placement(controller, work, owned);
  const victims = surplus.slice(0, BURST);
  if (victims.length > 0) yield* deletePods(controller, work, victims);
  const wanted = needed.slice(0, BURST);
  if (wanted.length === 0) return undefined;
  if (victims.length === 0) expectations.expectCreations(key, wanted.length, host.now());
  const { made, failure } = yield* slowStart(wanted.length, (index) => createPod(host, set, daemonPod(set, wanted[index] ?? '', hash)));
  if (made < wanted.length) expectations.created(key, wanted.length - made);
  // The status that follows already counts what was made: old revisions are looked through in between.
  if (made > 0) yield* sleep(host, 3, 'daemonset status');
  return failure !== undefined && isNamespaceTerminating(failure) ? undefined : failure;
}

interface Placement {
  /** Nodes without a pod that want one. */
  readonly needed: readonly string[];
  readonly surplus: readonly KubeObject[];
}

function placement(controller: Controller, work: Work, owned: readonly KubeObject[]): Placement {
  const { nodes } = controller;
  const placed = byNode(owned);
  const needed: string[] = [];
  const surplus: KubeObject[] = [];
  for (const node of nodes.list()) {
    const { run, stay } = controller.wanted.on(work.set, node);
    const here = placed.get(node.metadata.name) ?? [];
    if (run && here.length === 0) needed.push(node.metadata.name);
    else if (stay) append(surplus, oneOf(controller, work, node.metadata.name, here));
    else
      append(
        surplus,
        here.filter((pod) => !isDeleted(pod)),
      );
  }
  for (const [node, there] of placed)
    if (nodes.get(undefined, node) === undefined)
      append(
        surplus,
        there.filter((pod) => !isDeleted(pod) && dig(pod, 'spec', 'nodeName') === undefined),
      );
  return { needed, surplus };
}

function* deletePods({ host, expectations }: Controller, { key, set }: Work, victims: readonly KubeObject[]): Routine {
  expectations.expectDeletions(
    key,
    victims.map((pod) => pod.metadata.uid ?? ''),
    host.now(),
  );
  const answers = yield* together(victims.map((pod) => deletePod(host, set, pod)));
  for (const [index, answer] of answers.entries()) if (!answer.ok) expectations.deleted(key, victims[index]?.metadata.uid ?? '');
}

/** Those of a node's pods that are to go, so that one stays that lives. */
function oneOf(
  { host, failures }: Controller,
  { queue, key, set }: Work,
  node: string,
  here: readonly KubeObject[],
): readonly KubeObject[] {
  const going: KubeObject[] = [];
  const living: KubeObject[] = [];
  for (const pod of here) {
    if (isDeleted(pod)) continue;
    const phase = phaseOf(pod);
    if (phase === 'Failed') {
      const id = `${set.metadata.uid ?? ''}/${node}`;
      const known = failures.get(id) ?? { count: 0, until: 0 };
      if (known.until > host.now()) {
        queue.addAfter(key, known.until - host.now());
        continue;
      }
      const wait = Math.min(FAILED_TO_MILLISECONDS, FAILED_FROM_MILLISECONDS * 2 ** known.count);
      failures.set(id, { count: Math.min(known.count + 1, 20), until: host.now() + wait });
      host.events.event(set, {
        type: 'Warning',
        reason: 'FailedDaemonPod',
        message: `Found failed daemon pod ${keyOfObject(pod)} on node ${node}, will try to kill it`,
      });
      going.push(pod);
    } else if (phase === 'Succeeded') {
      host.events.event(set, {
        type: 'Normal',
        reason: 'SucceededDaemonPod',
        message: `Found succeeded daemon pod ${keyOfObject(pod)} on node ${node}, will try to delete it`,
      });
      going.push(pod);
    } else living.push(pod);
  }
  const oldestFirst = [...living].sort((a, b) => createdAt(a) - createdAt(b));
  return [...going, ...oldestFirst.slice(1)];
}

/** Source: update.go (rollingUpdate), without surge: old pods go, as many at a time as may be unavailable. */
function* replaceOutdated({ host, nodes, pods, expectations, wanted }: Controller, key: string, set: KubeObject, hash: string): Routine {
  if (dig(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return;
  const placed = byNode(pods.by('controller', set.metadata.uid ?? ''));
  const desired = [...nodes.list()].filter((node) => wanted.on(set, node).run);
  const limit = Math.max(
    1,
    countOrPercent(dig(set, 'spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable') ?? 1, desired.length, 'up'),
  );
  let unavailable = 0;
  const [broken, healthy]: [KubeObject[], KubeObject[]] = [[], []];
  for (const node of desired) {
    const here = placed.get(node.metadata.name) ?? [];
    const [pod] = here;
    const available = pod !== undefined && !isDeleted(pod) && isAvailable(pod, minReadySecondsOf(set), host.now());
    if (!available) unavailable++;
    if (pod === undefined || here.length > 1 || isDeleted(pod) || labelsOf(pod)[HASH_LABEL] === hash) continue;
    (available ? healthy : broken).push(pod);
  }
  const victims = [...broken, ...healthy.slice(0, Math.max(0, limit - unavailable))];
  if (victims.length === 0) return;
  expectations.expectDeletions(
    key,
    victims.map((pod) => pod.metadata.uid ?? ''),
    host.now(),
  );
  yield* together(victims.map((pod) => deletePod(host, set, pod)));
}

function minReadySecondsOf(set: KubeObject): number {
  return asNumber(dig(set, 'spec', 'minReadySeconds')) ?? 0;
}

function* reportStatus(controller: Controller, set: KubeObject, hash: string): Routine<Failure | undefined> {
  const counts = countPods(controller, set, hash);
  const unavailable = counts.desired - counts.available;
  const status: JsonObject = {
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    observedGeneration: asNumber(set.metadata['generation']) ?? 1,
    ...(counts.updated === 0 ? {} : { updatedNumberScheduled: counts.updated }),
    ...(counts.available === 0 ? {} : { numberAvailable: counts.available }),
    ...(unavailable === 0 ? {} : { numberUnavailable: unavailable }),
    ...(dig(set, 'status', 'collisionCount') === undefined ? {} : { collisionCount: dig(set, 'status', 'collisionCount') ?? 0 }),
    ...(asList(dig(set, 'status', 'conditions')).length === 0 ? {} : { conditions: dig(set, 'status', 'conditions') ?? [] }),
  };
  return yield* writeStatus(controller.host, set, status);
}

interface Counts {
  readonly desired: number;
  readonly current: number;
  readonly misscheduled: number;
  readonly ready: number;
  readonly updated: number;
  readonly available: number;
}

function countPods({ host, nodes, pods, wanted }: Controller, set: KubeObject, hash: string): Counts {
  const placed = byNode(pods.by('controller', set.metadata.uid ?? ''));
  const counts = { desired: 0, current: 0, misscheduled: 0, ready: 0, updated: 0, available: 0 };
  for (const node of nodes.list()) {
    const { run } = wanted.on(set, node);
    const here = [...(placed.get(node.metadata.name) ?? [])].sort((a, b) => createdAt(a) - createdAt(b));
    const [pod] = here;
    if (!run) {
      if (pod !== undefined) counts.misscheduled++;
      continue;
    }
    counts.desired++;
    if (pod === undefined) continue;
    counts.current++;
    if (isReady(pod)) counts.ready++;
    if (isAvailable(pod, minReadySecondsOf(set), host.now())) counts.available++;
    if (labelsOf(pod)[HASH_LABEL] === hash) counts.updated++;
  }
  return counts;
}
