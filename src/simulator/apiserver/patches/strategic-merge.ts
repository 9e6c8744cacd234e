import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import type { FieldType } from '../schema/schema.ts';
import { goName, modelNamed } from '../schema/schema.ts';
import { MERGED_SETS, MERGE_KEYS, REPLACED } from './merge-keys.ts';

/**
 * Strategic merge patch on a copy: as a merge patch, but lists of things with names are merged by them. Understands `$patch`
 * (delete, replace, merge), `$retainKeys`, `$setElementOrder/…` and `$deleteFromPrimitiveList/…`.
 * Source: staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/patch.go.
 */
export function applyStrategicMerge(model: string, target: JsonObject, patch: JsonObject): JsonObject {
  return mergeObject(model, target, patch);
}

/** The patch that makes one object into another, for a model; lists of named things by their names. Undefined when they are the same. */
export function strategicDiff(
  model: string | undefined,
  before: JsonObject,
  after: JsonObject,
  removed: JsonObject = before,
): JsonObject | undefined {
  const patch: Record<string, Json> = {};
  for (const [field, value] of Object.entries(after)) {
    if (value === undefined || sameJson(before[field], value)) continue;
    const type = model === undefined ? undefined : modelNamed(model).fields.get(field)?.type;
    const change = diffField({ name: `${model === undefined ? '' : goName(model)}.${field}`, type }, before[field], value, removed[field]);
    if (change !== undefined) patch[field] = change;
  }
  for (const field of Object.keys(removed))
    if (removed[field] !== undefined && after[field] === undefined && before[field] !== undefined) patch[field] = null;
  return Object.keys(patch).length === 0 ? undefined : patch;
}

const DIRECTIVE = '$patch';
const RETAIN = '$retainKeys';
const ORDER = '$setElementOrder/';
const DELETE_VALUES = '$deleteFromPrimitiveList/';

function mergeObject(model: string | undefined, target: JsonObject, patch: JsonObject): JsonObject {
  if (patch[DIRECTIVE] === 'replace') return withoutDirectives(patch);
  if (patch[DIRECTIVE] === 'delete') return {};
  const kept = retained(target, patch);
  const result: Record<string, Json | undefined> = { ...kept };
  for (const [field, value] of Object.entries(patch)) {
    if (field.startsWith('$')) {
      applyDirective(result, field, value);
      continue;
    }
    if (value === null || value === undefined) {
      delete result[field];
      continue;
    }
    const type = model === undefined ? undefined : modelNamed(model).fields.get(field)?.type;
    result[field] = mergeValue(`${model === undefined ? '' : goName(model)}.${field}`, type, kept[field], value, patch[`${ORDER}${field}`]);
  }
  return sameJson(result, target) ? target : result;
}

function retained(target: JsonObject, patch: JsonObject): JsonObject {
  const keys = patch[RETAIN];
  if (!Array.isArray(keys)) return target;
  const kept = new Set(keys as readonly Json[]);
  return Object.fromEntries(Object.entries(target).filter(([field]) => kept.has(field)));
}

function applyDirective(result: Record<string, Json | undefined>, field: string, value: Json | undefined): void {
  if (!field.startsWith(DELETE_VALUES)) return;
  const list = field.slice(DELETE_VALUES.length);
  const gone = new Set(asList(value));
  result[list] = asList(result[list]).filter((member) => !gone.has(member));
}

function mergeValue(name: string, type: FieldType | undefined, target: Json | undefined, patch: Json, order: Json | undefined): Json {
  if (isJsonObject(patch)) {
    const inner = type?.is === 'model' ? type.model : undefined;
    if (REPLACED.has(name)) return withoutDirectives(patch);
    return mergeObject(inner, isJsonObject(target) ? target : {}, patch);
  }
  if (!Array.isArray(patch)) return patch;
  const list = patch as readonly Json[];
  if (MERGED_SETS.has(name)) {
    const known = new Set(asList(target));
    return [...asList(target), ...list.filter((member) => !known.has(member))];
  }
  const key = MERGE_KEYS[name];
  if (key === undefined || target === undefined)
    return list.filter((member) => !isJsonObject(member) || member[DIRECTIVE] !== 'delete').map(cleanMember);
  return mergeNamed(type?.is === 'list' && type.of.is === 'model' ? type.of.model : undefined, key, asList(target), list, order);
}

