import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import { create, objectOf, send, shop } from '../shop.ts';
import { of, tpl, hpa } from './right-object-parts.ts';
import { RIGHT_WORKLOADS } from './right-workloads.ts';

/** What people write, at the edges of what is right. */
const RIGHT: readonly JsonObject[] = [
  ...RIGHT_WORKLOADS,
  of('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: {
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{}],
      egress: [
        {
          to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', '192.168.0.0/16'] } }],
          ports: [{ protocol: 'TCP', port: 32000, endPort: 32768 }, { protocol: 'UDP', port: 'dns' }, {}],
        },
        { to: [{ namespaceSelector: {}, podSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', ''] }] } }] },
      ],
    },
  }),
  hpa({
    behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
  }),
  hpa({ behavior: { scaleDown: { selectPolicy: 'Disabled' }, scaleUp: { policies: [{ type: 'Pods', value: 4, periodSeconds: 60 }] } } }),
  hpa({
    metrics: [
      {
        type: 'External',
        external: {
          metric: { name: 'queue_len', selector: { matchLabels: { q: 'a' } } },
          target: { type: 'AverageValue', averageValue: '30' },
        },
      },
      {
        type: 'Object',
        object: {
          describedObject: { apiVersion: 'v1', kind: 'Service', name: 'a' },
          metric: { name: 'rps' },
          target: { type: 'Value', value: '10k' },
        },
      },
      { type: 'Pods', pods: { metric: { name: 'x' }, target: { type: 'AverageValue', averageValue: '500m' } } },
      {
        type: 'ContainerResource',
        containerResource: { name: 'memory', container: 'web', target: { type: 'AverageValue', averageValue: '1Gi' } },
      },
    ],
  }),
  of('v1', 'Service', { spec: { clusterIP: 'None', selector: { app: 'web' }, ports: [{ port: 80 }] } }),
  of('v1', 'Service', { spec: { clusterIP: 'None' } }),
  of('v1', 'Service', { spec: { type: 'ExternalName', externalName: 'shop.example.com.' } }),
  of('v1', 'Service', {
    spec: {
      type: 'LoadBalancer',
      loadBalancerSourceRanges: ['10.0.0.0/8', '2001:db8::/32'],
      externalTrafficPolicy: 'Local',
      ports: [
        { port: 80, name: 'http', targetPort: 'http' },
        { port: 443, name: 'https', protocol: 'TCP', appProtocol: 'kubernetes.io/h2c' },
      ],
      sessionAffinity: 'ClientIP',
    },
  }),
  of('v1', 'Service', {
    spec: {
      type: 'NodePort',
      ports: [
        { port: 53, name: 'dns', protocol: 'UDP' },
        { port: 53, name: 'dns-tcp' },
      ],
      ipFamilyPolicy: 'PreferDualStack',
    },
  }),
  of('v1', 'Service', {
    spec: { ports: [{ port: 80 }], trafficDistribution: 'PreferSameZone', internalTrafficPolicy: 'Local', publishNotReadyAddresses: true },
  }),
  of('networking.k8s.io/v1', 'Ingress', {
    spec: {
      ingressClassName: 'nginx',
      tls: [{ hosts: ['*.example.com', 'a.example.com'], secretName: 'tls' }],
      rules: [
        {
          host: '*.example.com',
          http: {
            paths: [
              { path: '/(.*)', pathType: 'ImplementationSpecific', backend: { service: { name: 'a', port: { name: 'http' } } } },
              { pathType: 'ImplementationSpecific', backend: { service: { name: '1a', port: { number: 80 } } } },
            ],
          },
        },
        {
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { resource: { apiGroup: 'k8s.example.com', kind: 'StorageBucket', name: 'static' } },
              },
            ],
          },
        },
      ],
    },
  }),
  of(
    'networking.k8s.io/v1',
    'IngressClass',
    {
      spec: {
        controller: 'k8s.io/ingress-nginx',
        parameters: { apiGroup: 'k8s.example.com', kind: 'IngressParameters', name: 'x', scope: 'Cluster' },
      },
    },
    false,
  ),
  of('v1', 'ResourceQuota', {
    spec: {
      hard: {
        'requests.cpu': '1',
        'limits.memory': '1Gi',
        pods: '4',
        'count/deployments.apps': '2',
        'requests.nvidia.com/gpu': 4,
        'gold.storageclass.storage.k8s.io/requests.storage': '1Gi',
        'requests.ephemeral-storage': '1Gi',
      },
    },
  }),
  of('v1', 'ResourceQuota', {
    spec: {
      hard: { pods: '4', cpu: '1' },
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
    },
  }),
  of('v1', 'ResourceQuota', { spec: { hard: { pods: '4' }, scopes: ['BestEffort', 'NotTerminating'] } }),
  of('v1', 'LimitRange', {
    spec: {
      limits: [
        {
          type: 'Container',
          default: { cpu: '500m', memory: '512Mi' },
          defaultRequest: { cpu: '100m' },
          max: { cpu: '2' },
          min: { cpu: '50m' },
          maxLimitRequestRatio: { cpu: '10' },
        },
        { type: 'Pod', max: { cpu: '4' } },
        { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '10Gi' } },
      ],
    },
  }),
  of(
    'rbac.authorization.k8s.io/v1',
    'ClusterRole',
    { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }, rules: [] },
    false,
  ),
  of(
    'rbac.authorization.k8s.io/v1',
    'ClusterRole',
    {
      rules: [
        { nonResourceURLs: ['/metrics', '/healthz/*'], verbs: ['get'] },
        { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      ],
    },
    false,
  ),
  of('rbac.authorization.k8s.io/v1', 'RoleBinding', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:auth-delegator' },
    subjects: [
      { kind: 'ServiceAccount', name: 'a' },
      { kind: 'User', name: 'system:serviceaccount:a:b' },
      { kind: 'Group', name: 'g', apiGroup: 'rbac.authorization.k8s.io' },
    ],
  }),
  of('v1', 'Secret', { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': '{"auths":{}}' } }),
  of('v1', 'Secret', { type: 'kubernetes.io/basic-auth', stringData: { username: 'a' } }),
  of('v1', 'Secret', {
    type: 'kubernetes.io/service-account-token',
    metadata: { annotations: { 'kubernetes.io/service-account.name': 'default' } },
  }),
  of('v1', 'Secret', { type: 'helm.sh/release.v1', data: { release: 'Zm9v' } }),
  of('v1', 'ConfigMap', { data: { 'nginx.conf': 'a', _x: '' }, binaryData: { b: 'AAECAw==' }, immutable: false }),
  of('scheduling.k8s.io/v1', 'PriorityClass', { value: -10, globalDefault: false, preemptionPolicy: 'Never', description: 'x' }, false),
  of(
    'node.k8s.io/v1',
    'RuntimeClass',
    {
      handler: 'kata-qemu',
      overhead: { podFixed: { memory: '120Mi', cpu: '250m' } },
      scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }] },
    },
    false,
  ),
  of('coordination.k8s.io/v1', 'Lease', { spec: { holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 } }),
  of('discovery.k8s.io/v1', 'EndpointSlice', {
    metadata: { labels: { 'kubernetes.io/service-name': 'a' } },
    addressType: 'IPv4',
    ports: [{ name: '', port: 80, protocol: 'TCP' }],
    endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true }, hostname: 'a' }],
  }),
  of('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'FQDN', ports: [{ port: 80 }], endpoints: [{ addresses: ['a.example.com'] }] }),
  of('v1', 'Endpoints', { subsets: [{ addresses: [{ ip: '10.9.9.9' }], ports: [{ port: 5432 }] }] }),
  of(
    'v1',
    'Node',
    {
      spec: {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoExecute', value: 'x' },
        ],
        podCIDRs: ['10.244.0.0/24'],
        podCIDR: '10.244.0.0/24',
      },
    },
    false,
  ),
  of('v1', 'ReplicationController', { spec: { replicas: 1, selector: { app: 'web' }, template: tpl() } }),
  of('v1', 'ReplicationController', { spec: { replicas: 1, template: tpl() } }),
  {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1beta1.metrics.shop.example' },
    spec: {
      group: 'metrics.shop.example',
      version: 'v1beta1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { name: 'm', namespace: 'kube-system' },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'hu', namespace: 'shop' },
    spec: {
      hostUsers: false,
      shareProcessNamespace: true,
      resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } },
      containers: [
        {
          name: 'a',
          image: 'b',
          resources: { requests: { cpu: '500m' } },
          securityContext: {
            procMount: 'Unmasked',
            seccompProfile: { type: 'Localhost', localhostProfile: 'a/b.json' },
            appArmorProfile: { type: 'Localhost', localhostProfile: 'k8s' },
          },
        },
      ],
      volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'x' } }],
      schedulingGates: [{ name: 'a.b/c' }],
    },
  },
];

