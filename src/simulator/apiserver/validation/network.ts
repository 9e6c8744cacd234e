import { parseIpAddress } from '../../../base/ip-address.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { bigintOf, parseInteger } from '../../../base/number.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, addWrongOrMissing, forbiddenField, invalidValue, notSupported, required, tooLong } from './field-error.ts';
import { IMMUTABLE } from './metadata.ts';
import { checkLabelName, checkPathSegment, checkPort, checkPortName, checkSubdomain, checkWildcardSubdomain } from './names.ts';
import { validateLabelSelector } from './label-selector.ts';
import { validateNetwork } from './services.ts';

/** Source: pkg/apis/networking/validation/validation.go (ValidateNetworkPolicySpec). */
export function validateNetworkPolicy(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  validateLabelSelector(dig(object, 'spec', 'podSelector'), 'spec.podSelector', errors);
  for (const [direction, side] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const)
    for (const [index, rule] of asList(dig(object, 'spec', direction)).entries())
      validatePolicyRule(rule, `spec.${direction}[${index}]`, side, errors);
  const types = asList(dig(object, 'spec', 'policyTypes'));
  if (types.length > 2) return [...errors, invalidValue('spec.policyTypes', types, 'may not specify more than two policyTypes')];
  for (const [index, type] of types.entries())
    if (type !== 'Ingress' && type !== 'Egress') errors.push(notSupported(`spec.policyTypes[${index}]`, type, ['Ingress', 'Egress']));
  return errors;
}

function validatePolicyRule(rule: Json, path: string, side: 'from' | 'to', errors: FieldError[]): void {
  for (const [index, port] of asList(dig(rule, 'ports')).entries()) validatePolicyPort(port, `${path}.ports[${index}]`, errors);
  for (const [index, peer] of asList(dig(rule, side)).entries()) validatePeer(peer, `${path}.${side}[${index}]`, errors);
}

function validatePolicyPort(entry: Json, path: string, errors: FieldError[]): void {
  const [number, end] = [dig(entry, 'port'), asNumber(dig(entry, 'endPort'))];
  const protocol = asText(dig(entry, 'protocol'));
  if (protocol !== undefined && !['TCP', 'UDP', 'SCTP'].includes(protocol))
    errors.push(notSupported(`${path}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']));
  if (typeof number === 'number') {
    addWrong(errors, `${path}.port`, number, checkPort(number));
    if (end === undefined) return;
    if (end < number) errors.push(invalidValue(`${path}.endPort`, number, 'must be greater than or equal to `port`'));
    addWrong(errors, `${path}.endPort`, end, checkPort(end));
  } else {
    if (end !== undefined)
      errors.push(
        invalidValue(
          `${path}.endPort`,
          end,
          `may not be specified when \`port\` is ${typeof number === 'string' ? 'non-numeric' : 'not specified'}`,
        ),
      );
    if (typeof number === 'string') addWrong(errors, `${path}.port`, number, checkPortName(number));
  }
}

function validatePeer(peer: Json, path: string, errors: FieldError[]): void {
  const kinds = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((kind) => dig(peer, kind) !== undefined);
  for (const kind of ['podSelector', 'namespaceSelector']) validateLabelSelector(dig(peer, kind), `${path}.${kind}`, errors);
  if (kinds.includes('ipBlock')) validateBlock(dig(peer, 'ipBlock'), `${path}.ipBlock`, errors);
  if (kinds.length === 0) errors.push(required(path, 'must specify a peer'));
  else if (kinds.length > 1 && kinds.includes('ipBlock'))
    errors.push(forbiddenField(path, 'may not specify both ipBlock and another peer'));
}

function validateBlock(block: Json | undefined, path: string, errors: FieldError[]): void {
  const cidr = asText(dig(block, 'cidr')) ?? '';
  if (cidr === '') return void errors.push(required(`${path}.cidr`));
  validateNetwork(cidr, `${path}.cidr`, errors);
  const whole = rangeOf(cidr);
  if (whole === undefined) return;
  for (const [index, except] of asList(dig(block, 'except')).entries()) {
    const field = `${path}.except[${index}]`;
    validateNetwork(except, field, errors);
    const part = rangeOf(asText(except) ?? '');
    if (
      part !== undefined &&
      (part.family !== whole.family || part.bits <= whole.bits || part.first >> whole.rest !== whole.first >> whole.rest)
    )
      errors.push(invalidValue(field, except, 'must be a strict subset of `cidr`'));
  }
}

