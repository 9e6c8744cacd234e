import type { Json, JsonObject } from '../../../base/json.ts';
import { parseIpAddress } from '../../../base/ip-address.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import { validateContainers } from './containers.ts';
import type { FieldError } from './field-error.ts';
import { duplicate, forbiddenField, invalidValue, notSupported, required } from './field-error.ts';
import { validateLabels } from './metadata.ts';
import { checkLabelName, checkLabelValue, checkQualifiedName, checkSubdomain } from './names.ts';
import { validateContainerClaims, validatePodDeviceClaims } from './pod-device-claims.ts';
import { validateVolumes } from './volumes.ts';

/**
 * A pod's spec, at a path (`spec`, `spec.template.spec`). One that was found right is known and not looked at again.
 * Source: pkg/apis/core/validation/validation.go (ValidatePodSpec), in its order.
 */
export function validatePodSpec(spec: JsonObject, path: string): readonly FieldError[] {
  if (right.has(spec)) return [];
  const errors: FieldError[] = [];
  const volumes = validateVolumes(spec['volumes'], `${path}.volumes`, errors);
  const claims = validatePodDeviceClaims(spec['resourceClaims'], `${path}.resourceClaims`, errors);
  validateContainers(spec, volumes, path, errors);
  validateContainerClaims(spec, claims, path, errors);
  validateHostNetworkPorts(spec, path, errors);
  if (!['Always', 'OnFailure', 'Never'].includes(asText(spec['restartPolicy']) ?? '')) errors.push(notSupported(`${path}.restartPolicy`, spec['restartPolicy'], ['Always', 'OnFailure', 'Never']));
  const policies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
  if (!policies.includes(asText(spec['dnsPolicy']) ?? '')) errors.push(notSupported(`${path}.dnsPolicy`, spec['dnsPolicy'], policies));
  errors.push(...validateLabels(spec['nodeSelector'], `${path}.nodeSelector`));
  validateHostNamespaces(spec, path, errors);
  validateAffinity(spec['affinity'], `${path}.affinity`, errors);
  validateDns(spec, `${path}.dnsConfig`, errors);
  for (const [index, gate] of asList(spec['readinessGates']).entries()) for (const words of checkQualifiedName(asText(dig(gate, 'conditionType')) ?? '')) errors.push(invalidValue(`${path}.readinessGates[${index}].conditionType`, dig(gate, 'conditionType') ?? '', words));
  validateGates(spec, path, errors);
  validateSpread(spec['topologySpreadConstraints'], `${path}.topologySpreadConstraints`, errors);
  validateName(spec['serviceAccountName'], `${path}.serviceAccountName`, checkSubdomain, errors);
  validateName(spec['nodeName'], `${path}.nodeName`, checkSubdomain, errors);
  const deadline = asNumber(spec['activeDeadlineSeconds']);
  if (deadline !== undefined && (deadline < 1 || deadline > 2_147_483_647)) errors.push(invalidValue(`${path}.activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive'));
  validateName(spec['hostname'], `${path}.hostname`, checkLabelName, errors);
  validateName(spec['subdomain'], `${path}.subdomain`, checkLabelName, errors);
  validateTolerations(spec['tolerations'], `${path}.tolerations`, errors);
  validateHostAliases(spec['hostAliases'], `${path}.hostAliases`, errors);
  validateName(spec['priorityClassName'], `${path}.priorityClassName`, checkSubdomain, errors);
  validateName(spec['runtimeClassName'], `${path}.runtimeClassName`, checkSubdomain, errors);
  const preemption = spec['preemptionPolicy'];
  if (preemption !== undefined && preemption !== 'PreemptLowerPriority' && preemption !== 'Never') errors.push(notSupported(`${path}.preemptionPolicy`, preemption, ['PreemptLowerPriority', 'Never']));
  if (errors.length === 0) right.add(spec);
  return errors;
}

const right = new WeakSet<object>();

function validateName(value: Json | undefined, field: string, check: (name: string) => readonly string[], errors: FieldError[]): void {
  const name = asText(value) ?? '';
  if (name !== '') for (const words of check(name)) errors.push(invalidValue(field, name, words));
}

function validateHostNamespaces(spec: JsonObject, path: string, errors: FieldError[]): void {
  if (spec['hostPID'] === true && spec['shareProcessNamespace'] === true) errors.push(invalidValue(`${path}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
}

/** In a template a host port may be left out: it is filled in when the pod is made. */
function validateHostNetworkPorts(spec: JsonObject, path: string, errors: FieldError[]): void {
  if (spec['hostNetwork'] !== true) return;
  for (const [index, container] of asList(spec['containers']).entries()) {
    for (const [place, port] of asList(dig(container, 'ports')).entries()) {
      const [host, own] = [asNumber(dig(port, 'hostPort')), asNumber(dig(port, 'containerPort'))];
      if (host !== own && (path === 'spec' || (host ?? 0) !== 0)) errors.push(invalidValue(`${path}.containers[${index}].ports[${place}].hostPort`, host ?? 0, 'must match `containerPort` when `hostNetwork` is true'));
    }
  }
}

function validateDns(spec: JsonObject, path: string, errors: FieldError[]): void {
  const config = spec['dnsConfig'];
  const nameservers = asList(dig(config, 'nameservers'));
  if (spec['dnsPolicy'] === 'None' && config === undefined) return void errors.push(required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
  if (spec['dnsPolicy'] === 'None' && nameservers.length === 0) return void errors.push(required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'));
  if (nameservers.length > 3) errors.push(invalidValue(`${path}.nameservers`, nameservers, 'must not have more than 3 nameservers'));
  for (const [index, server] of nameservers.entries()) validateAddress(server, `${path}.nameservers[${index}]`, errors);
  for (const [index, option] of asList(dig(config, 'options')).entries()) if ((asText(dig(option, 'name')) ?? '') === '') errors.push(required(`${path}.options[${index}]`, 'must not be empty'));
}

function validateHostAliases(aliases: Json | undefined, path: string, errors: FieldError[]): void {
  for (const [index, alias] of asList(aliases).entries()) {
    validateAddress(dig(alias, 'ip'), `${path}[${index}].ip`, errors);
    for (const [place, name] of asList(dig(alias, 'hostnames')).entries()) for (const words of checkSubdomain(asText(name) ?? '')) errors.push(invalidValue(`${path}[${index}].hostnames[${place}]`, name, words));
  }
}

export function validateAddress(address: Json | undefined, field: string, errors: FieldError[]): void {
  if (parseIpAddress(asText(address) ?? '') === undefined) errors.push(invalidValue(field, address ?? '', 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'));
}

function validateAffinity(affinity: Json | undefined, path: string, errors: FieldError[]): void {
  if (!isJsonObject(affinity)) return;
  const selector = dig(affinity, 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  const nodePath = `${path}.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  if (selector !== undefined) {
    const terms = asList(dig(selector, 'nodeSelectorTerms'));
    if (terms.length === 0) errors.push(required(nodePath, 'must have at least one node selector term'));
    for (const [index, term] of terms.entries()) validateNodeTerm(term, `${nodePath}[${index}]`, errors);
  }
  for (const [index, entry] of asList(dig(affinity, 'nodeAffinity', 'preferredDuringSchedulingIgnoredDuringExecution')).entries()) {
    const field = `${path}.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
    validateWeight(entry, field, errors);
    validateNodeTerm(dig(entry, 'preference') ?? {}, `${field}.preference`, errors);
  }
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const terms = asList(dig(affinity, kind, 'requiredDuringSchedulingIgnoredDuringExecution'));
    for (const [index, term] of terms.entries()) validatePodTerm(term, `${path}.${kind}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`, errors);
    const preferred = asList(dig(affinity, kind, 'preferredDuringSchedulingIgnoredDuringExecution'));
    for (const [index, entry] of preferred.entries()) {
      const field = `${path}.${kind}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      validateWeight(entry, field, errors);
      validatePodTerm(dig(entry, 'podAffinityTerm'), `${field}.podAffinityTerm`, errors);
    }
  }
}

function validateWeight(entry: Json, path: string, errors: FieldError[]): void {
  const weight = asNumber(dig(entry, 'weight')) ?? 0;
  if (weight <= 0 || weight > 100) errors.push(invalidValue(`${path}.weight`, weight, 'must be in the range 1-100'));
}

function validateNodeTerm(term: Json, path: string, errors: FieldError[]): void {
  for (const [index, expression] of asList(dig(term, 'matchExpressions')).entries()) {
    const field = `${path}.matchExpressions[${index}]`;
    const operator = asText(dig(expression, 'operator')) ?? '';
    const values = asList(dig(expression, 'values'));
    if (['In', 'NotIn'].includes(operator)) {
      if (values.length === 0) errors.push(required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if (['Exists', 'DoesNotExist'].includes(operator)) {
      if (values.length > 0) errors.push(forbiddenField(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    } else if (['Gt', 'Lt'].includes(operator)) {
      if (values.length !== 1) errors.push(required(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
    } else errors.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
    for (const words of checkQualifiedName(asText(dig(expression, 'key')) ?? '')) errors.push(invalidValue(`${field}.key`, dig(expression, 'key') ?? '', words));
  }
}

function validatePodTerm(term: Json | undefined, path: string, errors: FieldError[]): void {
  validateLabelSelector(dig(term, 'labelSelector'), `${path}.labelSelector`, errors);
  const key = asText(dig(term, 'topologyKey')) ?? '';
  if (key === '') errors.push(required(`${path}.topologyKey`, 'can not be empty'));
  else for (const words of checkQualifiedName(key)) errors.push(invalidValue(`${path}.topologyKey`, key, words));
}

/** A LabelSelector. Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go. */
export function validateLabelSelector(selector: Json | undefined, path: string, errors: FieldError[]): void {
  if (!isJsonObject(selector)) return;
  for (const [key, value] of Object.entries(asTextMap(selector['matchLabels']))) {
    for (const words of checkQualifiedName(key)) errors.push(invalidValue(`${path}.matchLabels`, key, words));
    for (const words of checkLabelValue(value)) errors.push(invalidValue(`${path}.matchLabels`, value, words));
  }
  for (const [index, expression] of asList(selector['matchExpressions']).entries()) {
    const field = `${path}.matchExpressions[${index}]`;
    const [operator, values] = [dig(expression, 'operator'), asList(dig(expression, 'values'))];
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) errors.push(required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) errors.push(forbiddenField(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    } else errors.push(invalidValue(`${field}.operator`, operator ?? '', 'not a valid selector operator'));
    for (const words of checkQualifiedName(asText(dig(expression, 'key')) ?? '')) errors.push(invalidValue(`${field}.key`, dig(expression, 'key') ?? '', words));
  }
}

function validateGates(spec: JsonObject, path: string, errors: FieldError[]): void {
  const names = new Set<string>();
  for (const [index, gate] of asList(spec['schedulingGates']).entries()) {
    const name = asText(dig(gate, 'name')) ?? '';
    for (const words of checkQualifiedName(name)) errors.push(invalidValue(`${path}.schedulingGates[${index}]`, name, words));
    if (names.has(name)) errors.push(duplicate(`${path}.schedulingGates[${index}]`, name));
    names.add(name);
  }
  if (names.size > 0 && (asText(spec['nodeName']) ?? '') !== '') errors.push(forbiddenField(`${path}.nodeName`, 'cannot be set until all schedulingGates have been cleared'));
}

function validateSpread(constraints: Json | undefined, path: string, errors: FieldError[]): void {
  const pairs = new Set<string>();
  for (const [index, constraint] of asList(constraints).entries()) {
    const field = `${path}[${index}]`;
    const skew = asNumber(dig(constraint, 'maxSkew')) ?? 0;
    const [key, when] = [asText(dig(constraint, 'topologyKey')) ?? '', asText(dig(constraint, 'whenUnsatisfiable')) ?? ''];
    if (skew <= 0) errors.push(invalidValue(`${field}.maxSkew`, skew, 'must be greater than 0'));
    if (key === '') errors.push(required(`${field}.topologyKey`, 'can not be empty'));
    if (!['DoNotSchedule', 'ScheduleAnyway'].includes(when)) errors.push(notSupported(`${field}.whenUnsatisfiable`, when, ['DoNotSchedule', 'ScheduleAnyway']));
    const pair = `{${key}, ${when}}`;
    if (pairs.has(pair)) errors.push(duplicate(`${field}.{topologyKey, whenUnsatisfiable}`, pair));
    pairs.add(pair);
    const domains = asNumber(dig(constraint, 'minDomains'));
    if (domains !== undefined && domains <= 0) errors.push(invalidValue(`${field}.minDomains`, domains, 'must be greater than 0'));
    if (domains !== undefined && when === 'ScheduleAnyway') errors.push(invalidValue(`${field}.minDomains`, domains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`));
    for (const policy of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      const value = asText(dig(constraint, policy));
      if (value !== undefined && value !== 'Honor' && value !== 'Ignore') errors.push(notSupported(`${field}.${policy}`, value, ['Honor', 'Ignore']));
    }
    validateLabelSelector(dig(constraint, 'labelSelector'), `${field}.labelSelector`, errors);
  }
}

function validateTolerations(tolerations: Json | undefined, path: string, errors: FieldError[]): void {
  for (const [index, entry] of asList(tolerations).entries()) {
    const toleration = asObject(entry);
    const field = `${path}[${index}]`;
    const [key, value] = [asText(toleration['key']) ?? '', asText(toleration['value']) ?? ''];
    const operator = asText(toleration['operator']) ?? '';
    if (key !== '') for (const words of checkQualifiedName(key)) errors.push(invalidValue(`${field}.key`, key, words));
    if (key === '' && operator !== 'Exists') errors.push(invalidValue(`${field}.operator`, operator, "operator must be Exists when `key` is empty, which means \"match all values and all keys\""));
    if (toleration['tolerationSeconds'] !== undefined && toleration['effect'] !== 'NoExecute') errors.push(invalidValue(`${field}.effect`, asText(toleration['effect']) ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    if (operator === 'Exists' && value !== '') errors.push(invalidValue(`${field}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    else if (operator === '' || operator === 'Equal') for (const words of joined(checkLabelValue(value))) errors.push(invalidValue(`${field}.operator`, value, words));
    else if (operator !== 'Exists') errors.push(notSupported(`${field}.operator`, operator, ['Equal', 'Exists']));
    const effect = asText(toleration['effect']) ?? '';
    if (effect !== '' && !['NoSchedule', 'PreferNoSchedule', 'NoExecute'].includes(effect)) errors.push(notSupported(`${field}.effect`, effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']));
  }
}

function joined(words: readonly string[]): readonly string[] {
  return words.length === 0 ? [] : [words.join(';')];
}
