import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, isJsonObject } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import type { FieldType } from '../schema/schema.ts';
import { goName, modelNamed } from '../schema/schema.ts';
import { MERGED_SETS, MERGE_KEYS, REPLACED } from './merge-keys.ts';
import { goPrinted } from './patched-body.ts';

/**
 * Strategic merge patch on a copy: as a merge patch, but lists of things with names are merged by them. Understands `$patch`
 * (delete, replace, merge), `$retainKeys`, `$setElementOrder/…` and `$deleteFromPrimitiveList/…`.
 * Source: staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/patch.go.
 */
export function applyStrategicMerge(model: string, target: JsonObject, patch: JsonObject): JsonObject {
  return mergeObject({ model, appends: true }, target, patch);
}

/** The same for a client from outside, whose new members come where the server puts them; the cluster's components name an order. */
export function applyClientPatch(
  model: string,
  target: JsonObject,
  patch: JsonObject,
): { readonly object: JsonObject } | { readonly error: string } {
  try {
    return { object: mergeObject({ model, appends: false }, target, patch) };
  } catch (error) {
    if (error instanceof MissingMergeKey) return { error: error.message };
    throw error;
  }
}

/** Leaves the recursion when a member cannot be told from others. */
class MissingMergeKey extends Error {}

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

/** What is merged, and whether new members of a list come last. */
interface Merging {
  readonly model: string | undefined;
  readonly appends: boolean;
}

function mergeObject({ model, appends }: Merging, target: JsonObject, patch: JsonObject): JsonObject {
  if (patch[DIRECTIVE] === 'replace') return withoutDirectives(patch);
  if (patch[DIRECTIVE] === 'delete') return {};
  const kept = retained(target, patch);
  let result: Record<string, Json | undefined> = { ...kept };
  for (const [field, value] of Object.entries(patch)) {
    if (field.startsWith('$')) {
      applyDirective(result, field, value);
      continue;
    }
    if (value === null || value === undefined) {
      // Not deleted: that leaves an object behind that is slow for good.
      result = withFields(result, { [field]: undefined });
      continue;
    }
    const type = model === undefined ? undefined : modelNamed(model).fields.get(field)?.type;
    const name = `${model === undefined ? '' : goName(model)}.${field}`;
    result[field] = mergeValue({ name, type, appends, order: patch[`${ORDER}${field}`] }, kept[field], value);
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

interface MergedField {
  readonly name: string;
  readonly type: FieldType | undefined;
  readonly appends: boolean;
  /** `$setElementOrder` of the patch. */
  readonly order: Json | undefined;
}

function mergeValue(field: MergedField, target: Json | undefined, patch: Json): Json {
  const { name, type, appends } = field;
  if (isJsonObject(patch)) {
    const inner = type?.is === 'model' ? type.model : undefined;
    if (REPLACED.has(name)) return withoutDirectives(patch);
    return mergeObject({ model: inner, appends }, isJsonObject(target) ? target : {}, patch);
  }
  if (!Array.isArray(patch)) return patch;
  const list = patch as readonly Json[];
  if (MERGED_SETS.has(name)) {
    if (target === undefined) return list;
    const merged = [...new Set([...asList(target), ...list])];
    return appends ? merged : inServerOrder(merged, list, asList(target), (member) => member);
  }
  const key = MERGE_KEYS[name];
  if (key === undefined || target === undefined || target === null)
    return list.filter((member) => !isJsonObject(member) || member[DIRECTIVE] !== 'delete').map(cleanMember);
  return mergeNamed(field, key, asList(target), list);
}

function mergeNamed({ type, appends, order }: MergedField, key: string, target: readonly Json[], patch: readonly Json[]): Json {
  if (patch.some((member) => isJsonObject(member) && member[DIRECTIVE] === 'replace' && Object.keys(member).length === 1))
    return patch.filter((member) => !isJsonObject(member) || member[DIRECTIVE] === undefined);
  const model = type?.is === 'list' && type.of.is === 'model' ? type.of.model : undefined;
  const result = mergeMembers({ model, appends }, key, target, patch);
  if (!Array.isArray(order) && appends) return result;
  if (!Array.isArray(order)) return inServerOrder(result, patch, target, (member) => (isJsonObject(member) ? member[key] : member));
  const place = new Map((order as readonly Json[]).map((one, index) => [isJsonObject(one) ? one[key] : one, index]));
  const rank = (member: Json): number => place.get(isJsonObject(member) ? member[key] : member) ?? Number.POSITIVE_INFINITY;
  return result
    .map((member, index) => ({ member, index }))
    .sort((a, b) => (rank(a.member) === rank(b.member) ? a.index - b.index : rank(a.member) - rank(b.member)))
    .map(({ member }) => member);
}

/**
 * Members of the patch in its order, all others in theirs; one that is new comes before those it is not named with.
 * Source: staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/patch.go (normalizeElementOrder, mergeSortedSlice).
 */
function inServerOrder(
  merged: readonly Json[],
  patch: readonly Json[],
  target: readonly Json[],
  nameOf: (member: Json) => Json | undefined,
): readonly Json[] {
  const places = (list: readonly Json[]): ReadonlyMap<Json | undefined, number> =>
    new Map(list.map((member, index): [Json | undefined, number] => [nameOf(member), index]));
  const [asked, before] = [places(patch), places(target)];
  const place = (of: ReadonlyMap<Json | undefined, number>, member: Json): number => of.get(nameOf(member)) ?? -1;
  const named = merged.filter((member) => asked.has(nameOf(member))).toSorted((a, b) => place(asked, a) - place(asked, b));
  const others = merged.filter((member) => !asked.has(nameOf(member)));
  const result: Json[] = [];
  let next = 0;
  for (const member of others) {
    while (next < named.length && !comesFirst(place(before, member), place(before, named[next] as Json)))
      result.push(named[next++] as Json);
    result.push(member);
  }
  return [...result, ...named.slice(next)];
}

function comesFirst(left: number, right: number): boolean {
  return left >= 0 && right >= 0 && left < right;
}

function missingKey(member: Json, key: string): MissingMergeKey {
  return new MissingMergeKey(`map: ${goPrinted(member)} does not contain declared merge key: ${key}`);
}

/** By their names, each of which finds the first that has it. A member that is taken away leaves its place empty until all are done. */
function mergeMembers(merging: Merging, key: string, target: readonly Json[], patch: readonly Json[]): readonly Json[] {
  const result: (Json | undefined)[] = [...target];
  const places = new Map<Json | undefined, number[]>();
  const note = (member: Json, index: number): void => {
    if (!isJsonObject(member)) return;
    const known = places.get(member[key]);
    if (known === undefined) places.set(member[key], [index]);
    else known.push(index);
  };
  const nameless = [...patch, ...target].find((member) => isJsonObject(member) && member[key] === undefined);
  if (nameless !== undefined && !merging.appends) throw missingKey(nameless, key);
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
    } else result[index] = mergeObject(merging, result[index] as JsonObject, member);
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
