import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import { parseIpAddress } from '../../../base/ip-address.ts';
import { append } from '../../../base/lists.ts';
import { remembered } from '../../../base/memoized.ts';
import { validateContainerStatuses, validateExtendedClaim, validateTransitions } from './container-statuses.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, forbiddenField, internalFailure, invalidValue } from './field-error.ts';
import { checkAddress } from './label-selector.ts';
import { immutable } from './metadata.ts';
import { checkQualifiedName, checkSubdomain } from './names.ts';

/** What is wrong with the status of a pod. Source: pkg/apis/core/validation/validation.go (ValidatePodStatusUpdate). */
export function validatePodStatus(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const [status, before] = [object['status'], old['status']];
  // A path is put together when something is wrong: of each status, ten were.
  for (const [index, condition] of asList(dig(status, 'conditions')).entries()) {
    const [type, generation] = [asText(dig(condition, 'type')) ?? '', dig(condition, 'observedGeneration')];
    if (isNegative(generation)) notNegative(generation, `status.conditions[${index}].observedGeneration`, errors);
    const wrong = OWN_CONDITIONS.has(type) ? [] : conditionType(type);
    if (wrong.length > 0) addWrong(errors, `status.conditions[${index}].Type`, type, wrong);
  }
  const node = asText(dig(status, 'nominatedNodeName')) ?? '';
  if (node !== '' && node !== dig(before, 'nominatedNodeName')) {
    addWrong(errors, 'status.nominatedNodeName', node, checkSubdomain(node));
    if ((asText(dig(old, 'spec', 'nodeName')) ?? '') !== '')
      errors.push(forbiddenField('status.nominatedNodeName', 'may not be set on pods that are already bound to a node'));
  }
  notNegative(dig(status, 'observedGeneration'), 'status.observedGeneration', errors);
  append(errors, immutable('status.qosClass', dig(status, 'qosClass'), dig(before, 'qosClass')));
  validateTransitions(object, old, errors);
  validateClaims(object, errors);
  validateExtendedClaim(object, errors);
  append(errors, podAddresses(object, old));
  validateContainerStatuses(object, errors);
  return errors;
}

const OWN_CONDITIONS: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

const conditionType = remembered(checkQualifiedName, { limit: 100, length: 100 });

function isNegative(value: Json | undefined): boolean {
  return (asNumber(value) ?? 0) < 0;
}

function notNegative(value: Json | undefined, field: string, errors: FieldError[]): void {
  if (isNegative(value)) errors.push(invalidValue(field, value, 'must be a non-negative integer'));
}

/** Source: the same (validatePodResourceClaimStatuses). */
function validateClaims(object: JsonObject, errors: FieldError[]): void {
  const claims = asList(dig(object, 'status', 'resourceClaimStatuses'));
  if (claims.length === 0) return;
  const known = asList(dig(object, 'spec', 'resourceClaims')).map((claim) => dig(claim, 'name'));
  const seen = new Set<Json | undefined>();
  for (const [index, claim] of claims.entries()) {
    const [field, name, claimName] = [`status.resourceClaimStatuses[${index}]`, dig(claim, 'name') ?? '', dig(claim, 'resourceClaimName')];
    if (!known.includes(name)) errors.push(invalidValue(`${field}.name`, name, 'must match the name of an entry in `spec.resourceClaims`'));
    if (seen.has(name)) errors.push(duplicate(`${field}.name`, name));
    seen.add(name);
    if (claimName !== undefined) addWrong(errors, `${field}.resourceClaimName`, claimName, checkSubdomain(asText(claimName) ?? ''));
  }
}

/** Source: pkg/apis/core/validation/validation.go (validatePodIPs, validateHostIPs). What was there before may be wrong. */
function podAddresses(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const addresses = (pod: JsonObject, list: string): readonly string[] =>
    asList(dig(pod, 'status', list)).map((entry) => asText(dig(entry, 'ip')) ?? '');
  const errors: FieldError[] = [];
  for (const list of ['podIPs', 'hostIPs']) {
    const given = addresses(object, list);
    if (list === 'hostIPs' && given.length > 0 && (asText(dig(object, 'status', 'hostIP')) ?? '') !== given[0])
      errors.push(invalidValue('status.hostIPs[0].ip', given[0] ?? '', 'must be equal to `hostIP`'));
    const before = dig(object, 'status', list) === dig(old, 'status', list) ? given : addresses(old, list);
    for (const [index, address] of given.entries())
      if (!before.includes(address)) addWrong(errors, `status.${list}[${index}]`, address, checkAddress(address));
    if (given.length > 1) append(errors, families(given, `status.${list}`));
  }
  return errors;
}

/** One of each family at most. Source: k8s.io/utils/net (IsDualStackIPStrings). */
function families(addresses: readonly string[], field: string): readonly FieldError[] {
  const kinds = addresses.map((address) => parseIpAddress(address)?.family);
  const wrong = kinds.indexOf(undefined);
  const pair = wrong < 0 && new Set(kinds).size === 2 && addresses.length === 2;
  const shown = addresses.map((IP) => ({ IP }));
  return [
    ...(wrong < 0
      ? []
      : [internalFailure(field, `failed to check for dual stack with error:invalid IP[${wrong}]: ${addresses[wrong] ?? ''}`)]),
    ...(pair ? [] : [invalidValue(field, shown, 'may specify no more than one IP for each IP family')]),
  ];
}
