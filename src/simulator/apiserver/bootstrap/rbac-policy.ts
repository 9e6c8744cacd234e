import type { JsonObject } from '../../../base/json.ts';
import { deepFreeze } from '../../../base/json-edit.ts';
import { once } from '../../../base/once.ts';
import { READ, readRule } from './rule-line.ts';
import { CLUSTER_ROLES } from './cluster-roles.ts';
import { CONTROLLER_ROLES, ADDON_ROLES } from './controller-roles.ts';

/**
 * The roles and bindings every cluster begins with.
 * Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/{policy,controller_policy,namespace_policy}.go.
 */
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
export const rbacPolicy = once((): readonly JsonObject[] => deepFreeze(makePolicy()));

const sound = once((): ReadonlySet<JsonObject> => new Set(rbacPolicy()));

/**
 * Whether this is, by identity, an object of the policy: complete as it is written here and sound, so that whoever creates it need
 * not look at it. What comes from outside never is one.
 */
export function isRbacPolicy(object: JsonObject | undefined): boolean {
  return object !== undefined && sound().has(object);
}

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
    rules: lines.length === 0 ? null : lines.map(readRule),
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

function readSubject(text: string): JsonObject {
  const [kind = '', ...rest] = text.split(':');
  if (kind === 'ServiceAccount') return { kind, namespace: rest[0], name: rest.slice(1).join(':') };
  return { apiGroup: 'rbac.authorization.k8s.io', kind, name: rest.join(':') };
}
