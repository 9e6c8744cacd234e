import type { JsonObject } from '../../base/json.ts';

/** Shapes of JSON Schema (2020-12) that the schemas of files are made of. */
export const TEXT: JsonObject = { type: 'string', minLength: 1 };
export const FLAG: JsonObject = { type: 'boolean' };
export const SCALAR: JsonObject = { type: ['string', 'number', 'boolean'] };
export const ANY_OBJECT: JsonObject = { type: 'object' };
/** `30s`, `2m` or `1h30m`; seconds without a unit. */
export const DURATION: JsonObject = { type: ['string', 'integer'], minLength: 1 };

export function listOf(items: JsonObject, least = 0): JsonObject {
  return { type: 'array', items, ...(least === 0 ? {} : { minItems: least }) };
}

/** The shape, or a list of it. */
export function oneOrList(shape: JsonObject): JsonObject {
  return { anyOf: [shape, listOf(shape, 1)] };
}

export function oneWord(words: readonly string[]): JsonObject {
  return { enum: [...words] };
}

/** A map with these members and no others: what the parser takes as fields. */
export function mapOf<F extends string>(members: Readonly<Record<F, JsonObject>>, required: readonly NoInfer<F>[] = []): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    properties: members,
    ...(required.length === 0 ? {} : { required: [...required] }),
  };
}

export function described(shape: JsonObject, description: string): JsonObject {
  return { ...shape, description };
}
