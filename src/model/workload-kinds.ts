/** Controllers of pods, one above the other (Deployment and ReplicaSet, CronJob and Job): what else owns a pod is not what is diagnosed. */
export const WORKLOAD_KINDS = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ReplicationController'] as const;

export function isWorkloadKind(kind: string): boolean {
  return (WORKLOAD_KINDS as readonly string[]).includes(kind);
}
