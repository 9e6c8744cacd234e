import { isInstant } from '../../../base/instant.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { numberOf, parseInteger } from '../../../base/number.ts';
import { microTimeOf, timeOf } from '../../time/api-times.ts';
import { base64OfBytes } from '../../../base/base64.ts';
import { remembered } from '../../../base/memoized.ts';
import { numberedModels } from '../schema/numbered-models.ts';
import type { Field, FieldType } from '../schema/schema.ts';
import { EVERY_MODEL, modelNamed, readType } from '../schema/schema.ts';
import type { ProtobufValue } from './protobuf-reader.ts';
import { ProtobufError, ProtobufReader } from './protobuf-reader.ts';

/** A body in protobuf as the JSON it stands for. */
export type ProtobufBody = { readonly ok: true; readonly body: JsonObject } | { readonly ok: false; readonly error: string };

/**
 * Reads a body of `application/vnd.kubernetes.protobuf`: four bytes of magic, an envelope with the kind, and the object, whose
 * fields are known by the numbers of `schema/field-numbers.ts`. `modelOf` gives the model of a kind. Fields that no number is
 * known for are left out, as an older server does.
 * Source: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/protobuf/protobuf.go.
 */
export function readProtobuf(bytes: Uint8Array, modelOf: (apiVersion: string, kind: string) => string | undefined): ProtobufBody {
  if (MAGIC.some((byte, index) => bytes[index] !== byte))
    return { ok: false, error: 'provided data does not appear to be a protobuf message, expected prefix 6b 38 73 00' };
  try {
    const { apiVersion, kind, raw } = readEnvelope(bytes.subarray(MAGIC.length));
    const model = modelOf(apiVersion, kind);
    const plan = model === undefined ? undefined : planOf(model);
    if (plan === undefined) return { ok: false, error: `no kind "${kind}" is registered for version "${apiVersion}" in protobuf` };
    return { ok: true, body: { apiVersion, kind, ...readMessage(plan, raw, 0) } };
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof SyntaxError) return { ok: false, error: error.message };
    throw error;
  }
}

const MAGIC: readonly number[] = [0x6b, 0x38, 0x73, 0];

/** `runtime.Unknown`: typeMeta 1 (apiVersion 1, kind 2), raw 2. */
function readEnvelope(bytes: Uint8Array): { readonly apiVersion: string; readonly kind: string; readonly raw: Uint8Array } {
  const envelope = fieldsByNumber(bytes);
  const type = fieldsByNumber(asBytes(envelope.get(1)));
  return { apiVersion: readText(type.get(1)), kind: readText(type.get(2)), raw: asBytes(envelope.get(2)) };
}

function fieldsByNumber(bytes: Uint8Array): ReadonlyMap<number, ProtobufValue> {
  const fields = new Map<number, ProtobufValue>();
  for (const reader = new ProtobufReader(bytes); !reader.done;) {
    const { number, value } = reader.next();
    fields.set(number, value);
  }
  return fields;
}

/** What a number stands for: a field of the model, or a message whose fields JSON has among those of the model. */
type Planned = PlannedField | { readonly inline: Map<number, Planned> };

interface PlannedField {
  readonly name: string;
  readonly type: FieldType;
  /** Go's JSON leaves it out when it is zero; a Go client writes every field that is no pointer. */
  readonly dropsZero: boolean;
  /** The types of what stands in the place of a message in JSON, by number; an empty message is an empty object. */
  readonly ways?: ReadonlyMap<number, FieldType>;
}

type Plan = ReadonlyMap<number, Planned>;

/** Numbers are written by `walk` of .build/field-numbers.mjs, which says what their signs mean. */
const planOf = remembered((model): Plan | undefined => {
  const numbers = numberedModels().get(model)?.numbers;
  if (numbers === undefined) return undefined;
  const plan = new Map<number, Planned>();
  for (const [index, field] of [...modelNamed(model).fields.values()].entries()) addToPlan(plan, numbers[index] ?? '', field);
  return plan;
}, EVERY_MODEL);

function addToPlan(plan: Map<number, Planned>, text: string, field: Field): void {
  const [, digits = '', below, zero = '', ways] = /^(\d+)(?:\.(.*)|(\??)(?:=(.*))?)$/.exec(text) ?? [];
  const number = parseInteger(digits);
  if (number === undefined) return;
  if (below === undefined) {
    const { name, type } = field;
    plan.set(number, { name, type, dropsZero: zero !== '', ...(ways === undefined ? {} : { ways: readWays(ways) }) });
    return;
  }
  const known = plan.get(number);
  const inline = known !== undefined && 'inline' in known ? known.inline : new Map<number, Planned>();
  addToPlan(inline, below, field);
  plan.set(number, { inline });
}

function readWays(text: string): ReadonlyMap<number, FieldType> {
  const words = text.split(' ');
  return new Map(words.flatMap((word, index) => (index % 2 === 0 ? [] : [[parseInteger(words[index - 1]) ?? 0, readType(word)] as const])));
}

/** Deeper than any kind goes. */
const DEPTH_LIMIT = 100;

function readMessage(plan: Plan, bytes: Uint8Array, depth: number): JsonObject {
  if (depth > DEPTH_LIMIT) throw new ProtobufError('proto: message is nested too deeply');
  const object: Record<string, Json> = {};
  for (const reader = new ProtobufReader(bytes); !reader.done;) {
    const { number, value } = reader.next();
    const field = plan.get(number);
    if (field === undefined) continue;
    if ('inline' in field) Object.assign(object, readMessage(field.inline, asBytes(value), depth + 1));
    else addField(object, field, value, depth);
  }
  return object;
}

