import type { Instant } from '../../base/instant.ts';

/**
 * What happens to pods without being written to the API for now, as the parts of a cluster meet it. Only ../fast-forward/ leaves anything
 * unwritten.
 */
export interface Unwritten {
  /** When a pod of that owner (its uid) was last ready without a status saying so. */
  lastReady(owner: string, now: Instant): Instant | undefined;
  /** Whether what becomes of a pod (its uid) is not written for now: its events are kept meanwhile. */
  isHidden(uid: string): boolean;
  onShow(run: (uid: string) => void): void;
}

/** The same, as whoever leaves something unwritten uses it. */
export interface UnwrittenPods extends Unwritten {
  /** Until when a node's kubelet need not write what is only repeated; in the past when somebody looks. */
  untilOf(node: string, now: Instant): Instant;
  /** Whether all that has changed since is how things are doing. */
  isSteadySince(moment: Instant): boolean;
  hide(uid: string): void;
  show(uid: string): void;
  /** A pod of that owner is ready now and then, the last time at that moment, and nobody is told. */
  readyUntil(owner: string, moment: Instant): void;
  /** Whether none of its pods will have been ready later than at that moment. */
  isLastReady(owner: string, moment: Instant): boolean;
}
