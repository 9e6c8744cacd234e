import type { Json, JsonObject } from './json.ts';
import { isJsonObject } from './json.ts';
import { sameJson, withFields } from './json-edit.ts';

/**
 * JSON Merge Patch (RFC 7386) on a copy: null takes a field away, objects are merged, anything else is replaced. What the patch
 * does not change is shared with the target, members of lists that stay the same included.
 */
export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return shared(target, patch);
  const base: JsonObject = isJsonObject(target) ? target : {};
  let changes: Record<string, Json | undefined> | undefined;
  for (const field of Object.keys(patch)) {
    const value = patch[field];
    const before = Object.hasOwn(base, field) ? base[field] : undefined;
    const after = value === null || value === undefined ? undefined : applyMergePatch(before, value);
    if (after !== before) (changes ??= {})[field] = after;
  }
  if (changes !== undefined) return withFields(base, changes);
  return isJsonObject(target) ? base : {};
}

function shared(target: Json | undefined, value: Json): Json {
  if (!Array.isArray(value) || !Array.isArray(target)) return target !== undefined && sameJson(target, value) ? target : value;
  const [before, after] = [target as readonly Json[], value as readonly Json[]];
  let same = before.length === after.length;
  const members = after.map((member, index) => {
    const known = before[index];
    if (known !== undefined && sameJson(known, member)) return known;
    same = false;
    return member;
  });
  return same ? before : members;
}
