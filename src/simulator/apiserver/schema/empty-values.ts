/**
 * Where empty values matter. A Go struct drops what is empty and marked omitempty when it is written again, so that a real server
 * stores `hostNetwork: false` as nothing, while fields that are pointers keep what they were given.
 * Source: staging/src/k8s.io/api types.go of each group.
 */

/** Text fields that are pointers, or optional without omitempty: the empty text says something, as it does in every required field. */
export const KEEPS_EMPTY_TEXT: ReadonlySet<string> = new Set([
  'PersistentVolumeClaimSpec.storageClassName', 'PersistentVolumeSpec.storageClassName', 'PersistentVolumeClaimSpec.volumeAttributesClassName',
  'PodSpec.runtimeClassName', 'PodSpec.hostnameOverride', 'IngressSpec.ingressClassName', 'EndpointPort.name', 'LeaseSpec.holderIdentity',
  'AuditAnnotation.valueExpression', 'NonResourceAttributes.path', 'ResourceAttributes.group', 'Event.message', 'Event.note', 'Event.reason',
  'Event.reportingInstance', 'Event.reportingComponent', 'Event.reportingController', 'Namespace.name', 'RoleRef.apiGroup',
]);

/** Numbers and booleans that are no pointers: zero and false are the same as nothing. */
export const DROPS_ZERO: ReadonlySet<string> = new Set([
  'Container.stdin', 'Container.stdinOnce', 'Container.tty', 'VolumeMount.readOnly', 'PodSpec.hostNetwork', 'PodSpec.hostPID', 'PodSpec.hostIPC',
  'ContainerPort.hostPort', 'Probe.initialDelaySeconds', 'Probe.timeoutSeconds', 'Probe.periodSeconds', 'Probe.successThreshold', 'Probe.failureThreshold',
  'DeploymentSpec.paused', 'DeploymentSpec.minReadySeconds', 'ReplicaSetSpec.minReadySeconds', 'StatefulSetSpec.minReadySeconds', 'DaemonSetSpec.minReadySeconds',
  'NodeSpec.unschedulable', 'PriorityClass.globalDefault', 'ServiceSpec.publishNotReadyAddresses', 'ServiceSpec.healthCheckNodePort', 'ServicePort.nodePort',
  'PersistentVolumeClaimVolumeSource.readOnly', 'HostPathVolumeSource.readOnly', 'NFSVolumeSource.readOnly',
  'ObjectMeta.generation', 'DeploymentStatus.replicas', 'DeploymentStatus.updatedReplicas', 'DeploymentStatus.readyReplicas', 'DeploymentStatus.availableReplicas',
  'DeploymentStatus.unavailableReplicas', 'DeploymentStatus.observedGeneration', 'ReplicaSetStatus.fullyLabeledReplicas', 'ReplicaSetStatus.readyReplicas',
  'ReplicaSetStatus.availableReplicas', 'ReplicaSetStatus.observedGeneration', 'Event.count',
]);

/** Lists and maps that are written even when they are empty. */
export const KEEPS_EMPTY_LIST: ReadonlySet<string> = new Set(['Role.rules', 'PolicyRule.verbs', 'LimitRangeSpec.limits', 'EndpointSlice.endpoints', 'Endpoint.addresses']);

/** Lists without omitempty that have never had a member: Go writes them as null. */
export const KEEPS_NULL_LIST: ReadonlySet<string> = new Set(['EndpointSlice.endpoints', 'EndpointSlice.ports']);
