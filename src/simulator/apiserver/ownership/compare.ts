import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, isJsonObject } from '../../../base/json.ts';
import { canonicalJson, sameJson } from '../../../base/json-edit.ts';
import type { FieldSet } from './field-set.ts';
import { isEmpty, NO_FIELDS } from './field-set.ts';
import type { Fields, Shape } from './shapes.ts';
import { memberStep, shapeOf } from './shapes.ts';

/** What a change did to the fields of an object. */
export interface Compared {
  /** Fields that are new or have another value. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

/** Source: sigs.k8s.io/structured-merge-diff/typed/compare.go. */
export function compareFields(fields: Fields, before: JsonObject, after: JsonObject): Compared {
  const changed: Record<string, Json> = {};
  const removed: Record<string, Json> = {};
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[field], after[field]];
    if (old === now || sameJson(old, now)) continue;
    const step = `f:${field}`;
    if (now === undefined) removed[step] = NO_FIELDS;
    else note(step, compareValues(shapeOf(fields, field), old, now), changed, removed);
  }
  return { changed, removed };
}

function note(step: string, difference: Compared | 'whole', changed: Record<string, Json>, removed: Record<string, Json>): void {
  if (difference === 'whole') changed[step] = NO_FIELDS;
  else {
    if (!isEmpty(difference.changed)) changed[step] = difference.changed;
    if (!isEmpty(difference.removed)) removed[step] = difference.removed;
  }
}

function compareValues(shape: Shape, before: Json | undefined, after: Json): Compared | 'whole' {
  if (shape.is === 'object' && isJsonObject(after)) {
    const difference = compareFields(shape.of, isJsonObject(before) ? before : {}, after);
    // An object without fields that was not there before is a field itself.
    return before === undefined && isEmpty(difference.changed) ? 'whole' : difference;
  }
  if (!Array.isArray(after) || shape.is === 'whole' || shape.is === 'object') return 'whole';
  return shape.is === 'set' ? compareSets(asList(before), asList(after)) : compareMembers(shape, asList(before), asList(after));
}

function compareSets(before: readonly Json[], after: readonly Json[]): Compared {
  const not = (list: readonly Json[], other: readonly Json[]): FieldSet => {
    const others = new Set(other.map(canonicalJson));
    return Object.fromEntries(list.filter((one) => !others.has(canonicalJson(one))).map((one) => [`v:${JSON.stringify(one)}`, NO_FIELDS]));
  };
  return { changed: not(after, before), removed: not(before, after) };
}

function compareMembers(shape: Shape & { readonly is: 'keyed' }, before: readonly Json[], after: readonly Json[]): Compared {
  const byStep = (list: readonly Json[]): ReadonlyMap<string, JsonObject> =>
    new Map(list.filter(isJsonObject).map((member) => [memberStep(shape.keys, member), member]));
  const [old, now] = [byStep(before), byStep(after)];
  const changed: Record<string, Json> = {};
  const removed: Record<string, Json> = {};
  for (const [step, member] of now) {
    const known = old.get(step);
    if (known !== undefined && sameJson(known, member)) continue;
    const difference = compareFields(shape.of, known ?? {}, member);
    note(step, known === undefined ? { ...difference, changed: { '.': NO_FIELDS, ...difference.changed } } : difference, changed, removed);
  }
  for (const step of old.keys()) if (!now.has(step)) removed[step] = NO_FIELDS;
  return { changed, removed };
}
