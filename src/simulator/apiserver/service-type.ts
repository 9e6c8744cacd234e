import type { JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, dig, isJsonObject } from '../../base/json.ts';
import { sameJson, withDefaults, withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';

/**
 * A Service of another type than before, without what only the type before had and nobody asked to change.
 * Source: pkg/registry/core/service/strategy.go (dropTypeDependentFields).
 */
export function dropTypeDependent(spec: JsonObject, before: JsonObject): JsonObject {
  if (
    spec['type'] === before['type'] &&
    sameJson(spec['externalIPs'], before['externalIPs']) &&
    sameJson(spec['externalTrafficPolicy'], before['externalTrafficPolicy'])
  )
    return spec;
  const dropped: Record<string, undefined> = {};
  for (const { fields, needed } of DEPENDENT) {
    if (!needed(before) || needed(spec)) continue;
    for (const group of fields)
      if (group.every((field) => sameJson(spec[field], before[field]))) for (const field of group) dropped[field] = undefined;
  }
  const result = Object.keys(dropped).length === 0 ? spec : withFields(spec, dropped);
  if (!needsNodePorts(before) || needsNodePorts(spec) || !sameJson(nodePortsOf(spec), nodePortsOf(before))) return result;
  return withFields(result, {
    ports: asList(spec['ports']).map((port) => (isJsonObject(port) ? withFields(port, { nodePort: undefined }) : port)),
  });
}

/** Whether balancers ask the nodes for the Service's pods on them. */
export function isHealthChecked(spec: JsonObject): boolean {
  return spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';
}

interface Dependent {
  /** Those of a group go together, or not at all. */
  readonly fields: readonly (readonly string[])[];
  readonly needed: (spec: JsonObject) => boolean;
}

const balances = ({ type }: JsonObject): boolean => type === 'LoadBalancer';

/** Whether it can be reached from outside the cluster. Source: pkg/apis/core/v1/helper (ExternallyAccessible). */
export function isReached(spec: JsonObject): boolean {
  return spec['type'] === 'NodePort' || balances(spec) || (spec['type'] === 'ClusterIP' && asList(spec['externalIPs']).length > 0);
}

const DEPENDENT: readonly Dependent[] = [
  { fields: [['clusterIP', 'clusterIPs'], ['ipFamilies'], ['ipFamilyPolicy']], needed: ({ type }) => type !== 'ExternalName' },
  { fields: [['healthCheckNodePort']], needed: isHealthChecked },
  { fields: [['allocateLoadBalancerNodePorts'], ['loadBalancerClass']], needed: balances },
  { fields: [['externalTrafficPolicy']], needed: isReached },
];

function needsNodePorts(spec: JsonObject): boolean {
  return spec['type'] === 'NodePort' || (balances(spec) && spec['allocateLoadBalancerNodePorts'] !== false);
}

function nodePortsOf(spec: JsonObject): readonly number[] {
  const ports = asList(spec['ports']).map((port) => asNumber(dig(asObject(port), 'nodePort')) ?? 0);
  return [...new Set(ports.filter((port) => port !== 0))].sort((a, b) => a - b);
}

/** What an update does not name of the addresses a Service was given stays. */
export function keepAddresses(service: KubeObject, old: KubeObject): KubeObject {
  const [given, before] = [asObject(service['spec']), asObject(old['spec'])];
  if (given['type'] === 'ExternalName') return service;
  // One address that changed is meant to be the first of them. Source: pkg/registry/core/service/storage/storage.go (normalizeClusterIPs).
  const moved =
    given['clusterIP'] !== undefined && given['clusterIP'] !== before['clusterIP'] && sameJson(given['clusterIPs'], before['clusterIPs']);
  const spec = moved ? withFields(given, { clusterIPs: [given['clusterIP'] ?? '', ...asList(given['clusterIPs']).slice(1)] }) : given;
  const kept = withDefaults(spec, {
    clusterIP: before['clusterIP'],
    clusterIPs: before['clusterIPs'],
    ipFamilies: before['ipFamilies'],
    ipFamilyPolicy: before['ipFamilyPolicy'],
    healthCheckNodePort: isHealthChecked(spec) ? before['healthCheckNodePort'] : undefined,
  });
  if (spec['type'] === 'ClusterIP') return withFields(service, { spec: kept });
  const ports = asList(kept['ports']).map((port) => {
    if (!isJsonObject(port) || port['nodePort'] !== undefined) return port;
    const same = asList(before['ports']).find((one) => dig(one, 'port') === port['port'] && dig(one, 'protocol') === port['protocol']);
    return withFields(port, { nodePort: dig(same, 'nodePort') });
  });
  return withFields(service, { spec: withFields(kept, { ports }) });
}
