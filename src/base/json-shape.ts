import type { Json } from './json.ts';
import { isJsonObject } from './json.ts';

/**
 * What a value must be, to be taken for one that podcheck wrote: one of some words, a list, or an object with these fields. `?` before
 * a field's name lets it be absent or null; fields that are not named may be there as well.
 */
export type Shape =
  | 'text'
  | 'number'
  | 'instant'
  | 'flag'
  | 'scalar'
  | 'any'
  | readonly string[]
  | { readonly list: Shape }
  | { readonly map: Shape }
  | Fields;
interface Fields {
  readonly [field: string]: Shape;
}

export function fitsShape(value: Json | undefined, shape: Shape): boolean {
  if (typeof shape === 'string') return isOfType(value, shape);
  if (isWords(shape)) return typeof value === 'string' && shape.includes(value);
  const { list, map, ...fields } = shape as { readonly list?: Shape; readonly map?: Shape };
  if (list !== undefined) return Array.isArray(value) && (value as readonly Json[]).every((member) => fitsShape(member, list));
  if (!isJsonObject(value)) return false;
  if (map !== undefined) return Object.values(value).every((member) => fitsShape(member, map));
  return Object.entries(fields as Fields).every(([name, inner]) => {
    const [field, isOptional] = name.startsWith('?') ? [name.slice(1), true] : [name, false];
    const member = Object.hasOwn(value, field) ? value[field] : undefined;
    return (isOptional && (member === undefined || member === null)) || fitsShape(member, inner);
  });
}

/** Source: ECMAScript's time values, which end there. */
const LATEST = 8.64e15;

function isOfType(value: Json | undefined, type: Exclude<Shape, object>): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'instant':
      return typeof value === 'number' && Math.abs(value) <= LATEST;
    case 'flag':
      return typeof value === 'boolean';
    case 'scalar':
      return typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
    case 'any':
      return value !== undefined;
  }
}

function isWords(shape: Shape): shape is readonly string[] {
  return Array.isArray(shape);
}
