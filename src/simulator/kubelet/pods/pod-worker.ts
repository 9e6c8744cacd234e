import type { Instant } from '../../../base/instant.ts';
import { asNumber, dig } from '../../../base/json.ts';
import { showsChange } from '../volumes/pod-metadata-volume.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Task } from '../../time/agenda.ts';
import { sleep } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import type { CrashWait } from '../containers/crash-wait.ts';
import { crashWaitAfter, lookAgain } from '../containers/crash-wait.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import type { Ending } from './ending.ts';
import { graceSecondsOf } from './ending.ts';
import { killPod } from './pod-kill.ts';
import { hasGates, isHostNetwork, startTimeOf } from './pod-fields.ts';
import type { PodStatus } from '../status/pod-status.ts';
import { podStatusOf } from '../status/pod-status.ts';
import { syncContainers } from './pod-sync.ts';
import { timeOf } from '../../time/api-times.ts';
import { TIMING } from '../../time/timing.ts';
import { devicesPutAway } from '../devices/prepare-devices.ts';
import type { RepeatedCrashes } from './repeated-crashes.ts';
import type { Reasons, SyncEnd } from './sync-end.ts';
import { because, findsChanges, hasFailed, NO_REASONS, retryAt } from './sync-end.ts';
import { PodResize } from './pod-resize.ts';
import { checkPullSecrets } from './pull-secrets.ts';
import { DEADLINE_EXCEEDED, NETWORK_NOT_READY_EVENT } from '../kubelet-messages.ts';

/**
 * One pod on its way: synced until it is over, then terminating, then terminated. One sync at a time, and the next only after the
 * runtime has been looked at again. Source: pkg/kubelet/pod_workers.go, kubelet.go (SyncPod, SyncTerminatingPod, SyncTerminatedPod).
 */
export class PodWorker {
  pod: KubeObject;
  readonly uid: string;
  reasons: Reasons = NO_REASONS;
  readonly #parts: KubeletParts;
  readonly #startTime: Instant;
  readonly #startText: string;
  #stage: 'syncing' | 'terminating' | 'terminated' | 'finished' = 'syncing';
  #busy = false;
  #again: Instant | undefined;
  #task: Task | undefined;
  /**
   * The work queue has one moment for each pod: the end of a sync puts its own in the place of the one before. Source:
   * pkg/kubelet/util/queue/work_queue.go.
   */
  #retry: Task | undefined;
  #notBefore: Instant = 0;
  #ending: Ending | undefined;
  #wait: CrashWait | undefined;
  readonly #crashes: RepeatedCrashes;
  #parked = false;
  #seen: Instant = 0;
  #networkReady = false;
  #podIp: string | undefined;
  readonly #deadline: Task | undefined;
  /** Set when the pod is gone from the API and its containers have ended. */
  readonly #finished: (worker: PodWorker) => void;
  #removed = false;
  readonly #resize: PodResize;

