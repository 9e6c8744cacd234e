import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { namedType } from '../schema/named-types.ts';
import type { FieldType, Model } from '../schema/schema.ts';
import { modelNamed } from '../schema/schema.ts';

/**
 * Why what a strategic merge patch makes of an object is none of its kind; undefined when it is one: it is converted and not decoded, so
 * that this is told in other words than a wrong body.
 * Source: staging/src/k8s.io/apimachinery/pkg/runtime/converter.go (fromUnstructured).
 */
export function conversionError(model: string, value: JsonObject): string | undefined {
  return inModel(modelNamed(model), value);
}

function inModel(model: Model, value: JsonObject): string | undefined {
  const { metadata } = value;
  // In Go's structs it comes first.
  const first = model.fields.get('metadata');
  const wrong = first === undefined || metadata === undefined || metadata === null ? undefined : inValue(first.type, metadata);
  if (wrong !== undefined) return wrong;
  for (const [name, { type }] of model.fields) {
    const inner = value[name];
    if (inner === undefined || inner === null) continue;
    // The one struct that has no fields.
    if (model.goName === 'CustomResourceSubresources' && name === 'status' && !isJsonObject(inner)) return notStruct(inner);
    const error = inValue(type, inner, namedType(model, name));
    if (error !== undefined) return error;
  }
  return undefined;
}

function inValue(type: FieldType, value: Json, named?: string): string | undefined {
  switch (type.is) {
    case 'model':
      return isJsonObject(value) ? inModel(modelNamed(type.model), value) : notStruct(value);
    case 'list':
      return Array.isArray(value) ? inMembers(type.of, value as readonly Json[]) : `cannot restore slice from ${goKind(value)}`;
    case 'map':
      return isJsonObject(value) ? inMembers(type.of, Object.values(value)) : `cannot restore map from ${goKind(value)}`;
    case 'string':
      if (typeof value === 'string') return undefined;
      return goKind(value) === 'int64' ? `cannot convert int64 to ${named ?? 'string'}` : 'unrecognized type: string';
    case 'bytes':
      return typeof value === 'string' || Array.isArray(value) ? undefined : `cannot restore slice from ${goKind(value)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'unrecognized type: bool';
    case 'int32':
    case 'int64':
      if (typeof value !== 'number') return `unrecognized type: ${type.is}`;
      return Number.isInteger(value) ? undefined : `cannot convert float64 to ${type.is}`;
    case 'double':
      return typeof value === 'number' ? undefined : 'unrecognized type: float64';
    default:
      return undefined;
  }
}

function notStruct(value: Json): string {
  return `cannot restore struct from: ${goKind(value)}`;
}

function inMembers(type: FieldType, members: readonly (Json | undefined)[]): string | undefined {
  for (const member of members) {
    const error = member === undefined || member === null ? undefined : inValue(type, member);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Why a value that decodes itself cannot: nobody there knows which field it is of. */
export function decodedAlone(error: string): string {
  if (error.startsWith('illegal base64')) return `error decoding from json: ${error}`;
  return error.replace(/^(json: cannot unmarshal (?:number )?\S+ into Go) struct field \S+/, '$1 value');
}

function goKind(value: Json): string {
  if (Array.isArray(value)) return 'slice';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'object' ? 'map' : typeof value === 'boolean' ? 'bool' : 'string';
}

/**
 * A strategic merge patch as it is told of when it failed: while it was merged, it lost the nulls of what the object does not have.
 * Source: staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/patch.go (mergeMap, discardNullValuesFromPatch).
 */
export function mergedPatch(target: JsonObject, patch: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => {
      const current = target[name];
      if (isJsonObject(value) && isJsonObject(current)) return [name, mergedPatch(current, value)];
      const isMerged = Array.isArray(value) && Array.isArray(current);
      return [name, value === null || value === undefined || isMerged ? value : withoutNulls(value)];
    }),
  );
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutNulls);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (inner === null ? [] : [[name, withoutNulls(inner ?? null)]])),
  );
}

/** A value as Go's `%+v` prints it. */
export function goPrinted(value: Json | undefined): string {
  if (value === undefined || value === null) return '<nil>';
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(goPrinted).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  if (!isJsonObject(value)) return '';
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${name}:${goPrinted(value[name])}`);
  return `map[${fields.join(' ')}]`;
}
