/** An alert of kubernetes-mixin: `rank` says which of several alerts about one target is told of (smaller is nearer to the cause). */
export interface AlertName {
  readonly alert: string;
  readonly rank: number;
  /** The label that names the object, besides namespace. */
  readonly about:
    | 'pod'
    | 'deployment'
    | 'statefulset'
    | 'daemonset'
    | 'job_name'
    | 'horizontalpodautoscaler'
    | 'poddisruptionbudget'
    | 'node'
    | 'persistentvolumeclaim'
    | 'persistentvolume'
    | 'namespace'
    | 'cluster';
}

/**
 * Source: kubernetes-mixin
 * alerts/{apps,kube_apiserver,kubelet,resource,storage,kube_scheduler,kube_controller_manager,kube_proxy}.libsonnet.
 */
export const ALERTS: readonly AlertName[] = [
  ...named(1, 'pod', 'KubePodCrashLooping'),
  ...named(2, 'pod', 'KubePodNotReady'),
  ...named(3, 'pod', 'KubeContainerWaiting'),
  ...named(4, 'deployment', 'KubeDeploymentRolloutStuck', 'KubeDeploymentReplicasMismatch', 'KubeDeploymentGenerationMismatch'),
  ...named(4, 'statefulset', 'KubeStatefulSetReplicasMismatch', 'KubeStatefulSetUpdateNotRolledOut', 'KubeStatefulSetGenerationMismatch'),
  ...named(4, 'daemonset', 'KubeDaemonSetRolloutStuck', 'KubeDaemonSetNotScheduled', 'KubeDaemonSetMisScheduled'),
  ...named(4, 'job_name', 'KubeJobFailed', 'KubeJobNotCompleted'),
  ...named(5, 'horizontalpodautoscaler', 'KubeHpaReplicasMismatch', 'KubeHpaMaxedOut'),
  ...named(5, 'poddisruptionbudget', 'KubePdbNotEnoughHealthyPods'),
  ...named(5, 'namespace', 'KubeQuotaExceeded', 'KubeQuotaFullyUsed', 'KubeQuotaAlmostFull'),
  ...named(0, 'node', 'KubeNodeNotReady', 'KubeNodeUnreachable', 'KubeNodeReadinessFlapping', 'KubeletDown'),
  ...named(
    2,
    'node',
    'KubeNodePressure',
    'KubeNodeEviction',
    'KubeletTooManyPods',
    'KubeletPlegDurationHigh',
    'KubeletPodStartUpLatencyHigh',
  ),
  ...named(
    3,
    'node',
    'KubeletClientCertificateExpiration',
    'KubeletServerCertificateExpiration',
    'KubeletClientCertificateRenewalErrors',
    'KubeletServerCertificateRenewalErrors',
  ),
  ...named(2, 'persistentvolumeclaim', 'KubePersistentVolumeFillingUp', 'KubePersistentVolumeInodesFillingUp'),
  ...named(2, 'persistentvolume', 'KubePersistentVolumeErrors'),
  ...named(0, 'cluster', 'KubeAPIDown', 'KubeSchedulerDown', 'KubeControllerManagerDown', 'KubeProxyDown'),
  ...named(
    6,
    'cluster',
    'KubeAggregatedAPIDown',
    'KubeAggregatedAPIErrors',
    'KubeAPIErrorBudgetBurn',
    'KubeAPITerminatedRequests',
    'KubeClientErrors',
    'KubeClientCertificateExpiration',
    'KubeVersionMismatch',
  ),
  ...named(
    7,
    'cluster',
    'KubeCPUOvercommit',
    'KubeMemoryOvercommit',
    'KubeCPUQuotaOvercommit',
    'KubeMemoryQuotaOvercommit',
    'CPUThrottlingHigh',
  ),
];

/** The alert of that name, if kubernetes-mixin has it. */
export function alertNamed(name: string): AlertName | undefined {
  return ALERTS.find(({ alert }) => alert === name);
}

function named(rank: number, about: AlertName['about'], ...alerts: readonly string[]): readonly AlertName[] {
  return alerts.map((alert) => ({ alert, rank, about }));
}
