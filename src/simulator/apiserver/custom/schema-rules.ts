import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import type { CelVariables } from '../cel.ts';
import { evaluateCel, OptionalValue } from '../cel.ts';
import { COST_EXCEEDED } from '../cel/cost.ts';
import type { FieldError } from '../validation/field-error.ts';
import { forbiddenField, invalidValue, required } from '../validation/field-error.ts';

/** What a value was before, and whether a rule that has no eye for that lets be what is as it was. */
export interface Before {
  readonly old: Json | undefined;
  readonly isRatcheted?: boolean;
}

/**
 * The rules in CEL of a schema (`x-kubernetes-validations`), from the outside in. Rules about `oldSelf` hold for changes only.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go.
 */
export function checkRules(schema: JsonObject, value: Json, { old, isRatcheted = false }: Before): readonly FieldError[] {
  const found: Found = { errors: [], isRatcheted, isSpent: false };
  addErrors(schema, { value, old, path: '', isSame: () => old !== undefined && sameJson(value, old) }, found);
  return found.errors;
}

interface Found {
  readonly errors: FieldError[];
  readonly isRatcheted: boolean;
  /** One rule cost more than a rule may; no other is looked at. */
  isSpent: boolean;
}

interface Checked {
  readonly value: Json;
  readonly old: Json | undefined;
  readonly path: string;
  /** Whether it, or what it lies in where it has no old value, is as it was. */
  readonly isSame: () => boolean;
}

/** Rules about what may be null are not asked about null. */
function addErrors(schema: JsonObject, checked: Checked, found: Found): void {
  const { value, old, path } = checked;
  if (value === null) return;
  for (const rule of asList(schema['x-kubernetes-validations'])) if (!found.isSpent) checkRule(rule, checked, found);
  if (found.isSpent) return;
  if (Array.isArray(value)) {
    const items = schema['items'];
    const before = oldMembers(schema, old);
    if (isJsonObject(items))
      for (const [index, member] of (value as readonly Json[]).entries())
        addErrors(items, within(checked, member, before(member), `${path}[${index}]`), found);
    return;
  }
  if (!isJsonObject(value)) return;
  addErrorsOfFields(schema, value, checked, found);
}

function addErrorsOfFields(schema: JsonObject, value: JsonObject, checked: Checked, found: Found): void {
  const { old, path } = checked;
  const properties = asObject(schema['properties']);
  for (const [field, inner] of Object.entries(properties)) {
    const member = dig(value, field);
    if (member !== undefined && isJsonObject(inner))
      addErrors(inner, within(checked, member, dig(old, field), path === '' ? field : `${path}.${field}`), found);
  }
  const others = schema['additionalProperties'];
  if (isJsonObject(others))
    for (const [key, member] of Object.entries(value))
      if (member !== undefined) addErrors(others, within(checked, member, dig(old, key), `${path}[${key}]`), found);
}

function within({ isSame }: Checked, value: Json, old: Json | undefined, path: string): Checked {
  return { value, old, path, isSame: old === undefined ? isSame : () => sameJson(value, old) };
}

/** Finds the old value of a member; only lists that are told apart by keys have any. */
export function oldMembers(schema: JsonObject, old: Json | undefined): (member: Json) => Json | undefined {
  const keys = asList(schema['x-kubernetes-list-map-keys']).map(String);
  if (schema['x-kubernetes-list-type'] !== 'map' || keys.length === 0 || old === undefined) return () => undefined;
  const keyOf = (member: Json): string => JSON.stringify(keys.map((key) => dig(member, key) ?? null));
  const byKey = new Map(asList(old).map((member) => [keyOf(member), member]));
  return (member) => byKey.get(keyOf(member));
}

function oldSelf(before: Json | undefined, isOptional: boolean): CelVariables {
  if (isOptional) return { oldSelf: new OptionalValue(before) };
  return before === undefined ? {} : { oldSelf: before };
}

/** A rule that may do without an old value is told whether there is one. */
function checkRule(rule: Json, { value, old, path, isSame }: Checked, found: Found): void {
  const expression = asText(dig(rule, 'rule')) ?? '';
  const isOptional = dig(rule, 'optionalOldSelf') === true;
  const seesOld = /\boldSelf\b/.test(expression);
  const before = old ?? undefined;
  if (!isOptional && seesOld && before === undefined) return;
  const variables: CelVariables = { self: value, ...oldSelf(before, isOptional) };
  const outcome = evaluateCel(expression, variables);
  if (outcome.ok && outcome.value === true) return;
  const message = (asText(dig(rule, 'message')) ?? '').trim();
  if (!outcome.ok) {
    found.isSpent = outcome.error === COST_EXCEEDED;
    found.errors.push(invalidValue(shown(path), typeName(value), failureOf(outcome.error, message === '' ? expression.trim() : message)));
  } else if (seesOld || !found.isRatcheted || !isSame()) {
    const field = `${path}${asText(dig(rule, 'fieldPath')) ?? ''}`;
    found.errors.push(errorOf(asText(dig(rule, 'reason')), shown(field), value, messageOf(rule, message, expression, variables)));
  }
}

function shown(field: string): string {
  return field === '' ? '<nil>' : field;
}

/** What a rule is told to have failed of; it is told by its message, if it has one. */
function failureOf(error: string, rule: string): string {
  if (error.startsWith('no such overload'))
    return `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`;
  return error === COST_EXCEEDED
    ? `'${error}': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`
    : `${error} evaluating rule: ${rule}`;
}

function messageOf(rule: Json, message: string, expression: string, variables: CelVariables): string {
  const worded = asText(dig(rule, 'messageExpression'));
  const outcome = worded === undefined ? undefined : evaluateCel(worded, variables);
  const said = outcome?.ok === true && typeof outcome.value === 'string' ? outcome.value.trim() : '';
  if (said !== '' && said.length <= MESSAGE_LIMIT && !said.includes('\n')) return said;
  return message === '' ? `failed rule: ${expression.trim()}` : message;
}

/** Source: staging/src/k8s.io/apiserver/pkg/apis/cel/config.go (MaxEvaluatedMessageExpressionSizeBytes). */
const MESSAGE_LIMIT = 5 * 1024;

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
