import type { JsonObject } from '../../../base/json.ts';
import { deepFreeze } from '../../../base/json-edit.ts';

/**
 * The roles and bindings every cluster begins with.
 * Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/{policy,controller_policy,namespace_policy}.go.
 *
 * A line is `verbs | groups | resources [| names]`, `-` standing for the core group, or `verbs @ paths`.
 */
const READ = 'get,list,watch';
const WRITE = 'create,delete,deletecollection,patch,update';
const EVENTS = 'create,patch,update | -,events.k8s.io | events';
const LEADER = (name: string): readonly string[] => [
  'create | coordination.k8s.io | leases',
  `get,update | coordination.k8s.io | leases | ${name}`,
];

const CLUSTER_ROLES: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['* | * | *', '* @ *'],
  'system:discovery': ['get @ /api,/api/*,/apis,/apis/*,/healthz,/livez,/openapi,/openapi/*,/readyz,/version,/version/'],
  'system:basic-user': [
    'create | authorization.k8s.io | selfsubjectaccessreviews,selfsubjectrulesreviews',
    'create | authentication.k8s.io | selfsubjectreviews',
  ],
  'system:public-info-viewer': ['get @ /healthz,/livez,/readyz,/version,/version/'],
  'system:monitoring': ['get @ /metrics,/metrics/slis,/livez,/readyz,/healthz,/livez/*,/readyz/*,/healthz/*'],
  'system:service-account-issuer-discovery': [
    'get @ /.well-known/openid-configuration,/.well-known/openid-configuration/,/openid/v1/jwks,/openid/v1/jwks/',
  ],
  'system:aggregate-to-view': [
    `${READ} | - | configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,replicationcontrollers,replicationcontrollers/scale,serviceaccounts,services,services/status`,
    `${READ} | - | bindings,events,limitranges,namespaces/status,pods/log,pods/status,replicationcontrollers/status,resourcequotas,resourcequotas/status,namespaces`,
    `${READ} | discovery.k8s.io | endpointslices`,
    `${READ} | apps | controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,replicasets,replicasets/scale,replicasets/status,statefulsets,statefulsets/scale,statefulsets/status`,
    `${READ} | autoscaling | horizontalpodautoscalers,horizontalpodautoscalers/status`,
    `${READ} | batch | cronjobs,cronjobs/status,jobs,jobs/status`,
    `${READ} | policy | poddisruptionbudgets,poddisruptionbudgets/status`,
    `${READ} | networking.k8s.io | ingresses,ingresses/status,networkpolicies`,
  ],
  'system:aggregate-to-edit': [
    `${READ} | - | pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,services/proxy`,
    'impersonate | - | serviceaccounts',
    `${WRITE} | - | pods,pods/attach,pods/exec,pods/portforward,pods/proxy`,
    'create | - | pods/eviction,serviceaccounts/token',
    `${WRITE} | - | configmaps,events,persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy`,
    `${WRITE} | apps | daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,replicasets/scale,statefulsets,statefulsets/scale`,
    `${WRITE} | autoscaling | horizontalpodautoscalers`,
    `${WRITE} | batch | cronjobs,jobs`,
    `${WRITE} | policy | poddisruptionbudgets`,
    `${WRITE} | networking.k8s.io | ingresses,networkpolicies`,
    `${WRITE},get,list,watch | coordination.k8s.io | leases`,
  ],
  'system:aggregate-to-admin': [
    'create | authorization.k8s.io | localsubjectaccessreviews',
    `${WRITE},get,list,watch | rbac.authorization.k8s.io | roles,rolebindings`,
  ],
  'system:node': [],
  'system:node-bootstrapper': ['create,get,list,watch | certificates.k8s.io | certificatesigningrequests'],
  'system:node-problem-detector': ['get | - | nodes', 'patch | - | nodes/status', EVENTS],
  'system:node-proxier': [
    'list,watch | - | services,endpoints',
    'get,list,watch | - | nodes',
    EVENTS,
    'list,watch | discovery.k8s.io | endpointslices',
    'list,watch | networking.k8s.io | servicecidrs',
  ],
  'system:kubelet-api-admin': [`${READ} | - | nodes`, '* | - | nodes/proxy,nodes/metrics,nodes/stats,nodes/log'],
  'system:auth-delegator': ['create | authentication.k8s.io | tokenreviews', 'create | authorization.k8s.io | subjectaccessreviews'],
  'system:volume-scheduler': [
    `${READ},patch,update | - | persistentvolumes`,
    `${READ} | storage.k8s.io | storageclasses`,
    `${READ},patch,update | - | persistentvolumeclaims`,
  ],
  'system:kube-scheduler': [
    EVENTS,
    ...LEADER('kube-scheduler'),
    `${READ} | - | nodes`,
    `delete,${READ} | - | pods`,
    'create | - | bindings,pods/binding',
    'patch,update | - | pods/status',
    `${READ} | - | replicationcontrollers,services,namespaces`,
    `${READ} | apps | replicasets,statefulsets`,
    `${READ} | policy | poddisruptionbudgets`,
    `${READ} | - | persistentvolumeclaims,persistentvolumes`,
    'create | authentication.k8s.io | tokenreviews',
    'create | authorization.k8s.io | subjectaccessreviews',
    `${READ} | storage.k8s.io | csinodes,csidrivers,csistoragecapacities,volumeattachments`,
    `${READ} | resource.k8s.io | deviceclasses,resourceclaims,resourceslices`,
    'patch,update | resource.k8s.io | resourceclaims,resourceclaims/status',
    'create,delete | resource.k8s.io | resourceclaims',
  ],
  'system:kube-controller-manager': [
    EVENTS,
    ...LEADER('kube-controller-manager'),
    'create | - | secrets,serviceaccounts',
    'delete | - | secrets',
    'get | - | namespaces,secrets,serviceaccounts,configmaps',
    'update | - | secrets,serviceaccounts',
    'create | authentication.k8s.io | tokenreviews',
    'create | authorization.k8s.io | subjectaccessreviews',
    'list,watch | * | *',
    'create | - | serviceaccounts/token',
  ],
  'system:kube-dns': ['list,watch | - | endpoints,services'],
  'system:certificates.k8s.io:kube-apiserver-client-approver': [
    'approve | certificates.k8s.io | signers | kubernetes.io/kube-apiserver-client',
  ],
  'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver': [
    'approve | certificates.k8s.io | signers | kubernetes.io/kube-apiserver-client-kubelet',
  ],
  'system:certificates.k8s.io:kubelet-serving-approver': ['approve | certificates.k8s.io | signers | kubernetes.io/kubelet-serving'],
  'system:certificates.k8s.io:legacy-unknown-approver': ['approve | certificates.k8s.io | signers | kubernetes.io/legacy-unknown'],
  'system:certificates.k8s.io:certificatesigningrequests:nodeclient': [
    'create | certificates.k8s.io | certificatesigningrequests/nodeclient',
  ],
  'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient': [
    'create | certificates.k8s.io | certificatesigningrequests/selfnodeclient',
  ],
};

