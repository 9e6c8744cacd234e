import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../base/json.ts';
import { sameJson, withDefaults, withFields } from '../../base/json-edit.ts';
import { append } from '../../base/lists.ts';
import { parseInteger } from '../../base/number.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { ServerState } from './server-state.ts';
import { isHealthChecked } from './service-type.ts';
import type { FieldError } from './validation/field-error.ts';
import { invalidValue } from './validation/field-error.ts';
import { validateAddresses } from './validation/services.ts';

/**
 * Gives a Service its cluster IP and node ports, or says why those it asks for cannot be had.
 * Source: pkg/registry/core/service/storage/alloc.go, pkg/registry/core/service/{ipallocator,portallocator}.
 */
export function allocateAddresses(
  state: ServerState,
  service: KubeObject,
): { readonly service: KubeObject } | { readonly errors: readonly FieldError[] } {
  const spec = asObject(service['spec']);
  if (spec['type'] === 'ExternalName') return { service };
  const others = state.store.list('services').filter((one) => one.metadata.uid !== service.metadata.uid);
  const address = takeAddress(state, asText(spec['clusterIP']) ?? '', others);
  if (typeof address !== 'string') return { errors: [address] };
  const free = isFree(spec);
  const withPolicy = withDefaults(withFields(spec, { clusterIP: address }), {
    clusterIPs: [address],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: free ? 'RequireDualStack' : 'SingleStack',
  });
  const families = asList(withPolicy['ipFamilies']);
  const hasAll = !free || families.length > 1 || withPolicy['ipFamilyPolicy'] === 'SingleStack';
  const withAddress = hasAll ? withPolicy : withFields(withPolicy, { ipFamilies: [...families, families[0] === 'IPv6' ? 'IPv4' : 'IPv6'] });
  const ports = takePorts(
    state,
    withAddress['type'] === 'ClusterIP' || withAddress['allocateLoadBalancerNodePorts'] === false,
    asList(withAddress['ports']),
    others,
  );
  if ('errors' in ports) return ports;
  const complete = withFields(withAddress, ports.ports.length === 0 ? {} : { ports: ports.ports });
  return { service: withFields(service, { spec: withHealthCheck(state, complete, others) }) };
}

/** Why the cluster IP that a new Service asks for cannot be had; nothing where it asks for none, or for what no Service may. */
export function refusedAddress(state: ServerState, service: KubeObject): readonly FieldError[] {
  const wanted = dig(service, 'spec', 'clusterIP');
  if (typeof wanted !== 'string' || wanted === '' || dig(service, 'spec', 'type') === 'ExternalName' || wrongFamilies(service).length > 0)
    return [];
  const taken = takeAddress(state, wanted, state.store.list('services'));
  return typeof taken === 'string' ? [] : [taken];
}

function takeAddress(state: ServerState, wanted: string, others: readonly KubeObject[]): string | FieldError {
  if (wanted === 'None') return 'None';
  const network = state.world.configuration.serviceNetwork;
  const taken = new Set(others.map((one) => asText(dig(one, 'spec', 'clusterIP')) ?? ''));
  if (wanted !== '') {
    if (taken.has(wanted))
      return invalidValue('spec.clusterIPs', [wanted], `failed to allocate IP ${wanted}: provided IP is already allocated`);
    if (wanted.includes(':')) return invalidValue('spec.clusterIPs[0]', [wanted], 'IPv6 is not configured on this cluster');
    // Source: pkg/registry/core/service/ipallocator/cidrallocator.go (getAllocator): no ServiceCIDR has it.
    if (!contains(network, wanted))
      return invalidValue(
        'spec.clusterIPs',
        [wanted],
        `failed to allocate IP ${wanted}: the provided network does not match the current range`,
      );
    return wanted;
  }
  const { base, size } = parseNetwork(network);
  for (let attempt = 0; attempt < 10_000; attempt++) {
    const address = formatAddress(base + 2 + state.prng.below(size - 3));
    if (!taken.has(address)) return address;
  }
  return invalidValue('spec.clusterIPs', [], 'failed to allocate IP: range is full');
}

/** Without addresses and pods of its own, a Service may be of families that the cluster does not have. */
function isFree(spec: JsonObject): boolean {
  return spec['clusterIP'] === 'None' && Object.keys(asObject(spec['selector'])).length === 0;
}

/**
 * What is wrong with the addresses and families that a Service asks for. Where something is, nothing else is looked at.
 * Source: pkg/registry/core/service/storage/alloc.go (initIPFamilyFields).
 */
