import type { Json } from './json.ts';

/**
 * The value with each part that is equal to the same part of `like` replaced by that very part: many objects that are almost the same then
 * take little more memory than one. Parts of `value`, which must be its owner's alone, are replaced in place. Nothing that can be read
 * changes, not even the order of fields.
 */
export function sharedWith(value: Json, like: Json | undefined): Json {
  if (value === like || typeof value !== 'object' || value === null) return value === like ? like : value;
  if (Array.isArray(value)) return sharedList(value as Json[], Array.isArray(like) ? (like as readonly Json[]) : []);
  const isFields = typeof like === 'object' && like !== null && !Array.isArray(like);
  return sharedFields(value as Record<string, Json>, isFields ? (like as Record<string, Json>) : NONE);
}

const NONE: Readonly<Record<string, Json>> = {};

function sharedList(value: Json[], like: readonly Json[]): Json {
  let same = value.length === like.length;
  for (let index = 0; index < value.length; index++) {
    const own = value[index] as Json;
    // Members of a list mostly resemble each other: endpoints, conditions.
    const part = sharedWith(own, like[index] ?? value[index - 1]);
    if (part !== own) value[index] = part;
    if (part !== like[index]) same = false;
  }
  return same ? like : value;
}

function sharedFields(value: Record<string, Json>, like: Readonly<Record<string, Json>>): Json {
  const fields = Object.keys(value);
  const others = Object.keys(like);
  let same = fields.length === others.length && like !== NONE;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as string;
    if (field !== others[index]) same = false;
    const own = value[field] as Json;
    const other = field === others[index] || Object.hasOwn(like, field) ? like[field] : undefined;
    const part = sharedWith(own, other);
    // `__proto__` is a field like any other in JSON, but not to an assignment.
    if (part !== own && field !== '__proto__') value[field] = part;
    if (part !== other) same = false;
  }
  return same ? like : value;
}
