import type { Json, JsonObject } from '../../../base/json.ts';
import { asList } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { FieldError } from './field-error.ts';
import { invalidValue, notSupported, required } from './field-error.ts';

/**
 * Which requests a webhook or a policy is for. Source: pkg/apis/admissionregistration/validation/validation.go
 * (validateRuleWithOperations).
 */
export function validateRule(rule: JsonObject, field: string, errors: FieldError[]): void {
  const operations = asList(rule['operations']);
  if (operations.length === 0) errors.push(required(`${field}.operations`));
  alone(operations, `${field}.operations`, 'operations', errors);
  for (const [index, operation] of operations.entries()) validateChoice(operation, `${field}.operations[${index}]`, OPERATIONS, errors);
  for (const [list, what] of [
    ['apiGroups', 'API groups'],
    ['apiVersions', 'API versions'],
  ] as const) {
    if (asList(rule[list]).length === 0) errors.push(required(`${field}.${list}`));
    alone(asList(rule[list]), `${field}.${list}`, what, errors);
  }
  for (const [index, version] of asList(rule['apiVersions']).entries())
    if (version === '') errors.push(required(`${field}.apiVersions[${index}]`));
  validateResources(asList(rule['resources']).map(textOf), `${field}.resources`, errors);
  validateChoice(rule['scope'], `${field}.scope`, ['*', 'Cluster', 'Namespaced'], errors);
}

function alone(values: readonly Json[], field: string, what: string, errors: FieldError[]): void {
  if (values.length > 1 && values.includes('*'))
    errors.push(invalidValue(field, values, `if '*' is present, must not specify other ${what}`));
}

function validateResources(resources: readonly string[], field: string, errors: FieldError[]): void {
  if (resources.length === 0) errors.push(required(field));
  const [ofResource, ofSubresource] = [new Set<string>(), new Set<string>()];
  let plain = false;
  for (const [index, resource] of resources.entries()) {
    const [own = '', sub] = resource.split('/');
    if (resource === '') errors.push(required(`${field}[${index}]`));
    else if (sub === undefined) plain = resource !== '*';
    if (sub === undefined) continue;
    if (ofResource.has(own))
      errors.push(invalidValue(`${field}[${index}]`, resource, `if '${own}/*' is present, must not specify ${resource}`));
    if (ofSubresource.has(sub))
      errors.push(invalidValue(`${field}[${index}]`, resource, `if '*/${sub}' is present, must not specify ${resource}`));
    if (sub === '*') ofResource.add(own);
    if (own === '*') ofSubresource.add(sub);
  }
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalidValue(field, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes('*') && plain)
    errors.push(invalidValue(field, resources, "if '*' is present, must not specify other resources without subresources"));
}

const OPERATIONS: readonly string[] = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

export function validateChoice(value: Json | undefined, field: string, choices: readonly string[], errors: FieldError[]): void {
  if (value !== undefined && !choices.includes(textOf(value))) errors.push(notSupported(field, value, choices));
}
