import { withoutTail } from '../../../base/text.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { parseIpAddress } from '../../../base/ip-address.ts';
import { canonicalJson, sameJson, withFields } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { own } from '../../../base/own-property.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, addWrongOrMissing, duplicate, forbiddenField, invalidValue, required, tooMany } from './field-error.ts';
import { internalOf } from './go-diff.ts';
import { endpointTrouble } from './endpoint-address.ts';
import { checkAddress } from './label-selector.ts';
import { immutable, validateLabels } from './metadata.ts';
import {
  checkLabelName,
  checkLabelValue,
  checkPort,
  checkQualifiedName,
  checkServiceName,
  checkSubdomain,
  checkWholeDomain,
} from './names.ts';
import { validateChoice } from './request-rules.ts';
import { validateResources } from './resources.ts';
import { newMembersCheck } from './right-lists.ts';
import { validatePreemption, validateTaints, validateTolerations } from './scheduling.ts';

/** Source: pkg/apis/core/validation/validation.go (ValidateNode). */
export function validateNode(object: JsonObject): readonly FieldError[] {
  return validateTaints(dig(object, 'spec', 'taints'), 'metadata.taints');
}

export function validateNodeUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const [spec, before] = [asObject(object['spec']), asObject(old['spec'])];
  if (asList(before['podCIDRs']).length > 0 && !sameJson(spec['podCIDRs'], before['podCIDRs']))
    errors.push(forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  if ((asText(before['providerID']) ?? '') !== '' && spec['providerID'] !== before['providerID'])
    errors.push(forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'));
  return errors;
}

/** Source: the same (ValidateNamespace). */
export function validateNamespace(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const finalizer of asList(dig(object, 'spec', 'finalizers')).map(textOf)) {
    addWrong(errors, 'spec.finalizers', finalizer, checkQualifiedName(finalizer));
    if (!finalizer.includes('/') && finalizer !== 'kubernetes')
      errors.push(invalidValue('spec.finalizers', finalizer, 'name is neither a standard finalizer name nor is it fully qualified'));
  }
  return errors;
}

/** Source: pkg/apis/scheduling/validation/validation.go (ValidatePriorityClass). */
export function validatePriorityClass(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const [name, value] = [asText(dig(object, 'metadata', 'name')) ?? '', asNumber(object['value']) ?? 0];
  const known = own(SYSTEM_CLASSES, name);
  const reserved = (why: string): FieldError =>
    forbiddenField('metadata.name', `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`);
  if (known !== undefined && value !== known) errors.push(reserved(`value of ${name} PriorityClass must be ${known}`));
  else if (known !== undefined && object['globalDefault'] === true)
    errors.push(reserved(`globalDefault of ${name} PriorityClass must be false`));
  else if (known === undefined && name.startsWith('system-')) errors.push(reserved(`${name} is not a known system priority class`));
  else if (known === undefined && value > 1_000_000_000)
    errors.push(forbiddenField('value', 'maximum allowed value of a user defined priority is 1000000000'));
  validatePreemption(object['preemptionPolicy'], 'preemptionPolicy', errors);
  return errors;
}

const SYSTEM_CLASSES: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

export function validatePriorityClassUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const value =
    (asNumber(object['value']) ?? 0) === (asNumber(old['value']) ?? 0) ? [] : [forbiddenField('value', 'may not be changed in an update.')];
  return [...value, ...immutable('preemptionPolicy', object['preemptionPolicy'], old['preemptionPolicy'])];
}