describe('what is right is taken, and may be changed', () => {
  const cluster = shop();
  test.each(RIGHT.map((object) => [`${textOf(object['kind'])} ${textOf(dig(object, 'metadata', 'name'))}`, object] as const))(
    '%s',
    (_, object) => {
      const { metadata } = objectOf(create(cluster, object));
      const changed = objectOf(
        send(cluster, 'patch', textOf(object['kind']), metadata.name, {
          patch: { type: 'merge', body: { metadata: { labels: { seen: 'yes' } } } },
        }),
      );
      expect(changed.metadata['labels']).toMatchObject({ seen: 'yes' });
    },
  );

  test('a Service becomes another type, without what only the type before had', () => {
    const own = shop();
    objectOf(
      create(own, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] },
      }),
    );
    const changed = (spec: JsonObject): Json | undefined =>
      objectOf(send(own, 'patch', 'Service', 'web', { patch: { type: 'merge', body: { spec } } }))['spec'];
    const inside = changed({ type: 'ClusterIP' });
    expect(inside).toMatchObject({
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      clusterIP: expect.stringMatching(/^10\./) as string,
    });
    for (const field of ['externalTrafficPolicy', 'allocateLoadBalancerNodePorts', 'healthCheckNodePort'])
      expect(dig(inside, field)).toBeUndefined();
    expect(dig(inside, 'ports', 0, 'nodePort')).toBeUndefined();
    const elsewhere = changed({ type: 'ExternalName', externalName: 'shop.example' });
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) expect(dig(elsewhere, field)).toBeUndefined();
    expect(changed({ type: 'NodePort', externalName: null })).toMatchObject({
      clusterIP: expect.stringMatching(/^10\./) as string,
      ports: [{ nodePort: expect.any(Number) as number }],
    });
  });

  test('an autoscaler behaves as by default where it does not say how', () => {
    const made = objectOf(create(shop(), hpa({ behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } })));
    expect(dig(made, 'spec', 'behavior')).toEqual({
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [
          { type: 'Pods', value: 4, periodSeconds: 15 },
          { type: 'Percent', value: 100, periodSeconds: 15 },
        ],
      },
      scaleDown: { stabilizationWindowSeconds: 60, selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
    });
  });
});
