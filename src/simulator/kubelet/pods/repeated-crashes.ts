import type { Instant } from '../../../base/instant.ts';
import type { Prng } from '../../../base/prng.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { StartFailure } from '../containers/container-start.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import type { SyncEnd } from './sync-end.ts';

/** How a pod does after crashes that nobody saw. */
export interface ShownCrashes {
  readonly container: string;
  /** What its container waits for; undefined when nothing has happened yet. */
  readonly waiting: StartFailure | undefined;
  /** When it is to be looked at next. */
  readonly next: Instant;
}

/** The restarts of a pod that only repeat what was: a worker need not live through them while `hide` says so. */
export interface RepeatedCrashes {
  /** What the pod's worker draws its delays from. */
  readonly chance: Prng;
  /** A sync has ended. */
  after(end: SyncEnd, pod: KubeObject): void;
  /** Whether they may be hidden for now; `show` is called when there is something to see again. */
  hide(pod: KubeObject, show: () => void): boolean;
  /** Makes what was worked out so, or as much of it as has happened by now; undefined when nothing is hidden. */
  show(): ShownCrashes | undefined;
  forget(): void;
}

export type RepeatedCrashesOf = (uid: string, parts: KubeletParts) => RepeatedCrashes;
