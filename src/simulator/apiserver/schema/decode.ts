import { unreachable } from '../../../base/assert.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asObject, isJsonObject } from '../../../base/json.ts';
import { embeddedIn } from './embedded.ts';
import { KEEPS_NULL_LIST } from './empty-values.ts';
import { namedType } from './named-types.ts';
import { decodeTime } from './times.ts';
import { canonicalQuantity, inThousandths } from './quantities.ts';
import type { Field, FieldType, Model } from './schema.ts';
import { goType, modelNamed } from './schema.ts';

/**
 * A body as the API server understands it, as Go's decoder does: fields checked for their types, quantities in their one form,
 * what is empty left out, unknown fields reported and left out.
 */
export type Decoded =
  | { readonly ok: true; readonly object: JsonObject; readonly unknown: readonly string[]; readonly emptied: readonly Emptied[] }
  | { readonly ok: false; readonly error: string };

/** What Go tells from the form that it is stored in: a list or map without a member, and a quantity in another form or without one. */
export interface Emptied {
  readonly path: readonly (string | number)[];
  readonly value: Json;
  /** Whether it is without omitempty. */
  readonly isWritten: boolean;
}

/**
 * Checks a body against a model. What it shares with `known`, an object that came out of here before, is not walked a second
 * time, and neither is the spec of a pod that came out of here in a template.
 * Source: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/json/json.go; encoding/json for the words.
 */
export function decode(model: string, body: JsonObject, known?: JsonObject, fills = false): Decoded {
  if (body === known || (!fills && wellFormed.get(body) === model)) return { ok: true, object: body, unknown: [], emptied: [] };
  const run: Run = { unknown: [], emptied: [], path: [], fills, root: model };
  try {
    const object = decodeModel(modelNamed(model), body, run, known);
    if (object === body && Object.isFrozen(body)) wellFormed.set(body, model);
    return { ok: true, object, unknown: run.unknown, emptied: run.emptied };
  } catch (error) {
    if (error instanceof DecodeError) return { ok: false, error: error.message };
    throw error;
  }
}

/** What every cluster begins with is frozen, and known to be well-formed from the second cluster on. */
const wellFormed = new WeakMap<JsonObject, string>();

interface Run {
  readonly unknown: string[];
  readonly emptied: Emptied[];
  /** Steps to the value at hand: fields and places in lists. */
  readonly path: (string | number)[];
  /** Whether what Go always writes is put in where it is not given. */
  readonly fills: boolean;
  readonly root: string;
}

/** Leaves the recursion when a value is of a wrong type: the first one ends it, as in Go. */
class DecodeError extends Error {}

const templateSpecs = new WeakSet<object>();
const POD_SPEC = 'V1PodSpec';
const POD_TEMPLATE = 'V1PodTemplateSpec';

function decodeModel(model: Model, value: JsonObject, run: Run, known?: Json): JsonObject {
  if (model.name === POD_SPEC && templateSpecs.has(value)) return value;
  const before = asObject(known);
  let copy: Record<string, Json | undefined> | undefined;
  let gone = false;
  for (const name of Object.keys(value)) {
    const given = value[name];
    if (typeof given === 'object' && before[name] === given) continue;
    const kept = decodeNamed(model, name, given, run, before[name]);
    if (kept === given && kept !== undefined) continue;
    copy ??= { ...value };
    copy[name] = kept;
    gone ||= kept === undefined;
  }
  if (run.fills) {
    noteDivisor(model, value, run);
    copy = filled(model, value, copy, run, known === undefined ? undefined : before);
  }
  const result = copy === undefined ? value : gone ? withoutAbsent(copy) : copy;
  if (model.name === POD_TEMPLATE) keepSpec(result['spec']);
  return result;
}

/** A divisor that is not given is told from the one that it gets. */
function noteDivisor({ goName }: Model, value: JsonObject, { emptied, path }: Run): void {
  if (goName === 'ResourceFieldSelector' && value['divisor'] === undefined)
    emptied.push({ path: [...path, 'divisor'], value: '', isWritten: false });
}

/** With the fields that are written when they are not set. */
function filled(
  model: Model,
  value: JsonObject,
  copy: Record<string, Json | undefined> | undefined,
  run: Run,
  before: JsonObject | undefined,
): Record<string, Json | undefined> | undefined {
  let result = copy;
  for (const { name, type, unset } of model.written) {
    if (unset === undefined || (result ?? value)[name] !== undefined) continue;
    // What was stored without it was written by a component of the cluster, and stays as it is.
    if (before !== undefined && before[name] === undefined) continue;
    result ??= { ...value };
    result[name] = type.is === 'model' && unset !== null ? decodeModel(modelNamed(type.model), {}, run) : unset;
  }
  return result;
}

