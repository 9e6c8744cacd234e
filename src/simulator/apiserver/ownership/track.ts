import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, isJsonObject } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Writer } from '../managed-fields.ts';
import { withWriter } from '../managed-fields.ts';
import type { ServedResource } from '../resources.ts';
import type { Compared } from './compare.ts';
import { compareFields } from './compare.ts';
import type { FieldSet } from './field-set.ts';
import { isEmpty, isFieldSet, NO_FIELDS, subtract, union } from './field-set.ts';
import type { Owner } from './owners.ts';
import { entriesOf, ownersOf, withoutIdentity, withoutMetadata, withoutStatus } from './owners.ts';
import type { Fields } from './shapes.ts';
import { isTracked } from './shapes.ts';

/** Whether it is known which fields somebody owns of the object. */
export function hasOwnedFields(object: KubeObject): boolean {
  return asList(object.metadata['managedFields']).some((entry) => isJsonObject(entry) && entry['fieldsV1'] !== undefined);
}

/**
 * The managedFields that a client sent, when all of them can be understood; else those that were there. No entry, or an empty one, takes
 * all of them away. Source: staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/fieldmanager.go (isResetManagedFields).
 */
export function soundOwners(given: Json | undefined, otherwise?: Json): Json | undefined {
  if (!Array.isArray(given)) return otherwise;
  const entries: readonly Json[] = given;
  if (entries.length === 1 && isJsonObject(entries[0]) && Object.keys(entries[0]).length === 0) return [];
  const sound =
    entries.length <= MAX_ENTRIES &&
    entries.every(
      (entry) =>
        isJsonObject(entry) &&
        typeof entry['manager'] === 'string' &&
        typeof entry['operation'] === 'string' &&
        (entry['fieldsV1'] === undefined || isFieldSet(entry['fieldsV1'])),
    );
  return sound ? entries : otherwise;
}

/** Each writer is compared with all fields of an object. */
const MAX_ENTRIES = 200;

/** Whose fields the objects of a resource have: those of its model, or of its definition's schema. */
export function schemaOf({ model, custom }: ServedResource): Fields {
  if (model !== undefined) return { model };
  return custom === undefined ? undefined : { schema: withPlainIdentity(custom.schema) };
}

/**
 * The metadata after a write: what the writer changed is its own now, what it removed is nobody's; who applies owns what it applied.
 * `intended` is the object as the writer wanted it, before plugins and the registry changed it.
 * Source: sigs.k8s.io/structured-merge-diff/merge/update.go.
 */
export function withOwner(schema: Fields, old: KubeObject, intended: KubeObject, now: KubeObject, writer: Writer): KubeObject['metadata'] {
  if (!isTracked(schema, now)) return withFields(now.metadata, { managedFields: undefined });
  const wanted = writer.subresource === 'status' ? withFields(intended, { metadata: now.metadata }) : intended;
  const { changed, removed } = changeOf(schema, old, wanted, writer);
  const owners = ownersOf(schema, { ...old, metadata: withFields(old.metadata, { managedFields: now.metadata['managedFields'] }) });
  const isWriter = ({ manager, operation, subresource }: Owner): boolean =>
    manager === writer.manager && operation === writer.operation && subresource === writer.subresource;
  const mine = owners.find(isWriter);
  const others = owners
    .filter((owner) => !isWriter(owner))
    .map((owner) => ({ ...owner, fields: subtract(subtract(owner.fields, changed), removed) }));
  const left = new Map(others.map((owner) => [owner.entry, owner]));
  const own = subtract(mine?.fields ?? NO_FIELDS, removed);
  const fields: FieldSet = writer.ownsNothing === true ? subtract(own, changed) : (writer.fields ?? union(own, changed));
  const kept = withFields(now.metadata, { managedFields: someOf(entriesOf(owners.map((owner) => left.get(owner.entry) ?? owner))) });
  if (!isEmpty(fields)) return withWriter(kept, { ...writer, fields });
  return mine === undefined ? kept : withFields(kept, { managedFields: someOf(entriesOf(others)) });
}

function someOf<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** What a writer changed of what it may change: the status only through its subresource, all else only without. */
function changeOf(schema: Fields, old: KubeObject, now: KubeObject, { subresource }: Writer): Compared {
  const compared = compareFields(schema, withoutIdentity(old), withoutIdentity(now));
  const own = subresource === 'status' ? onlyStatus : withoutStatus;
  return { changed: own(withoutMetadata(compared.changed)), removed: own(withoutMetadata(compared.removed)) };
}

/** What every registry lets through: the status, and of the metadata what it does not reset. */
function onlyStatus(set: FieldSet): FieldSet {
  return Object.fromEntries(Object.entries(set).filter(([step]) => step === 'f:status' || step === 'f:metadata'));
}

/** Labels and annotations have no schema in a definition: each is a field of its own. */
function withPlainIdentity(schema: JsonObject): JsonObject {
  const { metadata, ...properties } = (schema['properties'] ?? {}) as JsonObject;
  void metadata;
  return { ...schema, properties };
}
