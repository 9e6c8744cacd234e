import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { own } from '../../../base/own-property.ts';
import { textOf } from '../../../base/json-text.ts';
import { LIST_MAP_KEYS, LIST_SETS } from '../ownership/markers.ts';
import type { FieldType, Model } from '../schema/schema.ts';
import { modelNamed } from '../schema/schema.ts';
import { pruneUnknown } from '../custom/structural.ts';
import { goPrinted } from './patched-body.ts';

/**
 * Why an applied configuration is none of its kind, or why it cannot be applied to what is there; undefined when it can.
 * Source: sigs.k8s.io/structured-merge-diff/typed/validate.go, apimachinery/pkg/util/managedfields/internal/structuredmerge.go.
 */
export function typedPatchError(model: string, config: JsonObject, live?: JsonObject): string | undefined {
  const broken = live === undefined ? undefined : untypedObjectError(model, live);
  if (broken !== undefined) return broken;
  const errors: string[] = [];
  inModel(modelNamed(model), config, '', errors);
  return patchError(config, errors);
}

/** Why nobody can be told to own the fields of an object that is there; undefined when somebody can. Source: the same, skipnonapplied.go (Apply). */
function untypedObjectError(model: string, live: JsonObject): string | undefined {
  const errors: string[] = [];
  if (asList(dig(live, 'metadata', 'managedFields')).length === 0) inModel(modelNamed(model), live, '', errors);
  if (errors.length === 0) return undefined;
  return `failed to create manager for existing fields: failed to convert new object (${placeOf(live)}) to smd typed: ${told(errors)}`;
}

/** The same for a custom resource, by the schema of its version. */
export function customPatchError(schema: JsonObject | undefined, config: JsonObject): string | undefined {
  if (schema === undefined) return undefined;
  const metadata: string[] = [];
  inModel(modelNamed('V1ObjectMeta'), asObject(config['metadata']), '.metadata', metadata);
  const { unknown } = pruneUnknown(schema, config);
  return patchError(config, [...metadata, ...unknown.map((path) => `.${path}: field not declared in schema`)]);
}

function patchError(config: JsonObject, errors: readonly string[]): string | undefined {
  if (errors.length === 0) return undefined;
  return `failed to create typed patch object (${placeOf(config)}): ${told(errors)}`;
}

function told(errors: readonly string[]): string {
  return errors.length === 1 ? (errors[0] ?? '') : `errors:\n${errors.map((error) => `  ${error}`).join('\n')}`;
}

/** `shop/till; /v1, Kind=ServiceAccount`. */
function placeOf(config: JsonObject): string {
  const [apiVersion, kind] = [asText(config['apiVersion']) ?? '', asText(config['kind']) ?? ''];
  const [namespace, name] = [textOf(dig(config, 'metadata', 'namespace')), textOf(dig(config, 'metadata', 'name'))];
  const version = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  return `${namespace}/${name}; ${version}, Kind=${kind}`;
}

/** What is not declared ends the look at its struct. */
function inModel(model: Model, value: JsonObject, path: string, errors: string[]): void {
  for (const [name, inner] of Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const field = model.fields.get(name);
    if (inner === undefined) continue;
    if (field === undefined) return void errors.push(`${path}.${name}: field not declared in schema`);
    if (inner !== null) inValue(`${model.goName}.${name}`, field.type, inner, `${path}.${name}`, errors);
  }
}

function inValue(name: string, type: FieldType, value: Json, path: string, errors: string[]): void {
  switch (type.is) {
    case 'model':
      if (isJsonObject(value)) inModel(modelNamed(type.model), value, path, errors);
      else errors.push(`${path}: expected map, got &{${goPrinted(value)}}`);
      return;
    case 'map':
      inMap(type.of, value, path, errors);
      return;
    case 'list':
      inList(name, type.of, value, path, errors);
      return;
    default: {
      if (RAW_OBJECTS.has(name) && !isJsonObject(value)) return void errors.push(`${path}: expected map, got &{${goPrinted(value)}}`);
      const wrong = scalarError(type.is, value);
      if (wrong !== undefined) errors.push(`${path}: ${wrong}`);
    }
  }
}

