import type { Json, JsonObject } from '../../src/base/json.ts';
import { isJsonObject } from '../../src/base/json.ts';
import { withFields } from '../../src/base/json-edit.ts';
import type { Prng } from '../../src/base/prng.ts';
import type { FieldType, Model } from '../../src/simulator/apiserver/schema/schema.ts';
import { modelNamed } from '../../src/simulator/apiserver/schema/schema.ts';
import type { Values } from './values.ts';
import { valueFor } from './values.ts';

type Steps = readonly (string | number)[];

/** An object inside a manifest, with its model. */
interface Place {
  readonly steps: Steps;
  readonly model: Model;
  readonly value: JsonObject;
}

/** What the server gives and nobody writes. */
const NOT_WRITTEN: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'status',
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
]);

/** Left whole: a selector that fits everybody's roles would make sequences depend on one another. */
const LEFT_WHOLE: ReadonlySet<string> = new Set(['AggregationRule', 'ManagedFieldsEntry']);

/** The manifest with one field changed: removed, replaced, added; one time in six in its metadata. */
export function changeManifest(values: Values, modelName: string, manifest: JsonObject, prng: Prng): JsonObject {
  const all = places(modelNamed(modelName), manifest, []);
  const inMetadata = all.filter(({ steps }) => steps[0] === 'metadata');
  const elsewhere = all.filter(({ steps }) => steps[0] !== 'metadata');
  const place = prng.pick(prng.below(6) === 0 && inMetadata.length > 0 ? inMetadata : elsewhere);
  if (place === undefined) return manifest;
  const top = place.steps.length === 0 || place.model.goName === 'ObjectMeta';
  const fields = [...place.model.fields.values()].filter(({ name, type }) => !(top && NOT_WRITTEN.has(name)) && !isLeftWhole(type));
  const present = fields.filter(({ name }) => place.value[name] !== undefined);
  const field = prng.pick(prng.below(2) === 0 && present.length > 0 ? present : fields);
  if (field === undefined) return manifest;
  const before = place.value[field.name];
  if (before !== undefined && prng.below(4) === 0) return replaced(manifest, [...place.steps, field.name], undefined);
  if (Array.isArray(before) && before.length > 0 && prng.below(3) === 0) {
    const list = before as readonly Json[];
    const changed = prng.below(2) === 0 ? [...list, list[prng.below(list.length)] as Json] : list.slice(1);
    return replaced(manifest, [...place.steps, field.name], changed);
  }
  return replaced(manifest, [...place.steps, field.name], valueFor(values, place.model, field, prng));
}

function isLeftWhole(type: FieldType): boolean {
  if (type.is === 'list') return isLeftWhole(type.of);
  return type.is === 'model' && LEFT_WHOLE.has(modelNamed(type.model).goName);
}

/** A field that no kind has, somewhere in the manifest. */
export function withUnknownField(modelName: string, manifest: JsonObject, prng: Prng): JsonObject {
  const place = prng.pick(places(modelNamed(modelName), manifest, []));
  return replaced(manifest, [...(place?.steps ?? []), prng.pick(['unheardOf', 'Spec', 'imagePullPolicies']) ?? ''], 'x');
}

function places(model: Model, value: JsonObject, steps: Steps): readonly Place[] {
  if (LEFT_WHOLE.has(model.goName)) return [];
  const found: Place[] = [{ steps, model, value }];
  for (const { name, type } of model.fields.values()) {
    const inner = value[name];
    if (inner === undefined || (steps.length === 0 && name === 'status')) continue;
    for (const place of placesIn(type, inner, [...steps, name])) found.push(place);
  }
  return found;
}

/** The objects in a value, the outer ones first. */
export function placesIn(type: FieldType, value: Json, steps: Steps): readonly Place[] {
  if (type.is === 'model') return isJsonObject(value) ? places(modelNamed(type.model), value, steps) : [];
  if (type.is !== 'list' || !Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((member, index) => placesIn(type.of, member, [...steps, index]));
}

/** The value with what is at the end of the steps replaced; undefined takes it away. */
export function replaced<T extends Json>(value: T, steps: Steps, by: Json | undefined): T {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(value)) {
    const list = [...(value as readonly Json[])];
    const inner = rest.length === 0 ? by : replaced(list[Number(step)] ?? null, rest, by);
    if (inner === undefined) list.splice(Number(step), 1);
    else list[Number(step)] = inner;
    return list as unknown as T;
  }
  const object: JsonObject = isJsonObject(value) ? value : {};
  const inner = rest.length === 0 ? by : replaced(object[step] ?? {}, rest, by);
  return withFields(object, { [step]: inner }) as unknown as T;
}
