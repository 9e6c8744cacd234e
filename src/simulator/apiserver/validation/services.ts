import { parseIpAddress } from '../../../base/ip-address.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { bigintOf, parseInteger } from '../../../base/number.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, addWrongOrMissing, duplicate, forbiddenField, invalidValue, notSupported, required } from './field-error.ts';
import { repeatsIn } from './field-lists.ts';
import { isHealthChecked } from '../service-type.ts';
import { IMMUTABLE, validateLabels } from './metadata.ts';
import { checkLabelName, checkPort, checkPortName, checkQualifiedName, checkSubdomain } from './names.ts';
import { validateAddress } from './label-selector.ts';
import { validateChoice } from './request-rules.ts';

/** Source: pkg/apis/core/validation/validation.go (ValidateService), in its order. */
export function validateService(service: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(service['spec']);
  const type = asText(spec['type']) ?? '';
  const ports = asList(spec['ports']);
  validateType(spec, type, ports, errors);
  const names = new Set<string>();
  for (const [index, port] of ports.entries())
    validatePort(asObject(port), { field: `spec.ports[${index}]`, several: ports.length > 1, names }, errors);
  append(errors, validateLabels(spec['selector'], 'spec.selector'));
  validateAffinity(spec, errors);
  if (type !== 'ExternalName') validateAddresses(spec, errors);
  for (const [index, address] of asList(spec['externalIPs']).entries())
    validateExternalAddress(address, `spec.externalIPs[${index}]`, errors);
  if (type === '') errors.push(required('spec.type'));
  else validateChoice(type, 'spec.type', ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], errors);
  validateNodePorts(ports, type, errors);
  validatePairs(ports, errors);
  validateRanges(spec, type, errors);
  if (spec['allocateLoadBalancerNodePorts'] !== undefined && type !== 'LoadBalancer')
    errors.push(forbiddenField('spec.allocateLoadBalancerNodePorts', "may only be used when `type` is 'LoadBalancer'"));
  validateClass(spec, type, errors);
  validatePolicies(spec, type, errors);
  return errors;
}

/** What of a Service stays as it is. Source: the same (ValidateServiceUpdate). */
export function validateServiceUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, before] = [asObject(object['spec']), asObject(old['spec'])];
  const errors: FieldError[] = [];
  const [addresses, had] = [asList(spec['clusterIPs']), asList(before['clusterIPs'])];
  const isExternal = spec['type'] === 'ExternalName' || before['type'] === 'ExternalName';
  const isHeadless = addresses[0] === 'None' && had[0] === 'None';
  if (!isExternal && !isHeadless && had.length > 0) validateKeptAddresses(addresses, had, errors);
  const hasAddresses = addresses[0] !== 'None' && had[0] !== 'None';
  if (!isExternal && hasAddresses) validateKeptFamily(asList(spec['ipFamilies']), asList(before['ipFamilies']), errors);
  const balanced = spec['type'] === 'LoadBalancer' && before['type'] === 'LoadBalancer';
  if (balanced && spec['loadBalancerClass'] !== before['loadBalancerClass'])
    errors.push(invalidValue('spec.loadBalancerClass', spec['loadBalancerClass'] ?? null, 'may not change once set'));
  validateClass(spec, asText(spec['type']) ?? '', errors);
  return [...errors, ...keptHealthPort(spec, before)];
}

function keptHealthPort(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const isOther = spec['healthCheckNodePort'] !== before['healthCheckNodePort'];
  return isHealthChecked(spec) && isHealthChecked(before) && isOther ? [forbiddenField('spec.healthCheckNodePort', IMMUTABLE)] : [];
}

function validateKeptAddresses(addresses: readonly Json[], had: readonly Json[], errors: FieldError[]): void {
  if (addresses.length === had.length)
    for (const [index, address] of had.entries())
      if (address !== addresses[index]) errors.push(invalidValue(`spec.clusterIPs[${index}]`, addresses, 'may not change once set'));
  if (addresses.length === 0) errors.push(invalidValue('spec.clusterIPs[0]', null, 'primary clusterIP can not be unset'));
  else if (addresses.length !== had.length && addresses[0] !== had[0])
    errors.push(invalidValue('spec.clusterIPs[0]', addresses, 'may not change once set'));
}

