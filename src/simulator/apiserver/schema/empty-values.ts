/**
 * Where empty values matter. A Go struct drops what is empty and marked omitempty when it is written again, so that a real server
 * stores `hostNetwork: false` as nothing, while fields that are pointers keep what they were given.
 * Source: staging/src/k8s.io/api types.go of each group.
 */

/** Text fields that are pointers, or optional without omitempty: the empty text says something, as it does in every required field. */
export const KEEPS_EMPTY_TEXT: ReadonlySet<string> = fieldsOf(`
  PersistentVolumeClaimSpec storageClassName volumeAttributesClassName volumeMode
  PersistentVolumeSpec volumeAttributesClassName volumeMode
  StorageClass reclaimPolicy volumeBindingMode
  CSIDriverSpec fsGroupPolicy
  TypedLocalObjectReference apiGroup
  TypedObjectReference apiGroup namespace
  PodSpec runtimeClassName hostnameOverride preemptionPolicy
  PriorityClass preemptionPolicy
  Container restartPolicy
  VolumeMount mountPropagation recursiveReadOnly
  SecurityContext procMount
  SeccompProfile localhostProfile
  AppArmorProfile localhostProfile
  PodSecurityContext fsGroupChangePolicy supplementalGroupsPolicy seLinuxChangePolicy
  TopologySpreadConstraint nodeAffinityPolicy nodeTaintsPolicy
  PodResourceClaim resourceClaimName resourceClaimTemplateName
  CronJobSpec timeZone
  JobSpec managedBy completionMode podReplacementPolicy
  PodFailurePolicyOnExitCodesRequirement containerName
  SuccessPolicyRule succeededIndexes
  HPAScalingRules selectPolicy
  PodDisruptionBudgetSpec minAvailable maxUnavailable unhealthyPodEvictionPolicy
  IngressSpec ingressClassName
  IngressClassParametersReference apiGroup scope namespace
  NetworkPolicyPort port protocol
  ServiceSpec ipFamilyPolicy internalTrafficPolicy loadBalancerClass trafficDistribution
  ServicePort appProtocol
  EndpointPort name protocol appProtocol
  Endpoint hostname nodeName zone
  EndpointAddress nodeName
  LocalVolumeSource fsType
  LeaseSpec holderIdentity strategy preferredHolder
  ValidatingWebhook failurePolicy matchPolicy
  MutatingWebhook failurePolicy matchPolicy reinvocationPolicy
  WebhookClientConfig url
  ServiceReference path
  RuleWithOperations scope
  ValidatingAdmissionPolicySpec failurePolicy
  MutatingAdmissionPolicySpec failurePolicy
  MatchResources matchPolicy
  NamedRuleWithOperations scope
  ParamRef parameterNotFoundAction
  Validation reason
  ValidationRule reason
  AuditAnnotation valueExpression
  CustomResourceDefinitionVersion deprecationWarning
  ResourceSliceSpec nodeName
  Device nodeName
  DeviceAttribute string version
  DeviceConstraint matchAttribute distinctAttribute
  DeviceClassSpec extendedResourceName
  NonResourceAttributes path
  ResourceAttributes group
  Event message note reason reportingInstance reportingComponent reportingController
  RoleRef apiGroup
  RollingUpdateDeployment maxSurge maxUnavailable
  RollingUpdateDaemonSet maxSurge maxUnavailable
  RollingUpdateStatefulSetStrategy maxUnavailable
  IngressPortStatus error
  NodeAllocatableResourceMapping capacityKey
  AllocatedDeviceStatus shareID
  VolumeAttachmentSource persistentVolumeName
  TokenRequestStatus token
  StatefulSetSpec serviceName
  PodFailurePolicyOnPodConditionsPattern status
  JobStatus failedIndexes
  PersistentVolumeClaimStatus currentVolumeAttributesClassName
  HostPathVolumeSource type
  GlusterfsPersistentVolumeSource endpointsNamespace
  ISCSIVolumeSource initiatorName
  ISCSIPersistentVolumeSource initiatorName
  AzureFilePersistentVolumeSource secretNamespace
  AzureDiskVolumeSource cachingMode fsType kind
  ClusterTrustBundleProjection name signerName
  CSIVolumeSource fsType
  GRPCAction service
  Lifecycle stopSignal
  ContainerStatus stopSignal
  ResourceHealth message
  VolumeMountStatus recursiveReadOnly
  PodResourceClaimStatus resourceClaimName
  PodSchedulingGroup podGroupName
  PodDNSConfigOption value
  LoadBalancerIngress ipMode
  NodeRuntimeHandler name
  WindowsSecurityContextOptions gmsaCredentialSpecName gmsaCredentialSpec runAsUserName
  PortStatus error
  CustomResourceSubresourceScale labelSelectorPath
  JSONSchemaProps $ref x-kubernetes-list-type x-kubernetes-map-type
`);

/** Models of the same name in Go as one above, of which it is not true. */
export const DROPS_EMPTY_TEXT: ReadonlySet<string> = new Set(['CoreV1EndpointPort.name', 'CoreV1EndpointPort.protocol']);

