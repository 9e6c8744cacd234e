import type { ObjectRef } from '../../../model/kube-object.ts';
import type { EventRow } from './event-row.ts';
import type { Named } from './named-objects.ts';

/** An object that must be there, though nothing tells its name. No object of a cluster can have such a name. */
export function unnamed(kind: string): ObjectRef {
  return { kind, name: `<${kind.toLowerCase()}>` };
}

/** Kinds by the component that records events about them. Source: the recorders of pkg/controller. */
const BY_SOURCE: readonly (readonly [part: string, kind: string])[] = [
  ['replicaset', 'ReplicaSet'],
  ['replication-controller', 'ReplicationController'],
  ['statefulset', 'StatefulSet'],
  ['daemonset', 'DaemonSet'],
  ['daemon-set', 'DaemonSet'],
  ['cronjob', 'CronJob'],
  ['job-controller', 'Job'],
  ['deployment', 'Deployment'],
  ['persistentvolume-controller', 'PersistentVolumeClaim'],
  ['node-controller', 'Node'],
  ['horizontal-pod-autoscaler', 'HorizontalPodAutoscaler'],
  ['service-controller', 'Service'],
  ['metallb-controller', 'Service'],
];
/** Kinds by the reason, where any component may record it. */
const BY_REASON: Readonly<Record<string, string>> = {
  FailedCreate: 'ReplicaSet',
  SuccessfulCreate: 'ReplicaSet',
  ProvisioningFailed: 'PersistentVolumeClaim',
  FailedBinding: 'PersistentVolumeClaim',
  VolumeMismatch: 'PersistentVolumeClaim',
  ClaimLost: 'PersistentVolumeClaim',
  Provisioning: 'PersistentVolumeClaim',
  ExternalProvisioning: 'PersistentVolumeClaim',
  ProvisioningSucceeded: 'PersistentVolumeClaim',
  WaitForFirstConsumer: 'PersistentVolumeClaim',
  ScalingReplicaSet: 'Deployment',
  FailedGetResourceMetric: 'HorizontalPodAutoscaler',
  FailedGetContainerResourceMetric: 'HorizontalPodAutoscaler',
  FailedGetExternalMetric: 'HorizontalPodAutoscaler',
  FailedGetObjectMetric: 'HorizontalPodAutoscaler',
  FailedGetPodsMetric: 'HorizontalPodAutoscaler',
  FailedComputeMetricsReplicas: 'HorizontalPodAutoscaler',
  BackoffLimitExceeded: 'Job',
  DeadlineExceeded: 'Job',
  NodeNotReady: 'Node',
  NodeReady: 'Node',
  NodeHasDiskPressure: 'Node',
  NodeHasInsufficientMemory: 'Node',
  Rebooted: 'Node',
  ImageGCFailed: 'Node',
  FreeDiskSpaceFailed: 'Node',
  EvictionThresholdMet: 'Node',
  KubeletSetupFailed: 'Node',
};

/**
 * Whom an event is about that does not say it: kind by source and reason, name by what the message names. `spoken` is what a command named.
 */
export function involvedIn(row: EventRow, named: Named, spoken: ObjectRef | undefined, pod: ObjectRef): ObjectRef {
  const set = /create (?:Pod|Claim) \S{1,253} (?:for Pod \S{1,253} )?in (StatefulSet) ([a-z0-9][a-z0-9.-]{0,252})/.exec(row.message);
  if (set !== null) return { kind: 'StatefulSet', name: set[2] ?? '' };
  const kind = BY_SOURCE.find(([part]) => row.source.includes(part))?.[1] ?? BY_REASON[row.reason] ?? 'Pod';
  if (spoken?.kind === kind) return spoken;
  if (kind === 'Pod') return named.pod ?? pod;
  const name = nameIn(row, kind);
  if (name === undefined) return unnamed(kind);
  const namespace = LOOKED_UP.exec(row.message)?.[1];
  return { kind: kind === 'ReplicaSet' && OF_CRON_JOB.test(name) ? 'Job' : kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** The account of a pod is looked up in its own namespace. Source: plugin/pkg/admission/serviceaccount/admission.go. */
const LOOKED_UP = /looking up service account ([a-z0-9][a-z0-9-]{0,62})\//;
/** A CronJob names its Jobs by the minute they are of. Source: pkg/controller/cronjob/utils.go (getJobName). */
const OF_CRON_JOB = /-\d{8}$/;

/** The claim that a row names. Source: kubernetes-sigs/sig-storage-lib-external-provisioner controller/controller.go. */
export function claimIn({ message }: EventRow): readonly ObjectRef[] {
  const [, namespace, name] = /is provisioning volume for claim "([a-z0-9-]{1,63})\/([a-z0-9][a-z0-9.-]{0,252})"/.exec(message) ?? [];
  return namespace === undefined || name === undefined ? [] : [{ kind: 'PersistentVolumeClaim', namespace, name }];
}

/** Source: metallb/metallb controller/service.go. */
const OF_SERVICE = / IP for "[a-z0-9-]{1,63}\/([a-z0-9][a-z0-9-]{0,62})"/;

function nameIn({ source, message }: EventRow, kind: string): string | undefined {
  if (kind === 'Node') return /^kubelet, (\S+)/.exec(source)?.[1] ?? /Node (\S{1,253}) (?:status|is NotReady as of) /.exec(message)?.[1];
  if (kind === 'Service') return OF_SERVICE.exec(message)?.[1];
  return kind === 'PersistentVolumeClaim' ? undefined : nameOfMaker(message);
}

/** A controller names its pods by its own name with a suffix; what it could not create ends with the dash. */
function nameOfMaker(message: string): string | undefined {
  const name = /pods "([a-z0-9][a-z0-9.-]{0,252})"/.exec(message)?.[1];
  return name === undefined ? undefined : name.replace(/-[a-z0-9]{0,5}$/, '');
}
