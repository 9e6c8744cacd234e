import type { JsonObject } from '../../base/json.ts';
import type { Prng } from '../../base/prng.ts';

/** A small application as somebody would have written it: parts that need settings, keys, a Service, one another. */
export interface Application {
  readonly namespace: string;
  /** Host of the registry its images come from. */
  readonly registry: string;
  readonly parts: readonly Part[];
  /** Pods its ResourceQuota allows; without one there is no quota. */
  readonly podQuota: number | undefined;
  /** Whether a NetworkPolicy lets only the namespace's own pods in. */
  readonly closed: boolean;
}

/** One workload with what belongs to it. */
export interface Part {
  readonly name: string;
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet';
  readonly replicas: number;
  readonly tag: string;
  readonly port: number;
  /** Mounts ConfigMap `<name>-settings`. */
  readonly mountsSettings: boolean;
  /** Takes a variable from key `region` of ConfigMap `<name>-settings`. */
  readonly readsSettings: boolean;
  /** Takes a variable from Secret `<name>-keys`. */
  readonly readsKeys: boolean;
  readonly ownAccount: boolean;
  readonly service: boolean;
}

/** The shapes applications come in. */
const TOPOLOGIES: readonly {
  readonly of: string;
  readonly parts: readonly (Pick<Part, 'kind' | 'service'> & { readonly names: readonly string[] })[];
}[] = [
  {
    of: 'three tiers',
    parts: [
      { kind: 'Deployment', service: true, names: ['web', 'shopfront', 'portal'] },
      { kind: 'Deployment', service: true, names: ['api', 'orders', 'gateway'] },
      { kind: 'StatefulSet', service: true, names: ['store', 'ledger', 'index'] },
    ],
  },
  {
    of: 'workers',
    parts: [
      { kind: 'Deployment', service: true, names: ['intake', 'upload', 'mailbox'] },
      { kind: 'Deployment', service: false, names: ['worker', 'packer', 'renderer'] },
      { kind: 'Deployment', service: true, names: ['queue', 'broker', 'stream'] },
    ],
  },
  {
    of: 'services side by side',
    parts: [
      { kind: 'Deployment', service: true, names: ['cart', 'basket', 'wishlist'] },
      { kind: 'Deployment', service: true, names: ['prices', 'offers', 'tax'] },
      { kind: 'Deployment', service: true, names: ['search', 'catalogue', 'reviews'] },
      { kind: 'Deployment', service: false, names: ['mailer', 'reporter', 'exporter'] },
    ],
  },
  {
    of: 'an agent on every node',
    parts: [
      { kind: 'DaemonSet', service: false, names: ['collector', 'shipper', 'watcher'] },
      { kind: 'Deployment', service: true, names: ['console', 'dashboard', 'viewer'] },
      { kind: 'StatefulSet', service: true, names: ['archive', 'history', 'journal'] },
    ],
  },
];

const NAMESPACES = ['shop', 'billing', 'media', 'logistics', 'accounts', 'booking'] as const;

/** An application that would come up as it is. */
export function drawApplication(prng: Prng): Application {
  const topology = prng.pick(TOPOLOGIES) ?? TOPOLOGIES[0];
  const namespace = prng.pick(NAMESPACES) ?? 'shop';
  const parts = (topology?.parts ?? []).map(({ kind, service, names }): Part => ({
    name: prng.pick(names) ?? 'web',
    kind,
    replicas: 1 + prng.below(3),
    tag: `${1 + prng.below(4)}.${prng.below(10)}`,
    port: prng.pick([8080, 8000, 3000, 9090]) ?? 8080,
    mountsSettings: prng.below(2) === 0,
    readsSettings: prng.below(3) === 0,
    readsKeys: prng.below(2) === 0,
    ownAccount: prng.below(2) === 0,
    service,
  }));
  return {
    namespace,
    registry: `registry.${namespace}.example`,
    parts,
    podQuota: prng.below(3) === 0 ? 40 : undefined,
    closed: prng.below(3) === 0,
  };
}

/** The manifests of an application, in the order one applies them. */
export function manifestsOf(app: Application): readonly JsonObject[] {
  const { namespace } = app;
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ...(app.podQuota === undefined
      ? []
      : [{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team', namespace }, spec: { hard: { pods: `${app.podQuota}` } } }]),
    ...(app.closed
      ? [
          {
            apiVersion: 'networking.k8s.io/v1',
            kind: 'NetworkPolicy',
            metadata: { name: 'own-pods-only', namespace },
            spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from: [{ podSelector: {} }] }] },
          },
        ]
      : []),
    ...app.parts.flatMap((part) => [
      ...(part.ownAccount ? [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: part.name, namespace } }] : []),
      ...(part.mountsSettings || part.readsSettings
        ? [
            {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              metadata: { name: `${part.name}-settings`, namespace },
              data: { region: 'north', theme: 'dark' },
            },
          ]
        : []),
      ...(part.readsKeys
        ? [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: `${part.name}-keys`, namespace }, stringData: { key: 'rehearsal' } }]
        : []),
      ...(part.service ? [serviceOf(part, namespace)] : []),
      workloadOf(part, app),
    ]),
  ];
}

function serviceOf({ name }: Part, namespace: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 'http' }] },
  };
}

function workloadOf(part: Part, app: Application): JsonObject {
  const { name, kind, replicas } = part;
  const template = { metadata: { labels: { app: name } }, spec: podOf(part, app) };
  const selector = { matchLabels: { app: name } };
  const metadata = { name, namespace: app.namespace };
  if (kind === 'DaemonSet') return { apiVersion: 'apps/v1', kind, metadata, spec: { selector, template } };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata,
    spec: { replicas, selector, template, ...(kind === 'StatefulSet' ? { serviceName: name, podManagementPolicy: 'Parallel' } : {}) },
  };
}

function podOf({ name, tag, port, mountsSettings, readsSettings, readsKeys, ownAccount }: Part, { registry }: Application): JsonObject {
  const env = [
    ...(readsSettings ? [{ name: 'REGION', valueFrom: { configMapKeyRef: { name: `${name}-settings`, key: 'region' } } }] : []),
    ...(readsKeys ? [{ name: 'KEY', valueFrom: { secretKeyRef: { name: `${name}-keys`, key: 'key' } } }] : []),
  ];
  return {
    ...(ownAccount ? { serviceAccountName: name } : {}),
    ...(mountsSettings ? { volumes: [{ name: 'settings', configMap: { name: `${name}-settings` } }] } : {}),
    terminationGracePeriodSeconds: 5,
    containers: [
      {
        name,
        image: `${registry}/${name}:${tag}`,
        ports: [{ name: 'http', containerPort: port }],
        readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 5 },
        resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } },
        ...(env.length === 0 ? {} : { env }),
        ...(mountsSettings ? { volumeMounts: [{ name: 'settings', mountPath: '/etc/settings' }] } : {}),
      },
    ],
  };
}
