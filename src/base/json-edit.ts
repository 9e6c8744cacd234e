import type { Json, JsonObject } from './json.ts';
import { isJsonObject } from './json.ts';

/**
 * Changed copies of JSON values. Nothing here changes its argument; whatever is not on the way to the change is shared with it,
 * and a change to what is there already gives the very same object back.
 */

/** The object with these fields set; a field given as undefined is left out. */
export function withFields<T extends JsonObject>(object: T, fields: JsonObject): T {
  let copy: Record<string, Json | undefined> | undefined;
  let gone = false;
  for (const field in fields) {
    const value = fields[field];
    if (object[field] === value && (value !== undefined || !Object.hasOwn(object, field))) continue;
    copy ??= { ...object };
    copy[field] = value;
    if (value === undefined) gone = true;
  }
  if (copy === undefined) return object;
  return (gone ? withoutAbsent(copy, fields) : copy) as T;
}

/** A copy without the fields given as undefined. A field that is deleted would leave an object behind that is slow for good. */
function withoutAbsent(object: JsonObject, fields: JsonObject): JsonObject {
  const copy: Record<string, Json | undefined> = {};
  for (const field in object) {
    const value = object[field];
    if (value === undefined && Object.hasOwn(fields, field)) continue;
    copy[field] = value;
  }
  return copy;
}

/** The object with those of these fields set that it lacks (a field that is null counts as lacking). */
export function withDefaults<T extends JsonObject>(object: T, defaults: JsonObject): T {
  let copy: Record<string, Json | undefined> | undefined;
  for (const field of Object.keys(defaults)) {
    const present = object[field];
    if (present !== undefined && present !== null) continue;
    copy ??= { ...object };
    copy[field] = defaults[field];
  }
  return (copy ?? object) as T;
}

/** The object with the value at the path replaced; objects on the way are made as needed. Undefined takes the field away. */
export function withPath<T extends JsonObject>(object: T, path: readonly string[], value: Json | undefined): T {
  const [field, ...rest] = path;
  if (field === undefined) return object;
  if (rest.length === 0) return withFields(object, { [field]: value });
  const inner = object[field];
  if (value === undefined && !isJsonObject(inner)) return object;
  return withFields(object, { [field]: withPath(isJsonObject(inner) ? inner : {}, rest, value) });
}

/** The list with every member replaced, or the very same list when no member changed. */
export function mapShared<T>(list: readonly T[], change: (member: T, index: number) => T): readonly T[] {
  let copy: T[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const member = list[index] as T;
    const changed = change(member, index);
    if (changed === member) continue;
    copy ??= [...list];
    copy[index] = changed;
  }
  return copy ?? list;
}

/** Whether two values are the same JSON, whatever the order of fields. Fields that are undefined do not count. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    const other = b as readonly Json[];
    return (a as readonly Json[]).every((member, index) => sameJson(member, other[index]));
  }
  return sameFields(a as JsonObject, b as JsonObject);
}

function sameFields(a: JsonObject, b: JsonObject): boolean {
  for (const field in a) if (!sameJson(a[field], b[field])) return false;
  for (const field in b) {
    const mine = a[field];
    // What every object inherits (`constructor`) is a function.
    if ((mine === undefined || typeof mine === 'function') && b[field] !== undefined) return false;
  }
  return true;
}

/** JSON text with the fields of every object in order, for comparing and hashing. */
export function canonicalJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value)
    .filter((field) => value[field] !== undefined)
    .sort();
  return `{${fields.map((field) => `${JSON.stringify(field)}:${canonicalJson(value[field])}`).join(',')}}`;
}

/**
 * What changed from one value to another as a JSON merge patch (RFC 7386: fields that went are null, lists are whole);
 * undefined when nothing did. Shared parts cost nothing.
 */
export function mergeDiff(before: JsonObject, after: JsonObject): JsonObject | undefined {
  let patch: Record<string, Json> | undefined;
  for (const field in after) {
    const old = before[field];
    const value = after[field];
    if (old === value || value === undefined) continue;
    const change = isJsonObject(old) && isJsonObject(value) ? mergeDiff(old, value) : sameJson(old, value) ? undefined : value;
    if (change !== undefined) (patch ??= {})[field] = change;
  }
  for (const field in before) {
    if (before[field] !== undefined && after[field] === undefined) (patch ??= {})[field] = null;
  }
  return patch;
}

/** Freezes a value and all it contains, once: what is frozen already is not walked again. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
