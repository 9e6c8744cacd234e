import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { evaluateCel } from '../cel.ts';
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
    return isJsonObject(items) ? [...errors, ...(value as readonly Json[]).flatMap((member, index) => checkRules(items, member, undefined, `${path}[${index}]`))] : errors;
  }
  if (!isJsonObject(value)) return errors;
  for (const [field, inner] of Object.entries(asObject(schema['properties']))) {
    const member = value[field];
    if (member !== undefined && isJsonObject(inner)) errors.push(...checkRules(inner, member, dig(old, field), path === '' ? field : `${path}.${field}`));
  }
  return errors;
}

function checkRule(rule: Json, value: Json, old: Json | undefined, path: string): readonly FieldError[] {
  const expression = asText(dig(rule, 'rule')) ?? '';
  if (/\boldSelf\b/.test(expression) && old === undefined) return [];
  const outcome = evaluateCel(expression, { self: value, ...(old === undefined ? {} : { oldSelf: old }) });
  if (outcome.ok && outcome.value === true) return [];
  const field = asText(dig(rule, 'fieldPath')) === undefined ? path : `${path}${asText(dig(rule, 'fieldPath')) ?? ''}`;
  const about = field === '' ? '<nil>' : field;
  if (!outcome.ok) return [invalidValue(about, typeName(value), `${outcome.error} evaluating rule: ${expression}`)];
  return [errorOf(asText(dig(rule, 'reason')), about, value, messageOf(rule, value, old, expression))];
}

function messageOf(rule: Json, value: Json, old: Json | undefined, expression: string): string {
  const worded = asText(dig(rule, 'messageExpression'));
  const outcome = worded === undefined ? undefined : evaluateCel(worded, { self: value, ...(old === undefined ? {} : { oldSelf: old }) });
  if (outcome?.ok === true && typeof outcome.value === 'string') return outcome.value;
  return asText(dig(rule, 'message')) ?? `failed rule: ${expression.trim()}`;
}

function errorOf(reason: string | undefined, field: string, value: Json, message: string): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, message);
    case 'FieldValueRequired':
      return required(field, message);
    case 'FieldValueDuplicate':
      return { type: 'Duplicate', field, value: typeName(value), detail: message };
    default:
      return invalidValue(field, typeof value === 'object' ? typeName(value) : value, message);
  }
}

/** What stands in the place of a value that is too large to be told. */
function typeName(value: Json): Json {
  return Array.isArray(value) ? 'array' : typeof value === 'object' ? 'object' : value;
}
