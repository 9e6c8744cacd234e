import { parseIpAddress } from '../../../base/ip-address.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { FieldError } from './field-error.ts';
import { duplicate, forbiddenField, invalidValue, notSupported, required } from './field-error.ts';
import { validateLabels } from './metadata.ts';
import { checkLabelName, checkPort, checkPortName, checkSubdomain } from './names.ts';
import { validateAddress, validateLabelSelector } from './pod-spec.ts';

/** Source: pkg/apis/core/validation/validation.go (ValidateService). */
export function validateService(service: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(service['spec']);
  const type = asText(spec['type']) ?? '';
  const ports = asList(spec['ports']);
  if (ports.length === 0 && spec['clusterIP'] !== 'None' && type !== 'ExternalName') errors.push(required('spec.ports'));
  if (type === 'ExternalName') {
    const host = asText(spec['externalName']) ?? '';
    if (host === '') errors.push(required('spec.externalName'));
    else for (const words of checkSubdomain(host)) errors.push(invalidValue('spec.externalName', host, words));
  }
  validateServicePorts(ports, type, errors);
  if (type === 'LoadBalancer' && spec['clusterIP'] === 'None') errors.push(invalidValue('spec.clusterIPs[0]', 'None', 'may not be set to \'None\' for LoadBalancer services'));
  if (type === 'NodePort' && spec['clusterIP'] === 'None') errors.push(invalidValue('spec.clusterIPs[0]', 'None', 'may not be set to \'None\' for NodePort services'));
  if (type === 'ExternalName' && (asText(spec['clusterIP']) ?? '') !== '') errors.push(forbiddenField('spec.clusterIPs[0]', 'may not be set for ExternalName services'));
  for (const [index, address] of asList(spec['externalIPs']).entries()) validateAddress(address, `spec.externalIPs[${index}]`, errors);
  validatePolicies(spec, type, errors);
  errors.push(...validateLabels(spec['selector'], 'spec.selector'));
  const affinity = asText(spec['sessionAffinity']) ?? '';
  if (affinity === '') errors.push(required('spec.sessionAffinity'));
  else if (!['ClientIP', 'None'].includes(affinity)) errors.push(notSupported('spec.sessionAffinity', affinity, ['ClientIP', 'None']));
  if (!['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'].includes(type)) errors.push(notSupported('spec.type', type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']));
  return errors;
}

function validateServicePorts(ports: readonly Json[], type: string, errors: FieldError[]): void {
  const names = new Set<string>();
  const pairs = new Set<string>();
  for (const [index, entry] of ports.entries()) {
    const port = asObject(entry);
    const field = `spec.ports[${index}]`;
    const name = asText(port['name']) ?? '';
    if (name === '' && ports.length > 1) errors.push(required(`${field}.name`));
    else if (name !== '') {
      for (const words of checkLabelName(name)) errors.push(invalidValue(`${field}.name`, name, words));
      if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
      names.add(name);
    }
    for (const words of checkPort(asNumber(port['port']) ?? 0)) errors.push(invalidValue(`${field}.port`, port['port'] ?? 0, words));
    const protocol = asText(port['protocol']) ?? '';
    if (!['TCP', 'UDP', 'SCTP'].includes(protocol)) errors.push(notSupported(`${field}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']));
    const target = port['targetPort'];
    if (typeof target === 'string') for (const words of checkPortName(target)) errors.push(invalidValue(`${field}.targetPort`, target, words));
    if (typeof target === 'number') for (const words of checkPort(target)) errors.push(invalidValue(`${field}.targetPort`, target, words));
    if (type === 'ClusterIP' && (asNumber(port['nodePort']) ?? 0) !== 0) errors.push(forbiddenField(`${field}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    const pair = `${protocol}/${textOf(port['port'])}`;
    if (pairs.has(pair)) errors.push(duplicate(field, { Name: '', Protocol: protocol, AppProtocol: null, Port: port['port'] ?? 0, TargetPort: 0, NodePort: 0 }));
    pairs.add(pair);
  }
}

const AFFINITY_SECONDS = 86_400;

/** What goes only with some types of Services. */
function validatePolicies(spec: JsonObject, type: string, errors: FieldError[]): void {
  const external = asText(spec['externalTrafficPolicy']);
  const reachable = type === 'NodePort' || type === 'LoadBalancer' || asList(spec['externalIPs']).length > 0;
  if (external !== undefined && !reachable) errors.push(invalidValue('spec.externalTrafficPolicy', external, 'may only be set for externally-accessible services'));
  else if (external !== undefined && external !== 'Cluster' && external !== 'Local') errors.push(notSupported('spec.externalTrafficPolicy', external, ['Cluster', 'Local']));
  const internal = asText(spec['internalTrafficPolicy']);
  if (internal !== undefined && internal !== 'Cluster' && internal !== 'Local') errors.push(notSupported('spec.internalTrafficPolicy', internal, ['Cluster', 'Local']));
  if (spec['loadBalancerClass'] !== undefined && type !== 'LoadBalancer') errors.push(forbiddenField('spec.loadBalancerClass', "may only be used when `type` is 'LoadBalancer'"));
  const ranges = asList(spec['loadBalancerSourceRanges']);
  if (ranges.length > 0 && type !== 'LoadBalancer') errors.push(forbiddenField('spec.LoadBalancerSourceRanges', "may only be used when `type` is 'LoadBalancer'"));
  for (const [index, range] of ranges.entries()) validateNetwork(range, `spec.LoadBalancerSourceRanges[${index}]`, errors);
  const timeout = asNumber(dig(spec, 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds'));
  if (timeout !== undefined && (timeout <= 0 || timeout > AFFINITY_SECONDS)) errors.push(invalidValue('spec.sessionAffinityConfig.clientIP.timeoutSeconds', timeout, `must be greater than 0 and less than ${AFFINITY_SECONDS}`));
}

function validateNetwork(network: Json | undefined, field: string, errors: FieldError[]): void {
  const [, address = '', length = ''] = /^([^/]{1,45})\/(\d{1,3})$/.exec(asText(network) ?? '') ?? [];
  const parsed = parseIpAddress(address);
  if (parsed === undefined || Number(length) > (parsed.family === 4 ? 32 : 128)) errors.push(invalidValue(field, network ?? '', 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'));
}

/** Source: pkg/apis/networking/validation/validation.go (ValidateNetworkPolicySpec). */
export function validateNetworkPolicy(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  validateLabelSelector(dig(object, 'spec', 'podSelector'), 'spec.podSelector', errors);
  for (const [direction, side] of [['ingress', 'from'], ['egress', 'to']] as const) for (const [index, rule] of asList(dig(object, 'spec', direction)).entries()) validatePolicyRule(rule, `spec.${direction}[${index}]`, side, errors);
  for (const type of asList(dig(object, 'spec', 'policyTypes'))) if (type !== 'Ingress' && type !== 'Egress') errors.push(notSupported('spec.policyTypes[0]', type, ['Egress', 'Ingress']));
  return errors;
}

function validatePolicyRule(rule: Json, path: string, side: 'from' | 'to', errors: FieldError[]): void {
  for (const [index, port] of asList(dig(rule, 'ports')).entries()) {
    const [number, end] = [dig(port, 'port'), asNumber(dig(port, 'endPort'))];
    if (typeof number === 'number') for (const words of checkPort(number)) errors.push(invalidValue(`${path}.ports[${index}].port`, number, words));
    if (typeof number === 'string') for (const words of checkPortName(number)) errors.push(invalidValue(`${path}.ports[${index}].port`, number, words));
    if (typeof number === 'number' && end !== undefined && end < number) errors.push(invalidValue(`${path}.ports[${index}].endPort`, end, 'must be greater than or equal to `port`'));
    if (number === undefined && end !== undefined) errors.push(required(`${path}.ports[${index}].port`, 'must be specified when `endPort` is used'));
    const protocol = asText(dig(port, 'protocol'));
    if (protocol !== undefined && !['TCP', 'UDP', 'SCTP'].includes(protocol)) errors.push(notSupported(`${path}.ports[${index}].protocol`, protocol, ['SCTP', 'TCP', 'UDP']));
  }
  for (const [index, peer] of asList(dig(rule, side)).entries()) validatePeer(peer, `${path}.${side}[${index}]`, errors);
}

function validatePeer(peer: Json, path: string, errors: FieldError[]): void {
  const kinds = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((kind) => dig(peer, kind) !== undefined);
  for (const kind of ['podSelector', 'namespaceSelector']) validateLabelSelector(dig(peer, kind), `${path}.${kind}`, errors);
  if (kinds.includes('ipBlock')) {
    const cidr = asText(dig(peer, 'ipBlock', 'cidr')) ?? '';
    if (cidr === '') errors.push(required(`${path}.ipBlock.cidr`));
    else validateNetwork(cidr, `${path}.ipBlock.cidr`, errors);
  }
  if (kinds.length === 0) errors.push(required(path, 'must specify a peer'));
  else if (kinds.length > 1 && kinds.includes('ipBlock')) errors.push(forbiddenField(path, 'may not specify both ipBlock and another peer'));
}

/** Source: pkg/apis/networking/validation/validation.go (ValidateIngressSpec). */
export function validateIngress(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const rules = asList(spec['rules']);
  if (rules.length === 0 && !isJsonObject(spec['defaultBackend'])) errors.push(invalidValue('spec', rules, 'either `defaultBackend` or `rules` must be specified'));
  if (isJsonObject(spec['defaultBackend'])) validateBackend(spec['defaultBackend'], 'spec.defaultBackend', errors);
  for (const [index, rule] of rules.entries()) {
    const host = asText(dig(rule, 'host')) ?? '';
    if (host !== '') for (const words of checkSubdomain(host.replace(/^\*\./, ''))) errors.push(invalidValue(`spec.rules[${index}].host`, host, words));
    if (dig(rule, 'http') !== undefined && asList(dig(rule, 'http', 'paths')).length === 0) errors.push(required(`spec.rules[${index}].http.paths`));
    for (const [place, path] of asList(dig(rule, 'http', 'paths')).entries()) validatePath(path, `spec.rules[${index}].http.paths[${place}]`, errors);
  }
  const className = asText(spec['ingressClassName']) ?? '';
  if (className !== '') for (const words of checkSubdomain(className)) errors.push(invalidValue('spec.ingressClassName', className, words));
  return errors;
}

const PATH_TYPES: readonly string[] = ['Exact', 'ImplementationSpecific', 'Prefix'];

function validatePath(path: Json, field: string, errors: FieldError[]): void {
  const [type, text] = [asText(dig(path, 'pathType')), asText(dig(path, 'path')) ?? ''];
  if (type === undefined) errors.push(required(`${field}.pathType`, 'pathType must be specified'));
  else if (!PATH_TYPES.includes(type)) errors.push(notSupported(`${field}.pathType`, type, PATH_TYPES));
  else if (type === 'ImplementationSpecific' ? text !== '' && !text.startsWith('/') : !text.startsWith('/')) errors.push(invalidValue(`${field}.path`, text, 'must be an absolute path'));
  validateBackend(dig(path, 'backend'), `${field}.backend`, errors);
}

function validateBackend(backend: Json | undefined, field: string, errors: FieldError[]): void {
  const [service, resource] = [dig(backend, 'service'), dig(backend, 'resource')];
  if (service !== undefined && resource !== undefined) return void errors.push(invalidValue(field, '', 'cannot set both resource and service backends'));
  if (resource !== undefined) return;
  if (service === undefined) return void errors.push(required(field, "resource or service backend is required"));
  const name = asText(dig(service, 'name')) ?? '';
  if (name === '') errors.push(required(`${field}.service.name`));
  else for (const words of checkLabelName(name)) errors.push(invalidValue(`${field}.service.name`, name, words));
  const [number, portName] = [asNumber(dig(service, 'port', 'number')) ?? 0, asText(dig(service, 'port', 'name')) ?? ''];
  if (number !== 0 && portName !== '') errors.push(invalidValue(field, '', 'cannot set both port name & port number'));
  else if (portName !== '') for (const words of checkPortName(portName)) errors.push(invalidValue(`${field}.service.port.name`, portName, words));
  else if (number === 0) errors.push(required(field, 'port name or number is required'));
  else for (const words of checkPort(number)) errors.push(invalidValue(`${field}.service.port.number`, number, words));
}
