import type { Instant } from '../../base/instant.ts';
import { dig } from '../../base/json.ts';
import { sameJson } from '../../base/json-edit.ts';
import { Heap } from './heap.ts';
import type { ClusterEvent } from './hints.ts';
import { mayHelp } from './hints.ts';
import type { PodInfo } from './pod-info.ts';
import type { PluginName, SchedulerView } from './view.ts';

type Place = 'active' | 'backoff' | 'error-backoff' | 'unschedulable' | 'gated' | 'scheduling';

export interface QueuedPod {
  pod: PodInfo;
  place: Place;
  /** When it last came into the queue. */
  since: Instant;
  /** How often no node was found, and how often in a row something went wrong: both make it wait longer. */
  unschedulable: number;
  errors: number;
  readyAt: Instant;
  rejectedBy: ReadonlySet<PluginName>;
  sequence: number;
}

/**
 * Pods that want a node: those to be tried now, those that wait a little because they failed, and those for which nothing has
 * changed since. Source: pkg/scheduler/backend/queue/{scheduling_queue,active_queue,backoff_queue}.go.
 */
export class SchedulingQueue {
  readonly #now: () => Instant;
  /** Whether a pod waits for its ResourceClaims: it is not tried before they are there (PreEnqueue). */
  readonly #waits: (pod: PodInfo) => boolean;
  readonly #held = new Set<QueuedPod>();
  readonly #pods = new Map<string, QueuedPod>();
  readonly #active = new Heap<Entry>(
    (a, b) => b.pod.pod.spec.priority - a.pod.pod.spec.priority || a.since - b.since || a.sequence - b.sequence,
  );
  readonly #backoff = new Heap<Entry>(byReadiness);
  readonly #errorBackoff = new Heap<Entry>(byReadiness);
  readonly #waiting = new Map<PluginName, Set<QueuedPod>>();
  #sequence = 0;

  constructor(now: () => Instant, waits: (pod: PodInfo) => boolean) {
    this.#now = now;
    this.#waits = waits;
  }

  /** A pod that is new, or what is now known of one that waits. Gives whether there is something to do. */
  add(pod: PodInfo): boolean {
    const known = this.#pods.get(pod.key);
    if (known !== undefined && known.pod.uid === pod.uid) return this.#update(known, pod);
    this.remove(pod.key);
    const queued: QueuedPod = {
      pod,
      place: 'gated',
      since: this.#now(),
      unschedulable: 0,
      errors: 0,
      readyAt: 0,
      rejectedBy: new Set(),
      sequence: 0,
    };
    this.#pods.set(pod.key, queued);
    if (pod.spec.gated) return false;
    return this.#activate(queued);
  }

  remove(key: string): void {
    const known = this.#pods.get(key);
    if (known === undefined) return;
    this.#leave(known);
    this.#pods.delete(key);
  }

  get(key: string): QueuedPod | undefined {
    return this.#pods.get(key);
  }

  /** The next pod to be tried. One that waits after finding no node is taken early when there is nothing else to do. */
  pop(): QueuedPod | undefined {
    const now = this.#now();
    for (const heap of [this.#backoff, this.#errorBackoff]) {
      for (let entry = this.#first(heap); entry !== undefined && entry.pod.readyAt <= now; entry = this.#first(heap)) {
        heap.pop();
        this.#activate(entry.pod, entry.since);
      }
    }
    const entry = this.#first(this.#active) === undefined ? this.#take(this.#backoff) : this.#take(this.#active);
    if (entry === undefined) return undefined;
    entry.pod.place = 'scheduling';
    return entry.pod;
  }

  /** Whether a pod could be taken now. */
  get ready(): boolean {
    return (
      this.#first(this.#active) !== undefined ||
      this.#first(this.#backoff) !== undefined ||
      (this.nextRetry() ?? Number.POSITIVE_INFINITY) <= this.#now()
    );
  }

  /** When the next pod that failed by an error is due. */
  nextRetry(): Instant | undefined {
    return this.#first(this.#errorBackoff)?.pod.readyAt;
  }

  /** No node was found: waits until one of those who rejected it may think otherwise. */
  unschedulable(queued: QueuedPod, rejectedBy: ReadonlySet<PluginName>): void {
    if (this.#pods.get(queued.pod.key) !== queued) return;
    queued.unschedulable++;
    queued.errors = 0;
    queued.place = 'unschedulable';
    queued.since = this.#now();
    queued.rejectedBy = rejectedBy;
    for (const plugin of rejectedBy) {
      const pods = this.#waiting.get(plugin) ?? new Set();
      pods.add(queued);
      this.#waiting.set(plugin, pods);
    }
  }

  /** Something went wrong that is nobody's rejection: tried again after a while. */
  failed(queued: QueuedPod): void {
    if (this.#pods.get(queued.pod.key) !== queued) return;
    queued.errors++;
    queued.since = this.#now();
    queued.readyAt = alignedUp(this.#now() + waitAfter(queued.errors));
    queued.place = 'error-backoff';
    this.#push(this.#errorBackoff, queued);
  }

  /** Lets those pods be tried again that an event may help; gives whether there are any. */
  move(event: ClusterEvent, view: SchedulerView): boolean {
    const helped = new Set<QueuedPod>();
    for (const [plugin, pods] of this.#waiting) {
      for (const queued of pods) if (!helped.has(queued) && mayHelp(event, plugin, queued.pod, view)) helped.add(queued);
    }
    let moved = event.on === 'object' && event.kind === 'ResourceClaim' && this.#letGo();
    for (const queued of helped) if (this.#release(queued)) moved = true;
    return moved;
  }

  /** Lets a pod be tried again, whatever kept it. */
  release(key: string): boolean {
    const queued = this.#pods.get(key);
    if (queued === undefined || queued.place !== 'unschedulable') return false;
    return this.#release(queued);
  }

  /** Lets pods be tried again that have waited for five minutes; gives when the next ones will have. */
  flush(): { readonly moved: boolean; readonly next: Instant | undefined } {
    const now = this.#now();
    let moved = false;
    let next: Instant | undefined;
    for (const queued of this.#pods.values()) {
      if (queued.place !== 'unschedulable') continue;
      if (queued.since + LONGEST_STAY <= now) {
        if (this.#release(queued)) moved = true;
      } else next = Math.min(next ?? Number.POSITIVE_INFINITY, queued.since + LONGEST_STAY);
    }
    return { moved, next };
  }

  #update(known: QueuedPod, pod: PodInfo): boolean {
    const before = known.pod;
    known.pod = pod;
    if (known.place === 'gated') {
      if (pod.spec.gated) return false;
      known.since = this.#now();
      this.#held.delete(known);
      return this.#activate(known);
    }
    if (known.place !== 'unschedulable' || !changedItself(before, pod)) return false;
    return this.#release(known);
  }

  /** Pods whose claims have come are tried. */
  #letGo(): boolean {
    let any = false;
    for (const queued of this.#held) {
      if (this.#waits(queued.pod)) continue;
      this.#held.delete(queued);
      queued.since = this.#now();
      if (this.#activate(queued)) any = true;
    }
    return any;
  }

  /** Gives whether it will be tried. */
  #release(queued: QueuedPod): boolean {
    this.#leave(queued);
    const now = this.#now();
    const readyAt = alignedUp(queued.since + waitAfter(queued.unschedulable));
    queued.since = now;
    if (readyAt <= now) return this.#activate(queued);
    queued.readyAt = readyAt;
    queued.place = 'backoff';
    this.#push(this.#backoff, queued);
    return true;
  }

  #leave(queued: QueuedPod): void {
    for (const plugin of queued.rejectedBy) {
      const pods = this.#waiting.get(plugin);
      pods?.delete(queued);
      if (pods?.size === 0) this.#waiting.delete(plugin);
    }
    queued.rejectedBy = new Set();
    this.#held.delete(queued);
    // Its entry in a heap is known to be of no use any more by its number.
    queued.sequence = -1;
  }

  /** Gives whether it will be tried, and does not wait for claims. */
  #activate(queued: QueuedPod, since: Instant = queued.since): boolean {
    queued.since = since;
    if (this.#waits(queued.pod)) {
      queued.place = 'gated';
      this.#held.add(queued);
      return false;
    }
    queued.place = 'active';
    this.#push(this.#active, queued);
    return true;
  }

  #push(heap: Heap<Entry>, pod: QueuedPod): void {
    pod.sequence = ++this.#sequence;
    heap.push({ pod, since: pod.since, sequence: pod.sequence });
  }

  #take(heap: Heap<Entry>): Entry | undefined {
    const first = this.#first(heap);
    if (first !== undefined) heap.pop();
    return first;
  }

  #first(heap: Heap<Entry>): Entry | undefined {
    for (;;) {
      const entry = heap.peek();
      if (entry === undefined || entry.sequence === entry.pod.sequence) return entry;
      heap.pop();
    }
  }
}

