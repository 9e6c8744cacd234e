import type { Instant } from '../../../base/instant.ts';
import type { Json } from '../../../base/json.ts';
import { asList, asObject, asText, dig } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import { leaseBeat } from '../../components/heartbeats.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { timeOf } from '../../time/api-times.ts';
import type { SyncResult, WorkQueue } from '../../components/work-queue.ts';
import { retryUnlessGone } from '../../components/work-queue.ts';
import { conditionOf, findCondition } from '../conditions.ts';
import { createdAt, isReady, nodeNameOf } from '../pod-state.ts';
import { noScheduleKeys, taintsOf, withManaged } from './taints.ts';
import { NODE_WORDS, NOT_READY, UNREACHABLE } from './node-messages.ts';
import { Zones } from './zones.ts';

/**
 * Says of nodes nobody hears from that their state is unknown, and taints those that are not well. Kubelets that are heard cost
 * nothing: only a heartbeat that stops, or a node that changes, is looked at, and then at the real controller's times.
 * Source: pkg/controller/nodelifecycle/node_lifecycle_controller.go.
 */
export const NODE_LIFECYCLE_CONTROLLER: ComponentDefinition = { name: 'node-controller', process: 'kube-controller-manager', start };

const MONITOR_MILLISECONDS = 5000;
const GRACE_MILLISECONDS = 50_000;
const STARTUP_GRACE_MILLISECONDS = 60_000;
const HEALTH_CONDITIONS = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;
const LEASE_NAMESPACE = 'kube-node-lease';

interface Controller {
  readonly host: ComponentHost;
  readonly begun: Instant;
  readonly nodes: Informer;
  readonly pods: Informer;
  readonly zones: Zones;
  readonly known: Map<string, KubeObject>;
  /** Why a node's pods are to go, once its turn has come. */
  readonly evicting: Map<string, string>;
  readonly waiting: Set<string>;
  readonly taints: WorkQueue;
  passDue: boolean;
}

function start(host: ComponentHost): void {
  const nodes = host.informer({ kind: 'Node' });
  const pods = host.informer({ kind: 'Pod' }).addIndex('node', (pod) => [nodeNameOf(pod)]);
  const taints: WorkQueue = host.queue({ name: 'node_lifecycle_controller', workers: 8 }, (name) => syncTaints(controller, name));
  const controller: Controller = {
    host,
    begun: host.now(),
    nodes,
    pods,
    zones: new Zones(),
    known: new Map(),
    evicting: new Map(),
    waiting: new Set(),
    taints,
    passDue: false,
  };
  nodes.onChange(({ object, previous, type }) => {
    const { name } = object.metadata;
    if (type !== 'DELETED') taints.add(name);
    const before = previous === undefined ? undefined : readyStatus(previous);
    if (type !== 'MODIFIED' || before !== readyStatus(object)) requestPass(controller);
    if (type === 'ADDED' && !host.heartbeats.beating(leaseBeat(LEASE_NAMESPACE, name))) watchSilent(controller, name, true);
  });
  pods.onChange(({ object, previous, type }) => {
    const name = nodeNameOf(object);
    if (type === 'DELETED' || name === '' || (previous !== undefined && nodeNameOf(previous) === name)) return;
    const node = nodes.get(undefined, name);
    const ready = node === undefined ? undefined : readyStatus(node);
    if (ready !== undefined && ready !== 'True') host.spawn(markNotReady(controller, [object]));
  });
  host.onStop(
    host.heartbeats.onChange((beat, beating) => {
      const [namespace, name] = beat.split('/');
      if (namespace === LEASE_NAMESPACE && name !== undefined && !beating) watchSilent(controller, name);
    }),
  );
}

function readyStatus(node: KubeObject): string | undefined {
  return asText(conditionOf(node, 'Ready')?.['status']);
}

/** The controller looks at nodes every five seconds, counted from its start. */
function nextTick({ begun }: Controller, at: Instant): Instant {
  return begun + Math.ceil((at - begun) / MONITOR_MILLISECONDS) * MONITOR_MILLISECONDS;
}

function requestPass(controller: Controller): void {
  if (controller.passDue) return;
  controller.passDue = true;
  const { host } = controller;
  host.at(nextTick(controller, host.now() + 1), 'monitor nodes', () => {
    controller.passDue = false;
    pass(controller);
  });
}

/** Looks again when the grace of a node nobody hears is over. */
function watchSilent(controller: Controller, name: string, background = false): void {
  const { host } = controller;
  const due = nextTick(controller, silentUntil(controller, name));
  host.at(Math.max(due, host.now()), `grace of ${name}`, () => host.spawn(lookAtSilent(controller, name)), { background });
}

function silentUntil(controller: Controller, name: string): Instant {
  const { host, nodes, begun } = controller;
  const last = host.heartbeats.last(leaseBeat(LEASE_NAMESPACE, name));
  const node = nodes.get(undefined, name);
  // A controller that has just started has heard nobody yet, and gives everyone the whole grace.
  if (last !== undefined) return nextTick(controller, Math.max(last, begun)) + GRACE_MILLISECONDS;
  const never = node !== undefined && readyStatus(node) === undefined;
  return Math.max(node === undefined ? host.now() : createdAt(node), begun) + (never ? STARTUP_GRACE_MILLISECONDS : GRACE_MILLISECONDS);
}