function addField(object: Record<string, Json>, field: PlannedField, value: ProtobufValue, depth: number): void {
  const { name, type, dropsZero, ways } = field;
  if (type.is === 'map') {
    addEntry((object[name] ??= {}) as Record<string, Json>, field, fieldsByNumber(asBytes(value)), depth);
  } else if (ways !== undefined) {
    object[name] = readWay(ways, asBytes(value), depth);
  } else if (type.is === 'list') {
    const list = (object[name] ?? []) as Json[];
    const member = readValue(type.of, value, depth);
    if (member !== undefined) list.push(member);
    object[name] = list;
  } else {
    const read = readValue(type, value, depth);
    if (read !== undefined && !(dropsZero && isZero(read))) object[name] = read;
  }
}

function isZero(value: Json): boolean {
  return value === 0 || value === '' || value === false;
}

function addEntry(map: Record<string, Json>, { type, ways }: PlannedField, entry: ReadonlyMap<number, ProtobufValue>, depth: number): void {
  if (type.is !== 'map') return;
  const value = ways === undefined ? (readValue(type.of, entry.get(2) ?? EMPTY, depth) ?? '') : readWay(ways, asBytes(entry.get(2)), depth);
  Object.defineProperty(map, readText(entry.get(1)), { value, enumerable: true, configurable: true, writable: true });
}

/** What stands last wins: a schema over whether one is allowed, a list over a single schema. */
function readWay(ways: ReadonlyMap<number, FieldType>, bytes: Uint8Array, depth: number): Json {
  let read: Json = {};
  const members: Json[] = [];
  for (const reader = new ProtobufReader(bytes); !reader.done;) {
    const { number, value } = reader.next();
    const type = ways.get(number);
    if (type?.is === 'list') {
      members.push(readValue(type.of, value, depth + 1) ?? null);
      read = members;
    } else if (type !== undefined) read = readValue(type, value, depth + 1) ?? {};
  }
  return read;
}

const EMPTY = new Uint8Array();

function readValue(type: FieldType, value: ProtobufValue, depth: number): Json | undefined {
  switch (type.is) {
    case 'string':
      return readText(value);
    case 'bytes':
      return base64OfBytes(asBytes(value));
    case 'boolean':
      return value !== 0n;
    case 'int32':
    case 'int64':
      return numberOf(asInteger(value));
    case 'double':
      return readDouble(asBytes(value));
    case 'time':
    case 'micro-time':
      return readTime(type.is, asBytes(value));
    case 'quantity':
      return readText(fieldsByNumber(asBytes(value)).get(1));
    case 'int-or-string':
      return readIntOrString(asBytes(value));
    case 'any':
      return readJson(asBytes(value));
    case 'model':
      return readMessage(planOf(type.model) ?? new Map(), asBytes(value), depth + 1);
    case 'list':
    case 'map':
      // A list in a map is a message of its own with the members as field 1.
      return type.is === 'list' ? readMembers(type.of, asBytes(value), depth + 1) : undefined;
  }
}

function readMembers(type: FieldType, bytes: Uint8Array, depth: number): Json {
  const members: Json[] = [];
  for (const reader = new ProtobufReader(bytes); !reader.done;) {
    const { number, value } = reader.next();
    const member = number === 1 ? readValue(type, value, depth) : undefined;
    if (member !== undefined) members.push(member);
  }
  return members;
}

/** Seconds 1 and nanoseconds 2; the zero time is no time. */
function readTime(is: 'time' | 'micro-time', bytes: Uint8Array): string | undefined {
  const fields = fieldsByNumber(bytes);
  if (!fields.has(1)) return undefined;
  const milliseconds = numberOf(asInteger(fields.get(1))) * 1000 + numberOf(asInteger(fields.get(2) ?? 0n)) / 1e6;
  if (!isInstant(milliseconds)) throw new ProtobufError('time is out of range');
  return is === 'time' ? timeOf(milliseconds) : microTimeOf(milliseconds);
}

/** Type 1 (0 number, 1 text), number 2, text 3. */
function readIntOrString(bytes: Uint8Array): Json {
  const fields = fieldsByNumber(bytes);
  return asInteger(fields.get(1) ?? 0n) === 1n ? readText(fields.get(3)) : numberOf(asInteger(fields.get(2) ?? 0n));
}

/** Raw JSON in field 1, as RawExtension and FieldsV1 have it. */
function readJson(bytes: Uint8Array): Json | undefined {
  const raw = asBytes(fieldsByNumber(bytes).get(1));
  if (raw.length === 0) return undefined;
  return JSON.parse(readText(raw)) as Json;
}

function readDouble(bytes: Uint8Array): number {
  if (bytes.length !== 8) throw new ProtobufError('unexpected EOF');
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
}

const decoder = new TextDecoder();

function readText(value: ProtobufValue | undefined): string {
  return decoder.decode(asBytes(value));
}

function asBytes(value: ProtobufValue | undefined): Uint8Array {
  if (value === undefined) return EMPTY;
  if (typeof value === 'bigint') throw new ProtobufError('proto: wrong wireType = 0');
  return value;
}

function asInteger(value: ProtobufValue | undefined): bigint {
  if (typeof value !== 'bigint') throw new ProtobufError('proto: wrong wireType = 2');
  return value;
}
