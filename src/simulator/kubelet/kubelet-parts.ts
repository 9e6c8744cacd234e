import type { KubeObject } from '../../model/kube-object.ts';
import type { ComponentHost } from '../components/component.ts';
import type { BackOff } from './containers/back-off.ts';
import type { ImageManager } from './images/image-manager.ts';
import type { Rejection } from './node/pod-admission.ts';
import type { ObjectCache } from './object-cache.ts';
import type { Prober } from './probes/prober.ts';
import type { NodeRuntime } from './runtime/runtime.ts';
import type { StatusWriter } from './status/status-writer.ts';
import type { Ticks } from './sync-times.ts';
import type { VolumeManager } from './volumes/volumes.ts';

/** What the workers of a kubelet's pods share. */
export interface KubeletParts {
  readonly host: ComponentHost;
  readonly runtime: NodeRuntime;
  readonly volumes: VolumeManager;
  readonly images: ImageManager;
  readonly prober: Prober;
  readonly objects: ObjectCache;
  readonly restarts: BackOff;
  readonly ticks: Ticks;
  readonly statuses: StatusWriter;
  readonly node: () => KubeObject | undefined;
  readonly hostIp: string;
  /** Why the node has no room for a pod as it is, beside all others. */
  readonly rejection: (pod: KubeObject) => Rejection | undefined;
  /** Services whose addresses the pods of a namespace get as variables. */
  readonly services: (namespace: string) => readonly KubeObject[];
}
