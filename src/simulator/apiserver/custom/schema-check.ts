import { parseInstant } from '../../../base/instant.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import { append } from '../../../base/lists.ts';
import { parseInteger } from '../../../base/number.ts';
import { own } from '../../../base/own-property.ts';
import { knownPattern } from '../../../base/pattern/known-pattern.ts';
import type { FieldError } from '../validation/field-error.ts';
import { duplicate, invalidValue, notSupported, required, tooLong } from '../validation/field-error.ts';
import { checkRules, oldMembers } from './schema-rules.ts';

/**
 * Everything in a value that its schema does not allow, in the words of the API server.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/validation/validation.go, k8s.io/kube-openapi/pkg/validation/validate.
 */
export function checkSchema(schema: JsonObject, value: Json, old?: Json): readonly FieldError[] {
  const errors = checkValue(schema, value, '');
  // Rules in CEL are worked out on what is otherwise right.
  return errors.length > 0 ? errors : checkRules(schema, value, { old });
}

/**
 * The same for a change: what was wrong before and stays as it is is let be, so that a schema can become stricter.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/validation/ratcheting.go.
 */
export function checkChange(schema: JsonObject, value: Json, old: Json): readonly FieldError[] {
  const errors = checkValue(schema, value, '', old);
  return errors.length > 0 ? errors : checkRules(schema, value, { old, isRatcheted: true });
}

function checkValue(schema: JsonObject, value: Json, path: string, old?: Json): readonly FieldError[] {
  const errors = wrongsOf(schema, value, path, old);
  return errors.length > 0 && old !== undefined && sameJson(value, old) ? [] : errors;
}

function wrongsOf(schema: JsonObject, value: Json, path: string, old: Json | undefined): readonly FieldError[] {
  if (value === null) return schema['nullable'] === true ? [] : wrongType(schema, value, path);
  const typed = checkType(schema, value, path);
  if (typed.length > 0) return typed;
  const errors: FieldError[] = [...checkEnum(schema, value, path), ...checkCombined(schema, value, path)];
  if (typeof value === 'string') append(errors, checkText(schema, value, path));
  else if (typeof value === 'number') append(errors, checkNumber(schema, value, path));
  else if (Array.isArray(value)) append(errors, checkList(schema, value, path, old));
  else if (isJsonObject(value)) append(errors, checkObject(schema, value, path, old));
  return errors;
}

function checkType(schema: JsonObject, value: Json, path: string): readonly FieldError[] {
  const type = asText(schema['type']);
  if (schema['x-kubernetes-int-or-string'] === true)
    return typeof value === 'string' || Number.isInteger(value) ? [] : wrongType({ type: 'integer,string' }, value, path);
  if (type === undefined || typeOf(value) === type || (type === 'number' && typeof value === 'number')) return [];
  return wrongType(schema, value, path);
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function wrongType(schema: JsonObject, value: Json, path: string): readonly FieldError[] {
  const type = asText(schema['type']) ?? '';
  if (type === '') return [];
  return [
    {
      type: 'TypeInvalid',
      field: path === '' ? '<nil>' : path,
      value: typeOf(value),
      detail: `${path} in body must be of type ${type}: ${JSON.stringify(typeOf(value))}`,
    },
  ];
}

function checkEnum(schema: JsonObject, value: Json, path: string): readonly FieldError[] {
  const allowed = asList(schema['enum']);
  if (allowed.length === 0 || allowed.some((one) => sameJson(one, value))) return [];
  return [
    notSupported(
      path,
      value,
      allowed.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
    ),
  ];
}

function checkText(schema: JsonObject, value: string, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const [least, most, pattern] = [asNumber(schema['minLength']), asNumber(schema['maxLength']), asText(schema['pattern'])];
  const length = Array.from(value).length;
  if (most !== undefined && length > most) errors.push(tooLong(path, most));
  if (least !== undefined && length < least)
    errors.push(invalidValue(path, value, `${path} in body should be at least ${least} chars long`));
  if (pattern !== undefined && !fitsPattern(pattern, value))
    errors.push(invalidValue(path, value, `${path} in body should match '${pattern}'`));
  const format = own(FORMATS, asText(schema['format']) ?? '');
  if (format !== undefined && !format(value))
    errors.push(invalidValue(path, value, `${path} in body must be of type ${asText(schema['format']) ?? ''}: ${JSON.stringify(value)}`));
  return errors;
}

/** A pattern that is none was there before patterns were looked at: everything fits. */
function fitsPattern(pattern: string, value: string): boolean {
  const known = knownPattern(pattern);
  return 'trouble' in known || known.test(value);
}

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(text) && parseInstant(text) !== undefined,
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && parseInstant(`${text}T00:00:00Z`) !== undefined,
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  ipv4: (text) => /^(?:\d{1,3}\.){3}\d{1,3}$/.test(text) && text.split('.').every((part) => (parseInteger(part) ?? 256) < 256),
};