function isHeadlessSpec(spec: JsonObject): boolean {
  const addresses = asList(spec['clusterIPs']);
  return spec['clusterIP'] === 'None' && addresses.length <= 1;
}

function validateType(spec: JsonObject, type: string, ports: readonly Json[], errors: FieldError[]): void {
  if (ports.length === 0 && !isHeadlessSpec(spec) && type !== 'ExternalName') errors.push(required('spec.ports'));
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadlessSpec(spec))
    errors.push(invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`));
  if (type !== 'ExternalName') return;
  if ((asText(spec['clusterIP']) ?? '') !== '' || asList(spec['clusterIPs']).length > 0)
    errors.push(forbiddenField('spec.clusterIPs', 'may not be set for ExternalName services'));
  if (asList(spec['ipFamilies']).length > 0) errors.push(forbiddenField('spec.ipFamilies', 'may not be set for ExternalName services'));
  if (spec['ipFamilyPolicy'] !== undefined) errors.push(forbiddenField('spec.ipFamilyPolicy', 'may not be set for ExternalName services'));
  const host = (asText(spec['externalName']) ?? '').replace(/\.$/, '');
  addWrongOrMissing(errors, 'spec.externalName', host, checkSubdomain);
}

interface PortPlace {
  readonly field: string;
  readonly several: boolean;
  readonly names: Set<string>;
}

function validatePort(port: JsonObject, { field, several, names }: PortPlace, errors: FieldError[]): void {
  const name = asText(port['name']) ?? '';
  if (several && name === '') errors.push(required(`${field}.name`));
  else if (name !== '') {
    addWrong(errors, `${field}.name`, name, checkLabelName(name));
    if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
    names.add(name);
  }
  addWrong(errors, `${field}.port`, port['port'] ?? 0, checkPort(asNumber(port['port']) ?? 0));
  const protocol = asText(port['protocol']) ?? '';
  if (protocol === '') errors.push(required(`${field}.protocol`));
  else validateChoice(protocol, `${field}.protocol`, ['SCTP', 'TCP', 'UDP'], errors);
  const target = port['targetPort'];
  if (typeof target === 'string') addWrong(errors, `${field}.targetPort`, target, checkPortName(target));
  if (typeof target === 'number') addWrong(errors, `${field}.targetPort`, target, checkPort(target));
  const application = asText(port['appProtocol']);
  if (application !== undefined) addWrong(errors, `${field}.appProtocol`, application, checkQualifiedName(application));
}

const AFFINITY_SECONDS = 86_400;

function validateAffinity(spec: JsonObject, errors: FieldError[]): void {
  const affinity = asText(spec['sessionAffinity']) ?? '';
  const field = 'spec.sessionAffinityConfig';
  if (affinity === '') errors.push(required('spec.sessionAffinity'));
  else validateChoice(affinity, 'spec.sessionAffinity', ['ClientIP', 'None'], errors);
  if (affinity === 'None' && spec['sessionAffinityConfig'] !== undefined)
    errors.push(forbiddenField(field, 'must not be set when session affinity is None'));
  if (affinity !== 'ClientIP') return;
  const words = 'when session affinity type is ClientIP';
  const client = dig(spec, 'sessionAffinityConfig', 'clientIP');
  const timeout = asNumber(dig(client, 'timeoutSeconds'));
  if (!isJsonObject(spec['sessionAffinityConfig'])) errors.push(required(field, words));
  else if (client === undefined) errors.push(required(`${field}.clientIP`, words));
  else if (timeout === undefined) errors.push(required(`${field}.clientIP.timeoutSeconds`, words));
  else if (timeout <= 0 || timeout > AFFINITY_SECONDS)
    errors.push(invalidValue(`${field}.clientIP.timeoutSeconds`, timeout, `must be greater than 0 and less than ${AFFINITY_SECONDS}`));
}

const FAMILIES: readonly string[] = ['IPv4', 'IPv6'];

function validateKeptFamily(families: readonly Json[], had: readonly Json[], errors: FieldError[]): void {
  if (families.length > 0 && had.length > 0 && families[0] !== had[0])
    errors.push(invalidValue('spec.ipFamilies[0]', families, 'may not change once set'));
}

/** Source: the same (ValidateServiceClusterIPsRelatedFields). One address alone stands for the list. */
export function validateAddresses(spec: JsonObject, errors: FieldError[]): void {
  const first = asText(spec['clusterIP']) ?? '';
  const list = asList(spec['clusterIPs']);
  const addresses = list.length === 0 && first !== '' ? [first] : list;
  if (first !== '' && addresses[0] !== first) errors.push(invalidValue('spec.clusterIPs', addresses, 'first value must match `clusterIP`'));
  if (first === '' && addresses.length > 0)
    errors.push(invalidValue('spec.clusterIPs', addresses, 'must be empty when `clusterIP` is not specified'));
  const families = asList(spec['ipFamilies']);
  validateFamilies(families, errors);
  validateChoice(spec['ipFamilyPolicy'], 'spec.ipFamilyPolicy', ['PreferDualStack', 'RequireDualStack', 'SingleStack'], errors);
  const before = errors.length;
  for (const [index, address] of addresses.entries()) {
    if (index > 0 || address !== 'None') validateAddress(address, `spec.clusterIPs[${index}]`, errors);
    else if (addresses.length > 1) errors.push(invalidValue('spec.clusterIPs', addresses, "'None' must be the first and only value"));
  }
  if (addresses.length > 2) errors.push(invalidValue('spec.clusterIPs', addresses, 'may only hold up to 2 values'));
  if (errors.length === before && addresses[0] !== 'None') validateFamiliesOf(addresses, families, errors);
}

function validateFamilies(families: readonly Json[], errors: FieldError[]): void {
  const repeats = repeatsIn(families);
  for (const [index, family] of families.entries()) {
    validateChoice(family, `spec.ipFamilies[${index}]`, FAMILIES, errors);
    if (repeats.has(index)) errors.push(duplicate(`spec.ipFamilies[${index}]`, family));
  }
}

/** Each address is of the family that stands in its place. */
function validateFamiliesOf(addresses: readonly Json[], families: readonly Json[], errors: FieldError[]): void {
  const found = addresses.map((address) => `IPv${parseIpAddress(textOf(address))?.family ?? 4}`);
  if (new Set(found).size < found.length)
    errors.push(invalidValue('spec.clusterIPs', addresses, 'may specify no more than one IP for each IP family'));
  for (const [index, family] of families.slice(0, found.length).entries())
    if (found[index] !== family)
      errors.push(
        invalidValue(
          `spec.clusterIPs[${index}]`,
          addresses[index],
          `expected an ${textOf(family)} value as indicated by \`ipFamilies[${index}]\``,
        ),
      );
}

