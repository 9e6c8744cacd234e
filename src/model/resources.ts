/** One row for each kind podcheck reads: what kubectl calls it and where the API serves it. */
export interface Resource {
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
}

const CORE = 'v1';
const APPS = 'apps/v1';
const STORAGE = 'storage.k8s.io/v1';
const RBAC = 'rbac.authorization.k8s.io/v1';
const NETWORKING = 'networking.k8s.io/v1';
const ADMISSION = 'admissionregistration.k8s.io/v1';
const RESOURCE = 'resource.k8s.io/v1';
const GATEWAY = 'gateway.networking.k8s.io/v1';
const KARPENTER = 'karpenter.sh/v1';

/** Source: kubectl api-resources of 1.36; the preferred version of each group, Gateway API's v1 and cert-manager's. */
export const RESOURCES: readonly Resource[] = [
  row('Pod', CORE, 'pods', true, 'po'),
  row('Service', CORE, 'services', true, 'svc'),
  row('Endpoints', CORE, 'endpoints', true, 'ep'),
  row('ConfigMap', CORE, 'configmaps', true, 'cm'),
  row('Secret', CORE, 'secrets', true),
  row('ServiceAccount', CORE, 'serviceaccounts', true, 'sa'),
  row('PersistentVolumeClaim', CORE, 'persistentvolumeclaims', true, 'pvc'),
  row('PersistentVolume', CORE, 'persistentvolumes', false, 'pv'),
  row('Node', CORE, 'nodes', false, 'no'),
  row('Namespace', CORE, 'namespaces', false, 'ns'),
  row('Event', CORE, 'events', true, 'ev'),
  row('ResourceQuota', CORE, 'resourcequotas', true, 'quota'),
  row('LimitRange', CORE, 'limitranges', true, 'limits'),
  row('ReplicationController', CORE, 'replicationcontrollers', true, 'rc'),
  row('PodTemplate', CORE, 'podtemplates', true),
  row('Deployment', APPS, 'deployments', true, 'deploy'),
  row('ReplicaSet', APPS, 'replicasets', true, 'rs'),
  row('StatefulSet', APPS, 'statefulsets', true, 'sts'),
  row('DaemonSet', APPS, 'daemonsets', true, 'ds'),
  row('ControllerRevision', APPS, 'controllerrevisions', true),
  row('Job', 'batch/v1', 'jobs', true),
  row('CronJob', 'batch/v1', 'cronjobs', true, 'cj'),
  row('HorizontalPodAutoscaler', 'autoscaling/v2', 'horizontalpodautoscalers', true, 'hpa'),
  row('PodDisruptionBudget', 'policy/v1', 'poddisruptionbudgets', true, 'pdb'),
  row('EndpointSlice', 'discovery.k8s.io/v1', 'endpointslices', true),
  row('Lease', 'coordination.k8s.io/v1', 'leases', true),
  row('StorageClass', STORAGE, 'storageclasses', false, 'sc'),
  row('CSIDriver', STORAGE, 'csidrivers', false),
  row('CSINode', STORAGE, 'csinodes', false),
  row('CSIStorageCapacity', STORAGE, 'csistoragecapacities', true),
  row('VolumeAttachment', STORAGE, 'volumeattachments', false),
  row('PriorityClass', 'scheduling.k8s.io/v1', 'priorityclasses', false, 'pc'),
  row('RuntimeClass', 'node.k8s.io/v1', 'runtimeclasses', false),
  row('ResourceClaim', RESOURCE, 'resourceclaims', true),
  row('ResourceClaimTemplate', RESOURCE, 'resourceclaimtemplates', true),
  row('DeviceClass', RESOURCE, 'deviceclasses', false),
  row('ResourceSlice', RESOURCE, 'resourceslices', false),
  row('Role', RBAC, 'roles', true),
  row('RoleBinding', RBAC, 'rolebindings', true),
  row('ClusterRole', RBAC, 'clusterroles', false),
  row('ClusterRoleBinding', RBAC, 'clusterrolebindings', false),
  row('Ingress', NETWORKING, 'ingresses', true, 'ing'),
  row('IngressClass', NETWORKING, 'ingressclasses', false),
  row('NetworkPolicy', NETWORKING, 'networkpolicies', true, 'netpol'),
  row('Gateway', GATEWAY, 'gateways', true, 'gtw'),
  row('GatewayClass', GATEWAY, 'gatewayclasses', false, 'gc'),
  row('HTTPRoute', GATEWAY, 'httproutes', true),
  row('BackendTLSPolicy', GATEWAY, 'backendtlspolicies', true, 'btlspolicy'),
  row('ServiceCIDR', NETWORKING, 'servicecidrs', false),
  row('NodePool', KARPENTER, 'nodepools', false),
  row('NodeClaim', KARPENTER, 'nodeclaims', false),
  row('MutatingWebhookConfiguration', ADMISSION, 'mutatingwebhookconfigurations', false),
  row('ValidatingWebhookConfiguration', ADMISSION, 'validatingwebhookconfigurations', false),
  row('ValidatingAdmissionPolicy', ADMISSION, 'validatingadmissionpolicies', false),
  row('ValidatingAdmissionPolicyBinding', ADMISSION, 'validatingadmissionpolicybindings', false),
  row('MutatingAdmissionPolicy', ADMISSION, 'mutatingadmissionpolicies', false),
  row('MutatingAdmissionPolicyBinding', ADMISSION, 'mutatingadmissionpolicybindings', false),
  row('CustomResourceDefinition', 'apiextensions.k8s.io/v1', 'customresourcedefinitions', false, 'crd', 'crds'),
  row('APIService', 'apiregistration.k8s.io/v1', 'apiservices', false),
  row('Certificate', 'cert-manager.io/v1', 'certificates', true, 'cert', 'certs'),
  row('CertificateSigningRequest', 'certificates.k8s.io/v1', 'certificatesigningrequests', false, 'csr'),
];

/** The resource of a kind (`Pod`), exactly written. */
export function resourceOfKind(kind: string): Resource | undefined {
  return BY_KIND.get(kind);
}

/** The resource a person names as kubectl allows: kind, singular, plural or short name in any case, with or without group. */
export function resourceNamed(word: string): Resource | undefined {
  const [name = '', ...group] = word.toLowerCase().split('.');
  const found = BY_WORD.get(name);
  if (found === undefined || group.length === 0) return found;
  const groups = [groupOf(found.apiVersion), `v1.${groupOf(found.apiVersion)}`];
  return groups.includes(group.join('.')) ? found : undefined;
}

/** The API group of an apiVersion; empty for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

function row(kind: string, apiVersion: string, plural: string, namespaced: boolean, ...shortNames: readonly string[]): Resource {
  return { kind, apiVersion, plural, namespaced, shortNames };
}

const BY_KIND = new Map(RESOURCES.map((resource) => [resource.kind, resource]));
const BY_WORD = new Map(
  RESOURCES.flatMap((resource) =>
    [resource.kind.toLowerCase(), resource.plural, ...resource.shortNames].map((word) => [word, resource] as const),
  ),
);
