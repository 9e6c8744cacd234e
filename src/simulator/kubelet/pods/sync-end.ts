import type { Instant } from '../../../base/instant.ts';
import { smallest } from '../../../base/lists.ts';
import type { Prng } from '../../../base/prng.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { lookAfter } from '../sync-times.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import type { StartFailure } from '../containers/container-start.ts';

/** How a sync ended: what there is to do next follows from it. */
export interface SyncEnd {
  readonly failures: readonly StartFailure[];
  /** Errors that are not about one container: volumes, sandbox. */
  readonly failed: boolean;
  /** The network of the machine is not ready: tried again soon. */
  readonly transient?: boolean;
  /** It went no further, and the kubelet takes that for no error: the next look is the regular one. */
  readonly waits?: boolean;
  /** Something was started, so that the next look finds it. */
  readonly started: boolean;
  /** A sandbox was made. */
  readonly made: boolean;
  /** A running container was given other resources. */
  readonly resized?: boolean;
}

/** Whether the pod has to be synced once more for what went wrong. */
export function hasFailed({ failures, failed }: SyncEnd): boolean {
  return failed || failures.length > 0;
}

/** Whether the next look at the runtime finds something new. */
export function findsChanges({ failures, started, made, resized = false }: SyncEnd): boolean {
  return started || made || resized || failures.some((failure) => failure.made);
}

/** When a sync that has failed is tried once more. */
export function retryAt(
  { failures, failed, transient }: SyncEnd,
  now: Instant,
  chance: Prng,
  { ticks, runtime }: Pick<KubeletParts, 'ticks' | 'runtime'>,
): Instant {
  if (transient === true) return ticks.syncFrom(now + 1000 * chance.between(1, 1.5));
  const expiries = failures.map((failure) => failure.expires);
  const soonest = smallest(expiries.map((expires) => expires ?? Number.NaN));
  if (failed || Number.isNaN(soonest) || expiries.length === 0) return ticks.syncFrom(now + 10_000 * chance.between(1, 1.5));
  return lookAfter(now, soonest, chance, ticks, runtime.faults.backOffFactor);
}

interface Reason {
  readonly reason: string;
  readonly message: string;
}

/** By the name of a container. */
export type Reasons = ReadonlyMap<string, Reason>;

export const NO_REASONS: Reasons = new Map();

/** Notes why a container waits; undefined when it does not. */
export function because(pod: Pick<SyncedPod, 'reasons'>, container: string, reason: Reason | undefined): void {
  const reasons = new Map(pod.reasons);
  if (reason === undefined) reasons.delete(container);
  else reasons.set(container, reason);
  pod.reasons = reasons.size === 0 ? NO_REASONS : reasons;
}

/** A pod as a sync sees it. */
export interface SyncedPod {
  readonly pod: KubeObject;
  readonly uid: string;
  /** Why containers wait. */
  reasons: Reasons;
  /** False from when the pod is to end. */
  readonly syncing: boolean;
  /** Told why its containers cannot be given other resources now. */
  resizeFailed(message: string): void;
}
