import type { Instant } from '../../../base/instant.ts';
import type { JsonObject } from '../../../base/json.ts';
import { asNumber, isJsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Task } from '../../time/agenda.ts';
import type { ComponentHost } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { containersOf, isSidecar, nameOf } from '../pods/pod-fields.ts';
import type { ProbeOutcome } from './probe-run.ts';
import { runProbe } from './probe-run.ts';
import type { Container } from '../runtime/runtime-container.ts';
import type { NodeRuntime } from '../runtime/runtime.ts';
import { PROBE_ERRORED, PROBE_FAILED } from '../kubelet-messages.ts';

export type ProbeKind = 'startup' | 'readiness' | 'liveness';

interface Worker {
  readonly kind: ProbeKind;
  readonly pod: KubeObject;
  readonly spec: JsonObject;
  readonly probe: JsonObject;
  readonly field: 'initContainers' | 'containers';
  /** The ticks of the worker are so far from this moment. */
  base: Instant;
  container: Container | undefined;
  result: boolean | undefined;
  last: ProbeOutcome['kind'] | undefined;
  run: number;
  running: boolean;
  triggered: boolean;
  held: boolean;
  task: Task | undefined;
  unsubscribe: (() => void) | undefined;
}

/**
 * Probes of running containers. A probe that comes out the same again and again is not run again until something in its pod
 * changes; one that fails keeps on being reported, in the background. Source: pkg/kubelet/prober/{worker,prober_manager}.go.
 */
export class Prober {
  readonly #host: ComponentHost;
  readonly #runtime: NodeRuntime;
  readonly #changed: (podUid: string, kind: ProbeKind) => void;
  readonly #workers = new Map<string, Map<string, Worker>>();

  constructor(host: ComponentHost, runtime: NodeRuntime, changed: (podUid: string, kind: ProbeKind) => void) {
    this.#host = host;
    this.#runtime = runtime;
    this.#changed = changed;
  }

  /** Makes workers for the probes of a pod that is about to be started. */
  add(pod: KubeObject): void {
    const uid = pod.metadata.uid ?? '';
    if (this.#workers.has(uid)) return;
    const workers = new Map<string, Worker>();
    for (const field of ['initContainers', 'containers'] as const) {
      for (const spec of containersOf(pod, field)) {
        if (field === 'initContainers' && !isSidecar(spec)) continue;
        for (const kind of ['startup', 'readiness', 'liveness'] as const) {
          const probe = spec[`${kind}Probe`];
          if (!isJsonObject(probe)) continue;
          workers.set(`${nameOf(spec)}/${kind}`, {
            kind,
            pod,
            spec,
            probe,
            field,
            base: this.#host.now(),
            container: undefined,
            result: undefined,
            last: undefined,
            run: 0,
            running: false,
            triggered: false,
            held: false,
            task: undefined,
            unsubscribe: undefined,
          });
        }
      }
    }
    this.#workers.set(uid, workers);
  }

  /** Whether a container counts as started, ready or alive by its probe. What was not probed yet is not started, not ready, and alive. */
  verdict(container: Container, kind: ProbeKind): boolean {
    const worker = this.#workers.get(container.podUid)?.get(`${container.name}/${kind}`);
    if (worker === undefined) return true;
    if (worker.container?.id !== container.id || worker.result === undefined) return kind === 'liveness';
    return worker.result;
  }

  /** Whether its probe has given a container up. */
  hasFailed(container: Container, kind: 'startup' | 'liveness'): boolean {
    const worker = this.#workers.get(container.podUid)?.get(`${container.name}/${kind}`);
    return worker?.container?.id === container.id && worker.result === false;
  }

  /** A status is being made: probes of containers that run begin, and those that are not ready are asked at once; from then on ticks count. */
  observe(podUid: string, containers: readonly Container[]): void {
    for (const worker of this.#workers.get(podUid)?.values() ?? []) {
      const latest = containers.findLast((container) => container.name === nameOf(worker.spec));
      if (latest?.state !== 'running') {
        this.#rest(worker);
        worker.container = undefined;
        continue;
      }
      if (worker.container?.id !== latest.id) this.#begin(worker, latest);
      if (worker.kind !== 'readiness' || worker.result === true || !this.verdict(latest, 'startup') || this.#delayLeft(worker) > 0)
        continue;
      worker.base = this.#host.now() + TRIGGER_MILLISECONDS;
      this.#schedule(worker, worker.base, false);
    }
  }

  /** At the beginning of a pod's end only readiness goes on. */
  stopKilling(podUid: string): void {
    for (const worker of this.#workers.get(podUid)?.values() ?? []) {
      if (worker.kind === 'readiness') continue;
      worker.held = true;
      this.#rest(worker);
    }
  }

  remove(podUid: string): void {
    for (const worker of this.#workers.get(podUid)?.values() ?? []) {
      worker.held = true;
      this.#rest(worker);
    }
    this.#workers.delete(podUid);
  }

  #begin(worker: Worker, container: Container): void {
    this.#rest(worker);
    worker.container = container;
    worker.held = false;
    worker.run = 0;
    worker.last = undefined;
    worker.result = worker.kind === 'liveness' ? true : worker.kind === 'readiness' ? false : undefined;
    const netns = this.#runtime.sandboxOf(container.podUid)?.netns;
    worker.unsubscribe = netns?.onChange(() => this.#atNextTick(worker, true));
    this.#atNextTick(worker, false);
  }

  #rest(worker: Worker): void {
    worker.task?.cancel();
    worker.task = undefined;
    worker.unsubscribe?.();
    worker.unsubscribe = undefined;
  }

  #atNextTick(worker: Worker, sooner: boolean, background = false): void {
    const period = (asNumber(worker.probe['periodSeconds']) ?? 10) * 1000;
    const earliest = this.#host.now() + Math.max(1, this.#delayLeft(worker));
    const tick = worker.base + Math.ceil((earliest - worker.base) / period) * period;
    if (sooner && worker.task?.pending === true && worker.task.at <= tick && !worker.task.background) return;
    this.#schedule(worker, tick, background);
  }

