import type { Instant } from '../../../base/instant.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { sleep } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { TIMING } from '../../time/timing.ts';
import { REJECTED } from '../kubelet-messages.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import type { Rejection } from '../node/pod-admission.ts';
import type { Ending } from './ending.ts';
import { killPod } from './pod-kill.ts';

/**
 * Pods without a worker: they were not taken, or were over before this kubelet came. One that runs, since an earlier kubelet took
 * it, is stopped by the first housekeeping; until then its volumes are tried. Source: pkg/kubelet/kubelet.go (rejectPod),
 * kubelet_pods.go (HandlePodCleanups), pod_workers.go (ShouldPodContainersBeTerminating).
 */
export class RejectedPods {
  readonly #parts: KubeletParts;
  readonly #housekeeping: Instant;
  readonly #stopped: (pod: KubeObject, ending: Ending, podIp: string | undefined) => void;
  readonly #uids = new Set<string>();

  /** `stopped` is called when the next look at the runtime has found that the containers of such a pod have ended. */
  constructor(parts: KubeletParts, stopped: (pod: KubeObject, ending: Ending, podIp: string | undefined) => void) {
    this.#parts = parts;
    this.#housekeeping = parts.host.now() + HOUSEKEEPING_MILLISECONDS;
    this.#stopped = stopped;
  }

  has(uid: string): boolean {
    return this.#uids.has(uid);
  }

  add(uid: string): void {
    this.#uids.add(uid);
  }

  delete(uid: string): void {
    this.#uids.delete(uid);
  }

  reject(pod: KubeObject, { reason, message }: Rejection): void {
    const { host, runtime, statuses, volumes } = this.#parts;
    const uid = pod.metadata.uid ?? '';
    this.#uids.add(uid);
    host.events.event(pod, { type: 'Warning', reason, message });
    const failure = { reason, message: REJECTED(message) };
    const runs = runtime.sandboxOf(uid)?.ready === true;
    statuses.reject(pod, failure, runs);
    if (!runs) return;
    volumes.tryUnregistered(pod);
    host.at(Math.max(host.now(), this.#housekeeping), 'housekeeping', () =>
      host.spawn(this.#stop(pod, { graceSeconds: undefined, failure })),
    );
  }

  /** The worker that stops it knows nothing of the pod, and is forgotten when it is done. */
  *#stop(pod: KubeObject, ending: Ending): Routine {
    const { host, runtime, ticks, volumes } = this.#parts;
    const uid = pod.metadata.uid ?? '';
    if (!this.#uids.has(uid)) return;
    volumes.drop(uid);
    const podIp = runtime.sandboxOf(uid)?.netns.ip;
    yield* killPod(pod, ORPHAN_GRACE_SECONDS, this.#parts);
    yield* sleep(host, TIMING.stopSandboxMilliseconds * host.prng.between(0.9, 1.15), 'stop sandbox');
    runtime.stopSandbox(uid);
    host.at(ticks.relistAfter(host.now()), 'relist', () => {
      if (this.#uids.delete(uid)) this.#stopped(pod, ending, podIp);
    });
  }
}

/** Source: pkg/kubelet/kubelet.go (housekeepingPeriod). */
const HOUSEKEEPING_MILLISECONDS = 2000;
const ORPHAN_GRACE_SECONDS = 1;
