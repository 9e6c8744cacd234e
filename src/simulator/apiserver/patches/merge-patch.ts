import type { Json } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';

/** JSON Merge Patch (RFC 7386) on a copy: null takes a field away, objects are merged, anything else is replaced. */
export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return sameJson(target, patch) ? (target ?? null) : patch;
  const base = isJsonObject(target) ? target : {};
  const result: Record<string, Json | undefined> = { ...base };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete result[field];
    else result[field] = applyMergePatch(base[field], value);
  }
  return isJsonObject(target) && sameJson(result, target) ? target : result;
}
