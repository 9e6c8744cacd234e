import { bigintOf, numberOf } from '../../../base/number.ts';
import { amountOf } from '../pods/pod-fields.ts';
import { formatQuantity } from '../../../base/quantity.ts';
import type { Json } from '../../../base/json.ts';
import { asNumber, asText, dig } from '../../../base/json.ts';
import { smallest } from '../../../base/lists.ts';
import type { Task } from '../../time/agenda.ts';
import type { ComponentHost } from '../../components/component.ts';
import { isCritical, requestsOf } from './pod-admission.ts';
import { localStorageTrouble } from './local-storage.ts';
import type { NodeStatus } from './node-status.ts';
import type { PodWorker } from '../pods/pod-worker.ts';
import type { NodeRuntime } from '../runtime/runtime.ts';
import type { Ticks } from '../sync-times.ts';
import { LARGER_USE, LOW_ON, RECLAIMING } from '../kubelet-messages.ts';
import { timeOf } from '../../time/api-times.ts';

interface Shortage {
  readonly pressure: 'MemoryPressure' | 'DiskPressure';
  readonly resource: 'memory' | 'ephemeral-storage';
  readonly threshold: string;
  readonly available: string;
}

/**
 * Ends pods when the machine runs short of memory or disk: one every ten seconds, first those that use more than they asked for.
 * Looks only when something changed, and while there is too little. Source: pkg/kubelet/eviction/{eviction_manager,helpers}.go.
 */
export class Evictor {
  readonly #host: ComponentHost;
  readonly #runtime: NodeRuntime;
  readonly #ticks: Ticks;
  readonly #node: NodeStatus;
  readonly #pods: () => readonly PodWorker[];
  readonly #lastSeen = new Map<string, number>();
  #task: Task | undefined;

  constructor(host: ComponentHost, runtime: NodeRuntime, ticks: Ticks, node: NodeStatus, pods: () => readonly PodWorker[]) {
    this.#host = host;
    this.#runtime = runtime;
    this.#ticks = ticks;
    this.#node = node;
    this.#pods = pods;
  }

  /** The first look, before any pod is known: what is short already counts when the pods of the machine are taken again. */
  begin(): void {
    for (const { pressure } of this.#shortages()) {
      this.#lastSeen.set(pressure, this.#host.now());
      this.#node.setPressure(pressure, true);
    }
  }

  /** Something changed that may make it necessary. */
  look(): void {
    if (this.#task?.pending === true || (this.#shortages().length === 0 && this.#lastSeen.size === 0 && this.#overLimit().length === 0))
      return;
    this.#task = this.#host.at(this.#ticks.evictionAfter(this.#host.now()), 'eviction', () => this.#run());
  }

  #run(): void {
    const over = this.#overLimit();
    for (const { worker, message } of over) this.#evictOver(worker, message);
    const shortages = over.length > 0 ? [] : this.#shortages();
    const now = this.#host.now();
    for (const { pressure, resource } of shortages) {
      this.#lastSeen.set(pressure, now);
      this.#node.setPressure(pressure, true);
      this.#host.events.event(
        { apiVersion: 'v1', kind: 'Node', name: this.#host.node },
        { type: 'Warning', reason: 'EvictionThresholdMet', message: RECLAIMING(resource) },
      );
    }
    const [first] = shortages;
    if (first !== undefined) this.#evict(first);
    for (const [pressure, seen] of this.#lastSeen) {
      if (shortages.some((shortage) => shortage.pressure === pressure) || now - seen < TRANSITION_MILLISECONDS) continue;
      this.#lastSeen.delete(pressure);
      this.#node.setPressure(pressure as Shortage['pressure'], false);
    }
    this.#again(shortages.length > 0);
  }

  /** Looks on while there is too little, in the background when there is nobody left to end; else when the pressure may be taken back. */
  #again(short: boolean): void {
    if (!short && this.#lastSeen.size === 0) return;
    const now = this.#host.now();
    const after = short ? now : smallest(this.#lastSeen.values()) + TRANSITION_MILLISECONDS - 1;
    const background = short && this.#candidates('memory').length === 0;
    this.#task = this.#host.at(this.#ticks.evictionAfter(Math.max(now, after)), 'eviction', () => this.#run(), { background });
  }

  /** Pods that have written more than they may. */
  #overLimit(): readonly { readonly worker: PodWorker; readonly message: string }[] {
    if (this.#runtime.writers() === 0) return [];
    return this.#pods().flatMap((worker) => {
      const message = worker.syncing && !isCritical(worker.pod) ? localStorageTrouble(worker.pod, worker.uid, this.#runtime) : undefined;
      return message === undefined ? [] : [{ worker, message }];
    });
  }

