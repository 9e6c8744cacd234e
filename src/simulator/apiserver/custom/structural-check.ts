import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import { knownPattern } from '../../../base/pattern/known-pattern.ts';
import type { FieldError } from '../validation/field-error.ts';
import { forbiddenField, formatErrors, invalidValue, required } from '../validation/field-error.ts';

/**
 * Why a schema is not structural, sorted by what is said.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/{validation,complete}.go.
 */
export function checkStructural(schema: JsonObject, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  checkLevel(schema, 'root', field, errors);
  return errors
    .map((error) => ({ error, text: formatErrors([error]) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ error }) => error);
}

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const EMBEDDED = 'x-kubernetes-embedded-resource';
const INT_OR_STRING = 'x-kubernetes-int-or-string';

type Level = 'root' | 'item' | 'field';

function checkLevel(schema: JsonObject, level: Level, field: string, errors: FieldError[]): void {
  const type = asText(schema['type']) ?? '';
  const [items, others] = [schema['items'], schema['additionalProperties']];
  if (type === 'array' && items === undefined) errors.push(required(`${field}.items`, 'must be specified'));
  if (isJsonObject(items)) checkLevel(items, 'item', `${field}.items`, errors);
  const properties = asObject(schema['properties']);
  for (const [name, inner] of Object.entries(properties))
    if (isJsonObject(inner)) checkLevel(inner, 'field', `${field}.properties[${name}]`, errors);
  if (others !== undefined && level === 'root')
    errors.push(forbiddenField(`${field}.additionalProperties`, 'must not be used at the root'));
  if (isJsonObject(others)) checkLevel(others, 'field', `${field}.additionalProperties`, errors);
  checkExtensions(schema, field, errors);
  checkValues(schema, field, errors);
  checkType(schema, type, level, field, errors);
  checkIdentity(properties, level === 'root' || schema[EMBEDDED] === true, level, field, errors);
  if (schema[EMBEDDED] === true && schema[PRESERVE] !== true && Object.keys(properties).length === 0)
    errors.push(
      required(
        `${field}.properties`,
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    );
}

function checkExtensions(schema: JsonObject, field: string, errors: FieldError[]): void {
  if (schema[INT_OR_STRING] !== true) return;
  for (const extension of [PRESERVE, EMBEDDED])
    if (schema[extension] === true)
      errors.push(invalidValue(`${field}.${extension}`, true, 'must be false if x-kubernetes-int-or-string is true'));
}

const EMPTY: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function checkType(schema: JsonObject, type: string, level: Level, field: string, errors: FieldError[]): void {
  const words = 'must be object if x-kubernetes-embedded-resource is true';
  if (schema[EMBEDDED] === true && type !== 'object')
    errors.push(type === '' ? required(`${field}.type`, words) : invalidValue(`${field}.type`, type, words));
  else if (type === '' && schema[INT_OR_STRING] !== true && schema[PRESERVE] !== true) errors.push(required(`${field}.type`, EMPTY[level]));
  if (schema[EMBEDDED] === true && schema['additionalProperties'] !== undefined)
    errors.push(forbiddenField(`${field}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'));
  if (level === 'root' && type !== '' && type !== 'object') errors.push(invalidValue(`${field}.type`, type, 'must be object at the root'));
}

function checkIdentity(properties: JsonObject, isResource: boolean, level: Level, field: string, errors: FieldError[]): void {
  for (const name of ['kind', 'apiVersion']) {
    const own = properties[name];
    if (isResource && own !== undefined && asObject(own)['type'] !== 'string')
      errors.push(invalidValue(`${field}.properties[${name}].type`, asText(asObject(own)['type']) ?? '', 'must be string'));
  }
  const metadata = properties['metadata'];
  if (metadata === undefined) return;
  const at = `${field}.properties[metadata]`;
  const own = asObject(metadata);
  if (isResource && own['type'] !== 'object') errors.push(invalidValue(`${at}.type`, asText(own['type']) ?? '', 'must be object'));
  const more = Object.keys(own).filter((key) => !['type', 'properties', 'default'].includes(key) && own[key] !== undefined);
  const unknown = Object.keys(asObject(own['properties'])).filter((name) => name !== 'name' && name !== 'generateName');
  if (level === 'root' && (more.length > 0 || unknown.length > 0))
    errors.push(forbiddenField(at, 'must not specify anything other than name and generateName, but metadata is implicitly specified'));
}

const NUMBER_OR_TEXT: Json = [{ type: 'integer' }, { type: 'string' }];

/** What stands under allOf, anyOf, oneOf and not may only look at values. */
function checkValues(schema: JsonObject, field: string, errors: FieldError[]): void {
  const skipsAny = schema[INT_OR_STRING] === true && sameJson(schema['anyOf'], NUMBER_OR_TEXT);
  for (const [index, part] of asList(schema['anyOf']).entries())
    if (!skipsAny) checkNested(asObject(part), schema, `${field}.anyOf[${index}]`, errors);
  for (const [index, part] of asList(schema['allOf']).entries()) {
    const skips = index === 0 && schema[INT_OR_STRING] === true && sameJson(asObject(part)['anyOf'], NUMBER_OR_TEXT);
    if (!skips) checkNested(asObject(part), schema, `${field}.allOf[${index}]`, errors);
  }
  for (const [index, part] of asList(schema['oneOf']).entries()) checkNested(asObject(part), schema, `${field}.oneOf[${index}]`, errors);
  if (isJsonObject(schema['not'])) checkNested(schema['not'], schema, `${field}.not`, errors);
  const pattern = knownPattern(asText(schema['pattern']) ?? '');
  if ('trouble' in pattern)
    errors.push(invalidValue(`${field}.pattern`, schema['pattern'], `must be a valid regular expression, but isn't: ${pattern.trouble}`));
}

const FORBIDDEN: readonly (readonly [field: string, words: string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['externalDocs', 'must be undefined to be structural'],
  [PRESERVE, 'must be false to be structural'],
  [EMBEDDED, 'must be false to be structural'],
  [INT_OR_STRING, 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

/** `of` is the schema whose values are looked at: what is named has to be there, too. */
function checkNested(part: JsonObject, of: Json | undefined, field: string, errors: FieldError[]): void {
  checkValues(part, field, errors);
  const known = asObject(of);
  if (isJsonObject(part['items'])) {
    if (of !== undefined && known['items'] === undefined)
      errors.push(required(`${completed(field)}.items`, `because it is defined in ${field}.items`));
    checkNested(part['items'], known['items'], `${field}.items`, errors);
  }
  for (const [name, inner] of Object.entries(asObject(part['properties']))) {
    const own = asObject(known['properties'])[name];
    if (of !== undefined && own === undefined && known['additionalProperties'] === undefined)
      errors.push(required(`${completed(field)}.properties[${name}]`, `because it is defined in ${field}.properties[${name}]`));
    if (isJsonObject(inner)) checkNested(inner, own, `${field}.properties[${name}]`, errors);
  }
  for (const [name, words] of FORBIDDEN)
    if (part[name] !== undefined && part[name] !== false && part[name] !== '') errors.push(forbiddenField(`${field}.${name}`, words));
  if (asObject(part['properties'])['metadata'] !== undefined)
    errors.push(forbiddenField(`${field}.properties[metadata]`, 'must not be specified in a nested context'));
}

/** The same place outside of what only looks at values. */
function completed(field: string): string {
  return field.replaceAll(/\.(?:allOf|anyOf|oneOf)\[\d+\]|\.not(?=\.|$)/g, '');
}