/** Objects of any fields; what is raw may be anything. */
const RAW_OBJECTS: ReadonlySet<string> = new Set(['CustomResourceSubresources.status', 'ManagedFieldsEntry.fieldsV1']);

function inMap(type: FieldType, value: Json, path: string, errors: string[]): void {
  if (!isJsonObject(value)) {
    errors.push(`${path}: expected map, got &{${goPrinted(value)}}`);
    return;
  }
  for (const [key, member] of Object.entries(value))
    if (member !== undefined && member !== null) inValue('', type, member, `${path}.${key}`, errors);
}

function inList(name: string, type: FieldType, value: Json, path: string, errors: string[]): void {
  if (!Array.isArray(value)) {
    errors.push(`${path}: expected list, got &{${goPrinted(value)}}`);
    return;
  }
  const keys = own(LIST_MAP_KEYS, name);
  const seen = new Set<string>();
  for (const [index, member] of (value as readonly Json[]).entries()) {
    const key = keys === undefined ? (LIST_SETS.has(name) ? `=${keyText(member)}` : undefined) : keyOf(keys, type, member);
    const place = typeof key === 'string' ? `${path}[${key}]` : `${path}[${index}]`;
    if (typeof key === 'string' && seen.has(key)) errors.push(`${path}: duplicate entries for key [${key}]`);
    if (typeof key === 'string') seen.add(key);
    // Of a member that cannot be told from the others nothing else is said.
    if (member !== null && (keys === undefined || key !== undefined)) inValue('', type, member, place, errors);
  }
  if (keys !== undefined) missingKeys(keys, type, value as readonly Json[], path, errors);
}

/** `name="web"`; a key that is required has a default. Undefined for a member without the only key, which may be left out. */
function keyOf(keys: readonly string[], type: FieldType, member: Json): string | undefined {
  if (!isJsonObject(member)) return undefined;
  const values = keys.map((key) => [key, member[key] === undefined ? keyDefault(type, key) : member[key]] as const);
  if (values.every(([, value]) => value === undefined)) return undefined;
  return values.map(([key, value]) => `${key}=${keyText(value ?? null)}`).join(',');
}

/** Source: sigs.k8s.io/structured-merge-diff/value/value.go (ToString). */
function keyText(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(keyText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name}=${keyText(inner ?? null)}`)
    .join('');
}

function keyDefault(type: FieldType, key: string): Json | undefined {
  if (key === 'protocol') return 'TCP';
  const field = type.is === 'model' ? modelNamed(type.model).fields.get(key) : undefined;
  if (type.is === 'model' && type.model === 'V1LocalObjectReference') return '';
  if (field?.required !== true) return undefined;
  return field.type.is === 'string' ? '' : 0;
}

/** Of the first member without keys. */
function missingKeys(keys: readonly string[], type: FieldType, members: readonly Json[], path: string, errors: string[]): void {
  const index = members.findIndex((member) => isJsonObject(member) && keyOf(keys, type, member) === undefined);
  if (index < 0) return;
  const words = 'associative list with keys has an element that omits all key fields';
  const names = keys.map((key) => JSON.stringify(key)).join(' ');
  errors.push(`${path}: element ${index}: ${words} [${names}] (and doesn't have default values for any key fields)`);
}

function scalarError(is: FieldType['is'], value: Json): string | undefined {
  switch (is) {
    case 'string':
    case 'bytes':
      return typeof value === 'string' ? undefined : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goPrinted(value)}}`;
    case 'int32':
    case 'int64':
    case 'double':
      return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${goTypeName(value)}`;
    // The model of the second has no type, and stands for anything: kube-openapi/pkg/schemaconv/openapi.go (parseSchema).
    case 'any':
    case 'int-or-string':
      return undefined;
    default:
      return typeof value === 'object' ? `expected any scalar, got &{${goPrinted(value)}}` : undefined;
  }
}

/** A value as Go's `%#v` prints it. */
function goSyntax(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[]interface {}{${(value as readonly Json[]).map(goSyntax).join(', ')}}`;
  const fields = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${goSyntax(inner ?? null)}`);
  return `map[string]interface {}{${fields.toSorted().join(', ')}}`;
}

function goTypeName(value: Json): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}
