import type { Json, JsonObject } from '../../base/json.ts';
import { asList, isJsonObject } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { ObjectMeta } from '../../model/kube-object.ts';

/** Who wrote to an object: one entry for each manager, operation and subresource. */
export interface Writer {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** Undefined for one who applied what was there already. */
  readonly time: string | undefined;
  readonly subresource?: string | undefined;
  /** The fields, of those who apply and of clients from outside; others are known as writers only. */
  readonly fields?: JsonObject | undefined;
  /** Of one whose change makes fields nobody's. */
  readonly ownsNothing?: boolean;
}

/**
 * The metadata with the writer among its managedFields. Upstream also keeps the fields of the cluster's own components; here those
 * are known as writers only, and what they own is worked out when somebody asks (ownership/owners.ts).
 */
export function withWriter(metadata: ObjectMeta, writer: Writer, written?: WriterEntries): ObjectMeta {
  const entries = asList(metadata['managedFields']);
  const index = entries.findIndex(
    (entry) =>
      isJsonObject(entry) &&
      entry['manager'] === writer.manager &&
      entry['operation'] === writer.operation &&
      entry['subresource'] === writer.subresource,
  );
  const known = entries[index];
  if (isJsonObject(known) && known['time'] === writer.time && writer.fields === undefined) return metadata;
  const entry = written === undefined ? makeEntry(writer) : written.of(writer);
  const managedFields = index < 0 ? [...entries, entry] : entries.with(index, entry);
  return withFields(metadata, { managedFields });
}

/** Entries without fields are one value for all objects that were written in the same second: few write in it under different names. */
export class WriterEntries {
  readonly #entries: { readonly of: Writer; readonly entry: JsonObject }[] = [];
  #time: string | undefined = '';

  of(writer: Writer): JsonObject {
    if (writer.fields !== undefined) return makeEntry(writer);
    if (writer.time !== this.#time) {
      this.#entries.length = 0;
      this.#time = writer.time;
    }
    for (const { of, entry } of this.#entries)
      if (
        of.manager === writer.manager &&
        of.subresource === writer.subresource &&
        of.operation === writer.operation &&
        of.apiVersion === writer.apiVersion
      )
        return entry;
    const entry = makeEntry(writer);
    this.#entries.push({ of: writer, entry });
    return entry;
  }
}

function makeEntry(writer: Writer): JsonObject {
  const entry: Record<string, Json> = {
    manager: writer.manager,
    operation: writer.operation,
    apiVersion: writer.apiVersion,
    ...(writer.time === undefined ? {} : { time: writer.time }),
  };
  if (writer.fields !== undefined) Object.assign(entry, { fieldsType: 'FieldsV1', fieldsV1: writer.fields });
  if (writer.subresource !== undefined) entry['subresource'] = writer.subresource;
  return entry;
}
