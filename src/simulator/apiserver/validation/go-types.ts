/**
 * The fields of Kubernetes' internal types in their order, each with its kind:
 * `s` text, `i` number, `b` truth value (each with Go's zero when it is not given), `p` pointer, list or map of plain values (null when
 * it is not given), `j` a type of the API machinery, printed as its JSON, `Type` a struct, `*Type` a pointer to one, `[]Type` a list of
 * them.
 * Source: pkg/apis/core/types.go.
 */
export const GO_TYPES: Readonly<Record<string, string>> = {
  PodSpec:
    'Volumes []Volume, InitContainers []Container, Containers []Container, EphemeralContainers []Container, RestartPolicy s, TerminationGracePeriodSeconds p, ActiveDeadlineSeconds p, DNSPolicy s, NodeSelector p, ServiceAccountName s, AutomountServiceAccountToken p, NodeName s, SecurityContext *PodSecurityContext, ImagePullSecrets []LocalObjectReference, Hostname s, Subdomain s, SetHostnameAsFQDN p, Affinity *Affinity, SchedulerName s, Tolerations []Toleration, HostAliases []HostAlias, PriorityClassName s, Priority p, PreemptionPolicy p, DNSConfig *PodDNSConfig, ReadinessGates []PodReadinessGate, RuntimeClassName p, Overhead p, EnableServiceLinks p, TopologySpreadConstraints []TopologySpreadConstraint, OS *PodOS, SchedulingGates []PodSchedulingGate, ResourceClaims []PodResourceClaim, Resources *ResourceRequirements, HostnameOverride p',
  PodSecurityContext:
    'HostNetwork b, HostPID b, HostIPC b, ShareProcessNamespace p, HostUsers p, SELinuxOptions *SELinuxOptions, WindowsOptions *WindowsSecurityContextOptions, RunAsUser p, RunAsGroup p, RunAsNonRoot p, SupplementalGroups p, SupplementalGroupsPolicy p, FSGroup p, FSGroupChangePolicy p, Sysctls []Sysctl, SeccompProfile *SeccompProfile, AppArmorProfile *AppArmorProfile, SELinuxChangePolicy p',
  Container:
    'Name s, Image s, Command p, Args p, WorkingDir s, Ports []ContainerPort, EnvFrom []EnvFromSource, Env []EnvVar, Resources ResourceRequirements, ResizePolicy []ContainerResizePolicy, RestartPolicy p, RestartPolicyRules []ContainerRestartRule, VolumeMounts []VolumeMount, VolumeDevices []VolumeDevice, LivenessProbe *Probe, ReadinessProbe *Probe, StartupProbe *Probe, Lifecycle *Lifecycle, TerminationMessagePath s, TerminationMessagePolicy s, ImagePullPolicy s, SecurityContext *SecurityContext, Stdin b, StdinOnce b, TTY b',
  ContainerPort: 'Name s, HostPort i, ContainerPort i, Protocol s, HostIP s',
  EnvFromSource: 'Prefix s, ConfigMapRef *OptionalReference, SecretRef *OptionalReference',
  OptionalReference: 'Name s, Optional p',
  EnvVar: 'Name s, Value s, ValueFrom *EnvVarSource',
  EnvVarSource:
    'FieldRef *ObjectFieldSelector, ResourceFieldRef *ResourceFieldSelector, ConfigMapKeyRef *KeySelector, SecretKeyRef *KeySelector, FileKeyRef *FileKeySelector',
  ObjectFieldSelector: 'APIVersion s, FieldPath s',
  ResourceFieldSelector: 'ContainerName s, Resource s, Divisor q',
  KeySelector: 'Name s, Key s, Optional p',
  FileKeySelector: 'VolumeName s, Path s, Key s, Optional p',
  ResourceRequirements: 'Limits p, Requests p, Claims []ResourceClaim',
  ResourceClaim: 'Name s, Request s',
  ContainerResizePolicy: 'ResourceName s, RestartPolicy s',
  ContainerRestartRule: 'Action s, ExitCodes *ExitCodes',
  ExitCodes: 'Operator s, Values p',
  VolumeMount: 'Name s, ReadOnly b, RecursiveReadOnly p, MountPath s, SubPath s, MountPropagation p, SubPathExpr s',
  VolumeDevice: 'Name s, DevicePath s',
  Probe:
    'Exec *ExecAction, HTTPGet *HTTPGetAction, TCPSocket *TCPSocketAction, GRPC *GRPCAction, InitialDelaySeconds i, TimeoutSeconds i, PeriodSeconds i, SuccessThreshold i, FailureThreshold i, TerminationGracePeriodSeconds p',
  ExecAction: 'Command p',
  HTTPGetAction: 'Path s, Port p, Host s, Scheme s, HTTPHeaders []NamedValue',
  NamedValue: 'Name s, Value s',
  TCPSocketAction: 'Port p, Host s',
  GRPCAction: 'Port i, Service p',
  Lifecycle: 'PostStart *LifecycleHandler, PreStop *LifecycleHandler, StopSignal p',
  LifecycleHandler: 'Exec *ExecAction, HTTPGet *HTTPGetAction, TCPSocket *TCPSocketAction, Sleep *SleepAction',
  SleepAction: 'Seconds i',
  SecurityContext:
    'Capabilities *Capabilities, Privileged p, SELinuxOptions *SELinuxOptions, WindowsOptions *WindowsSecurityContextOptions, RunAsUser p, RunAsGroup p, RunAsNonRoot p, ReadOnlyRootFilesystem p, AllowPrivilegeEscalation p, ProcMount p, SeccompProfile *SeccompProfile, AppArmorProfile *AppArmorProfile',
  Capabilities: 'Add p, Drop p',
  SELinuxOptions: 'User s, Role s, Type s, Level s',
  WindowsSecurityContextOptions: 'GMSACredentialSpecName p, GMSACredentialSpec p, RunAsUserName p, HostProcess p',
  SeccompProfile: 'Type s, LocalhostProfile p',
  AppArmorProfile: 'Type s, LocalhostProfile p',
  Sysctl: 'Name s, Value s',
  LocalObjectReference: 'Name s',
  Volume:
    'Name s, HostPath *HostPath, EmptyDir *EmptyDir, GCEPersistentDisk j, AWSElasticBlockStore j, GitRepo j, Secret *SecretVolume, NFS *NFSVolume, ISCSI j, Glusterfs j, PersistentVolumeClaim *ClaimVolume, RBD j, Quobyte j, FlexVolume j, Cinder j, CephFS j, Flocker j, DownwardAPI *DownwardVolume, FC j, AzureFile j, ConfigMap *ConfigMapVolume, VsphereVolume j, AzureDisk j, PhotonPersistentDisk j, Projected *ProjectedVolume, PortworxVolume j, ScaleIO j, StorageOS j, CSI *CSIVolume, Ephemeral *EphemeralVolume, Image *ImageVolume',
  HostPath: 'Path s, Type p',
  EmptyDir: 'Medium s, SizeLimit p',
  SecretVolume: 'SecretName s, Items []KeyToPath, DefaultMode p, Optional p',
  NFSVolume: 'Server s, Path s, ReadOnly b',
  ClaimVolume: 'ClaimName s, ReadOnly b',
  DownwardVolume: 'Items []DownwardFile, DefaultMode p',
  DownwardFile: 'Path s, FieldRef *ObjectFieldSelector, ResourceFieldRef *ResourceFieldSelector, Mode p',
  ConfigMapVolume: 'Name s, Items []KeyToPath, DefaultMode p, Optional p',
  KeyToPath: 'Key s, Path s, Mode p',
  ProjectedVolume: 'Sources []VolumeProjection, DefaultMode p',
  VolumeProjection:
    'Secret *Projection, DownwardAPI *DownwardProjection, ConfigMap *Projection, ServiceAccountToken *TokenProjection, ClusterTrustBundle j, PodCertificate j',
  Projection: 'Name s, Items []KeyToPath, Optional p',
  DownwardProjection: 'Items []DownwardFile',
  TokenProjection: 'Audience s, ExpirationSeconds i, Path s',
  CSIVolume: 'Driver s, ReadOnly p, FSType p, VolumeAttributes p, NodePublishSecretRef *LocalObjectReference',
  EphemeralVolume: 'VolumeClaimTemplate j',
  ImageVolume: 'Reference s, PullPolicy s',
  Affinity: 'NodeAffinity *NodeAffinity, PodAffinity *PodAffinity, PodAntiAffinity *PodAffinity',
  NodeAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution *NodeSelector, PreferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm',
  NodeSelector: 'NodeSelectorTerms []NodeSelectorTerm',
  NodeSelectorTerm: 'MatchExpressions []NodeSelectorRequirement, MatchFields []NodeSelectorRequirement',
  NodeSelectorRequirement: 'Key s, Operator s, Values p',
  PreferredSchedulingTerm: 'Weight i, Preference NodeSelectorTerm',
  PodAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm, PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm',
  PodAffinityTerm: 'LabelSelector j, Namespaces p, TopologyKey s, NamespaceSelector j, MatchLabelKeys p, MismatchLabelKeys p',
  WeightedPodAffinityTerm: 'Weight i, PodAffinityTerm PodAffinityTerm',
  Toleration: 'Key s, Operator s, Value s, Effect s, TolerationSeconds p',
  HostAlias: 'IP s, Hostnames p',
  PodDNSConfig: 'Nameservers p, Searches p, Options []DNSOption',
  DNSOption: 'Name s, Value p',
  PodReadinessGate: 'ConditionType s',
  TopologySpreadConstraint:
    'MaxSkew i, TopologyKey s, WhenUnsatisfiable s, LabelSelector j, MinDomains p, NodeAffinityPolicy p, NodeTaintsPolicy p, MatchLabelKeys p',
  PodOS: 'Name s',
  PodSchedulingGate: 'Name s',
  PodResourceClaim: 'Name s, ResourceClaimName p, ResourceClaimTemplateName p',
  PersistentVolumeClaimSpec:
    'AccessModes p, Selector j, Resources VolumeResources, VolumeName s, StorageClassName p, VolumeMode p, DataSource *TypedReference, DataSourceRef *TypedReference, VolumeAttributesClassName p',
  VolumeResources: 'Limits p, Requests p',
  TypedReference: 'APIGroup p, Kind s, Name s',
  PersistentVolumeSource:
    'GCEPersistentDisk j, AWSElasticBlockStore j, HostPath *HostPath, Glusterfs j, NFS *NFSVolume, RBD j, Quobyte j, ISCSI j, FlexVolume j, Cinder j, CephFS j, FC j, Flocker j, AzureFile j, VsphereVolume j, AzureDisk j, PhotonPersistentDisk j, PortworxVolume j, ScaleIO j, Local *LocalVolume, StorageOS j, CSI *CSIPersistentVolume',
  LocalVolume: 'Path s, FSType p',
  CSIPersistentVolume:
    'Driver s, VolumeHandle s, ReadOnly b, FSType s, VolumeAttributes p, ControllerPublishSecretRef *SecretReference, NodeStageSecretRef *SecretReference, NodePublishSecretRef *SecretReference, ControllerExpandSecretRef *SecretReference, NodeExpandSecretRef *SecretReference',
  SecretReference: 'Name s, Namespace s',
};