/** Source: pkg/apis/node/validation/validation.go (ValidateRuntimeClass). */
export function validateRuntimeClass(object: JsonObject): readonly FieldError[] {
  const handler = asText(object['handler']) ?? '';
  const errors: FieldError[] = [];
  addWrongOrMissing(errors, 'handler', handler, checkLabelName);
  validateResources({ limits: dig(object, 'overhead', 'podFixed') }, 'overhead', errors);
  append(errors, validateLabels(dig(object, 'scheduling', 'nodeSelector'), 'scheduling.nodeSelector'));
  const tolerations = asList(dig(object, 'scheduling', 'tolerations'));
  validateTolerations(tolerations, 'scheduling.tolerations', errors);
  const seen = new Set<string>();
  for (const [index, toleration] of tolerations.entries()) {
    const key = canonicalJson(withFields(asObject(toleration), { tolerationSeconds: undefined }));
    if (seen.has(key)) errors.push(duplicate(`scheduling.tolerations[${index}]`, internalOf('Toleration', toleration)));
    seen.add(key);
  }
  return errors;
}

export function validateRuntimeClassUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  return immutable('handler', object['handler'] ?? '', old['handler'] ?? '');
}

/** Source: pkg/apis/coordination/validation/validation.go (ValidateLeaseSpec). */
export function validateLease(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const [seconds, transitions] = [asNumber(dig(object, 'spec', 'leaseDurationSeconds')), asNumber(dig(object, 'spec', 'leaseTransitions'))];
  if (seconds !== undefined && seconds <= 0) errors.push(invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0'));
  if (transitions !== undefined && transitions < 0)
    errors.push(invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
  return errors;
}

/** Source: staging/src/k8s.io/kube-aggregator/pkg/apis/apiregistration/validation/validation.go (ValidateAPIService). */
export function validateApiService(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const [group, version, name] = [
    asText(spec['group']) ?? '',
    asText(spec['version']) ?? '',
    asText(dig(object, 'metadata', 'name')) ?? '',
  ];
  if (name !== `${version}.${group}`)
    errors.push(invalidValue('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(`${version}.${group}`)}`));
  if (group === '' && version !== 'v1') errors.push(required('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  if (group !== '') addWrong(errors, 'spec.group', group, checkSubdomain(group));
  addWrong(errors, 'spec.version', version, checkServiceName(version));
  for (const [field, most] of [
    ['groupPriorityMinimum', 20_000],
    ['versionPriority', 1000],
  ] as const) {
    const priority = asNumber(spec[field]) ?? 0;
    if (priority <= 0 || priority > most) errors.push(invalidValue(`spec.${field}`, priority, `must be positive and less than ${most}`));
  }
  validateApiServiceTarget(spec, errors);
  return errors;
}

function validateApiServiceTarget(spec: JsonObject, errors: FieldError[]): void {
  const [bundle, insecure, service] = [asText(spec['caBundle']) ?? '', spec['insecureSkipTLSVerify'] === true, spec['service']];
  if (service === undefined) {
    if (bundle !== '')
      errors.push(
        invalidValue(
          'spec.caBundle',
          `${Math.floor((withoutTail(bundle, '=').length * 3) / 4)} bytes`,
          'local APIServices may not have a caBundle',
        ),
      );
    if (insecure) errors.push(invalidValue('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify'));
    return;
  }
  for (const part of ['namespace', 'name']) if ((asText(dig(service, part)) ?? '') === '') errors.push(required(`spec.service.${part}`));
  const port = asNumber(dig(service, 'port')) ?? 443;
  for (const words of checkPort(port)) errors.push(invalidValue('spec.service.port', port, `port is not valid: ${words}`));
  if (insecure && bundle !== '') errors.push(invalidValue('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'));
}

const MOST_ENDPOINTS = 1000;
const MOST_PORTS = 100;
const MOST_ADDRESSES = 100;

/** Source: pkg/apis/discovery/validation/validation.go (ValidateEndpointSlice). */
export function validateEndpointSlice(object: JsonObject, old?: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = asText(object['addressType']) ?? '';
  if (type === '') errors.push(required('addressType'));
  else validateChoice(type, 'addressType', ['FQDN', 'IPv4', 'IPv6'], errors);
  const ports = asList(object['ports']);
  if (ports.length > MOST_PORTS) errors.push(tooMany('ports', ports.length, MOST_PORTS));
  const names = new Set<string>();
  for (const [index, port] of ports.slice(0, ports.length > MOST_PORTS ? 0 : ports.length).entries()) {
    const [name, protocol] = [asText(dig(port, 'name')) ?? '', asText(dig(port, 'protocol'))];
    if (name !== '') addWrong(errors, `ports[${index}].name`, name, checkLabelName(name));
    if (names.has(name)) errors.push(duplicate(`ports[${index}].name`, name));
    names.add(name);
    if (protocol === undefined) errors.push(required(`ports[${index}].protocol`));
    else validateChoice(protocol, `ports[${index}].protocol`, ['SCTP', 'TCP', 'UDP'], errors);
    const application = asText(dig(port, 'appProtocol'));
    if (application !== undefined) addWrong(errors, `ports[${index}].appProtocol`, application, checkQualifiedName(application));
  }
  const endpoints = asList(object['endpoints']);
  if (endpoints.length > MOST_ENDPOINTS) errors.push(tooMany('endpoints', endpoints.length, MOST_ENDPOINTS));
  else
    checkNewMembers(endpoints, asList(old?.['endpoints']), (endpoint, index) => validateEndpoint(asObject(endpoint), type, index, errors));
  return errors;
}

const checkNewMembers = newMembersCheck();

/** Whether it is right. */
function validateEndpoint(endpoint: JsonObject, type: string, index: number, errors: FieldError[]): boolean {
  const before = errors.length;
  const field = `endpoints[${index}]`;
  const addresses = asList(endpoint['addresses']);
  if (addresses.length === 0) errors.push(required(`${field}.addresses`, 'must contain at least 1 address'));
  else if (addresses.length > MOST_ADDRESSES) errors.push(tooMany(`${field}.addresses`, addresses.length, MOST_ADDRESSES));
  for (const [place, address] of addresses.entries()) validateEndpointAddress(address, type, `${field}.addresses`, place, errors);
  const node = asText(endpoint['nodeName']);
  if (node !== undefined) addWrong(errors, `${field}.nodeName`, node, checkSubdomain(node));
  const hostname = asText(endpoint['hostname']);
  if (hostname !== undefined) addWrong(errors, `${field}.hostname`, hostname, checkLabelName(hostname));
  validateHints(asList(dig(endpoint, 'hints', 'forZones')), `${field}.hints.forZones`, checkLabelValue, errors);
  validateHints(asList(dig(endpoint, 'hints', 'forNodes')), `${field}.hints.forNodes`, checkSubdomain, errors);
  return errors.length === before;
}

const MOST_HINTS = 8;

/** Source: the same (validateHints). */
function validateHints(hints: readonly Json[], path: string, check: (name: string) => readonly string[], errors: FieldError[]): void {
  if (hints.length > MOST_HINTS) return void errors.push(tooMany(path, hints.length, MOST_HINTS));
  const seen = new Set<string>();
  for (const [index, hint] of hints.entries()) {
    const [field, name] = [`${path}[${index}].name`, asText(dig(hint, 'name')) ?? ''];
    if (seen.has(name)) errors.push(duplicate(field, name));
    seen.add(name);
    addWrong(errors, field, name, check(name));
  }
}

/** That an address is of the other family is said of all addresses. */
function validateEndpointAddress(address: Json, type: string, list: string, place: number, errors: FieldError[]): void {
  const [text, field] = [textOf(address), `${list}[${place}]`];
  if (type === 'FQDN') addWrong(errors, field, text, checkWholeDomain(text));
  if (type !== 'IPv4' && type !== 'IPv6') return;
  const wrong = checkAddress(text);
  if (wrong.length > 0) return addWrong(errors, field, text, wrong);
  if (`IPv${parseIpAddress(text)?.family ?? ''}` !== type) errors.push(invalidValue(list, text, `must be an ${type} address`));
  addWrong(errors, field, text, endpointTrouble(text));
}

export function validateEndpointSliceUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  return immutable('addressType', object['addressType'] ?? '', old['addressType'] ?? '');
}
