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
  return withFields(metadata, { managedFields: (written ?? new WriterEntries()).among(entries, index, writer) });
}

/**
 * Entries without fields, and the lists that they are put into, are one value for all objects that were written in the same second: few
 * write in it under different names.
 */
export class WriterEntries {
  readonly #entries: Written[] = [];
  #time: string | undefined = '';

  /** The entries with that of the writer at a place, or after them all. */
  among(entries: readonly Json[], index: number, writer: Writer): readonly Json[] {
    const { entry, lists } = writer.fields === undefined ? this.#of(writer) : madeFor(writer);
    const before = entries.length === 0 ? NONE : entries;
    let list = lists.get(before);
    if (list === undefined) lists.set(before, (list = index < 0 ? before.concat(entry) : before.with(index, entry)));
    return list;
  }

  #of(writer: Writer): Written {
    if (writer.time !== this.#time) {
      this.#entries.length = 0;
      this.#time = writer.time;
    }
    for (const written of this.#entries)
      if (
        written.of.manager === writer.manager &&
        written.of.subresource === writer.subresource &&
        written.of.operation === writer.operation &&
        written.of.apiVersion === writer.apiVersion
      )
        return written;
    const written = madeFor(writer);
    this.#entries.push(written);
    return written;
  }
}

interface Written {
  readonly of: Writer;
  readonly entry: JsonObject;
  /** By the list as it was before. */
  readonly lists: Map<readonly Json[], readonly Json[]>;
}

const NONE: readonly Json[] = [];

function madeFor(writer: Writer): Written {
  return { of: writer, entry: makeEntry(writer), lists: new Map() };
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
