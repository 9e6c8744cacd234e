import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, isJsonObject } from '../../../base/json.ts';
import { canonicalJson, sameJson } from '../../../base/json-edit.ts';
import type { FieldSet } from './field-set.ts';
import { NO_FIELDS } from './field-set.ts';
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
  const sides = newSides();
  visitFields(fields, before, after, sides);
  return sides;
}

interface Sides {
  readonly changed: Record<string, Json>;
  readonly removed: Record<string, Json>;
}

function newSides(): Sides {
  return { changed: {}, removed: {} };
}

function visitFields(fields: Fields, before: JsonObject, after: JsonObject, sides: Sides): void {
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)]))
    visit(`f:${field}`, shapeOf(fields, field), before[field], after[field], sides);
}

/** A value at a step: in one piece, or by what is in it. What was not there before, or is there no more, counts itself besides. */
function visit(step: string, shape: Shape, before: Json | undefined, after: Json | undefined, sides: Sides): void {
  if (before === after || sameJson(before, after)) return;
  if (isLeaf(shape, before, after)) {
    if (after === undefined) sides.removed[step] = NO_FIELDS;
    else sides.changed[step] = NO_FIELDS;
    return;
  }
  const inside = newSides();
  if (before === undefined) inside.changed['.'] = NO_FIELDS;
  if (after === undefined) inside.removed['.'] = NO_FIELDS;
  visitInside(shape, before, after, inside);
  if (Object.keys(inside.changed).length > 0) sides.changed[step] = inside.changed;
  if (Object.keys(inside.removed).length > 0) sides.removed[step] = inside.removed;
}

/** What is empty on both sides is in one piece too: so that empty and null can be told apart. */
function isLeaf({ is }: Shape, before: Json | undefined, after: Json | undefined): boolean {
  if (is === 'whole') return true;
  return is === 'object' ? !hasFields(before) && !hasFields(after) : asList(before).length === 0 && asList(after).length === 0;
}

function hasFields(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length > 0;
}

function visitInside(shape: Shape, before: Json | undefined, after: Json | undefined, sides: Sides): void {
  switch (shape.is) {
    case 'object':
      visitFields(shape.of, isJsonObject(before) ? before : {}, isJsonObject(after) ? after : {}, sides);
      return;
    case 'set':
      visitSets(asList(before), asList(after), sides);
      return;
    case 'keyed':
      visitMembers(shape, asList(before), asList(after), sides);
      break;
    default:
  }
}

function visitSets(before: readonly Json[], after: readonly Json[], { changed, removed }: Sides): void {
  const [old, now] = [countsOf(before), countsOf(after)];
  // One that stands there more often, or less often, than before is another one.
  for (const one of after) if (old.get(canonicalJson(one)) !== now.get(canonicalJson(one))) changed[`v:${JSON.stringify(one)}`] = NO_FIELDS;
  for (const one of before) if (!now.has(canonicalJson(one))) removed[`v:${JSON.stringify(one)}`] = NO_FIELDS;
}

function countsOf(list: readonly Json[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(canonicalJson(one), (counts.get(canonicalJson(one)) ?? 0) + 1);
  return counts;
}

function visitMembers(shape: Shape & { readonly is: 'keyed' }, before: readonly Json[], after: readonly Json[], sides: Sides): void {
  const byStep = (list: readonly Json[]): ReadonlyMap<string, readonly JsonObject[]> => {
    const members = new Map<string, JsonObject[]>();
    for (const member of list.filter(isJsonObject)) {
      const step = memberStep(shape.keys, member);
      const same = members.get(step);
      if (same === undefined) members.set(step, [member]);
      else same.push(member);
    }
    return members;
  };
  const [old, now] = [byStep(before), byStep(after)];
  for (const step of new Set([...old.keys(), ...now.keys()])) {
    const [were, are] = [old.get(step) ?? [], now.get(step) ?? []];
    if (were.length < 2 && are.length < 2) visit(step, shape.members, were[0], are[0], sides);
    // Those that cannot be told apart are in one piece.
    else if (are.length === 0) sides.removed[step] = NO_FIELDS;
    else if (!sameJson(were, are)) sides.changed[step] = NO_FIELDS;
  }
}
