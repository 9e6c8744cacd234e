import { assert } from '../../../base/assert.ts';
import { remembered } from '../../../base/memoized.ts';
import { once } from '../../../base/once.ts';
import { DROPS_EMPTY_TEXT, DROPS_ZERO, KEEPS_EMPTY_LIST, KEEPS_EMPTY_TEXT, NOT_WRITTEN, WRITTEN_ZERO } from './empty-values.ts';
import type { Json } from '../../../base/json.ts';
import { WRITTEN_EMPTY, WRITTEN_NULL } from './always-written.ts';
import { MODELS } from './models.ts';
import { QUANTITY_FIELDS } from './quantities.ts';
import { versionOf } from './named-types.ts';

/** The type of a field: a scalar, another model, or a list or map of a type. */
export type FieldType =
  | {
      readonly is:
        | 'string'
        | 'boolean'
        | 'int32'
        | 'int64'
        | 'double'
        | 'time'
        | 'micro-time'
        | 'bytes'
        | 'int-or-string'
        | 'any'
        | 'quantity';
    }
  | { readonly is: 'model'; readonly model: string }
  | { readonly is: 'list' | 'map'; readonly of: FieldType };

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  /** What becomes of an empty value (empty-values.ts). */
  readonly keepsEmptyText: boolean;
  readonly dropsZero: boolean;
  readonly keepsEmptyList: boolean;
  /** What is written when it is not set: an empty struct, null or zero; undefined for a field that is left out then. */
  readonly unset: Json | undefined;
}

export interface Model {
  readonly name: string;
  /** As Go has it: `PodSpec`. */
  readonly goName: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** Those that are written when they are not set. */
  readonly written: readonly Field[];
}

/** Fewer models are known, so that none is forgotten. */
export const EVERY_MODEL = { limit: 5000, length: 1000 };

/**
 * The model of a name. A line of `models.ts` is `Name|field:type|field!:type`, `!` for required; types are s string, b boolean,
 * i int32, l int64, d double, t time, m micro time, y bytes, x int-or-string, a anything, [T] list, {T} map, or another model.
 */
export const modelNamed = remembered((name): Model => {
  const line = lines().get(name);
  assert(line !== undefined, `model ${name} is in the schema`);
  const fields = line === '' ? [] : line.split('|').map((text) => readField(name, text));
  const written = fields.filter(({ unset }) => unset !== undefined);
  return { name, goName: goName(name), fields: new Map(fields.map((field) => [field.name, field])), written };
}, EVERY_MODEL);

/** The name of a model as Go has it: `V1PodSpec` is `PodSpec`. */
export function goName(model: string): string {
  return model.replace(
    /^(?:Core|Events|Storage|Rbac|Resource|Discovery|Authentication|Flowcontrol|Admissionregistration|Apiextensions|Apiregistration)?V\d+/,
    '',
  );
}

/** The type of a field as Go has it, for messages: `int32`, `map[string]string`, `[]v1.Container`. */
export function goType(type: FieldType): string {
  switch (type.is) {
    case 'model':
      return `${versionOf(type.model)}.${goName(type.model)}`;
    case 'list':
      return `[]${goType(type.of)}`;
    case 'map':
      return type.of.is === 'quantity' ? 'v1.ResourceList' : `map[string]${goType(type.of)}`;
    case 'int-or-string':
      return 'int32';
    case 'boolean':
      return 'bool';
    case 'double':
      return 'float64';
    case 'bytes':
      return '[]uint8';
    case 'time':
      return 'v1.Time';
    case 'micro-time':
      return 'v1.MicroTime';
    default:
      return type.is;
  }
}

/** The names of all models, in the order of `models.ts`. */
export function modelNames(): readonly string[] {
  return [...lines().keys()];
}

const lines = once(
  () =>
    new Map(
      MODELS.trim()
        .split(/[\n;]/)
        .map((line): [string, string] => {
          const bar = line.indexOf('|');
          return [line.slice(0, bar), line.slice(bar + 1)];
        }),
    ),
);

function readField(model: string, text: string): Field {
  const colon = text.indexOf(':');
  const required = text[colon - 1] === '!';
  const name = text.slice(0, required ? colon - 1 : colon);
  const plain = readType(text.slice(colon + 1));
  const full = `${goName(model)}.${name}`;
  const type = QUANTITY_FIELDS.has(full) ? asQuantity(plain) : plain;
  return {
    name,
    required,
    type,
    keepsEmptyText: required || (KEEPS_EMPTY_TEXT.has(full) && !DROPS_EMPTY_TEXT.has(`${model}.${name}`)),
    dropsZero: DROPS_ZERO.has(full),
    keepsEmptyList: KEEPS_EMPTY_LIST.has(full),
    unset: unsetOf(full, required, type),
  };
}

function unsetOf(field: string, required: boolean, { is }: FieldType): Json | undefined {
  if (WRITTEN_EMPTY.has(field)) return {};
  if (WRITTEN_NULL.has(field)) return null;
  return (required && !NOT_WRITTEN.has(field)) || WRITTEN_ZERO.has(field) ? ZEROS[is] : undefined;
}

/** What is not set in Go, by its type; other types are pointers, or are in the lists. */
const ZEROS: Readonly<Record<string, Json>> = { string: '', boolean: false, int32: 0, int64: 0, 'int-or-string': 0 };

/** A type as a line of `models.ts` has it. */
export function readType(text: string): FieldType {
  if (text.startsWith('[')) return { is: 'list', of: readType(text.slice(1, -1)) };
  if (text.startsWith('{')) return { is: 'map', of: readType(text.slice(1, -1)) };
  return SCALARS[text] ?? { is: 'model', model: text };
}

function asQuantity(type: FieldType): FieldType {
  return type.is === 'map' || type.is === 'list' ? { is: type.is, of: { is: 'quantity' } } : { is: 'quantity' };
}

const SCALARS: Readonly<Record<string, FieldType>> = {
  s: { is: 'string' },
  b: { is: 'boolean' },
  i: { is: 'int32' },
  l: { is: 'int64' },
  d: { is: 'double' },
  t: { is: 'time' },
  m: { is: 'micro-time' },
  y: { is: 'bytes' },
  x: { is: 'int-or-string' },
  a: { is: 'any' },
};
