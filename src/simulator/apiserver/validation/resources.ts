import type { Json, JsonObject } from '../../../base/json.ts';
import { asObject, asText, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, forbiddenField, invalidValue, required } from './field-error.ts';
import { repeatsIn } from './field-lists.ts';
import { checkQualifiedName } from './names.ts';
import { validateChoice } from './request-rules.ts';

/** Limits first, then requests against them. Source: pkg/apis/core/validation/validation.go (ValidateContainerResourceRequirements). */
export function validateResources(
  resources: JsonObject,
  path: string,
  errors: FieldError[],
  validateName = validateContainerResourceName,
): void {
  const limits = asObject(resources['limits']);
  const requests = asObject(resources['requests']);
  for (const [name, value] of Object.entries(limits)) validateAmount(name, value, `${path}.limits`, errors, validateName);
  for (const [name, value] of Object.entries(requests)) {
    validateAmount(name, value, `${path}.requests`, errors, validateName);
    validateWithin(name, value, limits[name], path, errors);
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some((name) => name.startsWith('hugepages-')) && !names.includes('cpu') && !names.includes('memory'))
    errors.push(forbiddenField(path, 'HugePages require cpu or memory'));
}

/** A request is at most its limit; what is given whole is all of it. */
function validateWithin(name: string, value: Json | undefined, most: Json | undefined, path: string, errors: FieldError[]): void {
  const [request, limit] = [parseQuantity(value), parseQuantity(most)];
  const whole = !isNative(name) || name.startsWith('hugepages-');
  if (most !== undefined && request !== undefined && limit !== undefined) {
    if (whole && request !== limit)
      errors.push(invalidValue(`${path}.requests`, value, `must be equal to ${name} limit of ${textOf(most)}`));
    else if (request > limit)
      errors.push(invalidValue(`${path}.requests`, value, `must be less than or equal to ${name} limit of ${textOf(most)}`));
  } else if (whole && most === undefined) errors.push(required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
}

const STANDARD: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];
/** Names of resources that are none of containers. Source: pkg/apis/core/helper/helpers.go (standardResources). */
const KNOWN: readonly string[] = [
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'storage',
  'requests.storage',
  'services.nodeports',
  'services.loadbalancers',
];

/** What a container may ask for, and what only quotas count. */
export const STANDARD_RESOURCES: readonly string[] = [...STANDARD, ...KNOWN];

/** Source: pkg/apis/core/v1/helper/helpers.go (IsNativeResource). */
export function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

function validateAmount(
  name: string,
  value: Json | undefined,
  path: string,
  errors: FieldError[],
  validateName: typeof validateContainerResourceName,
): void {
  const field = `${path}[${name}]`;
  validateName(name, field, errors);
  const amount = parseQuantity(value);
  if (amount !== undefined && amount < 0n) errors.push(invalidValue(field, value, 'must be greater than or equal to 0'));
  if (amount !== undefined && !isNative(name) && amount % 1_000_000_000n !== 0n)
    errors.push(invalidValue(field, value, 'must be an integer'));
}

/** Source: the same (ValidateContainerResourceName). */
export function validateContainerResourceName(name: string, field: string, errors: FieldError[]): void {
  const wrong = checkQualifiedName(name);
  addWrong(errors, field, name, wrong);
  if (!name.includes('/') && !STANDARD.includes(name) && !name.startsWith('hugepages-')) {
    if (wrong.length === 0 && !KNOWN.includes(name))
      errors.push(invalidValue(field, name, 'must be a standard resource type or fully qualified'));
    errors.push(invalidValue(field, name, 'must be a standard resource for containers'));
  } else if (name.includes('/') && !isNative(name) && (name.startsWith('requests.') || checkQualifiedName(`requests.${name}`).length > 0))
    errors.push(invalidValue(field, name, "doesn't follow extended resource name standard"));
}

/** How a container takes a resize. Source: the same (validateResizePolicy). */
export function validateResizes(rules: readonly Json[], path: string, neverRestarts: boolean, errors: FieldError[]): void {
  const repeats = repeatsIn(rules.map((rule) => dig(rule, 'resourceName')));
  for (const [index, rule] of rules.entries()) {
    const [name, restart] = [asText(dig(rule, 'resourceName')) ?? '', asText(dig(rule, 'restartPolicy')) ?? ''];
    if (repeats.has(index)) errors.push(duplicate(`${path}[${index}]`, name));
    if (name === '') errors.push(required(path));
    else validateChoice(name, path, ['cpu', 'memory'], errors);
    if (restart === '') errors.push(required(path));
    else validateChoice(restart, path, ['NotRequired', 'RestartContainer'], errors);
    if (neverRestarts && restart !== 'NotRequired')
      errors.push(invalidValue(path, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
  }
}