export const LONGEST_STAY = 300_000;
export const FLUSH_PERIOD = 30_000;

interface Entry {
  readonly pod: QueuedPod;
  readonly since: Instant;
  readonly sequence: number;
}

function byReadiness(a: Entry, b: Entry): number {
  return a.pod.readyAt - b.pod.readyAt || b.pod.pod.spec.priority - a.pod.pod.spec.priority || a.sequence - b.sequence;
}

/** A second, doubled each time up to ten. */
function waitAfter(attempts: number): number {
  return attempts === 0 ? 0 : Math.min(10_000, 1000 * 2 ** Math.min(attempts - 1, 10));
}

/** Waits end on whole seconds. */
function alignedUp(instant: Instant): Instant {
  return Math.ceil(instant / 1000) * 1000;
}

/** What of a pod itself makes a new attempt worth while: labels, tolerations, gates, requests, and claims that were made for it. */
function changedItself(before: PodInfo, after: PodInfo): boolean {
  if (before.pod.metadata['labels'] !== after.pod.metadata['labels'] && JSON.stringify(before.labels) !== JSON.stringify(after.labels))
    return true;
  if (
    after.spec.claimsDevices &&
    !sameJson(dig(before.pod, 'status', 'resourceClaimStatuses'), dig(after.pod, 'status', 'resourceClaimStatuses'))
  )
    return true;
  return before.spec !== after.spec && JSON.stringify(before.pod['spec']) !== JSON.stringify(after.pod['spec']);
}