/** Roles of controllers, each bound to the service account of its name in kube-system. */
const CONTROLLER_ROLES: Readonly<Record<string, readonly string[]>> = {
  'attachdetach-controller': [
    'list,watch | - | persistentvolumes,persistentvolumeclaims',
    `${READ} | - | nodes`,
    'patch,update | - | nodes/status',
    'list,watch | - | pods',
    EVENTS,
    `${READ},create,delete,update,patch | storage.k8s.io | volumeattachments`,
    `${READ} | storage.k8s.io | csidrivers,csinodes`,
  ],
  'clusterrole-aggregation-controller': [`${READ},escalate,patch,update | rbac.authorization.k8s.io | clusterroles`],
  'cronjob-controller': [
    `${READ},update | batch | cronjobs`,
    `${READ},create,update,delete,patch | batch | jobs`,
    'update | batch | cronjobs/status,cronjobs/finalizers',
    'list,delete | - | pods',
    EVENTS,
  ],
  'daemon-set-controller': [
    `${READ} | apps | daemonsets`,
    'update | apps | daemonsets/status,daemonsets/finalizers',
    'list,watch | - | nodes',
    'list,watch,create,delete,patch | - | pods',
    'create | - | pods/binding',
    `${READ},create,delete,update,patch | apps | controllerrevisions`,
    EVENTS,
  ],
  'deployment-controller': [
    `${READ},update | apps | deployments`,
    'update | apps | deployments/status,deployments/finalizers',
    `${READ},create,delete,update,patch | apps | replicasets`,
    `${READ},update | - | pods`,
    EVENTS,
  ],
  'device-taint-eviction-controller': [
    `${READ},delete | - | pods`,
    'update,patch | - | pods/status',
    `${READ} | resource.k8s.io | resourceclaims,resourceslices,deviceclasses`,
    EVENTS,
  ],
  'disruption-controller': [
    `${READ} | apps | deployments,replicasets,statefulsets`,
    `${READ} | - | replicationcontrollers`,
    `${READ} | policy | poddisruptionbudgets`,
    'update | policy | poddisruptionbudgets/status',
    `${READ} | - | pods`,
    'patch,update | - | pods/status',
    'get | * | */scale',
    EVENTS,
  ],
  'endpoint-controller': [
    `${READ} | - | services,pods`,
    `${READ},create,delete,update | - | endpoints`,
    'create | - | endpoints/restricted',
    EVENTS,
  ],
  'endpointslice-controller': [
    `${READ} | - | services,pods,nodes`,
    'update | - | services/finalizers',
    `${READ},create,delete,update | discovery.k8s.io | endpointslices`,
    EVENTS,
  ],
  'endpointslicemirroring-controller': [
    `${READ} | - | endpoints,services`,
    'update | - | services/finalizers,endpoints/finalizers',
    `${READ},create,delete,update | discovery.k8s.io | endpointslices`,
    EVENTS,
  ],
  'ephemeral-volume-controller': [
    'update | - | pods/finalizers',
    `${READ} | - | pods`,
    `${READ},create | - | persistentvolumeclaims`,
    EVENTS,
  ],
  'expand-controller': [
    `${READ},update,patch | - | persistentvolumes`,
    'update,patch | - | persistentvolumeclaims/status',
    `${READ} | - | persistentvolumeclaims`,
    `${READ} | storage.k8s.io | storageclasses`,
    'get | - | endpoints,services',
    EVENTS,
  ],
  'generic-garbage-collector': ['get,list,watch,patch,update,delete | * | *', EVENTS],
  'horizontal-pod-autoscaler': [
    `${READ} | autoscaling | horizontalpodautoscalers`,
    'update | autoscaling | horizontalpodautoscalers/status',
    'get,update | * | */scale',
    'list | - | pods',
    'list | metrics.k8s.io | pods',
    'get,list | custom.metrics.k8s.io,external.metrics.k8s.io | *',
    EVENTS,
  ],
  'job-controller': [
    `${READ},update,patch | batch | jobs`,
    'update | batch | jobs/status,jobs/finalizers',
    'list,watch,create,delete,patch | - | pods',
    EVENTS,
  ],
  'legacy-service-account-token-cleaner': ['get | - | configmaps', 'patch,delete | - | secrets'],
  'namespace-controller': [
    'get,list,watch,delete | - | namespaces',
    'update | - | namespaces/finalize,namespaces/status',
    'get,list,delete,deletecollection | * | *',
  ],
  'node-controller': [
    'get,list,update,delete,patch | - | nodes',
    'patch,update | - | nodes/status',
    'patch,update | - | pods/status',
    `${READ},delete | - | pods`,
    EVENTS,
    'get | - | pods',
    'list,watch | coordination.k8s.io | leases',
  ],
  'persistent-volume-binder': [
    `${READ},update,create,delete | - | persistentvolumes`,
    'update | - | persistentvolumes/status,persistentvolumeclaims/status',
    `${READ},update | - | persistentvolumeclaims`,
    `${READ},create,delete | - | pods`,
    `${READ} | storage.k8s.io | storageclasses`,
    `${READ},create,update,delete | - | endpoints,services`,
    'get,list | - | secrets,nodes',
    EVENTS,
    'watch | - | nodes',
  ],
  'pod-garbage-collector': ['list,watch,delete | - | pods', 'get,list,watch | - | nodes', 'patch | - | pods/status'],
  'pv-protection-controller': [`${READ},update | - | persistentvolumes`, EVENTS],
  'pvc-protection-controller': [`${READ},update | - | persistentvolumeclaims`, `${READ} | - | pods`, EVENTS],
  'replicaset-controller': [
    `${READ},update | apps | replicasets`,
    'update | apps | replicasets/status,replicasets/finalizers',
    'list,watch,create,delete,patch | - | pods',
    EVENTS,
  ],
  'replication-controller': [
    `${READ},update | - | replicationcontrollers`,
    'update | - | replicationcontrollers/status,replicationcontrollers/finalizers',
    'list,watch,create,delete,patch | - | pods',
    EVENTS,
  ],
  'resource-claim-controller': [
    `${READ} | - | pods`,
    'update | - | pods/finalizers',
    `${READ},create,delete,update | resource.k8s.io | resourceclaims`,
    'update,patch | resource.k8s.io | resourceclaims/status',
    `${READ} | resource.k8s.io | resourceclaimtemplates`,
    'patch,update | - | pods/status',
    EVENTS,
  ],
  'resourcequota-controller': ['list,watch | * | *', 'update | - | resourcequotas/status', EVENTS],
  'root-ca-cert-publisher': ['create,update,get,list,watch | - | configmaps', EVENTS],
  'route-controller': ['list,watch | - | nodes', 'patch | - | nodes/status', EVENTS],
  'service-account-controller': ['create | - | serviceaccounts', EVENTS],
  'service-controller': [`${READ} | - | services`, 'patch,update | - | services/status', 'list,watch | - | nodes', EVENTS],
  'statefulset-controller': [
    'list,watch | - | pods',
    `${READ} | apps | statefulsets`,
    'update | apps | statefulsets/status,statefulsets/finalizers',
    'create,delete,get,patch,update | - | pods',
    `${READ},create,delete,update,patch | apps | controllerrevisions`,
    'create,get,list,watch,update,delete | - | persistentvolumeclaims',
    EVENTS,
  ],
  'ttl-after-finished-controller': [`${READ},delete | batch | jobs`, EVENTS],
  'ttl-controller': ['update,patch,list,watch | - | nodes', EVENTS],
  'validatingadmissionpolicy-status-controller': [
    `${READ} | admissionregistration.k8s.io | validatingadmissionpolicies`,
    'patch,update | admissionregistration.k8s.io | validatingadmissionpolicies/status',
    EVENTS,
  ],
  'certificate-controller': [
    `${READ},delete | certificates.k8s.io | certificatesigningrequests`,
    'update | certificates.k8s.io | certificatesigningrequests/status,certificatesigningrequests/approval',
    'approve | certificates.k8s.io | signers | kubernetes.io/kube-apiserver-client-kubelet',
    'sign | certificates.k8s.io | signers | kubernetes.io/kube-apiserver-client-kubelet,kubernetes.io/kubelet-serving,kubernetes.io/kube-apiserver-client,kubernetes.io/legacy-unknown',
    'create | authorization.k8s.io | subjectaccessreviews',
    EVENTS,
  ],
};

