import type { Json, JsonObject } from './json.ts';
import { isJsonObject } from './json.ts';

/** The value of a JSON text; undefined for a text that is none. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The object of a JSON text; undefined for any other text. */
export function parsedObject(text: string): JsonObject | undefined {
  const value = parsedJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** Those fields of the object of a JSON text that are texts; undefined for any other text. */
export function textFields(text: string): ReadonlyMap<string, string> | undefined {
  const value = parsedObject(text);
  if (value === undefined) return undefined;
  return new Map(Object.entries(value).flatMap(([key, field]) => (typeof field === 'string' ? [[key, field] as const] : [])));
}
