import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Prng } from '../../src/base/prng.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { asList, asObject } from '../../src/base/json.ts';
import type { Field, FieldType, Model } from '../../src/simulator/apiserver/schema/schema.ts';
import { modelNamed } from '../../src/simulator/apiserver/schema/schema.ts';

/** Values for fields: by the model and name of a field, by its name, by its type. */
export interface Values {
  readonly fields: JsonObject;
  readonly types: JsonObject;
  readonly wrong: JsonObject;
}

/** How deep a value that is made up may go below the field it is for. */
const MAX_DEPTH = 4;
/** One value in so many is of another type than the field. */
const WRONG_ONE_IN = 14;

export function readValues(file: string): Values {
  const given = parse(readFileSync(file, 'utf8')) as JsonObject;
  return { fields: asObject(given['fields']), types: asObject(given['types']), wrong: asObject(given['wrong']) };
}

/** A value for a field: valid, invalid, odd, now and then of a wrong type or null. */
export function valueFor(values: Values, model: Model, field: Field, prng: Prng): Json {
  const odd = prng.below(WRONG_ONE_IN * 2);
  if (odd === 0) return null;
  if (odd <= 2) return prng.pick(asList(values.wrong[field.type.is])) ?? null;
  return valueOf(values, model, field, prng, 0);
}

function valueOf(values: Values, model: Model, field: Field, prng: Prng, depth: number): Json {
  const own = knownValues(values, model, field);
  return own.length > 0 ? (prng.pick(own) ?? null) : madeUp(values, field.type, prng, depth);
}

/** Values that are written for that field. */
export function knownValues(values: Values, model: Model, field: Field): readonly Json[] {
  const known = asList(values.fields[`${model.goName}.${field.name}`] ?? values.fields[`${model.name}.${field.name}`]);
  return known.length > 0 ? known : plainOf(values, field);
}

/** Values of that field name, unless they are of another type. */
function plainOf(values: Values, field: Field): readonly Json[] {
  return asList(values.fields[field.name]).filter((value) => fits(value, field.type));
}

function fits(value: Json, { is }: FieldType): boolean {
  if (is === 'list') return Array.isArray(value);
  if (is === 'map' || is === 'model') return typeof value === 'object' && !Array.isArray(value);
  if (is === 'string') return typeof value === 'string';
  if (is === 'boolean') return typeof value === 'boolean';
  if (is === 'int32' || is === 'int64') return typeof value === 'number';
  return typeof value === 'string' || typeof value === 'number';
}

function madeUp(values: Values, type: FieldType, prng: Prng, depth: number): Json {
  switch (type.is) {
    case 'model':
      return depth >= MAX_DEPTH ? {} : objectOf(values, modelNamed(type.model), prng, depth + 1);
    case 'list':
      return Array.from({ length: prng.below(3) }, () => madeUp(values, type.of, prng, depth));
    case 'map':
      return Object.fromEntries(
        Array.from({ length: prng.below(3) }, (_, index) => [`key-${index}`, madeUp(values, type.of, prng, depth)]),
      );
    default:
      return prng.pick(asList(values.types[type.is])) ?? null;
  }
}

/** An object of a model with what is required, most of the time, and a few fields more. */
function objectOf(values: Values, model: Model, prng: Prng, depth: number): JsonObject {
  const fields = [...model.fields.values()];
  const more = new Set(Array.from({ length: 1 + prng.below(2) }, () => prng.below(Math.max(1, fields.length))));
  const made: Record<string, Json> = {};
  for (const [index, field] of fields.entries()) {
    const wanted = field.required ? prng.below(10) > 0 : more.has(index);
    if (wanted) made[field.name] = valueOf(values, model, field, prng, depth);
  }
  return made;
}