/** Roles of processes that are not part of Kubernetes itself and run under a service account: an administrator would install them. */
const ADDON_ROLES: Readonly<Record<string, readonly string[]>> = {
  'csi-provisioner': [
    `${READ},create,delete,patch | - | persistentvolumes`,
    `${READ},update | - | persistentvolumeclaims`,
    `${READ} | storage.k8s.io | storageclasses,csinodes,csidrivers`,
    `${READ} | - | nodes`,
    `${READ} | storage.k8s.io | volumeattachments`,
    EVENTS,
  ],
  'csi-resizer': [
    `${READ},patch | - | persistentvolumes`,
    `${READ} | - | persistentvolumeclaims`,
    'patch | - | persistentvolumeclaims/status',
    `${READ} | storage.k8s.io | csidrivers`,
    EVENTS,
  ],
  'csi-attacher': [
    `${READ},patch | - | persistentvolumes`,
    `${READ} | storage.k8s.io | csinodes,csidrivers`,
    `${READ},patch | storage.k8s.io | volumeattachments`,
    'patch | storage.k8s.io | volumeattachments/status',
    EVENTS,
  ],
  'metrics-server': ['get | - | nodes/metrics', `${READ} | - | pods,nodes`],
};

const BINDINGS: readonly (readonly [name: string, role: string, subject: string])[] = [
  ['cluster-admin', 'cluster-admin', 'Group:system:masters'],
  ['system:monitoring', 'system:monitoring', 'Group:system:monitoring'],
  ['system:discovery', 'system:discovery', 'Group:system:authenticated'],
  ['system:basic-user', 'system:basic-user', 'Group:system:authenticated'],
  ['system:public-info-viewer', 'system:public-info-viewer', 'Group:system:authenticated'],
  ['system:public-info-viewer-unauthenticated', 'system:public-info-viewer', 'Group:system:unauthenticated'],
  ['system:service-account-issuer-discovery', 'system:service-account-issuer-discovery', 'Group:system:serviceaccounts'],
  ['system:node-proxier', 'system:node-proxier', 'User:system:kube-proxy'],
  ['system:kube-controller-manager', 'system:kube-controller-manager', 'User:system:kube-controller-manager'],
  ['system:kube-scheduler', 'system:kube-scheduler', 'User:system:kube-scheduler'],
  ['system:volume-scheduler', 'system:volume-scheduler', 'User:system:kube-scheduler'],
  ['kubeadm:cluster-admins', 'cluster-admin', 'Group:kubeadm:cluster-admins'],
  ['kubeadm:node-proxier', 'system:node-proxier', 'ServiceAccount:kube-system:kube-proxy'],
  [
    'kubeadm:node-autoapprove-bootstrap',
    'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    'Group:system:bootstrappers:kubeadm:default-node-token',
  ],
  [
    'kubeadm:node-autoapprove-certificate-rotation',
    'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    'Group:system:nodes',
  ],
];

