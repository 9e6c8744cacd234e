import type { JsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { encodeBase64 } from '../../../base/base64.ts';
import type { Prng } from '../../../base/prng.ts';
import type { Certificates } from '../../x509/certificates.ts';
import { CLUSTER_CA, FRONT_PROXY_CA } from '../../x509/certificates.ts';
import { firstAddress } from '../../x509/cluster-certificates.ts';
import type { ClusterConfiguration } from '../../outside/outside-world.ts';
import { DEFAULT_CONFIGURATION } from '../../outside/outside-world.ts';
import { priorityLevels } from './flow-control.ts';
import { SYSTEM_ACCOUNTS } from './controller-roles.ts';
import { rbacPolicy } from './rbac-policy.ts';

/**
 * What a cluster holds before anyone has asked for anything, in the order it is made. Source: pkg/controlplane, pkg/registry/scheduling.
 */
export function bootstrapObjects(configuration: ClusterConfiguration, certificates: Certificates): readonly JsonObject[] {
  const namespaces = ['kube-system', 'kube-public', 'kube-node-lease', 'default'].map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  }));
  const classes: readonly JsonObject[] = [
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'system-node-critical' },
      value: 2_000_001_000,
      description: 'Used for system critical pods that must not be moved from their current node.',
    },
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'system-cluster-critical' },
      value: 2_000_000_000,
      description: 'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    },
  ];
  const address = firstAddress(configuration.serviceNetwork);
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: { type: 'ClusterIP', clusterIP: address, ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }] },
  };
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [advertisedAddress(configuration)], conditions: { ready: true } }],
    ports: [{ name: 'https', port: 6443, protocol: 'TCP' }],
  };
  // Source: pkg/controlplane/reconcilers/endpointsadapter.go.
  const endpoints = {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: advertisedAddress(configuration) }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] }],
  };
  return [...namespaces, ...rbacPolicy(), ...classes, service, endpoints, slice, ...authorityMaps(configuration, certificates)];
}

/** What is there before everything else, with the resource of each: the server makes it for itself. */
export function serverObjects(
  configuration: ClusterConfiguration,
  now: string,
  prng: Prng,
): readonly (readonly [resource: string, object: KubeObject])[] {
  const range = defaultServiceRange(configuration, now, prng.split('service range').uuid());
  return [
    ['servicecidrs.networking.k8s.io', range],
    ...priorityLevels(now, prng.split('flow control')),
    ...systemAccounts(now, prng.split('service accounts')),
  ];
}

/**
 * The accounts that controllers act under: each makes its own when it starts; and those of what kubeadm and administrators install. Source:
 * staging/src/k8s.io/controller-manager/pkg/clientbuilder/client_builder_dynamic.go (getOrCreateServiceAccount).
 */
function systemAccounts(now: string, prng: Prng): readonly (readonly [resource: string, object: KubeObject])[] {
  return SYSTEM_ACCOUNTS.map((name) => {
    const metadata = { name, namespace: 'kube-system', uid: prng.uuid(), creationTimestamp: now };
    return ['serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata }] as const;
  });
}

/**
 * The range of the addresses of Services, as the server and the controller that protects it leave it. It is there before everything else:
 * the server waits for it. Source: pkg/controlplane/controller/defaultservicecidr/default_servicecidr_controller.go.
 */
function defaultServiceRange({ serviceNetwork }: ClusterConfiguration, now: string, uid: string): KubeObject {
  const condition = {
    type: 'Ready',
    status: 'True',
    lastTransitionTime: now,
    reason: '',
    message: 'Kubernetes default Service CIDR is ready',
  };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: 'kubernetes', uid, creationTimestamp: now, finalizers: ['networking.k8s.io/service-cidr-finalizer'] },
    spec: { cidrs: [serviceNetwork] },
    status: { conditions: [condition] },
  };
}

/**
 * Who reaches the server by loopback reaches its machine's own address, which is what it tells others. Source:
 * pkg/controlplane/apiserver/config.go (advertise address).
 */
function advertisedAddress({ serverAddress }: ClusterConfiguration): string {
  return serverAddress.startsWith('127.') ? DEFAULT_CONFIGURATION.serverAddress : serverAddress;
}

/**
 * Where clients find whom to trust: extension API servers (written by kube-apiserver), nodes that join (written by kubeadm).
 * Source: pkg/controlplane/controller/clusterauthenticationtrust/cluster_authentication_trust_controller.go,
 * cmd/kubeadm/app/phases/bootstraptoken/clusterinfo/clusterinfo.go.
 */
function authorityMaps(configuration: ClusterConfiguration, certificates: Certificates): readonly JsonObject[] {
  const pemOf = (name: string): string => {
    const certificate = certificates.get(name);
    return certificate === undefined ? '' : certificates.pem(certificate);
  };
  const authentication = {
    'client-ca-file': pemOf(CLUSTER_CA),
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-client-ca-file': pemOf(FRONT_PROXY_CA),
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  };
  const kubeconfig = [
    'apiVersion: v1',
    'clusters:',
    '- cluster:',
    `    certificate-authority-data: ${encodeBase64(pemOf(CLUSTER_CA))}`,
    `    server: https://${configuration.serverAddress}:6443`,
    '  name: ""',
    'contexts: null',
    'current-context: ""',
    'kind: Config',
    'preferences: {}',
    'users: null',
    '',
  ];
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
      data: authentication,
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cluster-info', namespace: 'kube-public' },
      data: { kubeconfig: kubeconfig.join('\n') },
    },
  ];
}
