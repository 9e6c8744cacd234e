import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, isJsonObject } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { FieldSet } from './field-set.ts';
import { asSet, isEmpty, subtract, union } from './field-set.ts';
import { compareFields } from './compare.ts';
import { emptyObject } from '../schema/empty-objects.ts';
import type { Fields } from './shapes.ts';

/** An object without what nobody owns: its identity, what the server writes, and, unless it is about the status, the status. */
export function ownable(object: JsonObject, subresource: string | undefined): JsonObject {
  const { status, ...rest } = object;
  if (subresource === 'status') return status === undefined ? {} : { status };
  return withoutIdentity(rest);
}

/** Source: staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/stripmeta.go. */
export function withoutIdentity({ metadata, ...rest }: JsonObject): JsonObject {
  const own = Object.fromEntries(Object.entries(rest).filter(([field]) => field !== 'apiVersion' && field !== 'kind'));
  if (!isJsonObject(metadata)) return own;
  const kept = Object.fromEntries(Object.entries(metadata).filter(([field]) => OWNED_METADATA.has(field)));
  return Object.keys(kept).length === 0 ? own : { metadata: kept, ...own };
}

const OWNED_METADATA: ReadonlySet<string> = new Set(['labels', 'annotations', 'finalizers', 'ownerReferences', 'generateName']);

/** The fields that somebody who made the object has set: all that are not as in an empty one. */
export function fieldsSet(fields: Fields, object: JsonObject): FieldSet {
  const empty = emptyObject(asText(object['apiVersion']) ?? '', asText(object['kind']) ?? '');
  return withoutMetadata(compareFields(fields, withoutIdentity(empty), withoutIdentity(object)).changed);
}

/** Metadata are nobody's as a whole. */
export function withoutMetadata(set: FieldSet): FieldSet {
  const { 'f:metadata': metadata, ...rest } = set;
  if (!isJsonObject(metadata)) return set;
  const { '.': _, ...fields } = metadata;
  return Object.keys(fields).length === 0 ? rest : { 'f:metadata': fields, ...rest };
}

export function withoutStatus(set: FieldSet): FieldSet {
  const { 'f:status': _, ...rest } = set;
  return rest;
}

/** One of managedFields, with its fields. */
export interface Owner {
  readonly manager: string;
  readonly operation: string;
  readonly subresource: string | undefined;
  readonly fields: FieldSet;
  readonly entry: JsonObject;
}

/**
 * Who owns what of an object. The cluster's own components are known as writers only (managed-fields.ts): the first of them is
 * taken to own what nobody else does, whoever wrote the status the rest of that.
 */
export function ownersOf(fields: Fields, object: KubeObject): readonly Owner[] {
  const entries = asList(object.metadata['managedFields']).filter(isJsonObject);
  let known: FieldSet = {};
  for (const entry of entries) known = union(known, asSet(entry['fieldsV1']));
  const complete = entries.every((entry) => entry['fieldsV1'] !== undefined);
  const all = complete ? {} : subtract(fieldsSet(fields, object), known);
  let spec: FieldSet = withoutStatus(all);
  let status: FieldSet = 'f:status' in all ? { 'f:status': all['f:status'] } : {};
  return entries.map((entry) => {
    const subresource = typeof entry['subresource'] === 'string' ? entry['subresource'] : undefined;
    let own = asSet(entry['fieldsV1']);
    if (entry['fieldsV1'] === undefined) {
      own = subresource === 'status' ? status : spec;
      if (subresource === 'status') status = {};
      else spec = {};
    }
    return { manager: textOf(entry['manager']), operation: textOf(entry['operation']), subresource, fields: own, entry };
  });
}

/** The entries of owners: those who own nothing any more are gone. */
export function entriesOf(owners: readonly Owner[]): readonly JsonObject[] {
  return owners
    .filter((owner) => !isEmpty(owner.fields))
    .map(({ entry, fields }) => withFields(entry, { fieldsType: 'FieldsV1', fieldsV1: fields }));
}

/** The object with the fields of all its writers, as clients see it. */
export function withOwnedFields(fields: Fields, object: KubeObject): KubeObject {
  const entries: readonly Json[] = asList(object.metadata['managedFields']);
  if (!entries.some((entry) => isJsonObject(entry) && entry['fieldsV1'] === undefined)) return object;
  const whole = entriesOf(ownersOf(fields, object));
  return withFields(object, { metadata: withFields(object.metadata, { managedFields: whole.length === 0 ? undefined : whole }) });
}
