import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, dig, isJsonObject } from '../../../base/json.ts';
import { own } from '../../../base/own-property.ts';
import type { FieldType } from '../schema/schema.ts';
import { modelNamed } from '../schema/schema.ts';
import { ATOMIC, GRANULAR, LIST_MAP_KEYS, LIST_SETS } from './markers.ts';

/** How a value is owned and merged: in one piece, field by field, or member by member. */
export type Shape =
  | { readonly is: 'whole' }
  | { readonly is: 'object'; readonly of: Fields }
  | { readonly is: 'keyed'; readonly keys: readonly string[]; readonly members: Shape; readonly unnamed?: boolean }
  | { readonly is: 'set' };

/** Whose fields they are: those of a model, of a custom resource's schema, or of nothing known (every field for itself). */
export type Fields = { readonly model: string } | { readonly schema: JsonObject } | { readonly map: Shape } | undefined;

/** The shape of a field's value. Source: listType, listMapKey, mapType and structType markers of staging/src/k8s.io/api. */
export function shapeOf(fields: Fields, field: string): Shape {
  if (fields === undefined) return LOOSE;
  if ('map' in fields) return fields.map;
  if ('schema' in fields) return shapeOfSchema(dig(fields.schema, 'properties', field) ?? dig(fields.schema, 'additionalProperties'));
  const { goName, fields: known } = modelNamed(fields.model);
  return shapeOfType(`${goName}.${field}`, known.get(field)?.type);
}

/** Nothing is known of it: objects go field by field, lists in one piece. */
const LOOSE: Shape = { is: 'object', of: undefined };
const WHOLE: Shape = { is: 'whole' };

/** The members of a list that is told apart by keys, as managedFields name one: `k:{"name":"web"}`. */
export function memberStep(keys: readonly string[], member: JsonObject): string {
  return `k:${JSON.stringify(Object.fromEntries(keys.toSorted().map((key) => [key, own(member, key) ?? own(KEY_DEFAULTS, key) ?? null])))}`;
}

/** A key that may be left out. */
const KEY_DEFAULTS: Readonly<Record<string, Json>> = { protocol: 'TCP', containerPort: 0, port: 0, name: '' };

/**
 * Whether every member of a keyed list can be told from the others: of an object with one that cannot nothing is tracked. Source:
 * sigs.k8s.io/structured-merge-diff/typed/helpers.go (keyedAssociativeListItemToPathElement).
 */
export function isTracked(fields: Fields, value: JsonObject): boolean {
  return Object.entries(value).every(([field, member]) => member === undefined || isTrackedValue(shapeOf(fields, field), member));
}

function isTrackedValue(shape: Shape, value: Json): boolean {
  if (shape.is === 'object') return !isJsonObject(value) || isTracked(shape.of, value);
  if (shape.is !== 'keyed') return true;
  const { keys, members, unnamed = false } = shape;
  return asList(value).every(
    (member) =>
      isJsonObject(member) &&
      keys.every((key) => own(member, key) !== undefined || (own(KEY_DEFAULTS, key) ?? '') !== '' || unnamed) &&
      isTrackedValue(members, member),
  );
}

/**
 * Whether a value lies in a member of a list that is owned in one piece: such lists are compared as Go has them, everything else as it is
 * written. Source: sigs.k8s.io/structured-merge-diff/value/listreflect.go (EqualsUsing).
 */
export function isInWholeList(fields: Fields, path: readonly (string | number)[]): boolean {
  let shape: Shape = { is: 'object', of: fields };
  for (const step of path) {
    if (typeof step === 'number' && shape.is === 'whole') return true;
    if (typeof step === 'string') shape = shape.is === 'object' ? shapeOf(shape.of, step) : WHOLE;
    else if (shape.is === 'keyed') shape = shape.members;
  }
  return false;
}

/** Names of references to objects of the same namespace are empty by default, and no others. */
function hasDefaultName(type: FieldType): boolean {
  return type.is === 'model' && type.model === 'V1LocalObjectReference';
}

function shapeOfType(name: string, type: FieldType | undefined): Shape {
  if (type === undefined) return LOOSE;
  switch (type.is) {
    case 'model':
      if (GRANULAR.has(name)) return { is: 'object', of: { model: type.model } };
      return ATOMIC.has(modelNamed(type.model).goName) || ATOMIC.has(type.model) ? WHOLE : { is: 'object', of: { model: type.model } };
    case 'map':
      return ATOMIC.has(name) ? WHOLE : { is: 'object', of: { map: shapeOfType('', type.of) } };
    case 'list': {
      if (LIST_SETS.has(name)) return { is: 'set' };
      const keys = LIST_MAP_KEYS[name];
      return keys === undefined ? WHOLE : { is: 'keyed', keys, members: shapeOfType('', type.of), unnamed: hasDefaultName(type.of) };
    }
    default:
      return WHOLE;
  }
}

function shapeOfSchema(schema: Json | undefined): Shape {
  if (!isJsonObject(schema)) return LOOSE;
  if (schema['type'] === 'array') {
    const keys = asList(schema['x-kubernetes-list-map-keys']).map(String);
    if (schema['x-kubernetes-list-type'] === 'set') return { is: 'set' };
    return schema['x-kubernetes-list-type'] === 'map' && keys.length > 0
      ? { is: 'keyed', keys, members: shapeOfSchema(schema['items']) }
      : WHOLE;
  }
  if (schema['type'] !== 'object' && schema['type'] !== undefined) return WHOLE;
  return schema['x-kubernetes-map-type'] === 'atomic' ? WHOLE : { is: 'object', of: { schema } };
}
