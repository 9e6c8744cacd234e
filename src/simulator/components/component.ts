/**
 * HOW TO WRITE A COMPONENT
 *
 * A component (a controller, the scheduler, a kubelet) is a `ComponentDefinition`: a name, the process it lives in, and `start`.
 * `start` is called when its process starts (or leads) and again after every restart, so all its state lives inside that call:
 * nothing survives a stop but what is in the API and in the world (`host.world`: machines with their containers, registries).
 * Add the definition to the table in components.ts; that is all. A typical one, whole:
 *
 *     export const PAINTER: ComponentDefinition = { name: 'painter-controller', process: 'kube-controller-manager', start };
 *
 *     function start(host: ComponentHost): void {
 *       const pods = host.informer({ kind: 'Pod' });
 *       const queue = host.queue({ name: 'painter', workers: 5 }, (key) => sync(host, pods, key));
 *       pods.onChange(({ object }) => queue.add(keyOfObject(object)));
 *     }
 *
 *     function* sync(host: ComponentHost, pods: Informer, key: string): Routine<SyncResult> {
 *       const pod = pods.get(...splitKey(key));
 *       if (pod === undefined || labelsOf(pod)['paint'] !== undefined) return;
 *       const answer = yield* host.client.patch(refOf(pod), 'merge', { metadata: { labels: { paint: 'red' } } });
 *       if (!answer.ok) return { retry: answer.message };
 *       host.events.event(pod, { type: 'Normal', reason: 'Painted', message: 'Painted red' });
 *     }
 *
 * Rules:
 * - Time is `host.now()`, chance is `host.prng`, delays are `host.after` or `yield* sleep(host, ms)`. There is no other clock.
 * - Never poll. Look again when an informer tells of a change, or at the very time something is due (`queue.addAfter`, `host.at`).
 *   Tasks that wait for something far off that may never matter (a certificate's end, a resync) are `{ background: true }`.
 * - Objects from informers and answers are shared by the whole cluster: never change one, make another (`base/json-edit.ts`).
 *   `createCluster({ freeze: true })` makes a mistake here throw.
 * - The cache is a little old, as in the real thing. A 409 means: return `{ retry }` and look again at what the informer has then.
 * - Iterate over arrays, Maps and Sets, whose order is that of insertion, and sort wherever the real component sorts.
 * - Anything wrong in the cluster is a value (`Answer`, `SyncResult`); a throw is a bug in podcheck and ends the simulation.
 * - Leases and heartbeats are not written again and again: `host.heartbeats` knows them (heartbeats.ts).
 * - Every controller acts under its own service account (`system:serviceaccount:kube-system:painter-controller`), so its rights
 *   must be in apiserver/bootstrap/rbac-policy.ts, as upstream has them.
 * - Words of events and conditions: one table for each component, each with the source path it follows (see facts).
 */
import type { Instant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Prng } from '../../base/prng.ts';
import type { Task, TaskOptions } from '../time/agenda.ts';
import type { Client } from './client.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { Informer, InformerOptions } from './informer.ts';
import type { EventRecorder, SeriesRecorder } from './recorder.ts';
import type { Routine } from '../time/routine.ts';
import type { TraceKind } from '../trace/trace.ts';
import type { SyncResult, WorkQueue, WorkQueueOptions } from './work-queue.ts';
import type { World } from '../outside/outside-world.ts';
import { wait } from '../time/routine.ts';

export interface ComponentDefinition {
  /** `deployment-controller`: its service account, the component of its events, its stream of chance. */
  readonly name: string;
  /** The process it lives and dies with. A process of every node (`kubelet`, `kube-proxy`) has one instance for each. */
  readonly process: ProcessName;
  /** Component of its events when that is not its name: `default-scheduler`, `kubelet`. */
  readonly eventSource?: string;
  /** Requests a second and at once, when they are not its process's (kube-controller-manager 20/30, scheduler 50/100, kubelet 50/100). */
  readonly qps?: number;
  readonly burst?: number;
  readonly start: (host: ComponentHost) => void;
}

export type ProcessName =
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubelet'
  | 'kube-proxy'
  | 'csi-provisioner'
  | 'csi-attacher'
  | 'metrics-server';

/** What a component has of the simulation while it runs. */
export interface ComponentHost {
  readonly name: string;
  /** The node, for a process of every node; empty otherwise. */
  readonly node: string;
  readonly prng: Prng;
  readonly client: Client;
  /** Events of core/v1, as controllers and kubelets write them. */
  readonly events: EventRecorder;
  /** Events of events.k8s.io, as the scheduler and kube-proxy write them. */
  readonly series: SeriesRecorder;
  readonly heartbeats: Heartbeats;
  /** What is outside the API: machines and their containers, images, networks, webhook servers. */
  readonly world: World;
  now(): Instant;
  /** One informer for each kind and selector is shared by all components of a process. */
  informer(options: InformerOptions): Informer;
  /** Ends an informer that nobody needs any more. */
  release(options: InformerOptions): void;
  queue(options: WorkQueueOptions, sync: (key: string) => Routine<SyncResult>): WorkQueue;
  /** Runs something later; it is dropped when the process stops. */
  after(milliseconds: number, label: string, run: () => void, options?: Pick<TaskOptions, 'background'>): Task;
  at(instant: Instant, label: string, run: () => void, options?: Pick<TaskOptions, 'background'>): Task;
  /** Starts a routine of its own. */
  spawn(routine: Routine<unknown>): void;
  /** Runs when the process stops, however it does: to take back what others were given (an endpoint, a heartbeat). */
  onStop(run: () => void): void;
  /** Whether a request of this component would be heard now: its credential holds and the API server can be reached. */
  connected(): boolean;
  /**
   * Runs once that is so (again), unless the process has stopped by then; now if it is so. For those who would otherwise try again and
   * again.
   */
  whenConnected(run: () => void): void;
  record(is: TraceKind, fields: JsonObject): void;
}

/** Lets virtual time pass. */
export function sleep(host: Pick<ComponentHost, 'after'>, milliseconds: number, label = 'sleep'): Routine {
  return wait<void>((resume) => void host.after(milliseconds, label, () => resume()));
}

/** Waits until the component would be heard; at once if it would. */
export function connected(host: Pick<ComponentHost, 'whenConnected'>): Routine {
  return wait<void>((resume) => host.whenConnected(() => resume()));
}
