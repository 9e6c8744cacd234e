import { unreachable } from '../../../base/assert.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { DROPS_ZERO, KEEPS_EMPTY_LIST, KEEPS_EMPTY_TEXT } from './empty-values.ts';
import { canonicalQuantity } from './quantities.ts';
import type { Field, FieldType, Model } from './schema.ts';
import { goType, modelNamed } from './schema.ts';

/**
 * A body as the API server understands it, as Go's decoder does: fields checked for their types, quantities in their one form,
 * what is empty left out, unknown fields reported and left out.
 */
export type Decoded =
  | { readonly ok: true; readonly object: JsonObject; readonly unknown: readonly string[] }
  | { readonly ok: false; readonly error: string };

/**
 * Checks a body against a model. Values that came out of here once are known again and not walked a second time, so that a pod
 * made from a stored template costs little.
 * Source: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/json/json.go; encoding/json for the words.
 */
export function decode(model: string, body: JsonObject): Decoded {
  const run: Run = { unknown: [], path: [] };
  try {
    const object = decodeModel(modelNamed(model), body, run);
    return { ok: true, object, unknown: run.unknown };
  } catch (error) {
    if (error instanceof DecodeError) return { ok: false, error: error.message };
    throw error;
  }
}

interface Run {
  readonly unknown: string[];
  /** Steps to the value at hand, list positions as `[0]`. */
  readonly path: string[];
}

/** Leaves the recursion when a value is of a wrong type: the first one ends it, as in Go. */
class DecodeError extends Error {}

const seen = new WeakMap<object, string>();

function decodeModel(model: Model, value: JsonObject, run: Run): JsonObject {
  if (seen.get(value) === model.name) return value;
  let copy: Record<string, Json | undefined> | undefined;
  for (const name of Object.keys(value)) {
    const given = value[name];
    const field = model.fields.get(name);
    if (field === undefined) {
      let path = '';
      for (const step of [...run.path, name]) path = joinPath(path, step);
      run.unknown.push(path);
      copy ??= { ...value };
      delete copy[name];
      continue;
    }
    run.path.push(name);
    const kept = given === undefined || (given === null && field.type.is !== 'any') ? nullOf(field, given) : decodeField(model, field, given, run);
    run.path.pop();
    if (kept === given) continue;
    copy ??= { ...value };
    if (kept === undefined) delete copy[name];
    else copy[name] = kept;
  }
  const result = copy ?? value;
  seen.set(result, model.name);
  return result;
}

/** Times are pointers that are written as null where upstream has no omitempty; everything else that is null is gone. */
function nullOf(field: Field, given: null | undefined): Json | undefined {
  return given === null && NULLABLE.has(field.name) ? null : undefined;
}

const NULLABLE: ReadonlySet<string> = new Set(['lastProbeTime', 'eventTime', 'firstTimestamp', 'lastTimestamp', 'startedAt', 'finishedAt']);

function decodeField(model: Model, field: Field, value: Json, run: Run): Json | undefined {
  const decoded = decodeValue(model, field.type, value, run);
  const name = `${model.goName}.${field.name}`;
  if (decoded === '') return KEEPS_EMPTY_TEXT.has(name) ? '' : undefined;
  if (decoded === 0 || decoded === false) return DROPS_ZERO.has(name) ? undefined : decoded;
  const list = field.type.is === 'list' || field.type.is === 'map';
  if (list && isEmpty(decoded) && !KEEPS_EMPTY_LIST.has(name)) return undefined;
  return decoded;
}

function isEmpty(value: Json | undefined): boolean {
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}

function decodeValue(owner: Model, type: FieldType, value: Json, run: Run): Json {
  switch (type.is) {
    case 'any':
      return value;
    case 'model':
      if (!isJsonObject(value)) return wrongType(owner, type, value, run);
      return decodeModel(modelNamed(type.model), value, run);
    case 'list':
      return decodeList(owner, type, value, run);
    case 'map':
      return decodeMap(owner, type, value, run);
    case 'string':
    case 'time':
    case 'micro-time':
    case 'bytes':
      return typeof value === 'string' ? value : wrongType(owner, { is: type.is === 'bytes' ? 'bytes' : 'string' }, value, run);
    case 'boolean':
      return typeof value === 'boolean' ? value : wrongType(owner, type, value, run);
    case 'int32':
    case 'int64':
      return decodeInteger(owner, type, value, run);
    case 'double':
      return typeof value === 'number' ? value : wrongType(owner, type, value, run);
    case 'int-or-string':
      return typeof value === 'string' || typeof value === 'number' ? value : wrongType(owner, type, value, run);
    case 'quantity': {
      const quantity = canonicalQuantity(value);
      if (quantity === undefined) throw new DecodeError(BAD_QUANTITY);
      return quantity;
    }
    default:
      return unreachable(type);
  }
}

const BAD_QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function decodeList(owner: Model, type: FieldType & { readonly is: 'list' | 'map' }, value: Json, run: Run): Json {
  if (!Array.isArray(value)) return wrongType(owner, type, value, run);
  const list = value as readonly Json[];
  if (seen.get(list) === owner.name) return list;
  let copy: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const member = list[index] as Json;
    run.path.push(`[${index}]`);
    const decoded = member === null ? member : decodeValue(owner, type.of, member, run);
    run.path.pop();
    if (decoded === member) continue;
    copy ??= [...list];
    copy[index] = decoded;
  }
  const result = copy ?? list;
  seen.set(result, owner.name);
  return result;
}

function decodeMap(owner: Model, type: FieldType & { readonly is: 'list' | 'map' }, value: Json, run: Run): Json {
  if (!isJsonObject(value)) return wrongType(owner, type, value, run);
  let copy: Record<string, Json | undefined> | undefined;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    const decoded = member === null ? '' : decodeValue(owner, type.of, member, run);
    if (decoded === member) continue;
    copy ??= { ...value };
    copy[key] = decoded;
  }
  return copy ?? value;
}

function decodeInteger(owner: Model, type: FieldType, value: Json, run: Run): Json {
  if (typeof value !== 'number') return wrongType(owner, type, value, run);
  const limit = type.is === 'int32' ? 2 ** 31 : 2 ** 63;
  if (Number.isInteger(value) && value < limit && value >= -limit) return value;
  return wrongType(owner, type, value, run, `number ${String(value)}`);
}

function wrongType(owner: Model, type: FieldType, value: Json, run: Run, given = jsonType(value)): never {
  const path = run.path.filter((step) => !step.startsWith('[')).join('.');
  throw new DecodeError(`json: cannot unmarshal ${given} into Go struct field ${owner.goName}.${path} of type ${goType(type)}`);
}

function jsonType(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'object' ? 'object' : typeof value;
}

/** `spec.containers[0].name` from its steps. */
function joinPath(path: string, step: string): string {
  return path === '' || step.startsWith('[') ? `${path}${step}` : `${path}.${step}`;
}