function checkNumber(schema: JsonObject, value: number, path: string): readonly FieldError[] {
  const [least, most, step] = [asNumber(schema['minimum']), asNumber(schema['maximum']), asNumber(schema['multipleOf'])];
  const errors: FieldError[] = [];
  if (most !== undefined && (schema['exclusiveMaximum'] === true ? value >= most : value > most))
    errors.push(
      invalidValue(path, value, `${path} in body should be less than ${schema['exclusiveMaximum'] === true ? '' : 'or equal to '}${most}`),
    );
  if (least !== undefined && (schema['exclusiveMinimum'] === true ? value <= least : value < least))
    errors.push(
      invalidValue(
        path,
        value,
        `${path} in body should be greater than ${schema['exclusiveMinimum'] === true ? '' : 'or equal to '}${least}`,
      ),
    );
  if (step !== undefined && step > 0 && !Number.isInteger(value / step))
    errors.push(invalidValue(path, value, `${path} in body should be a multiple of ${step}`));
  return errors;
}

function checkList(schema: JsonObject, value: readonly Json[], path: string, old: Json | undefined): readonly FieldError[] {
  const errors: FieldError[] = [];
  const [least, most, items] = [asNumber(schema['minItems']), asNumber(schema['maxItems']), schema['items']];
  if (most !== undefined && value.length > most)
    errors.push({ type: 'TooMany', field: path, value: value.length, detail: `must have at most ${most} items` });
  if (least !== undefined && value.length < least)
    errors.push(invalidValue(path, value.length, `${path} in body should have at least ${least} items`));
  const before = oldMembers(schema, old);
  if (isJsonObject(items))
    append(
      errors,
      value.flatMap((member, index) => checkValue(items, member, `${path}[${index}]`, before(member))),
    );
  return [...errors, ...checkUnique(schema, value, path)];
}

/** Lists that are sets or maps have each member, or each key, once. */
function checkUnique(schema: JsonObject, value: readonly Json[], path: string): readonly FieldError[] {
  const kind = schema['x-kubernetes-list-type'];
  if (kind !== 'set' && kind !== 'map') return [];
  const keys = asList(schema['x-kubernetes-list-map-keys']).map(String);
  const identity = (member: Json): Json =>
    kind === 'set' ? member : Object.fromEntries(keys.map((key) => [key, asObject(member)[key] ?? null]));
  const seen = new Set<string>();
  return value.flatMap((member, index) => {
    const own = JSON.stringify(identity(member));
    if (seen.has(own)) return [duplicate(`${path}[${index}]`, identity(member))];
    seen.add(own);
    return [];
  });
}

function checkObject(schema: JsonObject, value: JsonObject, path: string, old: Json | undefined): readonly FieldError[] {
  const properties = asObject(schema['properties']);
  const others = schema['additionalProperties'];
  const at = (field: string): string => (path === '' ? field : `${path}.${field}`);
  const errors: FieldError[] = asList(schema['required'])
    .map(String)
    .filter((field) => own(value, field) === undefined)
    .map((field) => required(at(field)));
  const [least, most] = [asNumber(schema['minProperties']), asNumber(schema['maxProperties'])];
  const count = Object.keys(value).length;
  if (most !== undefined && count > most)
    errors.push({ type: 'TooMany', field: path, value: count, detail: `must have at most ${most} items` });
  if (least !== undefined && count < least)
    errors.push(invalidValue(path, count, `${path} in body should have at least ${least} properties`));
  for (const [field, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (member === undefined || (path === '' && IDENTITY.includes(field))) continue;
    const inner = Object.hasOwn(properties, field) ? properties[field] : others;
    if (isJsonObject(inner))
      append(errors, checkValue(inner, member, Object.hasOwn(properties, field) ? at(field) : `${path}[${field}]`, dig(old, field)));
  }
  return errors;
}

const IDENTITY: readonly string[] = ['apiVersion', 'kind', 'metadata'];

function checkCombined(schema: JsonObject, value: Json, path: string): readonly FieldError[] {
  const fits = (one: Json): boolean => checkValue(asObject(one), value, path).length === 0;
  const [all, any, one] = [asList(schema['allOf']), asList(schema['anyOf']), asList(schema['oneOf'])];
  const errors = all.flatMap((part) => checkValue(asObject(part), value, path));
  const about = path === '' ? '<nil>' : path;
  if (any.length > 0 && !any.some(fits))
    errors.push(invalidValue(about, '', `${JSON.stringify(path)} must validate at least one schema (anyOf)`));
  const fitting = one.filter(fits).length;
  if (one.length > 0 && fitting !== 1)
    errors.push(
      invalidValue(
        about,
        '',
        `${JSON.stringify(path)} must validate one and only one schema (oneOf). Found ${fitting === 0 ? 'none valid' : `${fitting} valid alternatives`}`,
      ),
    );
  if (isJsonObject(schema['not']) && fits(schema['not']))
    errors.push(invalidValue(about, '', `${JSON.stringify(path)} must not validate the schema (not)`));
  return errors;
}
