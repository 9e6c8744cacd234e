import type { Line } from '../clean-lines.ts';
import type { Sections } from './sections.ts';

/**
 * Keys at the left margin of the describes of all kinds, kubectl 1.18 to 1.36. A message with line breaks prints its lines at the
 * margin too, so only these count as keys. Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go.
 */
export const TOP_KEYS: ReadonlySet<string> = new Set(
  [
    'Name,Namespace,Labels,Annotations,Events,Status,Conditions,Selector,Type,CreationTimestamp,Finalizers,API Version,Kind,Metadata,Spec,Controlled By',
    // Pod
    'Priority,Priority Class Name,Runtime Class Name,Service Account,Node,Start Time,Reason,Message,IP,IPs,NominatedNodeName,SeccompProfile,LocalhostProfile,Init Containers,Containers',
    'Ephemeral Containers,Readiness Gates,Volumes,QoS Class,Node-Selectors,Tolerations,Topology Spread Constraints,Termination Grace Period,Security Context,Resources',
    // Workloads
    'Replicas,StrategyType,MinReadySeconds,RollingUpdateStrategy,Pod Template,OldReplicaSets,NewReplicaSet,Pods Status,Pods Statuses,Update Strategy,Volume Claims,Image(s)',
    'Node-Selector,Desired Number of Nodes Scheduled,Current Number of Nodes Scheduled,Number of Nodes Scheduled with Up-to-date Pods,Number of Nodes Scheduled with Available Pods',
    'Number of Nodes Misscheduled,Parallelism,Completions,Completion Mode,Suspend,Backoff Limit,Backoff Limit Per Index,Max Failed Indexes,TTL Seconds After Finished,Completed At,Duration',
    'Active Deadline Seconds,Completed Indexes,Failed Indexes,Schedule,Time Zone,Concurrency Policy,Successful Job History Limit,Failed Job History Limit,Starting Deadline Seconds',
    'Last Schedule Time,Active Jobs,Pod Failure Policy,Success Policy,Pod Replacement Policy,Managed By',
    // Services and the like
    'IP Family Policy,IP Families,IPFamily,External IPs,External Name,Desired LoadBalancer IP,LoadBalancer Ingress,Port,TargetPort,NodePort,Endpoints,Session Affinity',
    'External Traffic Policy,Internal Traffic Policy,HealthCheck NodePort,LoadBalancer Source Ranges,Subsets,AddressType,Ports,Address,Ingress Class,Default backend,TLS,Rules',
    'Traffic Distribution,Load Balancer Class',
    'Controller,Parameters,Reference,Metrics,Min replicas,Max replicas,Behavior,Deployment pods,StatefulSet pods,ReplicaSet pods,ReplicationController pods,Min available,Max unavailable',
    'Unhealthy Pod Eviction Policy,Created on',
    // Nodes and storage
    'Roles,Taints,Unschedulable,Lease,Addresses,Capacity,Allocatable,System Info,PodCIDR,PodCIDRs,ProviderID,Non-terminated Pods,Allocated resources,ExternalID,External ID',
    'StorageClass,Volume,Access Modes,VolumeMode,Volume Attributes Class,VolumeAttributesClass,DataSource,DataSourceRef,Used By,Mounted By,Claim,Reclaim Policy,Node Affinity,Source',
    'IsDefaultClass,Provisioner,AllowVolumeExpansion,MountOptions,ReclaimPolicy,VolumeBindingMode,AllowedTopologies',
    // Policy and names
    'Scopes,Image pull secrets,Mountable secrets,Tokens,Value,GlobalDefault,PreemptionPolicy,Description,PolicyRule,Role,Subjects',
    'Webhooks,Handler,Overhead,Scheduling',
  ]
    .join(',')
    .split(','),
);

type Telling = readonly [kind: string, ...keys: readonly string[]];

/** Keys that only describes of this kind have, most telling first. */
const TELLING: readonly Telling[] = [
  ['Node', 'Non-terminated Pods'],
  ['Node', 'Unschedulable'],
  ['Node', 'Roles', 'Taints'],
  ['Deployment', 'StrategyType'],
  ['DaemonSet', 'Desired Number of Nodes Scheduled'],
  ['CronJob', 'Schedule', 'Concurrency Policy'],
  ['Job', 'Parallelism', 'Pods Statuses'],
  ['Job', 'Parallelism'],
  ['StatefulSet', 'Volume Claims'],
  ['StatefulSet', 'Update Strategy'],
  ['Pod', 'QoS Class'],
  ['Pod', 'Node', 'IP'],
  ['Pod', 'Containers', 'Status'],
  ['Pod', 'Node', 'Priority'],
  ['Pod', 'Node', 'Start Time'],
  ['Pod', 'Node', 'Status'],
  ['EndpointSlice', 'AddressType'],
  ['Endpoints', 'Subsets'],
  ['Service', 'Session Affinity'],
  ['Service', 'Type', 'IP Families'],
  ['Service', 'Port', 'TargetPort'],
  ['Ingress', 'Default backend'],
  ['Ingress', 'Rules', 'Address'],
  ['HorizontalPodAutoscaler', 'Min replicas'],
  ['PodDisruptionBudget', 'Min available'],
  ['PodDisruptionBudget', 'Max unavailable'],
  ['StorageClass', 'Provisioner'],
  ['PersistentVolume', 'Reclaim Policy'],
  ['PersistentVolumeClaim', 'Access Modes', 'Volume'],
  ['PersistentVolumeClaim', 'StorageClass', 'Used By'],
  ['PersistentVolumeClaim', 'StorageClass', 'Status', 'Volume'],
  ['ServiceAccount', 'Mountable secrets'],
  ['RoleBinding', 'Role', 'Subjects'],
  ['Role', 'PolicyRule'],
  ['PriorityClass', 'GlobalDefault'],
  ['NetworkPolicy', 'Created on', 'Spec'],
];

/** What kind of object a describe without a command shows; undefined when its keys do not tell. */
export function kindOfDescribe(fields: Sections, lines: readonly Line[]): string | undefined {
  const printed = fields.value('Kind');
  if (printed !== undefined && printed !== '' && fields.has('API Version')) return printed;
  const replicas = fields.value('Replicas');
  if (replicas !== undefined && /current \/ \d+ desired/.test(replicas)) return 'ReplicaSet';
  const told = TELLING.find(([, ...keys]) => keys.every((key) => fields.has(key)))?.[0];
  if (told !== undefined) return told;
  const has = (pattern: RegExp): boolean => lines.some(({ text }) => pattern.test(text));
  if (has(/^Resource\s+Used\s+Hard\s*$/) && fields.has('Namespace')) return 'ResourceQuota';
  if (has(/^Type\s+Resource\s+Min\s+Max/)) return 'LimitRange';
  if (has(/^Data$/)) return has(/^Type:\s+\S/) ? 'Secret' : 'ConfigMap';
  return has(/^(?:No resource quota\.|Resource Quotas)/) ? 'Namespace' : undefined;
}
