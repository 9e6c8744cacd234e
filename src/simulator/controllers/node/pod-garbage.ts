import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import { dig } from '../../../base/json.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { isTrue } from '../conditions.ts';
import { isDeleted } from '../ownership.ts';
import { createdAt, isFinished, nodeNameOf } from '../pod-state.ts';
import { markDisrupted } from './taint-eviction.ts';
import { taintsOf } from './taints.ts';
import { NODE_WORDS } from './node-messages.ts';

/** Removes pods whose node is not there, and the oldest of too many that ended. Source: pkg/controller/podgc/gc_controller.go. */
export const POD_GARBAGE_COLLECTOR: ComponentDefinition = { name: 'pod-garbage-collector', process: 'kube-controller-manager', start };

const PERIOD_MILLISECONDS = 20_000;
const QUARANTINE_MILLISECONDS = 40_000;
const TERMINATED_THRESHOLD = 12_500;
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

function start(host: ComponentHost): void {
  const begun = host.now();
  const nodes = host.informer({ kind: 'Node' });
  const pods = host.informer({ kind: 'Pod' }).addIndex('node', (pod) => [nodeNameOf(pod)]);
  const quarantined = new Set<string>();
  const tick = (): number => begun + Math.ceil((host.now() + 1 - begun) / PERIOD_MILLISECONDS) * PERIOD_MILLISECONDS;
  const quarantine = (name: string): void => {
    if (quarantined.has(name)) return;
    quarantined.add(name);
    host.at(tick() + QUARANTINE_MILLISECONDS, `pods of lost node ${name}`, () => {
      quarantined.delete(name);
      host.spawn(collect(host, nodes, pods, name));
    });
  };
  let finished = 0;
  let due = false;
  const settle = (): void => {
    if (due || finished <= TERMINATED_THRESHOLD) return;
    due = true;
    host.at(tick(), 'too many ended pods', () => {
      due = false;
      host.spawn(collectEnded(host, pods));
    });
  };
  pods.onChange(({ object, previous, type }) => {
    if (previous !== undefined && isFinished(previous)) finished--;
    if (type !== 'DELETED' && isFinished(object)) finished++;
    settle();
    const name = nodeNameOf(object);
    if (type !== 'DELETED' && name !== '' && nodes.synced && nodes.get(undefined, name) === undefined) quarantine(name);
    if (type !== 'DELETED' && name === '' && isDeleted(object))
      host.at(tick(), 'unscheduled pod ends', () => host.spawn(removeNow(host, object)));
    if (type !== 'DELETED' && isDeleted(object)) outOfService(host, tick(), nodes.get(undefined, name), [object]);
  });
  nodes.onChange(({ object, type }) => {
    if (type === 'DELETED' && pods.by('node', object.metadata.name).length > 0) quarantine(object.metadata.name);
    else if (type !== 'DELETED') outOfService(host, tick(), object, pods.by('node', object.metadata.name).filter(isDeleted));
  });
  nodes.whenSynced(() => {
    for (const pod of pods.list())
      if (nodeNameOf(pod) !== '' && nodes.get(undefined, nodeNameOf(pod)) === undefined) quarantine(nodeNameOf(pod));
  });
}

function* collect(host: ComponentHost, nodes: Informer, pods: Informer, name: string): Routine {
  if (nodes.get(undefined, name) !== undefined) return;
  const live = yield* host.client.get({ kind: 'Node', name });
  if (live.ok || live.code !== 404) return;
  for (const pod of pods.by('node', name)) {
    if (!isFinished(pod)) yield* markDisrupted(host, pod, NODE_WORDS.byGarbage, { phase: 'Failed' });
    yield* removeNow(host, pod);
  }
}

/** Pods that end on a node someone has declared dead need not wait for its kubelet. */
function outOfService(host: ComponentHost, at: number, node: KubeObject | undefined, pods: readonly KubeObject[]): void {
  if (
    node === undefined ||
    pods.length === 0 ||
    isTrue(node, 'Ready') ||
    !taintsOf(node).some((taint) => dig(taint, 'key') === OUT_OF_SERVICE)
  )
    return;
  host.at(at, `pods of ${node.metadata.name}, which is out of service`, () => {
    host.spawn(
      (function* removeAll(): Routine {
        for (const pod of pods) {
          if (!isFinished(pod)) yield* markDisrupted(host, pod, NODE_WORDS.outOfService, { phase: 'Failed' });
          yield* removeNow(host, pod);
        }
      })(),
    );
  });
}

function* collectEnded(host: ComponentHost, pods: Informer): Routine {
  const ended = [...pods.list()].filter((pod) => isFinished(pod) && !isDeleted(pod)).sort((a, b) => createdAt(a) - createdAt(b));
  for (const pod of ended.slice(0, Math.max(0, ended.length - TERMINATED_THRESHOLD))) yield* removeNow(host, pod);
}

function* removeNow(host: ComponentHost, pod: KubeObject): Routine {
  yield* host.client.delete(refOf(pod), { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid ?? '' } });
}