interface AddressRange {
  readonly family: number;
  readonly first: bigint;
  readonly bits: number;
  readonly rest: bigint;
}

function rangeOf(cidr: string): AddressRange | undefined {
  const [address = '', length = ''] = cidr.split('/');
  const parsed = parseIpAddress(address);
  const width = parsed?.family === 4 ? 32 : 128;
  const bits = /^\d{1,3}$/.test(length) ? parseInteger(length) : undefined;
  if (parsed === undefined || bits === undefined || bits > width) return undefined;
  return { family: parsed.family, first: parsed.value, bits, rest: bigintOf(width - bits) };
}

/** Source: the same (ValidateIngressCreate). */
export function validateIngress(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const rules = asList(spec['rules']);
  if (rules.length === 0 && !isJsonObject(spec['defaultBackend']))
    errors.push(invalidValue('spec', spec['rules'] ?? null, 'either `defaultBackend` or `rules` must be specified'));
  if (isJsonObject(spec['defaultBackend'])) validateBackend(spec['defaultBackend'], 'spec.defaultBackend', errors);
  for (const [index, rule] of rules.entries()) validateIngressRule(rule, `spec.rules[${index}]`, errors);
  for (const [index, tls] of asList(spec['tls']).entries()) {
    const field = `spec.tls[${index}]`;
    for (const [place, host] of asList(dig(tls, 'hosts')).entries()) validateHost(asText(host) ?? '', `${field}.hosts[${place}]`, errors);
    const secret = asText(dig(tls, 'secretName')) ?? '';
    if (secret !== '') addWrong(errors, `${field}.secretName`, secret, checkSubdomain(secret));
  }
  const className = asText(spec['ingressClassName']);
  if (className !== undefined) addWrong(errors, 'spec.ingressClassName', className, checkSubdomain(className));
  return errors;
}

/** What is looked at only when an ingress is new. */
export function validateIngressClassOf(object: JsonObject): readonly FieldError[] {
  const [annotation, className] = [
    asText(dig(object, 'metadata', 'annotations', 'kubernetes.io/ingress.class')),
    asText(dig(object, 'spec', 'ingressClassName')),
  ];
  if (annotation === undefined || className === undefined || annotation === className) return [];
  return [invalidValue('annotations.kubernetes.io/ingress.class', annotation, 'must match `ingressClassName` when both are specified')];
}

function validateHost(host: string, field: string, errors: FieldError[]): void {
  addWrong(errors, field, host, host.includes('*') ? checkWildcardSubdomain(host) : checkSubdomain(host));
}

function validateIngressRule(rule: Json, path: string, errors: FieldError[]): void {
  const host = asText(dig(rule, 'host')) ?? '';
  if (parseIpAddress(host) !== undefined) errors.push(invalidValue(`${path}.host`, host, 'must be a DNS name, not an IP address'));
  if (host !== '') validateHost(host, `${path}.host`, errors);
  const http = dig(rule, 'http');
  if (!isJsonObject(http)) return;
  const paths = asList(http['paths']);
  if (paths.length === 0) errors.push(required(`${path}.http.paths`));
  for (const [index, entry] of paths.entries()) validatePath(entry, `${path}.http.paths[${index}]`, errors);
}

const PATH_TYPES: readonly string[] = ['Exact', 'ImplementationSpecific', 'Prefix'];
const WRONG_SEQUENCES: readonly string[] = ['//', '/./', '/../', '%2f', '%2F'];
const WRONG_ENDINGS: readonly string[] = ['/..', '/.'];

