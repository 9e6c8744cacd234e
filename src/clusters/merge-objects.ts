import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { OBSERVED } from '../model/kube-object.ts';

/**
 * Two views of one object as one: `over` goes before `under` in every field that it shows. An object read whole shows all fields,
 * and is returned as it is; of two partial views the account of what was seen is the union.
 */
export function mergeObjects(under: KubeObject, over: KubeObject): KubeObject {
  const top = over[OBSERVED];
  if (top === undefined) return over;
  const bottom = under[OBSERVED];
  const merged = merge(under, over, '', coverageOf(top)) as KubeObject;
  const identity = { apiVersion: over.apiVersion, kind: over.kind };
  return bottom === undefined ? { ...merged, ...identity } : { ...merged, ...identity, [OBSERVED]: [...new Set([...bottom, ...top])] };
}

interface Coverage {
  /** The field, or one that it stands in, is shown. */
  readonly shows: (path: string) => boolean;
  /** The field is shown, or something within it. */
  readonly touches: (path: string) => boolean;
}

function coverageOf(observed: readonly string[]): Coverage {
  const shows = (path: string): boolean => observed.some((shown) => path === shown || path.startsWith(`${shown}.`));
  return { shows, touches: (path) => shows(path) || observed.some((shown) => shown.startsWith(`${path}.`)) };
}

function merge(under: Json | undefined, over: Json | undefined, path: string, coverage: Coverage): Json | undefined {
  if (over === undefined) return coverage.shows(path) ? undefined : under;
  if (under === undefined) return over;
  if (Array.isArray(under) && Array.isArray(over)) return mergeLists(under as readonly Json[], over as readonly Json[], path, coverage);
  if (isJsonObject(under) && isJsonObject(over))
    return coverage.shows(path) && path !== '' ? over : mergeFields(under, over, path, coverage);
  return over;
}

function mergeFields(under: JsonObject, over: JsonObject, path: string, coverage: Coverage): JsonObject {
  const merged: Record<string, Json> = {};
  for (const field of new Set([...Object.keys(under), ...Object.keys(over)])) {
    const value = merge(under[field], over[field], path === '' ? field : `${path}.${field}`, coverage);
    if (value !== undefined) merged[field] = value;
  }
  return merged;
}

/** Members that have a name or a type are merged one by one; other lists are taken as a whole. */
function mergeLists(under: readonly Json[], over: readonly Json[], path: string, coverage: Coverage): readonly Json[] {
  if (coverage.shows(path)) return over;
  const key = [...under, ...over].every((member) => isJsonObject(member) && typeof member['name'] === 'string')
    ? 'name'
    : [...under, ...over].every((member) => isJsonObject(member) && typeof member['type'] === 'string')
      ? 'type'
      : undefined;
  if (key === undefined) return over;
  const keyed = (list: readonly Json[]): Map<Json | undefined, Json> =>
    new Map(list.map((member) => [(member as JsonObject)[key], member] as const));
  const [below, above] = [keyed(under), keyed(over)];
  const kept = coverage.touches(path) ? [] : [...below].filter(([name]) => !above.has(name)).map(([, member]) => member);
  return [...[...above].map(([name, member]) => merge(below.get(name), member, path, coverage) ?? member), ...kept];
}
