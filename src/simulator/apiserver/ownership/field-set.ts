import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { Fields, Shape } from './shapes.ts';
import { memberStep, shapeOf } from './shapes.ts';

/** A set of fields as managedFields write it: `{"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{}}}}}`. */
export type FieldSet = JsonObject;

export const NO_FIELDS: FieldSet = {};

/** All fields that an object sets. Source: sigs.k8s.io/structured-merge-diff/typed/tofieldset.go. */
export function fieldSetOf(fields: Fields, value: JsonObject): FieldSet {
  const set: Record<string, Json> = {};
  const ofMap = fields !== undefined && 'map' in fields;
  for (const [field, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const inner = setOfValue(shapeOf(fields, field), member);
    if (inner !== undefined) set[`f:${field}`] = ofMap ? withSelf(inner) : inner;
  }
  return set;
}

/** Undefined for what counts as nothing: a list without members, and an object of nothing else. */
function setOfValue(shape: Shape, value: Json): FieldSet | undefined {
  if (shape.is === 'object' && isJsonObject(value)) {
    const inner = fieldSetOf(shape.of, value);
    return isEmpty(inner) && !isEmpty(value) ? undefined : inner;
  }
  if (!Array.isArray(value) || shape.is === 'whole' || shape.is === 'object') return NO_FIELDS;
  const list = value as readonly Json[];
  if (list.length === 0) return undefined;
  if (shape.is === 'set') return Object.fromEntries(list.map((member) => [`v:${JSON.stringify(member)}`, NO_FIELDS]));
  return Object.fromEntries(
    list.filter(isJsonObject).map((member) => [memberStep(shape.keys, member), withSelf(setOfValue(shape.members, member) ?? NO_FIELDS)]),
  );
}

/** The fields with the value itself that they are in. */
function withSelf(inner: FieldSet): FieldSet {
  return Object.keys(inner).length === 0 ? inner : { '.': NO_FIELDS, ...inner };
}

/** What is in one of both. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  return combined(a, b, (inA, inB) => inA || inB);
}

/** What is in the first and not in the second. What is below a field stays when the field goes. */
export function subtract(a: FieldSet, b: FieldSet): FieldSet {
  return combined(a, b, (inA, inB) => inA && !inB);
}

/** What is in both. */
export function intersect(a: FieldSet, b: FieldSet): FieldSet {
  return combined(a, b, (inA, inB) => inA && inB);
}

/**
 * A step is in a set by itself when nothing is below it, or a dot is. Source: sigs.k8s.io/structured-merge-diff/fieldpath/set.go.
 */
function combined(a: FieldSet, b: FieldSet, keeps: (inA: boolean, inB: boolean) => boolean): FieldSet {
  const result: Record<string, Json> = {};
  for (const step of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (step === '.') continue;
    const [own, other] = [a[step], b[step]];
    const below = combined(asSet(own), asSet(other), keeps);
    const itself = keeps(isMember(own), isMember(other));
    if (itself) result[step] = withSelf(below);
    else if (!isEmpty(below)) result[step] = below;
  }
  return result;
}

function isMember(value: Json | undefined): boolean {
  return isJsonObject(value) && (Object.keys(value).length === 0 || '.' in value);
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
