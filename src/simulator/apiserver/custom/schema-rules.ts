import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import type { CelVariables } from '../cel.ts';
import { evaluateCel, OptionalValue } from '../cel.ts';
import type { FieldError } from '../validation/field-error.ts';
import { forbiddenField, invalidValue, required } from '../validation/field-error.ts';

/**
 * The rules in CEL of a schema (`x-kubernetes-validations`), from the outside in. Rules about `oldSelf` hold for changes only.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go.
 */
export function checkRules(schema: JsonObject, value: Json, old: Json | undefined, path: string): readonly FieldError[] {
  const errors = asList(schema['x-kubernetes-validations']).flatMap((rule) => checkRule(rule, value, old, path));
  if (Array.isArray(value)) {
    const items = schema['items'];
    return isJsonObject(items) ? [...errors, ...(value as readonly Json[]).flatMap((member, index) => checkRules(items, member, oldMember(schema, member, old), `${path}[${index}]`))] : errors;
  }
  if (!isJsonObject(value)) return errors;
  const properties = asObject(schema['properties']);
  for (const [field, inner] of Object.entries(properties)) {
    const member = dig(value, field);
    if (member !== undefined && isJsonObject(inner)) errors.push(...checkRules(inner, member, dig(old, field), path === '' ? field : `${path}.${field}`));
  }
  const others = schema['additionalProperties'];
  if (isJsonObject(others)) for (const [key, member] of Object.entries(value)) if (member !== undefined) errors.push(...checkRules(others, member, dig(old, key), `${path}[${key}]`));
  return errors;
}

/** Only members of lists that are told apart by keys have an old value. */
function oldMember(schema: JsonObject, member: Json, old: Json | undefined): Json | undefined {
  const keys = asList(schema['x-kubernetes-list-map-keys']).map(String);
  if (schema['x-kubernetes-list-type'] !== 'map' || keys.length === 0) return undefined;
  return asList(old).find((one) => keys.every((key) => sameJson(dig(one, key), dig(member, key))));
}

/** A rule that may do without an old value is told whether there is one. */
function checkRule(rule: Json, value: Json, old: Json | undefined, path: string): readonly FieldError[] {
  const expression = asText(dig(rule, 'rule')) ?? '';
  const isOptional = dig(rule, 'optionalOldSelf') === true;
  if (!isOptional && /\boldSelf\b/.test(expression) && old === undefined) return [];
  const variables: CelVariables = { self: value, ...(isOptional ? { oldSelf: new OptionalValue(old) } : old === undefined ? {} : { oldSelf: old }) };
  const outcome = evaluateCel(expression, variables);
  if (outcome.ok && outcome.value === true) return [];
  const field = `${path}${asText(dig(rule, 'fieldPath')) ?? ''}`;
  const about = field === '' ? '<nil>' : field;
  const message = (asText(dig(rule, 'message')) ?? '').trim();
  if (outcome.ok) return [errorOf(asText(dig(rule, 'reason')), about, value, messageOf(rule, message, expression, variables))];
  const told = message === '' ? expression.trim() : message;
  const mismatched = outcome.error.startsWith('no such overload');
  return [invalidValue(about, typeName(value), mismatched ? `'${outcome.error}': call arguments did not match a supported operator, function or macro signature for rule: ${told}` : `${outcome.error} evaluating rule: ${told}`)];
}

function messageOf(rule: Json, message: string, expression: string, variables: CelVariables): string {
  const worded = asText(dig(rule, 'messageExpression'));
  const outcome = worded === undefined ? undefined : evaluateCel(worded, variables);
  if (outcome?.ok === true && typeof outcome.value === 'string' && outcome.value.trim() !== '' && !outcome.value.includes('\n')) return outcome.value;
  return message === '' ? `failed rule: ${expression.trim()}` : message;
}

/** Objects and lists are too large to be told. */
function errorOf(reason: string | undefined, field: string, value: Json, detail: string): FieldError {
  const told = typeof value === 'object' && value !== null ? { omitsValue: true } : { value };
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return { type: 'Duplicate', field, detail: '', ...told };
    default:
      return { type: 'Invalid', field, detail, ...told };
  }
}

/** The type of a value as its schema has it. */
function typeName(value: Json): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}
