import { asList, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Cluster } from '../../simulator/index.ts';

/**
 * Gives each load balancer that is tried an address, as the controller of a cloud would, which a simulated cluster has not. Where others
 * have been waiting for theirs the cluster has none either.
 */
export function giveAddresses(cluster: Cluster, wanted: readonly KubeObject[]): void {
  const waiting = cluster.store.list('services').filter(waitsForAddress);
  const tried = waiting.filter((service) => wanted.some((document) => isOf(document, service)));
  if (tried.length < waiting.length) return;
  for (const service of tried) {
    const { namespace = 'default', name } = service.metadata;
    const body = { ...service, status: { loadBalancer: { ingress: [{ ip: ADDRESS }] } } };
    cluster.request({ verb: 'update', group: '', version: 'v1', resource: 'services', subresource: 'status', namespace, name, body });
  }
}

/** Of a range for documentation. Source: RFC 5737. */
const ADDRESS = '203.0.113.1';

function waitsForAddress(service: KubeObject): boolean {
  return dig(service, 'spec', 'type') === 'LoadBalancer' && asList(dig(service, 'status', 'loadBalancer', 'ingress')).length === 0;
}

function isOf({ kind, metadata }: KubeObject, service: KubeObject): boolean {
  return kind === 'Service' && metadata.name === service.metadata.name && (metadata.namespace ?? 'default') === service.metadata.namespace;
}
