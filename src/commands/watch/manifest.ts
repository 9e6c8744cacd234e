import type { Json, JsonObject } from '../../base/json.ts';
import { accessManifests } from '../rbac/access-manifests.ts';
import { stateManifests, stateObjects } from '../rbac/state-manifests.ts';
import { monitoringManifests } from './manifest-monitoring.ts';

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
  /** Whether Prometheus' operator and Grafana are told of it. */
  readonly monitoring: boolean;
  /** Where it may connect to, besides DNS; everywhere where it is undefined. */
  readonly egressPorts: readonly number[] | undefined;
}

/** Where nothing else is said. */
export const OWN_NAMESPACE = 'podcheck';
const NAME = 'podcheck-watch';
const PORT = 8080;

/** The objects of an installation, by what they are for. */
export interface ManifestParts {
  readonly account: readonly JsonObject[];
  /** The right to look. */
  readonly access: readonly JsonObject[];
  /** The right to keep what was told. */
  readonly stateAccess: readonly JsonObject[];
  readonly state: readonly JsonObject[];
  /** The right to write Events. */
  readonly events: readonly JsonObject[];
  readonly workload: readonly JsonObject[];
  readonly networkPolicy: readonly JsonObject[];
  readonly monitoring: readonly JsonObject[];
}

/**
 * The objects that run a watch in a cluster: with the rights that it needs and no others, under the restricted level of Pod Security
 * Admission.
 */
export function watchManifest(wish: ManifestWish): readonly JsonObject[] {
  const parts = manifestParts(wish);
  return [
    ...(wish.namespace === OWN_NAMESPACE ? [ownNamespace(labelsOf(wish))] : []),
    ...parts.account,
    ...parts.access,
    ...parts.stateAccess,
    ...parts.state,
    ...(wish.events ? parts.events : []),
    ...parts.workload,
    ...parts.networkPolicy,
    ...(wish.monitoring ? parts.monitoring : []),
  ];
}

/** What differs in a template. */
interface Settings {
  readonly replicas: Json;
  readonly args: readonly string[];
  readonly resources: Json;
}

export function manifestParts(wish: ManifestWish, settings: Settings = settingsOf(wish)): ManifestParts {
  const { namespace, namespaces, logs, replicas } = wish;
  const subject = { kind: 'ServiceAccount', namespace, name: NAME } as const;
  const labels = labelsOf(wish);
  const metadata = { name: NAME, namespace, labels };
  const selector = { matchLabels: SELECTED };
  return {
    account: [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false }],
    access: accessManifests({ name: NAME, uses: { watch: true, logs }, namespaces, subject }),
    stateAccess: stateManifests({ name: NAME, namespace, replicas, subject, labels }),
    state: stateObjects({ namespace, replicas, labels }),
    events: eventAccess(wish),
    workload: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata,
        // There are as many Leases as replicas: one has to go before another can come.
        spec: {
          replicas: settings.replicas,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
          selector,
          template: { metadata: { labels }, spec: podSpec(wish, settings) },
        },
      },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata,
        // Each replica knows its own share: a hub has to find all of them.
        spec: { clusterIP: 'None', selector: SELECTED, ports: [{ name: 'http', port: PORT, targetPort: 'http' }] },
      },
      { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec: { maxUnavailable: 1, selector } },
    ],
    networkPolicy: [
      { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec: { podSelector: selector, ...trafficOf(wish) } },
    ],
    monitoring: monitoringManifests({ metadata, selector }),
  };
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

/** The only right to write outside of its own namespace, where it was asked for. Events of nodes are in the namespace `default`. */
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

/**
 * From everywhere to its port. No policy can name the API server, whose address and port differ from cluster to cluster, nor the receivers
 * of alerts: what it may connect to is limited only where the ports are given.
 */
function trafficOf({ egressPorts }: ManifestWish): JsonObject {
  const ingress = [{ ports: [{ protocol: 'TCP', port: 'http' }] }];
  if (egressPorts === undefined) return { policyTypes: ['Ingress'], ingress };
  const ports = [{ protocol: 'UDP', port: 53 }, { protocol: 'TCP', port: 53 }, ...egressPorts.map((port) => ({ protocol: 'TCP', port }))];
  return { policyTypes: ['Ingress', 'Egress'], ingress, egress: [{ ports }] };
}

function settingsOf({ namespace, namespaces, events, replicas }: ManifestWish): Settings {
  const scope = namespaces === undefined ? ['--all-namespaces'] : ['--namespaces', namespaces.join(',')];
  const state = ['--state-namespace', namespace, ...(replicas === 1 ? [] : ['--replicas', String(replicas)])];
  const args = ['watch', ...scope, '--serve', `:${PORT}`, ...state, ...(events ? ['--events'] : [])];
  return { replicas, args, resources: RESOURCES };
}

export const RESOURCES = { requests: { cpu: '50m', memory: '192Mi' }, limits: { memory: '512Mi' } };

function podSpec({ image }: ManifestWish, { args, resources }: Settings): JsonObject {
  const probe = (path: string): JsonObject => ({ httpGet: { path, port: 'http' }, periodSeconds: 10, timeoutSeconds: 5 });
  return {
    serviceAccountName: NAME,
    automountServiceAccountToken: true,
    securityContext: { runAsNonRoot: true, runAsUser: USER, runAsGroup: USER, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'watch',
        image,
        args,
        ports: [{ name: 'http', containerPort: PORT }],
        readinessProbe: probe('/readyz'),
        livenessProbe: { ...probe('/healthz'), failureThreshold: 6 },
        resources,
        securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      },
    ],
  };
}

/** `nonroot` of distroless images. */
const USER = 65_532;