/** What may read and write the lease and configuration of kube-system. */
const KUBE_SYSTEM_ROLES: Readonly<Record<string, { readonly rules: readonly string[]; readonly subjects: readonly string[] }>> = {
  'extension-apiserver-authentication-reader': {
    rules: [`${READ} | - | configmaps | extension-apiserver-authentication`],
    subjects: ['User:system:kube-controller-manager', 'User:system:kube-scheduler'],
  },
  'system::leader-locking-kube-controller-manager': {
    rules: ['watch | - | configmaps', 'get,update | - | configmaps | kube-controller-manager'],
    subjects: ['User:system:kube-controller-manager'],
  },
  'system::leader-locking-kube-scheduler': {
    rules: ['watch | - | configmaps', 'get,update | - | configmaps | kube-scheduler'],
    subjects: ['User:system:kube-scheduler'],
  },
};

const AGGREGATED: Readonly<Record<string, readonly string[]>> = {
  admin: ['admin'],
  edit: ['edit'],
  view: ['view'],
};

/** Every role and binding as an object to be created, in order; made once, for every cluster begins with the same. */
export function rbacPolicy(): readonly JsonObject[] {
  policy ??= deepFreeze(makePolicy());
  if (sound.size === 0) for (const object of policy) sound.add(object);
  return policy;
}