function validatePath(path: Json, field: string, errors: FieldError[]): void {
  const [type, text] = [asText(dig(path, 'pathType')), asText(dig(path, 'path')) ?? ''];
  if (type === undefined) return void errors.push(required(`${field}.pathType`, 'pathType must be specified'));
  const own = type === 'ImplementationSpecific';
  if (!PATH_TYPES.includes(type)) errors.push(notSupported(`${field}.pathType`, type, PATH_TYPES));
  else if (!text.startsWith('/') && !(own && text === '')) errors.push(invalidValue(`${field}.path`, text, 'must be an absolute path'));
  if (PATH_TYPES.includes(type) && !own) {
    for (const wrong of WRONG_SEQUENCES)
      if (text.includes(wrong)) errors.push(invalidValue(`${field}.path`, text, `must not contain '${wrong}'`));
    for (const wrong of WRONG_ENDINGS)
      if (text.endsWith(wrong)) errors.push(invalidValue(`${field}.path`, text, `cannot end with '${wrong}'`));
  }
  validateBackend(dig(path, 'backend'), `${field}.backend`, errors);
}

function validateBackend(backend: Json | undefined, field: string, errors: FieldError[]): void {
  const [service, resource] = [dig(backend, 'service'), dig(backend, 'resource')];
  if (service !== undefined && resource !== undefined)
    return void errors.push(invalidValue(field, '', 'cannot set both resource and service backends'));
  if (resource !== undefined) return validateReference(asObject(resource), `${field}.resource`, errors);
  if (service === undefined) return void errors.push(invalidValue(field, '', 'resource or service backend is required'));
  const name = asText(dig(service, 'name')) ?? '';
  addWrongOrMissing(errors, `${field}.service.name`, name, checkLabelName);
  const [number, portName] = [asNumber(dig(service, 'port', 'number')) ?? 0, asText(dig(service, 'port', 'name')) ?? ''];
  if (number !== 0 && portName !== '') errors.push(invalidValue(field, '', 'cannot set both port name & port number'));
  else if (portName !== '') addWrong(errors, `${field}.service.port.name`, portName, checkPortName(portName));
  else if (number === 0) errors.push(required(field, 'port name or number is required'));
  else addWrong(errors, `${field}.service.port.number`, number, checkPort(number));
}

function validateReference(reference: JsonObject, field: string, errors: FieldError[]): void {
  const group = asText(reference['apiGroup']);
  if (group !== undefined) addWrong(errors, `${field}.apiGroup`, group, checkSubdomain(group));
  for (const part of ['kind', 'name']) {
    const value = asText(reference[part]) ?? '';
    addWrongOrMissing(errors, `${field}.${part}`, value, checkPathSegment);
  }
}

const CONTROLLER_LIMIT = 250;

/** Source: the same (ValidateIngressClass). */
export function validateIngressClass(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const controller = asText(spec['controller']) ?? '';
  if (controller === '') errors.push(required('spec.controller'));
  else {
    if (controller.length > CONTROLLER_LIMIT) errors.push(tooLong('spec.controller', CONTROLLER_LIMIT));
    validatePrefixedPath(controller, 'spec.controller', errors);
  }
  const parameters = spec['parameters'];
  if (!isJsonObject(parameters)) return errors;
  const field = 'spec.parameters';
  validateReference(parameters, field, errors);
  const [scope, namespace] = [asText(parameters['scope']), asText(parameters['namespace'])];
  if (scope === undefined) errors.push(required(`${field}.scope`));
  else if (scope !== 'Cluster' && scope !== 'Namespace') errors.push(notSupported(`${field}.scope`, scope, ['Cluster', 'Namespace']));
  else if (scope === 'Cluster' && namespace !== undefined)
    errors.push(forbiddenField(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  else if (scope === 'Namespace' && namespace === undefined)
    errors.push(required(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'"));
  else if (scope === 'Namespace') addWrong(errors, `${field}.namespace`, namespace, checkLabelName(namespace ?? ''));
  return errors;
}

export function validateIngressClassUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const controller = dig(object, 'spec', 'controller') ?? '';
  return controller === (dig(old, 'spec', 'controller') ?? '') ? [] : [invalidValue('spec.controller', controller, IMMUTABLE)];
}

/** Source: staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go (IsDomainPrefixedPath). */
export function validatePrefixedPath(path: string, field: string, errors: FieldError[]): void {
  const slash = path.indexOf('/');
  const [domain, rest] = [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
  if (slash < 0 || domain === '' || rest === '')
    return void errors.push(invalidValue(field, path, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  addWrong(errors, field, domain, checkSubdomain(domain));
  if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest))
    errors.push(invalidValue(field, rest, `Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`));
}