export function wrongFamilies(service: JsonObject, old?: JsonObject): readonly FieldError[] {
  const [spec, before] = [asObject(service['spec']), asObject(old?.['spec'])];
  const policy = spec['ipFamilyPolicy'];
  if (spec['type'] === 'ExternalName' || keepsPreference(spec, before)) return [];
  const errors: FieldError[] = [];
  validateAddresses(spec, errors);
  if (errors.length > 0) return errors;
  if (isSingle(spec)) append(errors, severalFamilies(spec, before));
  if (errors.length > 0 || isFree(spec)) return errors;
  return [
    ...(policy === 'RequireDualStack' && before['ipFamilyPolicy'] !== policy
      ? [invalidValue('spec.ipFamilyPolicy', policy, 'this cluster is not configured for dual-stack services')]
      : []),
    ...asList(spec['ipFamilies']).flatMap((family, index) =>
      family === 'IPv4' || asList(before['ipFamilies']).includes(family)
        ? []
        : [invalidValue(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ];
}

function isSingle(spec: JsonObject): boolean {
  return spec['ipFamilyPolicy'] === 'SingleStack' || (spec['ipFamilyPolicy'] === undefined && !isFree(spec));
}

/** What was there before is taken for what is to be given up. */
function severalFamilies(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const fields = [
    ['clusterIPs', 'cluster IPs'],
    ['ipFamilies', 'IP families'],
  ] as const;
  const several = fields.filter(([field]) => asList(spec[field]).length === 2 && !sameJson(spec[field], before[field]));
  const words = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  return several.map(([, what]) => invalidValue('spec.ipFamilyPolicy', 'SingleStack', `${words} ${what} are specified`));
}

/** Source: the same (isMatchingPreferDualStackClusterIPFields). */
function keepsPreference(spec: JsonObject, before: JsonObject): boolean {
  const fields = ['ipFamilyPolicy', 'clusterIP', 'clusterIPs', 'ipFamilies'];
  return before['ipFamilyPolicy'] === 'PreferDualStack' && fields.every((field) => sameJson(spec[field], before[field]));
}

/** The port that a balancer asks a node on. Source: pkg/registry/core/service/storage/alloc.go (allocHealthCheckNodePort). */
function withHealthCheck(state: ServerState, spec: JsonObject, others: readonly KubeObject[]): JsonObject {
  if (!isHealthChecked(spec) || (asNumber(spec['healthCheckNodePort']) ?? 0) !== 0) return spec;
  return withFields(spec, { healthCheckNodePort: freePort(state, portsOf([...others.map((one) => asObject(one['spec'])), spec])) });
}

function portsOf(specs: readonly JsonObject[]): Set<number> {
  return new Set(
    specs.flatMap((spec) => [
      asNumber(spec['healthCheckNodePort']) ?? 0,
      ...asList(spec['ports']).map((port) => asNumber(dig(port, 'nodePort')) ?? 0),
    ]),
  );
}

const NODE_PORTS = { from: 30_000, to: 32_767 };

function takePorts(
  state: ServerState,
  none: boolean,
  ports: readonly Json[],
  others: readonly KubeObject[],
): { readonly ports: readonly Json[] } | { readonly errors: readonly FieldError[] } {
  if (none) return { ports };
  const taken = portsOf(others.map((one) => asObject(one['spec'])));
  const result: Json[] = [];
  for (const [index, port] of ports.entries()) {
    const wanted = asNumber(dig(port, 'nodePort')) ?? 0;
    const field = `spec.ports[${index}].nodePort`;
    if (wanted !== 0 && taken.has(wanted)) return { errors: [invalidValue(field, wanted, 'provided port is already allocated')] };
    if (wanted !== 0 && (wanted < NODE_PORTS.from || wanted > NODE_PORTS.to))
      return {
        errors: [
          invalidValue(
            field,
            wanted,
            `provided port is not in the valid range. The range of valid ports is ${NODE_PORTS.from}-${NODE_PORTS.to}`,
          ),
        ],
      };
    const nodePort = wanted === 0 ? freePort(state, taken) : wanted;
    taken.add(nodePort);
    result.push(isJsonObject(port) ? withFields(port, { nodePort }) : port);
  }
  return { ports: result };
}

function freePort(state: ServerState, taken: ReadonlySet<number>): number {
  const span = NODE_PORTS.to - NODE_PORTS.from + 1;
  const start = state.prng.below(span);
  for (let offset = 0; offset < span; offset++) {
    const port = NODE_PORTS.from + ((start + offset) % span);
    if (!taken.has(port)) return port;
  }
  return NODE_PORTS.from;
}

function contains(network: string, address: string): boolean {
  const { base, size } = parseNetwork(network);
  const value = parseAddress(address);
  return value >= base && value < base + size;
}

function parseNetwork(network: string): { readonly base: number; readonly size: number } {
  const [address = '', bits = '16'] = network.split('/');
  return { base: parseAddress(address), size: 2 ** (32 - (parseInteger(bits) ?? 16)) };
}

function parseAddress(address: string): number {
  return address.split('.').reduce((value, part) => value * 256 + (parseInteger(part) ?? 0), 0);
}

function formatAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
