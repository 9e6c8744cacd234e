import type { KubeObject } from '../../model/kube-object.ts';
import type { Task } from '../time/agenda.ts';
import type { ComponentDefinition, ComponentHost } from '../components/component.ts';
import type { ObjectEvent } from '../components/informer.ts';
import { runRoutine } from '../time/routine.ts';
import { TIMING } from '../time/timing.ts';
import type { BindingPlan } from './claims.ts';
import { bindPod, ClaimWaiters, reserveVolumes } from './bind.ts';
import { deallocate, releaseDevices, reserveDevices, unreserve } from './bind-devices.ts';
import { decide } from './decide.ts';
import type { ClusterEvent } from './hints.ts';
import { changedForScheduling } from './hints.ts';
import { usableClaims } from './filters/dynamic-resources.ts';
import { InformedView } from './informed-view.ts';
import { NodeInfo } from './node-info.ts';
import { Nominator } from './nominator.ts';
import type { PodInfo } from './pod-info.ts';
import { nominatedNodeOf, podInfo } from './pod-info.ts';
import type { QueuedPod } from './queue.ts';
import { FLUSH_PERIOD, LONGEST_STAY, SchedulingQueue } from './queue.ts';
import { preempt, reportFailure } from './report-failure.ts';
import { SchedulerCache } from './scheduler-cache.ts';
import type { LookedUpKind } from './view.ts';
import { WORDS } from './scheduler-messages.ts';

const PROFILE = 'default-scheduler';

export const SCHEDULER: ComponentDefinition = {
  name: 'kube-scheduler',
  process: 'kube-scheduler',
  eventSource: PROFILE,
  start: (host) => void new Scheduler(host),
};

/**
 * kube-scheduler with the default profile: one pod at a time is given a node; binding goes on beside it.
 * Source: pkg/scheduler/{scheduler,eventhandlers,schedule_one}.go.
 */
class Scheduler {
  readonly #host: ComponentHost;
  readonly #cache = new SchedulerCache();
  readonly #nominator = new Nominator();
  readonly #claims = new ClaimWaiters();
  readonly #view: InformedView;
  readonly #queue: SchedulingQueue;
  #synced = false;
  #cycle = false;
  #start = 0;
  #retry: Task | undefined;
  #flush: Task | undefined;

  constructor(host: ComponentHost) {
    this.#host = host;
    this.#view = new InformedView(host, this.#cache);
    this.#queue = new SchedulingQueue(
      () => host.now(),
      (pod) => pod.spec.claimsDevices && typeof usableClaims(pod, this.#view) === 'string',
    );
    const nodes = host.informer({ kind: 'Node' });
    const pods = host.informer({ kind: 'Pod', fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed' });
    nodes.onChange((event) => this.#nodeChanged(event));
    pods.onChange((event) => this.#podChanged(event));
    this.#view.onChange((kind, event) => this.#objectChanged(kind, event));
    // It decides nothing before it has seen everything once.
    nodes.whenSynced(() =>
      pods.whenSynced(() =>
        this.#view.whenSynced(() => {
          this.#synced = true;
          this.#wake();
        }),
      ),
    );
  }

  #nodeChanged({ type, object }: ObjectEvent): void {
    const { name } = object.metadata;
    const known = this.#cache.node(name);
    const before = known === undefined ? undefined : copyOf(known);
    if (type === 'DELETED') {
      this.#cache.removeNode(name);
      if (before !== undefined) this.#happened({ on: 'node-removed', node: before });
      return;
    }
    this.#cache.setNode(object);
    const node = this.#cache.node(name);
    if (node !== undefined) this.#happened({ on: 'node', node, before: before === undefined ? undefined : withSharedParts(before, node) });
  }

  #podChanged({ type, object, previous, key }: ObjectEvent): void {
    const pod = podInfo(object, this.#cache.placed(key)?.pod);
    if (type === 'DELETED') this.#podGone(pod);
    else if (pod.nodeName !== '') this.#podPlaced(pod, previous);
    else if (pod.spec.schedulerName === PROFILE) {
      const nominated = nominatedNodeOf(object);
      if (nominated !== (previous === undefined ? '' : nominatedNodeOf(previous))) this.#nominator.nominate(pod, nominated);
      if (this.#cache.placed(pod.key) === undefined && this.#queue.add(pod)) this.#wake();
    }
  }

  #podPlaced(pod: PodInfo, previous: KubeObject | undefined): void {
    const assumed = this.#cache.placed(pod.key);
    this.#queue.remove(pod.key);
    this.#nominator.remove(pod.key);
    this.#cache.place(pod, pod.nodeName);
    if (assumed === undefined || assumed.assumed) this.#happened({ on: 'placed-pod', did: 'added', pod });
    else if (
      previous !== undefined &&
      (previous.metadata['labels'] !== pod.pod.metadata['labels'] || podInfo(previous).terminating !== pod.terminating)
    )
      this.#happened({ on: 'placed-pod', did: 'updated', pod });
  }

  #podGone(pod: PodInfo): void {
    const placed = this.#cache.placed(pod.key);
    this.#queue.remove(pod.key);
    this.#nominator.remove(pod.key);
    if (placed === undefined) return;
    this.#cache.remove(pod.key);
    this.#happened({ on: 'placed-pod', did: 'deleted', pod: placed.pod });
  }

