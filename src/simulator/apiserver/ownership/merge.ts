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
  if (!Array.isArray(live) || !Array.isArray(applied)) return applied;
  if (shape.is === 'set') {
    const known = new Set(asList(live).map(canonicalJson));
    return [...asList(live), ...asList(applied).filter((one) => !known.has(canonicalJson(one)))];
  }
  return shape.is === 'keyed' ? mergeMembers(shape, asList(live), asList(applied)) : applied;
}

/** In the order of the live list; new ones where the applied list has them, after those before them. */
function mergeMembers(shape: Shape & { readonly is: 'keyed' }, live: readonly Json[], applied: readonly Json[]): Json {
  const stepOf = (member: Json): string => (isJsonObject(member) ? memberStep(shape.keys, member) : '');
  const places: Place[] = live.map((member) => ({ member, after: [] }));
  const end: Place = { member: undefined, after: [] };
  const known = new Map<string, { readonly place: Place; readonly behind: Place }>();
  for (const place of places.toReversed()) if (place.member !== undefined) known.set(stepOf(place.member), { place, behind: place });
  let behind = end;
  for (const member of applied) {
    const found = known.get(stepOf(member));
    if (found !== undefined && isJsonObject(found.place.member) && isJsonObject(member)) {
      found.place.member = mergeValue(shape.members, found.place.member, member);
      behind = found.behind;
    } else {
      const place: Place = { member, after: [] };
      behind.after.push(place);
      known.set(stepOf(member), { place, behind });
    }
  }
  return [...places, end]
    .flatMap(({ member, after }) => [member, ...after.map((one) => one.member)])
    .filter((member) => member !== undefined);
}

/** A member of a merged list, and the new ones that stand behind it. */
interface Place {
  member: Json | undefined;
  readonly after: Place[];
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