/**
 * Whether this is, by identity, an object of the policy: complete as it is written here and sound, so that whoever creates it need
 * not look at it. What comes from outside never is one.
 */
export function isRbacPolicy(object: JsonObject | undefined): boolean {
  return object !== undefined && sound.has(object);
}

let policy: readonly JsonObject[] | undefined;
const sound = new Set<JsonObject>();

function makePolicy(): readonly JsonObject[] {
  const objects: JsonObject[] = [];
  for (const [name, lines] of Object.entries(CLUSTER_ROLES)) objects.push(clusterRole(name, lines, aggregationLabel(name)));
  for (const name of Object.keys(AGGREGATED))
    objects.push({
      ...clusterRole(name, [], name === 'admin' ? {} : aggregationLabel(`system:aggregate-to-${name === 'edit' ? 'admin' : 'edit'}`)),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true' } }] },
    });
  for (const [name, lines] of Object.entries(CONTROLLER_ROLES))
    objects.push(
      clusterRole(`system:controller:${name}`, lines, {}),
      clusterBinding(`system:controller:${name}`, `system:controller:${name}`, `ServiceAccount:kube-system:${name}`),
    );
  for (const [name, lines] of Object.entries(ADDON_ROLES))
    objects.push(clusterRole(name, lines, {}), clusterBinding(name, name, `ServiceAccount:kube-system:${name}`));
  for (const [name, role, subject] of BINDINGS) objects.push(clusterBinding(name, role, subject));
  for (const [name, { rules, subjects }] of Object.entries(KUBE_SYSTEM_ROLES)) {
    objects.push({ apiVersion: RBAC, kind: 'Role', metadata: { name, namespace: 'kube-system', ...DEFAULTS }, rules: rules.map(readRule) });
    objects.push({
      apiVersion: RBAC,
      kind: 'RoleBinding',
      metadata: { name, namespace: 'kube-system', ...DEFAULTS },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: subjects.map(readSubject),
    });
  }
  return objects;
}

