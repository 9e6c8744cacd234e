import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, isJsonObject } from '../../../base/json.ts';
import { canonicalJson, sameJson, withFields } from '../../../base/json-edit.ts';
import type { FieldSet } from './field-set.ts';
import { asSet, isEmpty } from './field-set.ts';
import type { Fields, Shape } from './shapes.ts';
import { memberStep, shapeOf } from './shapes.ts';

/**
 * An object with what is applied laid over it: member by member where members can be told apart. Source:
 * sigs.k8s.io/structured-merge-diff/typed/merge.go.
 */
export function mergeApplied(fields: Fields, live: JsonObject, applied: JsonObject): JsonObject {
  const result: Record<string, Json | undefined> = { ...live };
  for (const [field, value] of Object.entries(applied))
    if (value !== undefined) result[field] = mergeValue(shapeOf(fields, field), live[field], value);
  return sameJson(result, live) ? live : result;
}

function mergeValue(shape: Shape, live: Json | undefined, applied: Json): Json {
  if (live === undefined || live === null) return applied;
  // What is null has no members to merge.
  if (applied === null && shape.is !== 'whole') return live;
  if (shape.is === 'object' && isJsonObject(live) && isJsonObject(applied)) return mergeApplied(shape.of, live, applied);
  const isList = Array.isArray(live) && Array.isArray(applied);
  if (!isList || (shape.is !== 'set' && shape.is !== 'keyed')) return applied;
  if (shape.is === 'set') return mergeLists(canonicalJson, (_, one) => one, asList(live), asList(applied));
  const stepOf = (member: Json): string => (isJsonObject(member) ? memberStep(shape.keys, member) : '');
  return mergeLists(stepOf, (mine, theirs) => mergeValue(shape.members, mine, theirs), asList(live), asList(applied));
}

/**
 * Members of both lists in the order of what is applied; those that only the live list has stay where they are among them. What the live
 * list has twice is not merged. Source: the same (mergingWalker.visitListItems).
 */
function mergeLists(
  nameOf: (member: Json) => string,
  merge: (live: Json, applied: Json) => Json,
  live: readonly Json[],
  applied: readonly Json[],
): readonly Json[] {
  const [liveNames, appliedNames] = [live.map(nameOf), applied.map(nameOf)];
  const asked = new Set(appliedNames);
  const isShared = new Set(liveNames.filter((name) => asked.has(name)));
  const shared = appliedNames.filter((name) => isShared.has(name));
  const known = new Map<string, Json | undefined>();
  for (const [index, name] of liveNames.entries()) known.set(name, known.has(name) ? undefined : live[index]);
  const taken = new Set<string>();
  const result: Json[] = [];
  const takeApplied = (at: number): void => {
    const [name, member] = [appliedNames[at] as string, applied[at] as Json];
    const found = known.get(name);
    result.push(found === undefined ? member : merge(found, member));
    taken.add(name);
    if (shared[0] === name) shared.shift();
  };
  // A member that both have, but that comes later among those they share.
  const comesLater = (name: string): boolean => asked.has(name) && shared[0] !== undefined && shared[0] !== name;
  for (let [left, right] = [0, 0]; left < live.length || right < applied.length;) {
    const [name, next] = [liveNames[left], appliedNames[right]];
    if (name !== undefined && next !== undefined && name !== next && comesLater(name)) left++;
    else if (name !== undefined && !asked.has(name)) result.push(live[left++] as Json);
    else {
      if (name !== undefined && (name === next || taken.has(name))) left++;
      if (next !== undefined) takeApplied(right++);
    }
  }
  return result;
}

/** The object without fields, at paths of managedFields. */
export function removeFields(value: JsonObject, fields: FieldSet): JsonObject {
  const rest = isEmpty(fields) ? value : removeFrom(value, fields);
  return isJsonObject(rest) ? rest : value;
}

/** Undefined when nothing is left: a field without fields below it goes as a whole. */
function removeFrom(value: Json | undefined, fields: FieldSet): Json | undefined {
  if (value === undefined || isEmpty(fields)) return undefined;
  if (Array.isArray(value)) return removeMembers(value, fields);
  if (!isJsonObject(value)) return value;
  const changes: Record<string, Json | undefined> = {};
  for (const [step, inner] of Object.entries(fields)) {
    const field = step.slice(2);
    if (step.startsWith('f:') && value[field] !== undefined) changes[field] = removeFrom(value[field], asSet(inner));
  }
  const rest = withFields(value, changes);
  return Object.keys(rest).length === 0 && Object.keys(value).length > 0 ? undefined : rest;
}

function removeMembers(members: readonly Json[], fields: FieldSet): Json | undefined {
  const wanted = new Map<string, FieldSet>();
  const keys = new Set<string>();
  for (const [step, inner] of Object.entries(fields)) {
    if (!step.startsWith('v:') && !step.startsWith('k:')) continue;
    const named = JSON.parse(step.slice(2)) as Json;
    if (step.startsWith('k:') && isJsonObject(named)) for (const key of Object.keys(named)) keys.add(key);
    wanted.set(step.startsWith('v:') ? `v:${canonicalJson(named)}` : step, asSet(inner));
  }
  const left = members.flatMap((member) => {
    const step = isJsonObject(member) && keys.size > 0 ? memberStep([...keys], member) : `v:${canonicalJson(member)}`;
    const inner = wanted.get(step);
    // The first of those that cannot be told apart.
    wanted.delete(step);
    const rest = inner === undefined ? member : removeFrom(member, inner);
    return rest === undefined ? [] : [rest];
  });
  return left.length === 0 && members.length > 0 ? undefined : left;
}