/** Fields whose name in the API is not the Go name with a small first letter. */
export const API_NAMES: Readonly<Record<string, string>> = {
  DNSPolicy: 'dnsPolicy',
  DNSConfig: 'dnsConfig',
  FSGroup: 'fsGroup',
  FSGroupChangePolicy: 'fsGroupChangePolicy',
  FSType: 'fsType',
  OS: 'os',
  TTY: 'tty',
  IP: 'ip',
  SELinuxOptions: 'seLinuxOptions',
  SELinuxChangePolicy: 'seLinuxChangePolicy',
  HTTPGet: 'httpGet',
  HTTPHeaders: 'httpHeaders',
  TCPSocket: 'tcpSocket',
  GRPC: 'grpc',
  APIVersion: 'apiVersion',
  APIGroup: 'apiGroup',
  GMSACredentialSpecName: 'gmsaCredentialSpecName',
  GMSACredentialSpec: 'gmsaCredentialSpec',
  GCEPersistentDisk: 'gcePersistentDisk',
  AWSElasticBlockStore: 'awsElasticBlockStore',
  NFS: 'nfs',
  ISCSI: 'iscsi',
  RBD: 'rbd',
  FC: 'fc',
  CSI: 'csi',
  CephFS: 'cephfs',
  ScaleIO: 'scaleIO',
  StorageOS: 'storageos',
  SetHostnameAsFQDN: 'setHostnameAsFQDN',
};
