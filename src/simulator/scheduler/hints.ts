import { asText, dig } from '../../base/json.ts';
import { sameJson } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf } from '../../model/kube-object.ts';
import { labelSelectorMatcher } from '../apiserver/selectors.ts';
import { isAllocated } from '../devices/device-claims.ts';
import type { Amounts } from './amounts.ts';
import { usableClaims } from './filters/dynamic-resources.ts';
import { hasUntoleratedTaint } from './filters/node.ts';
import { means } from './filters/inter-pod-affinity.ts';
import { extendedClasses } from './devices/extended.ts';
import { lackOf } from './filters/resources-fit.ts';
import { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import { selectorFor } from './pod-terms.ts';
import { tolerates } from './tolerations.ts';
import type { LookedUpKind, PluginName, SchedulerView } from './view.ts';

/** Something that changed and may let a waiting pod be placed. */
export type ClusterEvent =
  | { readonly on: 'node'; readonly node: NodeInfo; readonly before: NodeInfo | undefined }
  | { readonly on: 'node-removed'; readonly node: NodeInfo }
  | { readonly on: 'placed-pod'; readonly did: 'added' | 'updated' | 'deleted'; readonly pod: PodInfo }
  | {
      readonly on: 'object';
      readonly kind: LookedUpKind;
      readonly object: KubeObject;
      readonly isNew: boolean;
      readonly before?: KubeObject | undefined;
    }
  | { readonly on: 'itself' };

/**
 * Whether an event could change a plugin's mind about a pod (its queueing hint). A pod is tried again only when it could.
 * Source: EventsToRegister and isSchedulableAfter… of each plugin in pkg/scheduler/framework/plugins.
 */
export function mayHelp(event: ClusterEvent, plugin: PluginName, pod: PodInfo, view: SchedulerView): boolean {
  return HINTS[plugin]?.(event, pod, view) ?? true;
}

const HINTS: Readonly<Partial<Record<PluginName, (event: ClusterEvent, pod: PodInfo, view: SchedulerView) => boolean>>> = {
  NodeUnschedulable: (event, pod) =>
    event.on === 'itself' ||
    (event.on === 'node' &&
      (!event.node.unschedulable || tolerates(pod.spec.tolerations, CORDON)) &&
      event.before?.unschedulable !== false),
  NodeName: (event) => isNewNode(event),
  TaintToleration: (event, pod) =>
    event.on === 'itself' ||
    (event.on === 'node' &&
      (event.before === undefined || event.before.taints !== event.node.taints) &&
      !hasUntoleratedTaint(event.node, pod.spec.tolerations)),
  NodeAffinity: (event, pod) =>
    event.on === 'node' && fitsLabels(pod, event.node) && (event.before === undefined || !fitsLabels(pod, event.before)),
  NodePorts: (event, pod) =>
    isNewNode(event) ||
    (event.on === 'placed-pod' &&
      event.did === 'deleted' &&
      event.pod.spec.ports.some((used) => pod.spec.ports.some(({ port }) => port === used.port))),
  NodeResourcesFit: helpsToFit,
  VolumeRestrictions: (event, pod) =>
    (event.on === 'placed-pod' && event.did === 'deleted' && sharesVolumes(event.pod, pod)) || isOwnClaim(event, pod),
  NodeVolumeLimits: (event) =>
    (event.on === 'placed-pod' && event.did === 'deleted' && event.pod.spec.claims.length > 0) ||
    isNewNode(event) ||
    isOfKind(event, ['CSINode', 'PersistentVolumeClaim']),
  VolumeBinding: (event, pod) =>
    isOwnClaim(event, pod) ||
    isOfKind(event, ['PersistentVolume', 'StorageClass', 'CSINode', 'CSIDriver', 'CSIStorageCapacity']) ||
    hasOtherLabels(event),
  VolumeZone: (event, pod) => isOwnClaim(event, pod) || isOfKind(event, ['PersistentVolume', 'StorageClass']) || hasOtherLabels(event),
  PodTopologySpread: helpsToSpread,
  InterPodAffinity: helpsCompany,
  DynamicResources: (event, pod, view) =>
    hasOtherLabels(event) || isOfKind(event, ['DeviceClass', 'ResourceSlice']) || helpsClaims(event, pod, view),
};

function isNewNode(event: ClusterEvent): boolean {
  return event.on === 'node' && event.before === undefined;
}

/** A new node has other labels than before too. */
function hasOtherLabels(event: ClusterEvent): boolean {
  return event.on === 'node' && event.before?.labels !== event.node.labels;
}

const CORDON = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };

function fitsLabels({ spec }: PodInfo, node: NodeInfo): boolean {
  return spec.nodeMatcher === undefined || spec.nodeMatcher(node.labels, node.name);
}