/** Source: tryUpdateNodeHealth. */
function* lookAtSilent(controller: Controller, name: string): Routine {
  const { host, nodes } = controller;
  const node = nodes.get(undefined, name);
  if (node === undefined || host.heartbeats.beating(leaseBeat(LEASE_NAMESPACE, name))) return;
  const until = silentUntil(controller, name);
  if (host.now() < until) {
    watchSilent(controller, name);
    return;
  }
  const before = readyStatus(node);
  if (before === 'Unknown') return;
  const status = asObject(node['status']);
  const answer = yield* host.client.updateStatus(
    withFields(node, { status: withFields(status, { conditions: unknownConditions(node, timeOf(host.now())) }) }),
  );
  if (!answer.ok) {
    if (answer.code !== 404) host.after(MONITOR_MILLISECONDS, `grace of ${name}`, () => host.spawn(lookAtSilent(controller, name)));
    return;
  }
  if (before === 'True') {
    host.events.event(node, NODE_WORDS.notReady(name));
    yield* markNotReady(controller, controller.pods.by('node', name));
  }
  // By now the cache knows of the change.
  host.after(1, 'evict from silent nodes', () => pass(controller));
}

function unknownConditions(node: KubeObject, now: string): readonly Json[] {
  const conditions = asList(dig(node, 'status', 'conditions'));
  const changed = conditions.map((condition) => {
    if (!HEALTH_CONDITIONS.some((type) => type === dig(condition, 'type')) || dig(condition, 'status') === 'Unknown') return condition;
    return withFields(asObject(condition), { status: 'Unknown', ...NODE_WORDS.stopped, lastTransitionTime: now });
  });
  const created = node.metadata['creationTimestamp'] ?? now;
  const missing = HEALTH_CONDITIONS.filter((type) => findCondition(conditions, type) === undefined).map((type) => ({
    type,
    status: 'Unknown',
    ...NODE_WORDS.never,
    lastHeartbeatTime: created,
    lastTransitionTime: now,
  }));
  return [...changed, ...missing];
}

/** Source: MarkPodsNotReady, for the pods of a node that fell silent and those that come to one that is not ready (processPod). */
function* markNotReady({ host }: Controller, pods: readonly KubeObject[]): Routine {
  for (const pod of pods) {
    if (!isReady(pod)) continue;
    const conditions = asList(dig(pod, 'status', 'conditions')).map((condition) =>
      dig(condition, 'type') === 'Ready'
        ? withFields(asObject(condition), { status: 'False', lastTransitionTime: timeOf(host.now()) })
        : condition,
    );
    const answer = yield* host.client.patch(
      refOf(pod),
      'strategic',
      { metadata: { uid: pod.metadata.uid ?? null }, status: { conditions } },
      { subresource: 'status' },
    );
    if (answer.ok) host.events.event(pod, NODE_WORDS.podNotReady);
  }
}

/** Source: monitorNodeHealth: who is new, who is gone, whose pods are to go; `turn` is the node whose wait for that is over. */
function pass(controller: Controller, turn?: string): void {
  const { host, nodes, zones, evicting, taints } = controller;
  noteNodes(controller);
  const allDown = zones.assess(nodes.list(), host.now());
  for (const node of nodes.list()) {
    const { name } = node.metadata;
    const ready = readyStatus(node);
    const why = ready === 'True' ? undefined : ready === 'False' ? NOT_READY : ready === 'Unknown' ? UNREACHABLE : undefined;
    if (why === undefined || allDown) {
      if (evicting.delete(name) || taintsOf(node).some((taint) => dig(taint, 'effect') === 'NoExecute')) taints.add(name);
      continue;
    }
    if (evicting.has(name)) {
      if (evicting.get(name) !== why) taints.add(name);
      evicting.set(name, why);
    } else queueEviction(controller, node, why, name === turn);
  }
}

function noteNodes({ host, nodes, known, evicting }: Controller): void {
  for (const node of nodes.list()) {
    const { name } = node.metadata;
    if (!known.has(name) && host.world.configuration.nodesAreNew) host.events.event(node, NODE_WORDS.registered(name));
    known.set(name, node);
  }
  for (const [name, node] of known) {
    if (nodes.get(undefined, name) !== undefined) continue;
    known.delete(name);
    evicting.delete(name);
    host.events.event(node, NODE_WORDS.removing(name));
  }
}

function queueEviction(controller: Controller, node: KubeObject, why: string, hasTurn: boolean): void {
  const { host, zones, evicting, waiting, taints } = controller;
  const { name } = node.metadata;
  if (waiting.has(name)) return;
  const wait = hasTurn && zones.mayEmpty(node) ? 0 : zones.reserve(node, host.now());
  if (wait === undefined) return;
  if (wait === 0) {
    evicting.set(name, why);
    taints.add(name);
    return;
  }
  waiting.add(name);
  host.after(wait, `empty ${name}`, () => {
    waiting.delete(name);
    pass(controller, name);
  });
}

/** Writes first what keeps pods away, then what drives them out, as two updates. */
function* syncTaints({ host, nodes, evicting }: Controller, name: string): Routine<SyncResult> {
  const found = nodes.get(undefined, name);
  if (found === undefined) return;
  let node: KubeObject = found;
  const now = timeOf(host.now());
  const why = evicting.get(name);
  const wanted = [
    (one: KubeObject) => withManaged(taintsOf(one), 'NoSchedule', noScheduleKeys(one), now),
    (one: KubeObject) => withManaged(taintsOf(one), 'NoExecute', why === undefined ? [] : [why], now),
  ];
  for (const taintsFor of wanted) {
    const taints = taintsFor(node);
    if (sameJson(taints, taintsOf(node))) continue;
    const spec = withFields(asObject(node['spec']), { taints: taints.length === 0 ? undefined : taints });
    const answer = yield* host.client.update(withFields(node, { spec }));
    if (!answer.ok) return retryUnlessGone(answer);
    node = answer.object;
  }
}
