import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import type { Fields, Shape } from './shapes.ts';
import { memberStep, shapeOf } from './shapes.ts';

/** An object with what is applied laid over it: member by member where members can be told apart. Source: sigs.k8s.io/structured-merge-diff/typed/merge.go. */
export function mergeApplied(fields: Fields, live: JsonObject, applied: JsonObject): JsonObject {
  const result: Record<string, Json | undefined> = { ...live };
  for (const [field, value] of Object.entries(applied)) if (value !== undefined) result[field] = mergeValue(shapeOf(fields, field), live[field], value);
  return sameJson(result, live) ? live : result;
}

function mergeValue(shape: Shape, live: Json | undefined, applied: Json): Json {
  if (live === undefined || live === null) return applied;
  if (shape.is === 'object' && isJsonObject(live) && isJsonObject(applied)) return mergeApplied(shape.of, live, applied);
  if (!Array.isArray(live) || !Array.isArray(applied)) return applied;
  if (shape.is === 'set') return [...asList(live), ...asList(applied).filter((one) => !asList(live).some((other) => sameJson(one, other)))];
  return shape.is === 'keyed' ? mergeMembers(shape, asList(live), asList(applied)) : applied;
}

/** In the order of the live list; new ones where the applied list has them, after those before them. */
function mergeMembers(shape: Shape & { readonly is: 'keyed' }, live: readonly Json[], applied: readonly Json[]): Json {
  const stepOf = (member: Json): string => (isJsonObject(member) ? memberStep(shape.keys, member) : '');
  const result = [...live];
  let after = -1;
  for (const member of applied) {
    const index = result.findIndex((one) => stepOf(one) === stepOf(member));
    const known = result[index];
    if (isJsonObject(known) && isJsonObject(member)) {
      result[index] = mergeApplied(shape.of, known, member);
      after = index;
    } else {
      after = after < 0 ? result.length : after + 1;
      result.splice(after, 0, member);
    }
  }
  return result;
}

/** The object without a field, at a path of managedFields. */
export function removeField(value: JsonObject, path: readonly string[]): JsonObject {
  const rest = removeFrom(value, path);
  return isJsonObject(rest) ? rest : value;
}

function removeFrom(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined || value === undefined) return undefined;
  if (step.startsWith('f:')) {
    if (!isJsonObject(value)) return value;
    const field = step.slice(2);
    const inner = removeFrom(value[field], rest);
    const copy: Record<string, Json | undefined> = { ...value, [field]: inner };
    if (inner === undefined) delete copy[field];
    return copy;
  }
  const members = asList(value);
  const index = members.findIndex((member) => isAt(member, step));
  if (index < 0) return value;
  const inner = removeFrom(members[index], rest);
  if (inner !== undefined) return members.with(index, inner);
  return members.length === 1 ? undefined : members.toSpliced(index, 1);
}

function isAt(member: Json, step: string): boolean {
  const wanted = JSON.parse(step.slice(2)) as Json;
  if (step.startsWith('v:')) return sameJson(member, wanted);
  return isJsonObject(wanted) && isJsonObject(member) && memberStep(Object.keys(wanted), member) === step;
}
