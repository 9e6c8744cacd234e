import type { Json, JsonObject } from '../../../base/json.ts';
import { asObject, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';

/**
 * What a structural schema makes of a custom resource before it is looked at: fields it does not know are left out, and what is not
 * given gets its default. Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/{pruning,defaulting}/algorithm.go.
 */

/** The value with nothing but what the schema knows, and the paths of what was left out. */
export function pruneUnknown(schema: JsonObject, value: JsonObject): { readonly object: JsonObject; readonly unknown: readonly string[] } {
  const unknown: string[] = [];
  const object = pruneObject(
    { ...schema, properties: { ...asObject(schema['properties']), apiVersion: ANY, kind: ANY, metadata: ANY } },
    value,
    '',
    unknown,
  );
  return { object, unknown };
}

/** Whether there is something in a value that its schema does not know. */
export function hasUnknown(schema: JsonObject, value: Json): boolean {
  const unknown: string[] = [];
  pruneValue(schema, value, '', unknown);
  return unknown.length > 0;
}

const ANY: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

function pruneValue(schema: JsonObject, value: Json, path: string, unknown: string[]): Json {
  if (isJsonObject(value)) return pruneObject(schema, value, path, unknown);
  if (!Array.isArray(value)) return value;
  const items = schema['items'];
  const members: readonly Json[] = value;
  if (!isJsonObject(items)) return members;
  return members.map((member, index) => pruneValue(items, member, `${path}[${index}]`, unknown));
}

function pruneObject(schema: JsonObject, value: JsonObject, path: string, unknown: string[]): JsonObject {
  const embedded = schema['x-kubernetes-embedded-resource'] === true && path !== '';
  const properties = asObject(schema['properties']);
  const [others, keepsAll] = [schema['additionalProperties'], schema['x-kubernetes-preserve-unknown-fields'] === true];
  const copy: Record<string, Json | undefined> = {};
  for (const [field, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const at = path === '' ? field : `${path}.${field}`;
    const inner = Object.hasOwn(properties, field) ? properties[field] : isJsonObject(others) ? others : undefined;
    if (isJsonObject(inner)) copy[field] = pruneValue(inner, member, at, unknown);
    else if (keepsAll || others === true || (embedded && IDENTITY.includes(field))) copy[field] = member;
    else unknown.push(at);
  }
  return sameJson(copy, value) ? value : copy;
}

const IDENTITY: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** The value with the defaults of the schema where nothing was given; null counts as nothing unless it is allowed. */
export function applySchemaDefaults(schema: JsonObject, value: Json): Json {
  if (Array.isArray(value)) {
    const items = schema['items'];
    const members: readonly Json[] = value;
    return isJsonObject(items) ? members.map((member) => applySchemaDefaults(items, member)) : members;
  }
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json | undefined> = { ...value };
  const properties = asObject(schema['properties']);
  for (const [field, inner] of Object.entries(properties)) {
    if (isJsonObject(inner)) applyDefaultOf(field, inner, copy);
  }
  const others = schema['additionalProperties'];
  if (isJsonObject(others))
    for (const [field, member] of Object.entries(copy))
      if (member !== undefined && !Object.hasOwn(properties, field)) copy[field] = applySchemaDefaults(others, member);
  return sameJson(copy, value) ? value : copy;
}

function applyDefaultOf(field: string, schema: JsonObject, copy: Record<string, Json | undefined>): void {
  const given = dig(copy, field);
  const missing = given === undefined || (given === null && schema['nullable'] !== true);
  if (missing && schema['default'] !== undefined) copy[field] = schema['default'];
  const now = dig(copy, field);
  if (now !== undefined && now !== null) copy[field] = applySchemaDefaults(schema, now);
}