/** A field as it is kept; what is not known is not. */
function decodeNamed(model: Model, name: string, given: Json | undefined, run: Run, known: Json | undefined): Json | undefined {
  const field = model.fields.get(name);
  if (field === undefined) {
    run.unknown.push(pathTo(run, name));
    return undefined;
  }
  return isAsItIs(field.type.is, given) ? given : decodeGiven(model, field, given, run, known);
}

function keepSpec(spec: Json | undefined): void {
  if (isJsonObject(spec)) templateSpecs.add(spec);
}

function decodeGiven(model: Model, field: Field, given: Json | undefined, run: Run, before: Json | undefined): Json | undefined {
  // In a schema, null is nothing, and neither is what could be one schema or several and is none.
  if (model.goName === 'JSONSchemaProps' && (given === null || (field.name === 'items' && typeof given !== 'object'))) return undefined;
  if (given === undefined || (given === null && field.type.is !== 'any')) return nullOf(model, field, given);
  run.path.push(field.name);
  const kept = decodeField(model, field, given, run, before);
  run.path.pop();
  return kept;
}

/** Most values: of the right type, and not empty. */
function isAsItIs(is: FieldType['is'], value: Json | undefined): boolean {
  if (typeof value === 'string') return value !== '' && is === 'string';
  if (value === true) return is === 'boolean';
  return typeof value === 'number' && (is === 'int32' || is === 'int64') && value > 0 && value < 2 ** 31 && Number.isInteger(value);
}

function withoutAbsent(object: JsonObject): JsonObject {
  const present: Record<string, Json | undefined> = {};
  for (const name of Object.keys(object)) if (object[name] !== undefined) present[name] = object[name];
  return present;
}

/** Times are pointers that are written as null where upstream has no omitempty; everything else that is null is gone. */
function nullOf(model: Model, field: Field, given: null | undefined): Json | undefined {
  return given === null && (field.unset === null || NULLABLE.has(field.name) || KEEPS_NULL_LIST.has(`${model.goName}.${field.name}`))
    ? null
    : undefined;
}

const NULLABLE: ReadonlySet<string> = new Set(['lastProbeTime', 'eventTime', 'firstTimestamp', 'lastTimestamp', 'startedAt', 'finishedAt']);

function decodeField(model: Model, field: Field, value: Json, run: Run, known: Json | undefined): Json | undefined {
  const decoded = decodeValue(model, field.type, value, run, known);
  if (decoded === '') return field.keepsEmptyText ? '' : undefined;
  if (decoded === 0 || decoded === false) return field.dropsZero ? undefined : decoded;
  if ((field.type.is !== 'list' && field.type.is !== 'map') || !isEmpty(decoded)) return decoded;
  if (run.fills) run.emptied.push({ path: [...run.path], value: decoded, isWritten: field.unset === null });
  if (run.fills && field.unset === null) return STORED_AS_JSON.has(run.root) ? decoded : null;
  return field.keepsEmptyList ? decoded : undefined;
}

/** Lists without members stay in these, whose objects no protobuf is made of. */
const STORED_AS_JSON: ReadonlySet<string> = new Set(['V1CustomResourceDefinition', 'V1APIService']);

