import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { compileExpression } from '../cel/compile/compile.ts';
import { schemaType } from '../cel/compile/declared.ts';
import type { Type } from '../cel/compile/types.ts';
import { optionalOf } from '../cel/compile/types.ts';
import type { FieldError } from '../validation/field-error.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../validation/field-error.ts';
import { repeatsIn } from '../validation/field-lists.ts';
import { validateChoice } from '../validation/request-rules.ts';
import { checkDefaults } from './default-check.ts';
import { checkStructural } from './structural-check.ts';

/**
 * What is wrong with the schema of a definition; defaults are only looked at, and rules in CEL compiled, where the schema is right.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go
 * (validateCustomResourceDefinitionValidation).
 */
export function checkDefinitionSchema(schema: JsonObject, field: string, hasStatus: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (hasStatus && schema['type'] !== undefined && schema['type'] !== 'object')
    errors.push(
      invalidValue(
        `${field}.type`,
        schema['type'],
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    );
  if (schema['nullable'] === true) errors.push(forbiddenField(`${field}.nullable`, 'nullable cannot be true at the root'));
  const structural = checkStructural(schema, field);
  const defaults = structural.length > 0 ? [] : checkDefaults(schema, field);
  const found: Found = { schema: [], rules: [], namesDialect: false, hasNoStructure: false };
  checkPart(
    schema,
    { field, self: structural.length + defaults.length > 0 ? undefined : schemaType(schema, 'selfType', true), isRoot: true },
    found,
  );
  // Whether a schema is structural cannot be said of one with a field that is not supported.
  if (!found.namesDialect && !found.hasNoStructure) append(errors, [...structural, ...defaults]);
  if (found.namesDialect && found.schema.length === 0)
    found.schema.push(invalidValue(field, '', `OpenAPIV3Schema 'schema'${NOT_SUPPORTED}`));
  return [...errors, ...found.schema, ...found.rules];
}

const NOT_SUPPORTED = ' is not supported';

interface Found {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
  /** A part has the field `$schema`, not only a property of that name. */
  namesDialect: boolean;
  /** A part has something in a field that no structural schema has. Source: pkg/apiserver/schema/convert.go (NewStructural). */
  hasNoStructure: boolean;
}

interface Part {
  readonly field: string;
  /** The type of the values; undefined where rules are not compiled. */
  readonly self: Type | undefined;
  readonly isRoot?: boolean;
  /** Above it old values cannot be told apart. */
  readonly uncorrelated?: string;
}

const TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const UNSUPPORTED: readonly string[] = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

function checkPart(schema: JsonObject, part: Part, found: Found): void {
  const { field } = part;
  const before = found.schema.length;
  found.namesDialect ||= schema['$schema'] !== undefined;
  const type = asText(schema['type']) ?? '';
  if (type !== '' && !TYPES.includes(type) && type !== 'null') found.schema.push(notSupported(`${field}.type`, type, TYPES));
  for (const name of UNSUPPORTED)
    if (schema[name] !== undefined) found.schema.push(forbiddenField(`${field}.${name}`, `${name}${NOT_SUPPORTED}`));
  found.hasNoStructure ||= Array.isArray(schema['items']) || UNSUPPORTED.some((name) => holds(schema[name]));
  if (type === 'null') found.schema.push(forbiddenField(`${field}.type`, 'type cannot be set to null, use nullable as an alternative'));
  if (Array.isArray(schema['items'])) found.schema.push(forbiddenField(`${field}.items`, 'items must be a schema object and not an array'));
  if (schema['uniqueItems'] === true)
    found.schema.push(
      forbiddenField(`${field}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'),
    );
  checkInner(schema, part, found);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    found.schema.push(invalidValue(`${field}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  checkKinds(schema, type, field, found.schema);
  checkRuleFields(schema, field, found.schema);
  if (found.schema.length === before) compileRules(schema, part, found.rules);
}

function holds(value: Json | undefined): boolean {
  return isJsonObject(value) ? Object.keys(value).length > 0 : value !== undefined && value !== '';
}

function checkInner(schema: JsonObject, { field, self, uncorrelated }: Part, found: Found): void {
  const [others, items] = [schema['additionalProperties'], schema['items']];
  const properties = asObject(schema['properties']);
  if (others !== undefined && Object.keys(properties).length > 0 && others !== true)
    found.schema.push(forbiddenField(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'));
  const above = uncorrelated === undefined ? {} : { uncorrelated };
  if (isJsonObject(others)) checkPart(others, { field: `${field}.additionalProperties`, self: self?.parts?.[1], ...above }, found);
  // Members of a list that is no map, and fields of an atomic map, have no old value of their own.
  const lost = { uncorrelated: uncorrelated ?? field };
  const inList = schema['x-kubernetes-list-type'] === 'map' ? above : lost;
  const inMap = schema['x-kubernetes-map-type'] === 'atomic' ? lost : above;
  checkProperties(properties, { field, self, ...inMap }, found);
  checkAlternatives(schema, field, found);
  if (isJsonObject(items)) checkPart(items, { field: `${field}.items`, self: self?.parts?.[0], ...inList }, found);
}

function checkProperties(properties: JsonObject, { field, self, ...above }: Part, found: Found): void {
  for (const [name, inner] of Object.entries(properties)) {
    if (!isJsonObject(inner)) continue;
    const type = self === undefined ? undefined : schemaType(inner, `selfType.${name}`);
    checkPart(inner, { field: `${field}.properties[${name}]`, self: type, ...above }, found);
  }
}

function checkAlternatives(schema: JsonObject, field: string, found: Found): void {
  if (isJsonObject(schema['not'])) checkPart(schema['not'], { field: `${field}.not`, self: undefined }, found);
  for (const list of ['allOf', 'oneOf', 'anyOf'])
    for (const [index, inner] of asList(schema[list]).entries())
      checkPart(asObject(inner), { field: `${field}.${list}[${index}]`, self: undefined }, found);
}

/** How lists and maps are merged. */
function checkKinds(schema: JsonObject, type: string, field: string, errors: FieldError[]): void {
  for (const [extension, needed, choices] of [
    ['x-kubernetes-map-type', 'object', ['atomic', 'granular']],
    ['x-kubernetes-list-type', 'array', ['atomic', 'set', 'map']],
  ] as const) {
    if (schema[extension] === undefined) continue;
    const words = `must be ${needed} if ${extension} is specified`;
    if (type !== needed) errors.push(type === '' ? required(`${field}.type`, words) : invalidValue(`${field}.type`, type, words));
    validateChoice(schema[extension], `${field}.${extension}`, choices, errors);
  }
  const keys = asList(schema['x-kubernetes-list-map-keys']);
  const [kind, items] = [schema['x-kubernetes-list-type'], schema['items']];
  if (keys.length > 0 && kind !== 'map')
    errors.push(
      kind === undefined
        ? required(`${field}.x-kubernetes-list-type`, 'must be map if x-kubernetes-list-map-keys is non-empty')
        : invalidValue(`${field}.x-kubernetes-list-type`, kind, 'must be map if x-kubernetes-list-map-keys is non-empty'),
    );
  if (kind !== 'map') return;
  if (keys.length === 0) errors.push(required(`${field}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map'));
  if (items === undefined) errors.push(required(`${field}.items`, 'must have a schema if x-kubernetes-list-type is map'));
  if (!isJsonObject(items)) return;
  if (items['type'] !== 'object')
    errors.push(invalidValue(`${field}.items.type`, items['type'] ?? '', "must be object if parent array's x-kubernetes-list-type is map"));
  else checkKeys(items, keys, field, errors);
}

function checkKeys(items: JsonObject, keys: readonly Json[], field: string, errors: FieldError[]): void {
  const properties = asObject(items['properties']);
  const repeats = repeatsIn(keys);
  for (const [index, key] of keys.entries()) {
    const own = dig(properties, textOf(key));
    if (own === undefined)
      errors.push(invalidValue(`${field}.x-kubernetes-list-map-keys`, keys, 'entries must all be names of item properties'));
    else if (['array', 'object'].includes(textOf(asObject(own)['type'] ?? '')))
      errors.push(
        invalidValue(
          `${field}.items.properties[${textOf(key)}].type`,
          items['type'],
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    if (repeats.has(index)) errors.push(invalidValue(`${field}.x-kubernetes-list-map-keys`, keys, 'must not contain duplicate entries'));
  }
  if (items['nullable'] === true)
    errors.push(forbiddenField(`${field}.items.nullable`, 'cannot be nullable when x-kubernetes-list-type is map'));
  for (const key of keys.map(textOf)) {
    const own = asObject(properties[key]);
    if (properties[key] !== undefined && !asList(items['required']).includes(key) && own['default'] === undefined)
      errors.push(
        required(
          `${field}.items.properties[${key}].default`,
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        ),
      );
    if (own['nullable'] === true)
      errors.push(
        forbiddenField(
          `${field}.items.properties[${key}].nullable`,
          'this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
        ),
      );
  }
}

const REASONS: readonly string[] = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

function checkRuleFields(schema: JsonObject, field: string, errors: FieldError[]): void {
  for (const [index, entry] of asList(schema['x-kubernetes-validations']).entries()) {
    const at = `${field}.x-kubernetes-validations[${index}]`;
    const [rule, message, computed, path] = ['rule', 'message', 'messageExpression', 'fieldPath'].map(
      (name) => asText(dig(entry, name)) ?? '',
    ) as [string, string, string, string];
    if (rule.trim() === '') errors.push(required(`${at}.rule`, 'rule is not specified'));
    else if (message !== '' && message.trim() === '')
      errors.push(invalidValue(`${at}.message`, message, 'message must be non-empty if specified'));
    else if (/[\n\r]/.test(message.trim())) errors.push(invalidValue(`${at}.message`, message, 'message must not contain line breaks'));
    else if (/[\n\r]/.test(rule.trim()) && message.trim() === '')
      errors.push(required(`${at}.message`, 'message must be specified if rule contains line breaks'));
    if (computed !== '' && computed.trim() === '')
      errors.push(required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified'));
    validateChoice(dig(entry, 'reason'), `${at}.reason`, REASONS, errors);
    if (path !== '' && !isPathIn(schema, path)) errors.push(invalidValue(`${at}.fieldPath`, path, 'must be a valid path'));
  }
}

/** `.spec.name` or `['a.b']`, of fields that are there. */
function isPathIn(schema: JsonObject, path: string): boolean {
  if (!/^(?:\.[A-Za-z_]\w*|\['[^'\]]{1,200}'\])+$/.test(path)) return false;
  let at: Json | undefined = schema;
  for (const [, name, key] of path.matchAll(/\.([A-Za-z_]\w*)|\['([^']*)'\]/g))
    at = dig(at, 'properties', name ?? key ?? '') ?? dig(at, 'additionalProperties');
  return at !== undefined;
}

/** Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go. */
function compileRules(schema: JsonObject, { field, self, uncorrelated }: Part, errors: FieldError[]): void {
  const rules = asList(schema['x-kubernetes-validations']);
  if (rules.length === 0 || self === undefined) return;
  for (const [index, entry] of rules.entries()) {
    const at = `${field}.x-kubernetes-validations[${index}]`;
    const [rule, computed] = [asText(dig(entry, 'rule')) ?? '', asText(dig(entry, 'messageExpression')) ?? ''];
    const isOptional = dig(entry, 'optionalOldSelf') === true;
    const variables = new Map<string, Type>([
      ['self', self],
      ['oldSelf', isOptional ? optionalOf(self) : self],
    ]);
    const wrong = ruleTrouble(rule, variables);
    if (wrong !== undefined) errors.push(invalidValue(`${at}.rule`, asGo(entry), wrong));
    else if (computed !== '') compileMessage(computed, variables, `${at}.messageExpression`, asGo(entry), errors);
    const usesOld = /\boldSelf\b/.test(rule) || /\boldSelf\b/.test(computed);
    if (usesOld && uncorrelated !== undefined)
      errors.push(
        invalidValue(`${at}.rule`, rule, `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`),
      );
    if (!usesOld && dig(entry, 'optionalOldSelf') !== undefined)
      errors.push(invalidValue(`${at}.optionalOldSelf`, dig(entry, 'optionalOldSelf'), 'may not be set if oldSelf is not used in rule'));
  }
}

function ruleTrouble(rule: string, variables: ReadonlyMap<string, Type>): string | undefined {
  const compiled = compileExpression(rule, { variables });
  if (!compiled.ok) return `compilation failed: ${compiled.error}`;
  return compiled.type.name === 'bool' ? undefined : 'cel expression must evaluate to a bool';
}

function compileMessage(
  computed: string,
  variables: ReadonlyMap<string, Type>,
  field: string,
  rule: JsonObject,
  errors: FieldError[],
): void {
  const message = compileExpression(computed, { variables });
  if (!message.ok) errors.push(invalidValue(field, rule, `messageExpression compilation failed: ${message.error}`));
  else if (message.type.name !== 'string') errors.push(invalidValue(field, rule, 'messageExpression must evaluate to a string'));
}

/** A rule as Go's type inside has it. */
function asGo(rule: Json): JsonObject {
  return {
    Rule: dig(rule, 'rule') ?? '',
    Message: dig(rule, 'message') ?? '',
    MessageExpression: dig(rule, 'messageExpression') ?? '',
    Reason: dig(rule, 'reason') ?? null,
    FieldPath: dig(rule, 'fieldPath') ?? '',
    OptionalOldSelf: dig(rule, 'optionalOldSelf') ?? null,
  };
}