/** A node helps when it was too small and grew, and would take the pod if it were empty. */
function helpsToFit(event: ClusterEvent, pod: PodInfo, { devices }: SchedulerView): boolean {
  if (isOfKind(event, ['DeviceClass'])) return extendedClasses(pod, devices) !== undefined;
  if (event.on === 'itself') return true;
  if (event.on === 'placed-pod') return event.did === 'deleted';
  if (event.on !== 'node') return false;
  const empty = new NodeInfo(event.node.name);
  empty.setNode(event.node.node);
  if (lackOf(pod, empty, devices) !== undefined) return false;
  return event.before === undefined || grew(event.before.allocatable, event.node.allocatable);
}

function grew(before: Amounts, after: Amounts): boolean {
  if (after.cpu > before.cpu || after.memory > before.memory || after.ephemeral > before.ephemeral || after.pods > before.pods) return true;
  return [...after.scalar].some(([name, amount]) => amount > (before.scalar.get(name) ?? 0));
}

function helpsToSpread(event: ClusterEvent, pod: PodInfo): boolean {
  const hard = pod.spec.spread.filter((constraint) => constraint.hard);
  if (event.on === 'placed-pod')
    return (
      event.pod.namespace === pod.namespace &&
      hard.some((constraint) => labelSelectorMatcher(selectorFor(constraint, pod))(event.pod.labels))
    );
  if (event.on === 'node-removed') return hard.every(({ topologyKey }) => event.node.labels[topologyKey] !== undefined);
  if (event.on !== 'node') return event.on === 'itself';
  return (
    hard.some(({ topologyKey }) => event.node.labels[topologyKey] !== event.before?.labels[topologyKey]) ||
    (event.before === undefined && hard.every(({ topologyKey }) => event.node.labels[topologyKey] !== undefined))
  );
}

function helpsCompany(event: ClusterEvent, pod: PodInfo, view: SchedulerView): boolean {
  const { affinity, antiAffinity } = pod.spec;
  if (event.on === 'itself') return true;
  if (event.on === 'node')
    return (
      [...affinity, ...antiAffinity].some(({ topologyKey }) => event.node.labels[topologyKey] !== event.before?.labels[topologyKey]) ||
      event.before === undefined
    );
  if (event.on !== 'placed-pod') return false;
  if (event.did === 'deleted') {
    return (
      antiAffinity.some((term) => means(term, pod, event.pod, view)) ||
      event.pod.spec.antiAffinity.some((term) => means(term, event.pod, pod, view))
    );
  }
  return affinity.some((term) => means(term, pod, event.pod, view)) || (event.did === 'updated' && antiAffinity.length > 0);
}

function sharesVolumes(other: PodInfo, pod: PodInfo): boolean {
  if (other.namespace === pod.namespace && other.spec.claims.some(({ claim }) => pod.spec.claims.some((own) => own.claim === claim)))
    return true;
  return dig(pod.pod, 'spec', 'volumes') !== undefined && pod.spec.claims.length === 0;
}

function isOwnClaim(event: ClusterEvent, pod: PodInfo): boolean {
  if (event.on !== 'object' || event.kind !== 'PersistentVolumeClaim' || event.object.metadata.namespace !== pod.namespace) return false;
  return pod.spec.claims.some(({ claim }) => claim === event.object.metadata.name);
}

/**
 * A claim helps when it is the pod's own and changed, or when it gave its devices back. Source: dynamicresources.go
 * (isSchedulableAfterClaimChange).
 */
function helpsClaims(event: ClusterEvent, pod: PodInfo, view: SchedulerView): boolean {
  if (event.on === 'itself') return typeof usableClaims(pod, view) !== 'string';
  if (event.on !== 'object' || event.kind !== 'ResourceClaim') return false;
  const claims = usableClaims(pod, view);
  if (typeof claims === 'string') return false;
  const { object, before } = event;
  if (before !== undefined && isAllocated(before) && !isAllocated(object)) return true;
  return (
    claims.some(({ metadata }) => metadata.uid === object.metadata.uid) &&
    (before === undefined || !sameJson(before['status'], object['status']))
  );
}

function isOfKind(event: ClusterEvent, kinds: readonly LookedUpKind[]): boolean {
  return event.on === 'object' && kinds.includes(event.kind);
}

/** Whether an update of a claim or volume changed anything the scheduler reads. */
export function changedForScheduling(before: KubeObject, after: KubeObject): boolean {
  if (before['spec'] !== after['spec'] || before.metadata['deletionTimestamp'] !== after.metadata['deletionTimestamp']) return true;
  if (before.kind === 'ResourceClaim' && before['status'] !== after['status']) return true;
  if (asText(dig(before, 'status', 'phase')) !== asText(dig(after, 'status', 'phase'))) return true;
  return (
    before.metadata['annotations'] !== after.metadata['annotations'] &&
    JSON.stringify(annotationsOf(before)) !== JSON.stringify(annotationsOf(after))
  );
}
