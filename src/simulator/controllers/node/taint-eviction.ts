import type { Instant } from '../../../base/instant.ts';
import type { Json } from '../../../base/json.ts';
import { asList, asNumber, dig } from '../../../base/json.ts';
import { smallest } from '../../../base/lists.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import type { Task } from '../../time/agenda.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOfObject } from '../../store/store.ts';
import { timeOf } from '../../time/api-times.ts';
import { tolerates } from '../node-fit.ts';
import { isDeleted, splitKey } from '../ownership.ts';
import { nodeNameOf } from '../pod-state.ts';
import { taintsOf } from './taints.ts';
import { NODE_WORDS } from './node-messages.ts';

/**
 * Deletes pods that do not tolerate a NoExecute taint of their node, at once or when their patience is over.
 * Source: pkg/controller/tainteviction/taint_eviction.go (it acts with the rights of the node controller).
 */
export const TAINT_EVICTION_CONTROLLER: ComponentDefinition = {
  name: 'node-controller',
  process: 'kube-controller-manager',
  eventSource: 'taint-eviction-controller',
  start,
};

interface Scheduled {
  readonly since: Instant;
  readonly due: Instant;
  readonly task: Task | undefined;
}

function start(host: ComponentHost): void {
  const nodes = host.informer({ kind: 'Node' });
  const pods = host.informer({ kind: 'Pod' }).addIndex('node', (pod) => [nodeNameOf(pod)]);
  const scheduled = new Map<string, Scheduled>();
  const look = (pod: KubeObject): void =>
    consider(host, pods.get.bind(pods), scheduled, pod, evicting(nodes.get(undefined, nodeNameOf(pod))));
  nodes.onChange(({ object, previous, type }) => {
    const taints = type === 'DELETED' ? [] : evicting(object);
    if (taints.length === 0 && (previous === undefined || evicting(previous).length === 0)) return;
    for (const pod of pods.by('node', object.metadata.name)) look(pod);
  });
  pods.onChange(({ object, previous, type }) => {
    if (type === 'DELETED') cancel(host, scheduled, object, false);
    else if (nodeNameOf(object) !== '' && (previous === undefined || nodeNameOf(previous) === '' || previous['spec'] !== object['spec']))
      look(object);
  });
}

function evicting(node: KubeObject | undefined): readonly Json[] {
  return node === undefined ? [] : taintsOf(node).filter((taint) => dig(taint, 'effect') === 'NoExecute');
}

/** Source: processPodOnNode. */
function consider(
  host: ComponentHost,
  find: (namespace: string | undefined, name: string) => KubeObject | undefined,
  scheduled: Map<string, Scheduled>,
  pod: KubeObject,
  taints: readonly Json[],
): void {
  const key = keyOfObject(pod);
  if (taints.length === 0) {
    cancel(host, scheduled, pod, true);
    return;
  }
  const tolerations = asList(dig(pod, 'spec', 'tolerations'));
  const used = taints.map((taint) => tolerations.find((toleration) => tolerates(toleration, taint)));
  const seconds = used.some((toleration) => toleration === undefined)
    ? 0
    : smallest(used.map((toleration) => asNumber(dig(toleration, 'tolerationSeconds')) ?? Number.POSITIVE_INFINITY));
  if (seconds === Number.POSITIVE_INFINITY) {
    cancel(host, scheduled, pod, true);
    return;
  }
  const known = scheduled.get(key);
  const since = known?.since ?? host.now();
  const due = since + Math.max(0, seconds) * 1000;
  if (known !== undefined && known.due <= due) return;
  known?.task?.cancel();
  const task = host.at(Math.max(due, host.now()), `evict ${key}`, () => {
    scheduled.delete(key);
    const current = find(...splitKey(key));
    if (current !== undefined && current.metadata.uid === pod.metadata.uid) host.spawn(evict(host, current));
  });
  scheduled.set(key, { since, due, task });
}

function cancel(host: ComponentHost, scheduled: Map<string, Scheduled>, pod: KubeObject, announce: boolean): void {
  const key = keyOfObject(pod);
  const known = scheduled.get(key);
  if (known === undefined) return;
  scheduled.delete(key);
  known.task?.cancel();
  if (announce) host.events.event(about(pod), NODE_WORDS.cancelling(key));
}

function* evict(host: ComponentHost, pod: KubeObject): Routine {
  if (isDeleted(pod)) return;
  host.events.event(about(pod), NODE_WORDS.marking(keyOfObject(pod)));
  yield* markDisrupted(host, pod, NODE_WORDS.byTaint, {});
  const answer = yield* host.client.delete(refOf(pod), { preconditions: { uid: pod.metadata.uid ?? '' } });
  if (!answer.ok && answer.code !== 404) host.after(RETRY_MILLISECONDS, `evict ${keyOfObject(pod)}`, () => host.spawn(evict(host, pod)));
}

const RETRY_MILLISECONDS = 1000;

/** Writes down why a pod is deleted, before it is. */
export function* markDisrupted(
  host: ComponentHost,
  pod: KubeObject,
  words: { readonly reason: string; readonly message: string },
  status: Readonly<Record<string, Json>>,
): Routine {
  const conditions = asList(dig(pod, 'status', 'conditions')).filter((condition) => dig(condition, 'type') !== 'DisruptionTarget');
  const target = { type: 'DisruptionTarget', status: 'True', lastProbeTime: null, lastTransitionTime: timeOf(host.now()), ...words };
  yield* host.client.patch(
    refOf(pod),
    'strategic',
    { metadata: { uid: pod.metadata.uid ?? null }, status: { ...status, conditions: [...conditions, target] } },
    { subresource: 'status' },
  );
}

/** The real one names the pod without its uid, so that `kubectl describe` does not find the event. */
function about(pod: KubeObject): { readonly apiVersion: string; readonly kind: string; readonly namespace: string; readonly name: string } {
  return { apiVersion: 'v1', kind: 'Pod', namespace: pod.metadata.namespace ?? '', name: pod.metadata.name };
}