  #schedule(worker: Worker, at: Instant, background: boolean): void {
    if (worker.held) return;
    worker.task?.cancel();
    worker.task = this.#host.at(at, `${worker.kind} probe of ${worker.pod.metadata.name}`, () => this.#host.spawn(this.#probe(worker)), {
      background,
    });
  }

  #delayLeft(worker: Worker): number {
    const delay = (asNumber(worker.probe['initialDelaySeconds']) ?? 0) * 1000;
    return (worker.container?.startedAt ?? 0) + delay - this.#host.now();
  }

  *#probe(worker: Worker): Routine {
    const { container } = worker;
    // Whether it runs is what the pod's status says: one that has just ended is still asked.
    if (container === undefined || worker.held || worker.running) return;
    if (worker.kind !== 'startup' && !this.verdict(container, 'startup')) {
      this.#atNextTick(worker, false, true);
      return;
    }
    worker.running = true;
    const outcome = yield* runProbe(worker.probe, { host: this.#host, runtime: this.#runtime, container });
    worker.running = false;
    if (worker.held || worker.container?.id !== container.id) return;
    this.#report(worker, outcome);
    const before = worker.last;
    worker.run = before === outcome.kind ? worker.run + 1 : 1;
    worker.last = outcome.kind;
    const settled = this.#judge(worker, outcome);
    this.#continue(worker, outcome, settled && before === outcome.kind);
  }

  /** Counts the run; true when it can change nothing any more. */
  #judge(worker: Worker, outcome: ProbeOutcome): boolean {
    if (outcome.kind === 'unknown') return true;
    const success = outcome.kind === 'success';
    const threshold = asNumber(worker.probe[success ? 'successThreshold' : 'failureThreshold']) ?? (success ? 1 : 3);
    if (worker.run < threshold) return false;
    const changed = worker.result !== success;
    worker.result = success;
    if (worker.kind !== 'readiness' && !success) {
      worker.held = true;
      this.#rest(worker);
    }
    if (worker.kind === 'startup' && success) {
      worker.held = true;
      this.#rest(worker);
    }
    if (changed) this.#changed(worker.pod.metadata.uid ?? '', worker.kind);
    return true;
  }

  #continue(worker: Worker, outcome: ProbeOutcome, repeated: boolean): void {
    if (worker.held) return;
    const settled = worker.run >= (asNumber(worker.probe[outcome.kind === 'success' ? 'successThreshold' : 'failureThreshold']) ?? 3);
    if (outcome.kind === 'success' && outcome.steady && settled) return;
    this.#atNextTick(worker, false, repeated && settled);
  }

  #report(worker: Worker, outcome: ProbeOutcome): void {
    if (outcome.kind === 'success') return;
    const name = `${worker.kind.charAt(0).toUpperCase()}${worker.kind.slice(1)}`;
    const message = outcome.kind === 'failure' ? PROBE_FAILED(name, outcome.output) : PROBE_ERRORED(name, outcome.output);
    this.#host.events.event(worker.pod, {
      type: 'Warning',
      reason: 'Unhealthy',
      message,
      fieldPath: `spec.${worker.field}{${nameOf(worker.spec)}}`,
    });
  }
}

/** From the status of a container that runs until its readiness probe has asked it. */
const TRIGGER_MILLISECONDS = 5;
