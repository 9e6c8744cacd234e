/** Words of the Deployment controller. Source: pkg/controller/deployment/{sync,progress,rolling}.go, util/deployment_util.go. */
export const WORDS = {
  available: { reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' },
  unavailable: { reason: 'MinimumReplicasUnavailable', message: 'Deployment does not have minimum availability.' },
  paused: { reason: 'DeploymentPaused', message: 'Deployment is paused' },
  resumed: { reason: 'DeploymentResumed', message: 'Deployment is resumed' },
  selectingAll: { reason: 'SelectingAll', message: 'This deployment is selecting all pods. A non-empty selector is required.' },
  created: (set: string) => ({ reason: 'NewReplicaSetCreated', message: `Created new replica set "${set}"` }),
  found: (set: string) => ({ reason: 'FoundNewReplicaSet', message: `Found new replica set "${set}"` }),
  createFailed: (set: string, error: string) => ({
    reason: 'ReplicaSetCreateError',
    message: `Failed to create new replica set "${set}": ${error}`,
  }),
  progressing: (what: string) => ({ reason: 'ReplicaSetUpdated', message: `${what} is progressing.` }),
  complete: (what: string) => ({ reason: 'NewReplicaSetAvailable', message: `${what} has successfully progressed.` }),
  timedOut: (what: string) => ({ reason: 'ProgressDeadlineExceeded', message: `${what} has timed out progressing.` }),
  scaled: (direction: 'up' | 'down', set: string, from: number, to: number) => ({
    reason: 'ScalingReplicaSet',
    message: `Scaled ${direction} replica set ${set} from ${from} to ${to}`,
  }),
} as const;
