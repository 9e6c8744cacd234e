import type { JsonObject } from '../../../base/json.ts';
import type { ClusterConfiguration } from '../../world.ts';
import { rbacPolicy } from './rbac-policy.ts';

/** What a cluster holds before anyone has asked for anything, in the order it is made. Source: pkg/controlplane, pkg/registry/scheduling. */
export function bootstrapObjects(configuration: ClusterConfiguration): readonly JsonObject[] {
  const namespaces = ['kube-system', 'kube-public', 'kube-node-lease', 'default'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  const classes: readonly JsonObject[] = [
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'system-node-critical' }, value: 2_000_001_000, description: 'Used for system critical pods that must not be moved from their current node.' },
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'system-cluster-critical' }, value: 2_000_000_000, description: 'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.' },
  ];
  const address = firstAddress(configuration.serviceNetwork);
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } }, spec: { type: 'ClusterIP', clusterIP: address, ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }] } };
  const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'kubernetes', namespace: 'default', labels: { 'kubernetes.io/service-name': 'kubernetes' } }, addressType: 'IPv4', endpoints: [{ addresses: [configuration.serverAddress], conditions: { ready: true } }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] };
  return [...namespaces, ...rbacPolicy(), ...classes, service, slice];
}

function firstAddress(network: string): string {
  const [base = ''] = network.split('/');
  const parts = base.split('.').map(Number);
  return [...parts.slice(0, 3), (parts[3] ?? 0) + 1].join('.');
}
