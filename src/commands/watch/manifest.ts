import type { JsonObject } from '../../base/json.ts';
import { accessManifests } from '../rbac/access-manifests.ts';
import { stateManifests, stateObjects } from '../rbac/state-manifests.ts';

export interface ManifestWish {
  /** Where it is installed. */
  readonly namespace: string;
  /** What it watches; the whole cluster where it is undefined. */
  readonly namespaces: readonly string[] | undefined;
  readonly image: string;
  readonly version: string;
  /** Whether it may read the logs of containers. */
  readonly logs: boolean;
  /** Whether it writes Events on workloads. */
  readonly events: boolean;
  readonly replicas: number;
}

/** Where nothing else is said. */
export const OWN_NAMESPACE = 'podcheck';
const NAME = 'podcheck-watch';
const PORT = 8080;

/**
 * The objects that run a watch in a cluster: with the rights that it needs and no others, under the restricted level of Pod Security
 * Admission.
 */
export function watchManifest(wish: ManifestWish): readonly JsonObject[] {
  const { namespace, namespaces, logs, replicas } = wish;
  const subject = { kind: 'ServiceAccount', namespace, name: NAME } as const;
  const labels = labelsOf(wish);
  const named = { name: NAME, namespace, labels };
  const selector = { matchLabels: SELECTED };
  return [
    ...(namespace === OWN_NAMESPACE ? [ownNamespace(labels)] : []),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named, automountServiceAccountToken: false },
    ...accessManifests({ name: NAME, uses: { watch: true, logs }, namespaces, subject }),
    ...stateManifests({ name: NAME, namespace, replicas, subject, labels }),
    ...stateObjects({ namespace, replicas, labels }),
    ...(wish.events ? eventAccess(wish) : []),
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: named,
      // There are as many Leases as replicas: one has to go before another can come.
      spec: {
        replicas,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
        selector,
        template: { metadata: { labels }, spec: podSpec(wish) },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: named,
      spec: { selector: SELECTED, ports: [{ name: 'http', port: PORT, targetPort: 'http' }] },
    },
    { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: named, spec: { maxUnavailable: 1, selector } },
    { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: named, spec: { podSelector: selector, ...TRAFFIC } },
  ];
}

const SELECTED = { 'app.kubernetes.io/name': 'podcheck', 'app.kubernetes.io/component': 'watch' };

function labelsOf({ version }: ManifestWish): JsonObject {
  return {
    ...SELECTED,
    'app.kubernetes.io/instance': 'podcheck',
    'app.kubernetes.io/part-of': 'podcheck',
    'app.kubernetes.io/version': version,
  };
}

function ownNamespace(labels: JsonObject): JsonObject {
  const level = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: OWN_NAMESPACE, labels: { ...labels, ...level } } };
}

/** The only right to write, where it was asked for. Events of nodes are in the namespace `default`. */
function eventAccess({ namespace, namespaces }: ManifestWish): readonly JsonObject[] {
  const name = `${NAME}-events`;
  const rules = [{ apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] }];
  const subjects = [{ kind: 'ServiceAccount', namespace, name: NAME }];
  const pair = (kind: string, within?: string): readonly JsonObject[] => {
    const metadata = { name, ...(within === undefined ? {} : { namespace: within }) };
    const roleRef = { apiGroup: RBAC, kind, name };
    return [
      { apiVersion: `${RBAC}/v1`, kind, metadata, rules },
      { apiVersion: `${RBAC}/v1`, kind: `${kind}Binding`, metadata, roleRef, subjects },
    ];
  };
  return namespaces === undefined ? pair('ClusterRole') : namespaces.flatMap((within) => pair('Role', within));
}

const RBAC = 'rbac.authorization.k8s.io';

/** From everywhere to its port; to DNS and to the API server, whose address differs from cluster to cluster. */
const TRAFFIC = {
  policyTypes: ['Ingress', 'Egress'],
  ingress: [{ ports: [{ protocol: 'TCP', port: 'http' }] }],
  egress: [
    {
      ports: [
        { protocol: 'UDP', port: 53 },
        { protocol: 'TCP', port: 53 },
        { protocol: 'TCP', port: 443 },
        { protocol: 'TCP', port: 6443 },
      ],
    },
  ],
};

function podSpec({ namespace, image, namespaces, events, replicas }: ManifestWish): JsonObject {
  const state = ['--state-namespace', namespace, ...(replicas === 1 ? [] : ['--replicas', String(replicas)])];
  const scope = namespaces === undefined ? ['--all-namespaces'] : ['--namespaces', namespaces.join(',')];
  const probe = (path: string): JsonObject => ({ httpGet: { path, port: 'http' }, periodSeconds: 10, timeoutSeconds: 5 });
  return {
    serviceAccountName: NAME,
    automountServiceAccountToken: true,
    securityContext: { runAsNonRoot: true, runAsUser: USER, runAsGroup: USER, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'watch',
        image,
        args: ['watch', ...scope, '--serve', `:${PORT}`, ...state, ...(events ? ['--events'] : [])],
        ports: [{ name: 'http', containerPort: PORT }],
        readinessProbe: probe('/readyz'),
        livenessProbe: { ...probe('/healthz'), failureThreshold: 6 },
        resources: { requests: { cpu: '50m', memory: '192Mi' }, limits: { memory: '512Mi' } },
        securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      },
    ],
  };
}

/** `nonroot` of distroless images. */
const USER = 65_532;