function isEmpty(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function decodeValue(owner: Model, type: FieldType, value: Json, run: Run, known: Json | undefined): Json {
  switch (type.is) {
    case 'any':
      return anything(owner, value, run);
    case 'model':
      if (!isJsonObject(value)) return wrongType(owner, type, value, run);
      return decodeModel(modelNamed(type.model), value, run, known);
    case 'list':
      return decodeList(owner, type, value, run, known);
    case 'map':
      return decodeMap(owner, type, value, run);
    case 'string':
      return typeof value === 'string' ? value : wrongType(owner, { is: 'string' }, value, run);
    case 'time':
    case 'micro-time': {
      const time = typeof value === 'string' ? decodeTime(value, type.is === 'micro-time') : wrongType(owner, { is: 'string' }, value, run);
      if (typeof time === 'object') throw new DecodeError(time.error);
      return time;
    }
    case 'bytes': {
      const wrong = typeof value === 'string' ? corruptAt(value) : wrongType(owner, type, value, run);
      if (wrong !== undefined) throw new DecodeError(`illegal base64 data at input byte ${wrong}`);
      return value;
    }
    case 'boolean':
      return typeof value === 'boolean' ? value : wrongType(owner, type, value, run);
    case 'int32':
    case 'int64':
      return decodeInteger(owner, type, value, run);
    case 'double':
      return typeof value === 'number' ? value : wrongType(owner, type, value, run);
    case 'int-or-string':
      return typeof value === 'string' ? value : decodeInteger(owner, { is: 'int32' }, value, run);
    case 'quantity': {
      const quantity = canonicalQuantity(value);
      if (quantity === undefined) throw new DecodeError(BAD_QUANTITY);
      if (run.fills && quantity !== value) run.emptied.push({ path: [...run.path], value, isWritten: false });
      return quantity;
    }
    default:
      return unreachable(type);
  }
}

/** Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/marshal.go (JSONSchemaPropsOrBool). */
const SCHEMA_OR_BOOLEAN: ReadonlySet<string> = new Set(['additionalItems', 'additionalProperties']);

function anything({ goName }: Model, value: Json, run: Run): Json {
  const { path } = run;
  if (goName === 'CustomResourceSubresources' && isJsonObject(value)) {
    for (const name of Object.keys(value)) run.unknown.push(pathTo(run, name));
    return {};
  }
  if (goName === 'CustomResourceSubresources')
    throw new DecodeError(
      `json: cannot unmarshal ${jsonType(value)} into Go struct field ${goName}.${goPath(run)} of type v1.CustomResourceSubresourceStatus`,
    );
  const free = goName !== 'JSONSchemaProps' || !SCHEMA_OR_BOOLEAN.has(String(path.at(-1)));
  if (free || typeof value === 'boolean' || value === null || isJsonObject(value)) return value;
  throw new DecodeError('boolean or JSON schema expected');
}

/** Where text stops being base64; undefined for what is. Ends of lines do not count. Source: Go's encoding/base64 (decodeQuantum). */
function corruptAt(text: string): number | undefined {
  const plain = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
  if (plain) return undefined;
  const bare = text.replaceAll(/[\r\n]/g, '');
  if (bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bare)) return undefined;
  const letters = /^[A-Za-z0-9+/\r\n]*/.exec(text)?.[0].length ?? 0;
  return letters < text.length && text[letters] !== '=' ? letters : letters - (bare.length % 4 === 0 ? 0 : letters % 4);
}

const BAD_QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function decodeList(owner: Model, type: FieldType & { readonly is: 'list' | 'map' }, value: Json, run: Run, known: Json | undefined): Json {
  if (!Array.isArray(value)) return wrongType(owner, type, value, run);
  const list = value as readonly Json[];
  const before = Array.isArray(known) ? (known as readonly Json[]) : undefined;
  let copy: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const member = list[index] as Json;
    const same = before?.[index];
    if (member === null || (member === same && typeof member === 'object')) continue;
    run.path.push(index);
    const decoded = decodeValue(owner, type.of, member, run, same);
    run.path.pop();
    if (decoded === member) continue;
    copy ??= [...list];
    copy[index] = decoded;
  }
  return copy ?? list;
}

function decodeMap(owner: Model, type: FieldType & { readonly is: 'list' | 'map' }, value: Json, run: Run): Json {
  if (!isJsonObject(value)) return wrongType(owner, type, value, run);
  let copy: Record<string, Json | undefined> | undefined;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined || (typeof member === 'string' && type.of.is === 'string')) continue;
    const amount = member === null ? '' : decodeValue(owner, type.of, member, run, undefined);
    const decoded =
      type.of.is === 'quantity' && owner.goName !== 'CapacityRequirements' && typeof amount === 'string' ? inThousandths(amount) : amount;
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
  const field = run.path.findLast((step) => typeof step === 'string') ?? '';
  const named = type.is === 'string' || type.is === 'list' ? namedType(owner, field) : undefined;
  const wanted = named === undefined ? goType(type) : `${type.is === 'list' ? '[]' : ''}${named}`;
  throw new DecodeError(`json: cannot unmarshal ${given} into Go struct field ${owner.goName}.${goPath(run)} of type ${wanted}`);
}

/** The fields on the way, and the structs that are embedded between them. Source: Go's encoding/json (decodeState.object). */
function goPath({ root, path }: Run): string {
  const steps: string[] = [];
  let model: Model | undefined = modelNamed(root);
  for (const step of path) {
    if (typeof step === 'number') continue;
    const embedding: string | undefined = model === undefined ? undefined : embeddedIn(model.goName, step);
    if (embedding !== undefined) steps.push(embedding);
    steps.push(step);
    let type: FieldType | undefined = model?.fields.get(step)?.type;
    while (type?.is === 'list' || type?.is === 'map') type = type.of;
    model = type?.is === 'model' ? modelNamed(type.model) : undefined;
  }
  return steps.join('.');
}

function jsonType(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'object' ? 'object' : typeof value;
}

/** `spec.containers[0].name` from its steps. */
function pathTo(run: Run, name: string): string {
  let path = '';
  for (const step of [...run.path, name]) path = typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`;
  return path;
}