  constructor(pod: KubeObject, parts: KubeletParts, crashes: RepeatedCrashes, finished: (worker: PodWorker) => void) {
    this.pod = pod;
    this.uid = pod.metadata.uid ?? '';
    this.#parts = parts;
    this.#finished = finished;
    this.#crashes = crashes;
    this.#resize = new PodResize(parts, () => this.retryResize());
    this.#startTime = startTimeOf(pod) ?? parts.host.now();
    this.#startText = timeOf(this.#startTime);
    const seconds = asNumber(dig(pod, 'spec', 'activeDeadlineSeconds'));
    if (seconds === undefined) return;
    const due = parts.ticks.syncFrom(this.#startTime + seconds * 1000);
    this.#deadline = parts.host.at(due, 'active deadline', () => this.request(parts.host.now()));
  }

  /** Whether its containers count on the node: it has not ended. */
  get active(): boolean {
    return this.#stage === 'syncing' || this.#stage === 'terminating';
  }

  get syncing(): boolean {
    return this.#stage === 'syncing';
  }

  /** Another state of the pod came from the API. */
  update(pod: KubeObject): void {
    const before = this.pod;
    this.#show();
    this.pod = this.#resize.take(pod, before);
    const ends = pod.metadata['deletionTimestamp'] !== undefined;
    if (ends && this.#stage === 'syncing') this.end({ graceSeconds: undefined });
    else if (ends || before.metadata['generation'] !== pod.metadata['generation'] || hasGates(pod) || showsChange(before, pod))
      this.request(this.#parts.host.now());
  }

  /** There may be room on the node now for what it is to get. */
  retryResize(): void {
    if (!this.#resize.waits || !this.syncing) return;
    this.pod = this.#resize.again(this.pod);
    this.request(this.#parts.host.now());
  }

  resizeFailed(message: string): void {
    this.#resize.failed(this.pod, message);
  }

  /** Ends it: its containers are stopped with their grace. */
  end(ending: Ending): void {
    if (this.#stage !== 'syncing') return;
    this.#show();
    this.#ending = ending;
    this.#stage = 'terminating';
    this.#parts.volumes.wake(this.uid);
    this.request(this.#parts.host.now());
  }

  /** Its containers were stopped without it: it tells how they ended, once the runtime has been looked at again. */
  conclude(ending: Ending, podIp: string | undefined): void {
    const { host, ticks } = this.#parts;
    this.#ending = ending;
    this.#stage = 'terminating';
    this.#podIp = podIp;
    this.#write(this.#status(), true);
    this.#notBefore = ticks.relistAfter(host.now());
    this.request(host.now());
  }

  /** It is gone from the API. */
  remove(): void {
    this.#removed = true;
    if (this.#stage === 'syncing') this.end({ graceSeconds: 2 });
    else if (this.#stage === 'terminated' || this.#stage === 'finished') this.#finish();
  }

  /** Its kubelet stops: nobody goes on with it. */
  abandon(): void {
    this.#crashes.forget();
  }

  /** Asks for a sync at that time, or when the runtime has been looked at after the last one. */
  request(at: Instant): void {
    if (this.#stage === 'finished') return;
    this.#show();
    if (this.#busy) {
      this.#again = Math.min(this.#again ?? Number.POSITIVE_INFINITY, at);
      return;
    }
    if (this.#parts.runtime.faults.down === true && this.#notBefore > 0) {
      this.#parked = true;
      return;
    }
    const due = Math.max(at, this.#notBefore, this.#parts.host.now());
    if (this.#task?.pending === true && this.#task.at <= due) return;
    this.#task?.cancel();
    this.#task = this.#parts.host.at(due, `sync ${this.pod.metadata.namespace}/${this.pod.metadata.name}`, () => {
      this.#task = undefined;
      this.#parts.host.spawn(this.#run());
    });
  }

  /** Whether a sync has begun since that moment: it has seen what there was. */
  hasSeen(instant: Instant): boolean {
    return this.#seen >= instant;
  }

  /** The runtime answers again. */
  unpark(at: Instant): void {
    if (!this.#parked) return;
    this.#parked = false;
    this.request(at);
  }

  /** A probe's verdict changed: readiness shows at once, the others are acted upon. */
  probed(kind: 'startup' | 'readiness' | 'liveness'): void {
    if (kind === 'readiness' && this.#stage !== 'finished') this.#write(this.#status(), this.#stage === 'terminating');
    else this.request(this.#parts.host.now());
  }

  *#run(): Routine {
    this.#busy = true;
    this.#seen = this.#parts.host.now();
    this.#again = undefined;
    const stage = this.#stage;
    if (stage === 'syncing') yield* this.#sync();
    else if (stage === 'terminating') yield* this.#terminate();
    else if (stage === 'terminated') yield* this.#clean();
    this.#busy = false;
    const again = this.#again as Instant | undefined;
    if (again !== undefined) this.request(again);
  }

  *#sync(): Routine {
    const { host, ticks } = this.#parts;
    if (this.#crashes.hide(this.pod, () => this.#show())) {
      this.#retry?.cancel();
      return;
    }
    const waiting = this.#wait === undefined ? undefined : lookAgain(this.#wait, this.pod, this.#parts);
    if (waiting !== undefined) {
      this.#schedule({ failures: waiting, failed: false, started: false, made: false });
      return;
    }
    this.#wait = undefined;
    this.#resize.seen(this.pod);
    const status = this.#status();
    const over = status.phase === 'Succeeded' || status.phase === 'Failed';
    this.#write(status, over);
    if (over) {
      this.#stage = 'terminating';
      this.#ending = { graceSeconds: undefined, ...(this.#deadlinePassed() ? { failure: DEADLINE } : {}) };
      this.#notBefore = ticks.relistAfter(host.now());
      this.#again = host.now();
      return;
    }
    const told = this.reasons;
    const end = yield* this.#steps();
    this.#wait = crashWaitAfter(end, this, told, this.#parts);
    this.#crashes.after(end, this.pod);
    this.#schedule(end);
  }

  /** Goes on from what was worked out while nobody looked. */
  #show(): void {
    const shown = this.#crashes.show();
    if (shown === undefined) return;
    this.#wait = undefined;
    if (shown.waiting !== undefined) {
      because(this, shown.container, shown.waiting);
      this.#write(this.#status(), false);
    }
    this.request(shown.next);
  }

  *#steps(): Routine<SyncEnd> {
    const { host, volumes, runtime, prober } = this.#parts;
    const { pod } = this;
    if (runtime.faults.cniConfigMissing === true && !isHostNetwork(pod)) {
      host.events.event(pod, { type: 'Warning', reason: 'NetworkNotReady', message: NETWORK_NOT_READY_EVENT });
      return { failures: [], failed: true, transient: true, started: false, made: false };
    }
    const mounted = yield* volumes.waitFor(pod, () => this.#stage !== 'syncing');
    if (this.#stage !== 'syncing') return NOTHING;
    if (!mounted.ok) {
      if (mounted.event !== undefined) host.events.event(pod, { type: 'Warning', reason: 'FailedMount', message: mounted.event });
      return { failures: [], failed: true, started: false, made: false };
    }
    yield* checkPullSecrets(pod, this.#parts);
    prober.add(pod);
    return yield* syncContainers(this, this.#parts, () => {
      this.#networkReady = true;
      this.#write(this.#status(false), false);
    });
  }

  /** When to look again: soon after something was started, when a wait is over, or because of what the next relist will find. */
  #schedule(end: SyncEnd): void {
    const { host, ticks } = this.#parts;
    const { chance } = this.#crashes;
    const now = host.now();
    const relist = ticks.relistAfter(now);
    const failed = hasFailed(end);
    this.#retry?.cancel();
    this.#notBefore = end.started && !failed ? now + RELIST_MILLISECONDS : relist;
    if (findsChanges(end)) this.#again = Math.min(this.#again ?? Number.POSITIVE_INFINITY, this.#notBefore);
    if (end.waits === true) this.#retry = this.#syncAt(ticks.syncFrom(now + RESYNC_MILLISECONDS * chance.between(1, 1.5)));
    if (!failed) return;
    // A sandbox and a container that were new at one relist are two causes to sync, and each waits for a relist of its own.
    if (end.started && end.made) this.#syncAt(ticks.relistAfter(relist));
    const at = retryAt(end, now, chance, this.#parts);
    if (this.#again === undefined) this.#again = at;
    else this.#retry = this.#syncAt(at);
  }

  #syncAt(at: Instant): Task {
    const { host } = this.#parts;
    return host.at(at, `sync ${this.pod.metadata.name}`, () => this.request(host.now()));
  }

  *#terminate(): Routine {
    const { host, ticks, prober, runtime } = this.#parts;
    this.#deadline?.cancel();
    this.#write(this.#status(), true);
    prober.stopKilling(this.uid);
    yield* killPod(this.pod, graceSecondsOf(this.pod, this.#ending), this.#parts);
    if (!devicesPutAway(host, this.pod)) {
      this.#again = ticks.syncFrom(host.now() + 10_000 * this.#crashes.chance.between(1, 1.5));
      return;
    }
    if (runtime.sandboxOf(this.uid) !== undefined)
      yield* sleep(host, TIMING.stopSandboxMilliseconds * this.#crashes.chance.between(0.9, 1.15), 'stop sandbox');
    prober.remove(this.uid);
    runtime.stopSandbox(this.uid);
    this.#networkReady = false;
    this.#stage = 'terminated';
    this.#write(this.#status(), false);
    this.#notBefore = ticks.relistAfter(host.now());
    this.#again = host.now();
  }

  /** Everything of it is stopped: volumes go, and a pod that was deleted is let go. */
  *#clean(): Routine {
    const { host, volumes, ticks } = this.#parts;
    volumes.drop(this.uid);
    this.#write(this.#status(), false);
    if (this.#removed) {
      this.#finish();
      return;
    }
    if (this.pod.metadata['deletionTimestamp'] === undefined) return;
    const { name, namespace } = this.pod.metadata;
    const answer = yield* host.client.delete(
      { kind: 'Pod', namespace: namespace ?? '', name },
      { gracePeriodSeconds: 0, preconditions: { uid: this.uid } },
    );
    if (!answer.ok && answer.code !== 404) this.#again = ticks.syncFrom(host.now() + RETRY_DELETE_MILLISECONDS);
  }

  #finish(): void {
    this.#stage = 'finished';
    this.#crashes.forget();
    this.#task?.cancel();
    this.#retry?.cancel();
    this.#deadline?.cancel();
    const { volumes, prober, runtime, restarts, images, statuses } = this.#parts;
    volumes.drop(this.uid);
    prober.remove(this.uid);
    runtime.forget(this.uid);
    restarts.forget(this.uid);
    images.forget(this.uid);
    statuses.forget(this.uid);
    this.#finished(this);
  }

  #status(fresh = true): PodStatus {
    const { runtime, prober, host } = this.#parts;
    const containers = runtime.containersOf(this.uid);
    const sandbox = runtime.sandboxOf(this.uid);
    if (fresh) prober.observe(this.uid, containers);
    if (fresh && sandbox !== undefined) this.#podIp = sandbox.netns.ip;
    if (sandbox?.ready === true && fresh) this.#networkReady = true;
    const failure = this.#failure(containers.some((container) => container.state === 'running'));
    if (failure === DEADLINE && fresh)
      host.events.event(this.pod, { type: 'Normal', reason: 'DeadlineExceeded', message: DEADLINE_EXCEEDED });
    return podStatusOf({
      pod: this.pod,
      containers,
      networkReady: this.#networkReady && sandbox?.ready === true,
      podIp: this.#podIp,
      hostIp: this.#parts.hostIp,
      startTime: this.#startText,
      reasons: this.reasons,
      failure,
      ending: this.#stage !== 'syncing',
      resizing: this.#resize.conditions,
      isStarted: (container) => prober.verdict(container, 'startup'),
      isReady: (container) => prober.verdict(container, 'readiness'),
    });
  }

  /** A pod that was evicted but whose containers all ended well has succeeded. */
  #failure(running: boolean): { readonly reason: string; readonly message: string } | undefined {
    if (this.#deadlinePassed()) return DEADLINE;
    const failure = this.#ending?.failure;
    if (failure === undefined || running) return failure;
    const ended = this.#parts.runtime.containersOf(this.uid);
    return ended.length > 0 && ended.every((container) => container.exitCode === 0) ? undefined : failure;
  }

  #deadlinePassed(): boolean {
    const seconds = asNumber(dig(this.pod, 'spec', 'activeDeadlineSeconds'));
    return (
      seconds !== undefined &&
      this.#parts.host.now() >= this.#startTime + seconds * 1000 &&
      !(this.#stage === 'terminated' && this.#ending?.failure !== DEADLINE) &&
      (this.#ending === undefined || this.#ending.failure === DEADLINE)
    );
  }

  #write(status: PodStatus, held: boolean): void {
    const disruption = !held && this.#stage === 'terminated' ? this.#ending?.disruption : undefined;
    this.#parts.statuses.write(this.pod, status, held, disruption);
  }
}

const DEADLINE = { reason: 'DeadlineExceeded', message: DEADLINE_EXCEEDED };
const NOTHING: SyncEnd = { failures: [], failed: false, started: false, made: false };

/** After a successful sync the worker has the runtime looked at at once. */
const RELIST_MILLISECONDS = 4;
/** How often a pod is looked at when nothing calls for it. Source: pkg/kubelet/kubelet.go (syncFrequency). */
const RESYNC_MILLISECONDS = 60_000;
const RETRY_DELETE_MILLISECONDS = 10_000;
