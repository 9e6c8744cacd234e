/** Any JSON value, as a cluster sends it: nothing about its shape can be relied on. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [field: string]: Json | undefined;
}

/** The value at a path, or undefined when any step of it is missing or of another type. */
export function dig(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  return digAt(value, path);
}

/** The same for a path that is a list. */
export function digAt(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  let here = value;
  for (let index = 0; index < path.length; index++) {
    if (typeof here !== 'object' || here === null) return undefined;
    const step = path[index] as string | number;
    if (Array.isArray(here)) here = typeof step === 'number' ? (here as readonly Json[])[step] : undefined;
    else here = member(here as JsonObject, step);
  }
  return here;
}

/**
 * Asked a million times over: what every object inherits is functions and its prototype, and only then is it asked whether it is its own.
 */
function member(object: JsonObject, field: string | number): Json | undefined {
  const value = object[field];
  if (value === undefined) return undefined;
  return (typeof value === 'function' || field === '__proto__') && !Object.hasOwn(object, field) ? undefined : value;
}

export function asText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** JSON can write numbers beyond what can be held (`1e999`): those are none. */
export function asNumber(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function asBoolean(value: Json | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** A text or a number as it is written: quantities and ports may be either. */
export function asWritten(value: Json | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A text, or a number as text: a port, a quantity, a percentage may be written either way. */
export function asScalarText(value: Json | undefined): string | undefined {
  return typeof value === 'number' ? String(value) : asText(value);
}

/** A list's members; none when the value is no list. */
export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** An object's fields; none when the value is no object. */
export function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A map of strings (labels, annotations, a selector): members that are not strings are left out. The very value when there are none. */
export function asTextMap(value: Json | undefined): Readonly<Record<string, string>> {
  const object = asObject(value);
  if (isTextMap(object)) return object;
  const map: Record<string, string> = {};
  for (const key of Object.keys(object)) {
    const text = object[key];
    if (typeof text === 'string') map[key] = text;
  }
  return map;
}

/** Asked of the labels of every pod: without a list of their names. */
function isTextMap(object: JsonObject): object is Readonly<Record<string, string>> {
  for (const key in object) if (typeof object[key] !== 'string') return false;
  return true;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
