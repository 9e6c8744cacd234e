import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { Fields, Shape } from './shapes.ts';
import { memberStep, shapeOf } from './shapes.ts';

/** A set of fields as managedFields write it: `{"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{}}}}}`. */
export type FieldSet = JsonObject;

export const NO_FIELDS: FieldSet = {};

/** All fields that an object sets. */
export function fieldSetOf(fields: Fields, value: JsonObject): FieldSet {
  const set: Record<string, Json> = {};
  for (const [field, member] of Object.entries(value))
    if (member !== undefined) set[`f:${field}`] = setOfValue(shapeOf(fields, field), member);
  return set;
}

function setOfValue(shape: Shape, value: Json): FieldSet {
  if (shape.is === 'object' && isJsonObject(value)) return fieldSetOf(shape.of, value);
  if (!Array.isArray(value)) return NO_FIELDS;
  const list = value as readonly Json[];
  if (shape.is === 'set') return Object.fromEntries(list.map((member) => [`v:${JSON.stringify(member)}`, NO_FIELDS]));
  if (shape.is !== 'keyed') return NO_FIELDS;
  return Object.fromEntries(
    list.filter(isJsonObject).map((member) => [memberStep(shape.keys, member), { '.': NO_FIELDS, ...fieldSetOf(shape.of, member) }]),
  );
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  const result: Record<string, Json | undefined> = { ...a };
  for (const [step, inner] of Object.entries(b)) result[step] = union(asSet(a[step]), asSet(inner));
  return result;
}

/** What is in the first and not in the second; a field that is taken away takes all below it along. */
export function subtract(a: FieldSet, b: FieldSet): FieldSet {
  const result: Record<string, Json | undefined> = { ...a };
  for (const [step, given] of Object.entries(b)) {
    const own = a[step];
    if (own === undefined) continue;
    const [inner, taken] = [asSet(own), asSet(given)];
    const left = isEmpty(taken) || isEmpty(inner) ? NO_FIELDS : subtract(inner, taken);
    if (isEmpty(left)) delete result[step];
    else result[step] = left;
  }
  return result;
}

/** What is in both: fields of the first that are in the second, or lie below one that is. */
export function intersect(a: FieldSet, b: FieldSet): FieldSet {
  const result: Record<string, Json> = {};
  for (const [step, given] of Object.entries(b)) {
    const own = a[step];
    if (own === undefined) continue;
    const [inner, other] = [asSet(own), asSet(given)];
    const common = isEmpty(other) || isEmpty(inner) ? inner : intersect(inner, other);
    if (isEmpty(inner) || !isEmpty(common)) result[step] = common;
  }
  return result;
}

export function isEmpty(set: FieldSet): boolean {
  return Object.values(set).every((inner) => inner === undefined);
}

/** The paths of the leaves. */
export function pathsOf(set: FieldSet): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  const visit = (value: FieldSet, path: readonly string[]): void => {
    const inner = Object.entries(value).filter(([step]) => step !== '.');
    if (inner.length === 0 && path.length > 0) paths.push(path);
    for (const [step, member] of inner) visit(asSet(member), [...path, step]);
  };
  visit(set, []);
  return paths;
}

/** Whether the set has the field or something below it. */
export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let at: FieldSet | undefined = set;
  for (const step of path) {
    const inner: Json | undefined = at[step];
    if (inner === undefined) return false;
    at = asSet(inner);
  }
  return true;
}

/** `.spec.containers[name="web"].image`. */
export function formatPath(path: readonly string[]): string {
  return path
    .map((step) => {
      if (step.startsWith('f:')) return `.${step.slice(2)}`;
      if (!step.startsWith('k:')) return `[=${step.slice(2)}]`;
      const keys = JSON.parse(step.slice(2)) as JsonObject;
      return `[${Object.entries(keys)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`;
    })
    .join('');
}

/** Whether a value that came from outside is a set of fields: every step of a known form, and not too deep. */
export function isFieldSet(value: Json | undefined, depth = 0): boolean {
  if (!isJsonObject(value) || depth > DEPTH_LIMIT) return false;
  return Object.entries(value).every(([step, inner]) => isStep(step) && isFieldSet(inner, depth + 1));
}

/** Deeper than any kind goes. */
const DEPTH_LIMIT = 100;

function isStep(step: string): boolean {
  if (step === '.' || step.startsWith('f:')) return true;
  if (!step.startsWith('k:') && !step.startsWith('v:')) return false;
  try {
    const value = JSON.parse(step.slice(2)) as Json;
    return step.startsWith('v:') || isJsonObject(value);
  } catch {
    // A key that is no JSON is nobody's.
    return false;
  }
}

export function asSet(value: Json | undefined): FieldSet {
  return isJsonObject(value) ? value : NO_FIELDS;
}