  #evictOver(worker: PodWorker, message: string): void {
    this.#host.events.event(worker.pod, { type: 'Warning', reason: 'Evicted', message });
    worker.end({ graceSeconds: 1, failure: { reason: 'Evicted', message } });
  }

  #evict(shortage: Shortage): void {
    const [victim] = this.#candidates(shortage.resource);
    if (victim === undefined) return;
    const message = LOW_ON(shortage.resource, shortage.threshold, shortage.available) + this.#users(victim, shortage.resource);
    this.#host.events.event(victim.pod, { type: 'Warning', reason: 'Evicted', message });
    const disruption = {
      type: 'DisruptionTarget',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: timeOf(this.#host.now()),
      reason: 'TerminationByKubelet',
      message,
    };
    victim.end({ graceSeconds: 1, failure: { reason: 'Evicted', message }, disruption });
  }

  /** Whom to end first: over its request, lowest priority, most over its request. */
  #candidates(resource: Shortage['resource']): readonly PodWorker[] {
    const ranked = this.#pods()
      .filter((worker) => worker.syncing && !isCritical(worker.pod))
      .map((worker) => {
        const excess = this.#usage(worker, resource) - numberOf(requestsOf(worker.pod).get(resource) ?? 0n) / 1e9;
        return { worker, excess, priority: asNumber(dig(worker.pod, 'spec', 'priority')) ?? 0 };
      });
    return ranked
      .sort((a, b) => (b.excess > 0 ? 1 : 0) - (a.excess > 0 ? 1 : 0) || a.priority - b.priority || b.excess - a.excess)
      .map(({ worker }) => worker);
  }

  #usage(worker: PodWorker, resource: Shortage['resource']): number {
    const containers = this.#runtime.containersOf(worker.uid);
    return containers.reduce((sum, container) => sum + usedBy(container.process, resource), 0);
  }

  #users(worker: PodWorker, resource: Shortage['resource']): string {
    return this.#runtime
      .containersOf(worker.uid)
      .filter((container) => container.state === 'running')
      .map((container) => {
        const used = usedBy(container.process, resource);
        const asked: Json | undefined = dig(container.settings.spec, 'resources', 'requests', resource);
        return used > (amountOf(asked) ?? 0) ? LARGER_USE(container.name, bytes(used), asText(asked) ?? '0', resource) : '';
      })
      .join('');
  }

  #shortages(): readonly Shortage[] {
    const { machines } = this.#host.world;
    const spec = machines.get(this.#host.node)?.spec;
    const capacity = amountOf(spec?.memory) ?? 0;
    const available = capacity - this.#runtime.usage.memoryBytes - this.#runtime.memoryInUse();
    const shortages: Shortage[] = [];
    if (available < MEMORY_THRESHOLD)
      shortages.push({ pressure: 'MemoryPressure', resource: 'memory', threshold: '100Mi', available: bytes(Math.max(0, available)) });
    const disk = amountOf(spec?.ephemeralStorage) ?? 0;
    const free = disk * (1 - this.#runtime.usage.diskFraction);
    if (free < disk * DISK_THRESHOLD)
      shortages.push({
        pressure: 'DiskPressure',
        resource: 'ephemeral-storage',
        threshold: String(Math.floor(disk * DISK_THRESHOLD)),
        available: bytes(Math.max(0, free)),
      });
    return shortages;
  }
}

/** Of the disk: what is known that it wrote, beside what every container takes. */
function usedBy(process: { readonly memory: number; readonly disk: number } | undefined, resource: Shortage['resource']): number {
  return resource === 'memory' ? (process?.memory ?? 0) : DISK_OF_A_CONTAINER + (process?.disk ?? 0);
}

const MEMORY_THRESHOLD = 100 * 1024 * 1024;
const DISK_THRESHOLD = 0.1;
/** What a container's logs and written files take up when nothing else is known. */
const DISK_OF_A_CONTAINER = 24 * 1024;
const TRANSITION_MILLISECONDS = 300_000;

function bytes(amount: number): string {
  return formatQuantity((bigintOf(Math.floor(amount)) / 1024n) * 1024n * 1_000_000_000n, 'bytes');
}
