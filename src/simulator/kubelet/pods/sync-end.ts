import type { KubeObject } from '../../../model/kube-object.ts';
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
}

/** A pod as a sync sees it. */
export interface SyncedPod {
  readonly pod: KubeObject;
  readonly uid: string;
  /** Why containers wait, by their names. */
  readonly reasons: Map<string, { readonly reason: string; readonly message: string }>;
  /** False from when the pod is to end. */
  readonly syncing: boolean;
}