const RBAC = 'rbac.authorization.k8s.io/v1';
const DEFAULTS: JsonObject = {
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
};

function clusterRole(name: string, lines: readonly string[], labels: JsonObject): JsonObject {
  return {
    apiVersion: RBAC,
    kind: 'ClusterRole',
    metadata: { name, annotations: DEFAULTS['annotations'], labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels } },
    ...(lines.length === 0 ? {} : { rules: lines.map(readRule) }),
  };
}

function clusterBinding(name: string, role: string, subject: string): JsonObject {
  return {
    apiVersion: RBAC,
    kind: 'ClusterRoleBinding',
    metadata: { name, ...DEFAULTS },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [readSubject(subject)],
  };
}

/** `system:aggregate-to-view` is collected by view; and edit collects view, admin collects edit. */
function aggregationLabel(name: string): JsonObject {
  const target = /^system:aggregate-to-(\w+)$/.exec(name)?.[1];
  return target === undefined ? {} : { [`rbac.authorization.k8s.io/aggregate-to-${target}`]: 'true' };
}

function readRule(line: string): JsonObject {
  if (line.includes(' @ ')) {
    const [verbs = '', paths = ''] = line.split(' @ ');
    return { verbs: verbs.split(','), nonResourceURLs: paths.split(',') };
  }
  const [verbs = '', groups = '', resources = '', names] = line.split(' | ');
  return {
    verbs: verbs.split(','),
    apiGroups: groups.split(',').map((group) => (group === '-' ? '' : group)),
    resources: resources.split(','),
    ...(names === undefined ? {} : { resourceNames: names.split(',') }),
  };
}

function readSubject(text: string): JsonObject {
  const [kind = '', ...rest] = text.split(':');
  if (kind === 'ServiceAccount') return { kind, namespace: rest[0], name: rest.slice(1).join(':') };
  return { apiGroup: 'rbac.authorization.k8s.io', kind, name: rest.join(':') };
}