function mergeNamed(
  model: string | undefined,
  key: string,
  target: readonly Json[],
  patch: readonly Json[],
  order: Json | undefined,
): Json {
  if (patch.some((member) => isJsonObject(member) && member[DIRECTIVE] === 'replace' && Object.keys(member).length === 1))
    return patch.filter((member) => !isJsonObject(member) || member[DIRECTIVE] === undefined);
  const result = mergeMembers(model, key, target, patch);
  if (!Array.isArray(order)) return result;
  const place = new Map((order as readonly Json[]).map((one, index) => [isJsonObject(one) ? one[key] : one, index]));
  const rank = (member: Json): number => place.get(isJsonObject(member) ? member[key] : member) ?? Number.POSITIVE_INFINITY;
  return result
    .map((member, index) => ({ member, index }))
    .sort((a, b) => (rank(a.member) === rank(b.member) ? a.index - b.index : rank(a.member) - rank(b.member)))
    .map(({ member }) => member);
}

/** By their names, each of which finds the first that has it. A member that is taken away leaves its place empty until all are done. */
function mergeMembers(model: string | undefined, key: string, target: readonly Json[], patch: readonly Json[]): readonly Json[] {
  const result: (Json | undefined)[] = [...target];
  const places = new Map<Json | undefined, number[]>();
  const note = (member: Json, index: number): void => {
    if (!isJsonObject(member)) return;
    const known = places.get(member[key]);
    if (known === undefined) places.set(member[key], [index]);
    else known.push(index);
  };
  for (const [index, member] of target.entries()) note(member, index);
  for (const member of patch) {
    if (!isJsonObject(member)) continue;
    const index = places.get(member[key])?.[0];
    if (member[DIRECTIVE] === 'delete') {
      if (index === undefined) continue;
      result[index] = undefined;
      const others = (places.get(member[key]) ?? []).slice(1);
      if (others.length === 0) places.delete(member[key]);
      else places.set(member[key], others);
    } else if (index === undefined) {
      result.push(cleanMember(member));
      note(member, result.length - 1);
    } else result[index] = mergeObject(model, result[index] as JsonObject, member);
  }
  return result.filter((member) => member !== undefined);
}

function cleanMember(member: Json): Json {
  return isJsonObject(member) ? withoutDirectives(member) : member;
}

function withoutDirectives(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([field, member]) => !field.startsWith('$') && member !== null));
}

function diffField(
  { name, type }: { readonly name: string; readonly type: FieldType | undefined },
  before: Json | undefined,
  after: Json,
  removed: Json | undefined,
): Json | undefined {
  if (isJsonObject(before) && isJsonObject(after))
    return strategicDiff(type?.is === 'model' ? type.model : undefined, before, after, isJsonObject(removed) ? removed : {});
  const key = MERGE_KEYS[name];
  if (key === undefined || !Array.isArray(before) || !Array.isArray(after)) return after;
  const inner = type?.is === 'list' && type.of.is === 'model' ? type.of.model : undefined;
  return diffNamed(inner, key, asList(before), asList(after), asList(removed));
}

function diffNamed(
  model: string | undefined,
  key: string,
  before: readonly Json[],
  after: readonly Json[],
  removed: readonly Json[],
): Json | undefined {
  const find = (list: readonly Json[], name: Json | undefined): JsonObject | undefined =>
    list.filter(isJsonObject).find((member) => member[key] === name);
  const changes: Json[] = [];
  for (const member of after) {
    if (!isJsonObject(member)) return after;
    const old = find(before, member[key]);
    const change = old === undefined ? member : strategicDiff(model, old, member, find(removed, member[key]) ?? {});
    if (change !== undefined) changes.push({ ...change, [key]: member[key] });
  }
  for (const member of removed)
    if (isJsonObject(member) && find(after, member[key]) === undefined && find(before, member[key]) !== undefined)
      changes.push({ [key]: member[key], [DIRECTIVE]: 'delete' });
  return changes.length === 0 ? undefined : changes;
}