/** Source: the same (ValidateNonSpecialIP). */
function validateExternalAddress(address: Json, field: string, errors: FieldError[]): void {
  const before = errors.length;
  validateAddress(address, field, errors);
  if (errors.length > before) return;
  const text = textOf(address);
  if (text === '0.0.0.0' || text === '::') errors.push(invalidValue(field, text, `may not be unspecified (${text})`));
  if (text.startsWith('127.') || text === '::1')
    errors.push(invalidValue(field, text, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'));
  if (text.startsWith('169.254.') || /^fe[89ab]/i.test(text))
    errors.push(invalidValue(field, text, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'));
  if (text.startsWith('224.0.0.') || /^ff02:/i.test(text))
    errors.push(invalidValue(field, text, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'));
}

function validateNodePorts(ports: readonly Json[], type: string, errors: FieldError[]): void {
  const asked = ports.map((port) => asNumber(dig(port, 'nodePort')) ?? 0);
  if (type === 'ClusterIP')
    for (const [index, port] of asked.entries())
      if (port !== 0) errors.push(forbiddenField(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
  const repeats = repeatsIn(ports.map((port, index) => `${textOf(dig(port, 'protocol') ?? '')}/${asked[index] ?? 0}`));
  for (const [index, port] of asked.entries())
    if (port !== 0 && repeats.has(index)) errors.push(duplicate(`spec.ports[${index}].nodePort`, port));
}

/** Of each protocol a port is there once. */
function validatePairs(ports: readonly Json[], errors: FieldError[]): void {
  const pairs = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const pair = `${textOf(dig(port, 'protocol') ?? '')}/${textOf(dig(port, 'port') ?? '')}`;
    if (pairs.has(pair))
      errors.push(
        duplicate(`spec.ports[${index}]`, {
          Name: '',
          Protocol: dig(port, 'protocol') ?? '',
          AppProtocol: null,
          Port: dig(port, 'port') ?? 0,
          TargetPort: 0,
          NodePort: 0,
        }),
      );
    pairs.add(pair);
  }
}

function validateRanges(spec: JsonObject, type: string, errors: FieldError[]): void {
  const ranges = asList(spec['loadBalancerSourceRanges']);
  if (ranges.length === 0) return;
  if (type !== 'LoadBalancer')
    errors.push(forbiddenField('spec.LoadBalancerSourceRanges', "may only be used when `type` is 'LoadBalancer'"));
  for (const [index, range] of ranges.entries()) validateNetwork(textOf(range).trim(), `spec.LoadBalancerSourceRanges[${index}]`, errors);
}

export function validateNetwork(network: Json | undefined, field: string, errors: FieldError[]): void {
  const [, address = '', length = ''] = /^([^/]{1,45})\/(\d{1,3})$/.exec(asText(network) ?? '') ?? [];
  const parsed = parseIpAddress(address);
  if (parsed === undefined || (parseInteger(length) ?? 0) > (parsed.family === 4 ? 32 : 128))
    errors.push(invalidValue(field, network ?? '', 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'));
  else if ((parsed.value & ((1n << bigintOf((parsed.family === 4 ? 32 : 128) - (parseInteger(length) ?? 0))) - 1n)) !== 0n)
    errors.push(invalidValue(field, network ?? '', BITS_BEYOND));
}

/** Not said of a network that was there before. Source: staging/src/k8s.io/apimachinery/pkg/util/validation/ip.go (1.36, StrictIPCIDRValidation). */
export const BITS_BEYOND = 'must not have bits set beyond the prefix length';

function validateClass(spec: JsonObject, type: string, errors: FieldError[]): void {
  const name = asText(spec['loadBalancerClass']);
  if (name === undefined) return;
  if (type === 'LoadBalancer') addWrong(errors, 'spec.loadBalancerClass', name, checkQualifiedName(name));
  else errors.push(forbiddenField('spec.loadBalancerClass', "may only be used when `type` is 'LoadBalancer'"));
}

/** What goes only with some types of Services. */
function validatePolicies(spec: JsonObject, type: string, errors: FieldError[]): void {
  const external = asText(spec['externalTrafficPolicy']);
  const reachable = type === 'NodePort' || type === 'LoadBalancer' || asList(spec['externalIPs']).length > 0;
  if (!reachable && external !== undefined)
    errors.push(invalidValue('spec.externalTrafficPolicy', external, 'may only be set for externally-accessible services'));
  else validateChoice(external, 'spec.externalTrafficPolicy', ['Cluster', 'Local'], errors);
  const health = asNumber(spec['healthCheckNodePort']) ?? 0;
  const checked = type === 'LoadBalancer' && external === 'Local';
  if (!checked && health !== 0)
    errors.push(
      invalidValue(
        'spec.healthCheckNodePort',
        health,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    );
  validateChoice(spec['internalTrafficPolicy'], 'spec.internalTrafficPolicy', ['Cluster', 'Local'], errors);
  const distribution = spec['trafficDistribution'];
  if (distribution !== undefined && !DISTRIBUTIONS.includes(textOf(distribution)))
    errors.push(notSupported('spec.trafficDistribution', distribution, DISTRIBUTIONS));
}

const DISTRIBUTIONS: readonly string[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
