import type { KubeObject } from '../../model/kube-object.ts';
import type { DeviceLedger } from './devices/ledger.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { SchedulerCache } from './scheduler-cache.ts';

/** Kinds the scheduler looks up besides nodes and pods. */
export type LookedUpKind =
  | 'Namespace'
  | 'PersistentVolumeClaim'
  | 'PersistentVolume'
  | 'StorageClass'
  | 'CSINode'
  | 'CSIDriver'
  | 'CSIStorageCapacity'
  | 'ResourceClaim'
  | 'ResourceSlice'
  | 'DeviceClass'
  | 'Service'
  | 'ReplicaSet'
  | 'StatefulSet'
  | 'ReplicationController'
  | 'PodDisruptionBudget';

/** What plugins see of the cluster in a scheduling cycle. */
export interface SchedulerView {
  readonly cache: SchedulerCache;
  find(kind: LookedUpKind, namespace: string | undefined, name: string): KubeObject | undefined;
  all(kind: LookedUpKind): Iterable<KubeObject>;
  /** The Services that select a pod of a namespace with these labels. */
  servicesOf(namespace: string, labels: Readonly<Record<string, string>>): readonly KubeObject[];
  /** Volumes chosen for claims of pods that are being bound: nobody else may have them. */
  readonly takenVolumes: ReadonlySet<string>;
  readonly devices: DeviceLedger;
}

/** Why a plugin will not have a pod on a node, or anywhere. */
export interface Rejection {
  readonly plugin: PluginName;
  /** Whether removing pods from the node could help: the framework's Unschedulable; else UnschedulableAndUnresolvable. */
  readonly resolvable: boolean;
  readonly reasons: readonly string[];
  /** Nothing is wrong with the node, but something with what was asked: the cycle ends with these words. */
  readonly error?: string;
}

/** A plugin's answer before nodes are looked at: nothing to say, no node will do, or how to look at each node. */
export type Prepared =
  | undefined
  | { readonly rejection: Rejection }
  | { readonly nodes?: ReadonlySet<string>; readonly filter?: (node: NodeInfo) => Rejection | undefined };

export interface FilterPlugin {
  readonly name: PluginName;
  /** It looks at nothing but the node itself, and thinks the same of all pods of one class (pod-class.ts). */
  readonly byClass?: true;
  readonly prepare: (pod: PodInfo, view: SchedulerView) => Prepared;
}

/** Points of 0 to 100 for a node by a plugin that looks at nothing but the node itself, and thinks the same of all pods of one class. */
export interface ClassScorePlugin {
  readonly name: PluginName;
  readonly weight: number;
  readonly points: (pod: PodInfo, node: NodeInfo) => number;
}

/** Points of 0 to 100 for each node, or undefined when the plugin has nothing to say of the pod, or the same of all nodes. */
export interface ScorePlugin {
  readonly name: PluginName;
  readonly weight: number;
  readonly score: (pod: PodInfo, nodes: readonly NodeInfo[], view: SchedulerView) => ArrayLike<number> | undefined;
}

export type PluginName =
  | 'NodeUnschedulable'
  | 'NodeName'
  | 'TaintToleration'
  | 'NodeAffinity'
  | 'NodePorts'
  | 'NodeResourcesFit'
  | 'VolumeRestrictions'
  | 'NodeVolumeLimits'
  | 'VolumeBinding'
  | 'VolumeZone'
  | 'PodTopologySpread'
  | 'InterPodAffinity'
  | 'DynamicResources'
  | 'NodeResourcesBalancedAllocation'
  | 'ImageLocality'
  | 'DefaultBinder';

export const HIGHEST_SCORE = 100;
