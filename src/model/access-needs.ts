import { WORKLOAD_KINDS } from './workload-kinds.ts';
import { RESOURCES, groupOf } from './resources.ts';

export type Verb = 'get' | 'list' | 'watch';

/** A rule of a Role. Source: staging/src/k8s.io/api/rbac/v1/types.go (PolicyRule). */
export interface AccessRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly Verb[];
}

/** What a Role is for, besides diagnoses and scans. */
export interface Uses {
  /** Changes are watched, instead of lists read again and again. */
  readonly watch?: boolean;
  /** Logs of containers. Without them a crash has its exit code only. */
  readonly logs?: boolean;
  /** cert-expiry. */
  readonly certificates?: boolean;
  /** Whether Secrets exist, and their keys. The right shows values to whoever else has it. */
  readonly secrets?: boolean;
}

/** Kinds that a diagnosis reads one by one, or as a list, or both. Tests hold it against the reads of all scenarios. */
const READS: Readonly<Record<string, readonly Verb[]>> = {
  ...each(
    ['get'],
    ['Endpoints', 'Lease', 'Role', 'ClusterRole', 'APIService', 'CustomResourceDefinition', 'ServiceCIDR'],
    ['Gateway', 'GatewayClass', 'BackendTLSPolicy', 'NodeClaim'],
    ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding', 'MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
  ),
  ...each(['list'], ['EndpointSlice', 'Event', 'CertificateSigningRequest', 'VolumeAttachment', 'NodePool']),
  ...each(
    ['get', 'list'],
    ['Pod', 'Service', 'ConfigMap', 'ServiceAccount', 'PersistentVolumeClaim', 'PersistentVolume', 'Node', 'Namespace'],
    ['ResourceQuota', 'LimitRange', 'PriorityClass', 'RuntimeClass', 'StorageClass', 'CSIDriver', 'RoleBinding', 'ClusterRoleBinding'],
    ['ReplicationController', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'HorizontalPodAutoscaler'],
    ['ResourceClaim', 'ResourceClaimTemplate', 'DeviceClass', 'ResourceSlice', 'Ingress', 'IngressClass', 'NetworkPolicy', 'HTTPRoute'],
    ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration', 'PodDisruptionBudget'],
  ),
};
const CERTIFICATE_READS = each(['list'], ['CustomResourceDefinition', 'Certificate', 'APIService', 'Ingress', 'Gateway']);
const SECRET_READS = each(['get', 'list'], ['Secret']);
/** Their changes tell that something became ill or well; all else is read when it is needed. */
const WATCHED: ReadonlySet<string> = new Set([
  'Pod',
  'Node',
  'Event',
  'Service',
  'EndpointSlice',
  'PersistentVolumeClaim',
  ...WORKLOAD_KINDS,
]);

function each(verbs: readonly Verb[], ...kinds: readonly (readonly string[])[]): Readonly<Record<string, readonly Verb[]>> {
  return Object.fromEntries(kinds.flat().map((kind) => [kind, verbs]));
}

/**
 * The least rights with which nothing of a use stays unknown, as rules of a Role (kinds in namespaces) or a ClusterRole (the others).
 * Resources of one group with the same verbs are one rule.
 */
export function accessRules(uses: Uses, namespaced: boolean): readonly AccessRule[] {
  const rules = new Map<string, { group: string; verbs: readonly Verb[]; resources: string[] }>();
  for (const { kind, apiVersion, plural, namespaced: isNamespaced } of RESOURCES) {
    const verbs = verbsFor(kind, uses);
    if (isNamespaced !== namespaced || verbs.length === 0) continue;
    const group = groupOf(apiVersion);
    const key = `${group} ${verbs.join(',')}`;
    const rule = rules.get(key) ?? { group, verbs, resources: [] };
    rule.resources.push(plural);
    rules.set(key, rule);
  }
  const logs = namespaced && uses.logs === true ? [{ apiGroups: [''], resources: ['pods/log'], verbs: ['get' as const] }] : [];
  return [...[...rules.values()].map(({ group, verbs, resources }) => ({ apiGroups: [group], resources, verbs })), ...logs];
}

const ORDER: readonly Verb[] = ['get', 'list', 'watch'];

/** What is watched is listed first. */
function verbsFor(kind: string, { watch, certificates, secrets }: Uses): readonly Verb[] {
  const verbs = new Set<Verb>([
    ...(READS[kind] ?? []),
    ...(certificates === true ? (CERTIFICATE_READS[kind] ?? []) : []),
    ...(secrets === true ? (SECRET_READS[kind] ?? []) : []),
    ...(watch === true && WATCHED.has(kind) ? (['list', 'watch'] as const) : []),
  ]);
  return ORDER.filter((verb) => verbs.has(verb));
}