/** Numbers and booleans that are no pointers: zero and false are the same as nothing. */
export const DROPS_ZERO: ReadonlySet<string> = fieldsOf(`
  Container stdin stdinOnce tty
  VolumeMount readOnly
  PodSpec hostNetwork hostPID hostIPC
  ContainerPort hostPort
  Probe initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold
  DeploymentSpec paused minReadySeconds
  ReplicaSetSpec minReadySeconds
  StatefulSetSpec minReadySeconds
  DaemonSetSpec minReadySeconds
  NodeSpec unschedulable
  PriorityClass globalDefault
  ServiceSpec publishNotReadyAddresses healthCheckNodePort
  ServicePort nodePort
  PersistentVolumeClaimVolumeSource readOnly
  NFSVolumeSource readOnly
  ObjectMeta generation
  DeploymentStatus replicas updatedReplicas readyReplicas availableReplicas unavailableReplicas observedGeneration
  ReplicaSetStatus fullyLabeledReplicas readyReplicas availableReplicas observedGeneration
  Event count deprecatedCount
  ServiceBackendPort number
  PodDisruptionBudgetStatus observedGeneration
  ExactDeviceRequest count
  DeviceSubRequest count
  EventSeries count
  HorizontalPodAutoscalerStatus currentReplicas
  ScaleSpec replicas
  SubjectAccessReviewStatus denied
  ResourcePolicyRule clusterScope
  TokenReviewStatus authenticated
  StatefulSetStatus observedGeneration readyReplicas currentReplicas updatedReplicas
  DaemonSetStatus observedGeneration updatedNumberScheduled numberAvailable numberUnavailable
  JobStatus active succeeded failed
  GlusterfsVolumeSource readOnly
  GlusterfsPersistentVolumeSource readOnly
  RBDVolumeSource readOnly
  RBDPersistentVolumeSource readOnly
  CinderVolumeSource readOnly
  CinderPersistentVolumeSource readOnly
  CephFSVolumeSource readOnly
  CephFSPersistentVolumeSource readOnly
  GCEPersistentDiskVolumeSource partition readOnly
  QuobyteVolumeSource readOnly
  FlexPersistentVolumeSource readOnly
  FlexVolumeSource readOnly
  AWSElasticBlockStoreVolumeSource partition readOnly
  ISCSIVolumeSource readOnly chapAuthDiscovery chapAuthSession
  ISCSIPersistentVolumeSource readOnly chapAuthDiscovery chapAuthSession
  FCVolumeSource readOnly
  AzureFileVolumeSource readOnly
  AzureFilePersistentVolumeSource readOnly
  PortworxVolumeSource readOnly
  ScaleIOVolumeSource sslEnabled readOnly
  ScaleIOPersistentVolumeSource sslEnabled readOnly
  StorageOSVolumeSource readOnly
  StorageOSPersistentVolumeSource readOnly
  CSIPersistentVolumeSource readOnly
  ContainerStateTerminated signal
  PodCondition observedGeneration
  VolumeMountStatus readOnly
  PodStatus observedGeneration
  ReplicationControllerSpec minReadySeconds
  ReplicationControllerStatus fullyLabeledReplicas readyReplicas availableReplicas observedGeneration
  ContainerImage sizeBytes
  ValidatingAdmissionPolicyStatus observedGeneration
  CustomResourceDefinitionSpec preserveUnknownFields
  CustomResourceDefinitionVersion deprecated
  CustomResourceColumnDefinition priority
  CustomResourceDefinitionCondition observedGeneration
  CustomResourceDefinitionStatus observedGeneration
  JSONSchemaProps exclusiveMaximum exclusiveMinimum uniqueItems nullable x-kubernetes-embedded-resource x-kubernetes-int-or-string
  Condition observedGeneration
`);

/**
 * Lists and maps that are written even when they are empty, or that must not be empty where they are given: what is not there gets a
 * default.
 */
export const KEEPS_EMPTY_LIST: ReadonlySet<string> = new Set([
  'Role.rules',
  'PolicyRule.verbs',
  'LimitRangeSpec.limits',
  'EndpointSlice.endpoints',
  'Endpoint.addresses',
  'HPAScalingRules.policies',
  'JSONSchemaProps.dependencies',
  'DeviceAttribute.bools',
  'DeviceAttribute.ints',
  'DeviceAttribute.strings',
  'DeviceAttribute.versions',
]);

/** Lists without omitempty that have never had a member: Go writes them as null. */
export const KEEPS_NULL_LIST: ReadonlySet<string> = new Set(['EndpointSlice.endpoints', 'EndpointSlice.ports']);

/** Numbers, booleans and texts without omitempty that may be left out: Go writes them as zero, as it does those that are required. */
export const WRITTEN_ZERO: ReadonlySet<string> = fieldsOf(`
  Event reportingComponent reportingInstance
  FlowSchemaSpec matchingPrecedence
  NodeRuntimeHandler name
  PodDisruptionBudgetStatus currentHealthy desiredHealthy disruptionsAllowed expectedPods
  PodFailurePolicyOnPodConditionsPattern status
  PriorityClass value
  QueuingConfiguration handSize queueLengthLimit queues
  RoleRef apiGroup
  StatefulSetOrdinals start
  StatefulSetSpec serviceName
  StatefulSetStatus availableReplicas
  TokenRequestStatus token
`);

/** Required fields that Go leaves out all the same: pointers, and those with omitempty. */
export const NOT_WRITTEN: ReadonlySet<string> = fieldsOf(`
  CapacityRequestPolicyRange min
  ContainerRestartRule action
  ContainerRestartRuleOnExitCodes operator
  EndpointPort port
  EventSeries count
  HTTPIngressPath pathType
  HorizontalPodAutoscalerStatus currentReplicas
  ImageVolumeStatus imageRef
  MutatingWebhook sideEffects
  ParentReference name resource
  PodCertificateProjection keyType signerName
  TokenReviewSpec token
  ValidatingAdmissionPolicyBindingSpec policyName
  ValidatingWebhook sideEffects
`);

/** Lines of a type and its fields. */
function fieldsOf(lines: string): ReadonlySet<string> {
  return new Set(
    lines
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [type = '', ...fields] = line.trim().split(' ');
        return fields.map((field) => `${type}.${field}`);
      }),
  );
}