  #objectChanged(kind: LookedUpKind, { type, object: changed, previous }: ObjectEvent): void {
    if (kind === 'PersistentVolumeClaim') this.#claims.changed();
    if (!RELEVANT.includes(kind) || type === 'DELETED') return;
    if (previous === undefined || changedForScheduling(previous, changed))
      this.#happened({ on: 'object', kind, object: changed, isNew: previous === undefined, before: previous });
  }

  #happened(event: ClusterEvent): void {
    if (this.#queue.move(event, this.#view)) this.#wake();
  }

  #wake(): void {
    if (!this.#synced || this.#cycle) return;
    if (!this.#queue.ready) {
      this.#waitForRetry();
      return;
    }
    this.#cycle = true;
    this.#host.after(TIMING.schedulingCycleMilliseconds * this.#host.prng.between(0.75, 1.25), 'schedule', () => {
      this.#cycle = false;
      const next = this.#queue.pop();
      if (next !== undefined) this.#schedule(next);
      this.#wake();
    });
  }

  #schedule(queued: QueuedPod): void {
    const { pod } = queued;
    if (pod.terminating) {
      this.#host.series.event(pod.pod, {
        type: 'Warning',
        reason: 'FailedScheduling',
        action: 'Scheduling',
        note: WORDS.skipDeleting(pod.key),
      });
      this.#queue.remove(pod.key);
      return;
    }
    const decision = decide(pod, this.#view, this.#nominator, this.#host.prng, this.#start);
    this.#start = decision.next;
    if ('node' in decision) this.#bind(queued, decision.node);
    else if ('failed' in decision) this.#fail(queued, decision.failed);
    else {
      if (decision.rejectedBy.size === 0) this.#queue.failed(queued);
      else this.#queue.unschedulable(queued, decision.rejectedBy);
      const nominated = decision.nominated ?? nominatedNodeOf(pod.pod);
      this.#nominator.nominate(pod, nominated);
      reportFailure(this.#host, pod.pod, 'Unschedulable', decision.message, nominated);
      if (decision.deallocate !== undefined) this.#host.spawn(deallocate(this.#host, decision.deallocate));
      if (decision.victims.length > 0) this.#preempt(pod, decision.victims, nominated);
      this.#waitForFlush();
    }
  }

  #bind(queued: QueuedPod, node: NodeInfo): void {
    const { pod } = queued;
    const plan = reserveVolumes(pod, node, this.#view);
    const devices = reserveDevices(pod, node, this.#view);
    this.#cache.place(pod, node.name, true);
    this.#nominator.remove(pod.key);
    runRoutine(
      bindPod(this.#host, pod, node.name, { volumes: plan, claims: this.#claims, devices, ledger: this.#view.devices }),
      (trouble) => {
        this.#release(plan);
        releaseDevices(devices, this.#view.devices);
        if (trouble !== undefined && devices.length > 0) this.#host.spawn(unreserve(this.#host, pod, devices, this.#view.devices));
        if (trouble === undefined)
          this.#host.series.event(pod.pod, {
            type: 'Normal',
            reason: 'Scheduled',
            action: 'Binding',
            note: WORDS.assigned(pod.key, node.name),
          });
        else this.#unbind(queued, trouble);
      },
    );
  }

  #unbind(queued: QueuedPod, trouble: string): void {
    const { pod } = queued;
    if (this.#cache.placed(pod.key)?.assumed === true) {
      this.#cache.remove(pod.key);
      this.#happened({ on: 'placed-pod', did: 'deleted', pod });
    }
    if (this.#queue.get(pod.key) !== queued) return;
    this.#fail(queued, trouble);
    this.#wake();
  }

  /** Not a rejection but an error: tried again after a while, whatever happens. */
  #fail(queued: QueuedPod, words: string): void {
    this.#queue.failed(queued);
    reportFailure(this.#host, queued.pod.pod, 'SchedulerError', words, nominatedNodeOf(queued.pod.pod));
  }

  #release(plan: BindingPlan): void {
    for (const { volume } of plan.bind) this.#view.takenVolumes.delete(volume.metadata.name);
  }

  /** Pods of lower priority that were promised the node have to look for another. */
  #preempt(pod: PodInfo, victims: readonly PodInfo[], node: string): void {
    this.#host.spawn(preempt(this.#host, pod, victims, node, PROFILE));
    for (const other of this.#nominator.behind(pod, node)) {
      this.#nominator.remove(other.key);
      this.#host.spawn(
        this.#host.client.patch(
          { kind: 'Pod', namespace: other.namespace, name: other.pod.metadata.name },
          'strategic',
          { status: { nominatedNodeName: null } },
          { subresource: 'status' },
        ),
      );
      if (this.#queue.release(other.key)) this.#wake();
    }
  }

  /** After an error a pod is tried again; without any node that goes on for ever, so nobody waits for its end. */
  #waitForRetry(): void {
    const due = this.#queue.nextRetry();
    if (due === undefined || (this.#retry?.pending === true && this.#retry.at <= due)) return;
    this.#retry?.cancel();
    this.#retry = this.#host.at(due, 'schedule again', () => this.#wake(), { background: this.#cache.list().length === 0 });
  }

  /** Whatever events there are or are not, every pod is tried again after five minutes; that is looked at every thirty seconds. */
  #waitForFlush(): void {
    if (this.#flush?.pending === true) return;
    const due = Math.ceil((this.#host.now() + LONGEST_STAY) / FLUSH_PERIOD) * FLUSH_PERIOD;
    this.#flush = this.#host.at(due, 'flush unschedulable pods', () => this.#flushQueue(), { background: true });
  }

  #flushQueue(): void {
    const { moved, next } = this.#queue.flush();
    if (moved) this.#wake();
    if (next !== undefined)
      this.#flush = this.#host.at(Math.ceil(next / FLUSH_PERIOD) * FLUSH_PERIOD, 'flush unschedulable pods', () => this.#flushQueue(), {
        background: true,
      });
  }
}

/** Kinds some plugin waits for. Source: EventsToRegister of the plugins. */
const RELEVANT: readonly LookedUpKind[] = [
  'PersistentVolumeClaim',
  'PersistentVolume',
  'StorageClass',
  'CSINode',
  'CSIDriver',
  'CSIStorageCapacity',
  'ResourceClaim',
  'ResourceSlice',
  'DeviceClass',
];

/** A node as it was, to tell what an update changed; without its pods. */
function copyOf(node: NodeInfo): NodeInfo {
  const copy = new NodeInfo(node.name);
  copy.node = node.node;
  copy.labels = node.labels;
  copy.taints = node.taints;
  copy.unschedulable = node.unschedulable;
  copy.allocatable = node.allocatable;
  return copy;
}

/** Equal labels and taints become the same object, so that comparing them is cheap. */
function withSharedParts(before: NodeInfo, after: NodeInfo): NodeInfo {
  if (JSON.stringify(before.labels) === JSON.stringify(after.labels)) before.labels = after.labels;
  if (JSON.stringify(before.taints) === JSON.stringify(after.taints)) before.taints = after.taints;
  return before;
}
