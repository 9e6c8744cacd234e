/**
 * Where empty values matter. A Go struct drops what is empty and marked omitempty when it is written again, so that a real server
 * stores `hostNetwork: false` as nothing, while fields that are pointers keep what they were given.
 * Source: staging/src/k8s.io/api types.go of each group.
 */

/** Text fields that are pointers, or optional without omitempty: the empty text says something, as it does in every required field. */
export const KEEPS_EMPTY_TEXT: ReadonlySet<string> = new Set([
  'PersistentVolumeClaimSpec.storageClassName', 'PersistentVolumeSpec.storageClassName', 'PersistentVolumeClaimSpec.volumeAttributesClassName', 'PersistentVolumeSpec.volumeAttributesClassName',
  'PersistentVolumeClaimSpec.volumeMode', 'PersistentVolumeSpec.volumeMode', 'StorageClass.reclaimPolicy', 'StorageClass.volumeBindingMode', 'CSIDriverSpec.fsGroupPolicy', 'TypedLocalObjectReference.apiGroup', 'TypedObjectReference.apiGroup',
  'PodSpec.runtimeClassName', 'PodSpec.hostnameOverride', 'PodSpec.preemptionPolicy', 'PriorityClass.preemptionPolicy', 'Container.restartPolicy', 'VolumeMount.mountPropagation', 'VolumeMount.recursiveReadOnly', 'SecurityContext.procMount',
  'SeccompProfile.localhostProfile', 'AppArmorProfile.localhostProfile', 'PodSecurityContext.fsGroupChangePolicy', 'PodSecurityContext.supplementalGroupsPolicy', 'PodSecurityContext.seLinuxChangePolicy',
  'TopologySpreadConstraint.nodeAffinityPolicy', 'TopologySpreadConstraint.nodeTaintsPolicy', 'PodResourceClaim.resourceClaimName', 'PodResourceClaim.resourceClaimTemplateName',
  'CronJobSpec.timeZone', 'JobSpec.managedBy', 'JobSpec.completionMode', 'JobSpec.podReplacementPolicy', 'PodFailurePolicyOnExitCodesRequirement.containerName', 'SuccessPolicyRule.succeededIndexes',
  'HPAScalingRules.selectPolicy', 'PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy',
  'IngressSpec.ingressClassName', 'IngressClassParametersReference.apiGroup', 'IngressClassParametersReference.scope', 'IngressClassParametersReference.namespace', 'NetworkPolicyPort.protocol',
  'ServiceSpec.ipFamilyPolicy', 'ServiceSpec.internalTrafficPolicy', 'ServiceSpec.loadBalancerClass', 'ServiceSpec.trafficDistribution', 'ServicePort.appProtocol', 'EndpointPort.name', 'EndpointPort.protocol', 'EndpointPort.appProtocol', 'Endpoint.hostname',
  'LeaseSpec.holderIdentity',
  'ValidatingWebhook.failurePolicy', 'ValidatingWebhook.matchPolicy', 'MutatingWebhook.failurePolicy', 'MutatingWebhook.matchPolicy', 'MutatingWebhook.reinvocationPolicy', 'WebhookClientConfig.url', 'ServiceReference.path', 'RuleWithOperations.scope',
  'ValidatingAdmissionPolicySpec.failurePolicy', 'MutatingAdmissionPolicySpec.failurePolicy', 'MatchResources.matchPolicy', 'NamedRuleWithOperations.scope', 'ParamRef.parameterNotFoundAction', 'Validation.reason', 'ValidationRule.reason',
  'AuditAnnotation.valueExpression', 'CustomResourceDefinitionVersion.deprecationWarning',
  'ResourceSliceSpec.nodeName', 'Device.nodeName', 'DeviceAttribute.string', 'DeviceAttribute.version', 'DeviceConstraint.matchAttribute', 'DeviceConstraint.distinctAttribute', 'DeviceClassSpec.extendedResourceName',
  'NonResourceAttributes.path', 'ResourceAttributes.group', 'Event.message', 'Event.note', 'Event.reason',
  'Event.reportingInstance', 'Event.reportingComponent', 'Event.reportingController', 'RoleRef.apiGroup',
]);

/** Numbers and booleans that are no pointers: zero and false are the same as nothing. */
export const DROPS_ZERO: ReadonlySet<string> = new Set([
  'Container.stdin', 'Container.stdinOnce', 'Container.tty', 'VolumeMount.readOnly', 'PodSpec.hostNetwork', 'PodSpec.hostPID', 'PodSpec.hostIPC',
  'ContainerPort.hostPort', 'Probe.initialDelaySeconds', 'Probe.timeoutSeconds', 'Probe.periodSeconds', 'Probe.successThreshold', 'Probe.failureThreshold',
  'DeploymentSpec.paused', 'DeploymentSpec.minReadySeconds', 'ReplicaSetSpec.minReadySeconds', 'StatefulSetSpec.minReadySeconds', 'DaemonSetSpec.minReadySeconds',
  'NodeSpec.unschedulable', 'PriorityClass.globalDefault', 'ServiceSpec.publishNotReadyAddresses', 'ServiceSpec.healthCheckNodePort', 'ServicePort.nodePort',
  'PersistentVolumeClaimVolumeSource.readOnly', 'NFSVolumeSource.readOnly',
  'ObjectMeta.generation', 'DeploymentStatus.replicas', 'DeploymentStatus.updatedReplicas', 'DeploymentStatus.readyReplicas', 'DeploymentStatus.availableReplicas',
  'DeploymentStatus.unavailableReplicas', 'DeploymentStatus.observedGeneration', 'ReplicaSetStatus.fullyLabeledReplicas', 'ReplicaSetStatus.readyReplicas',
  'ReplicaSetStatus.availableReplicas', 'ReplicaSetStatus.observedGeneration', 'Event.count',
]);

/** Lists and maps that are written even when they are empty, or that must not be empty where they are given: what is not there gets a default. */
export const KEEPS_EMPTY_LIST: ReadonlySet<string> = new Set([
  'Role.rules', 'PolicyRule.verbs', 'LimitRangeSpec.limits', 'EndpointSlice.endpoints', 'Endpoint.addresses',
  'HPAScalingRules.policies', 'DeviceAttribute.bools', 'DeviceAttribute.ints', 'DeviceAttribute.strings', 'DeviceAttribute.versions',
]);

/** Lists without omitempty that have never had a member: Go writes them as null. */
export const KEEPS_NULL_LIST: ReadonlySet<string> = new Set(['EndpointSlice.endpoints', 'EndpointSlice.ports']);
