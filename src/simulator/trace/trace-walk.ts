import type { Json } from '../../base/json.ts';
import { asText, isJsonObject } from '../../base/json.ts';
import { applyMergePatch } from '../../base/merge-patch.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { parseRef } from '../../model/kube-object.ts';
import type { Moment, TraceRecord } from '../../model/trace-record.ts';

/** The records of a trace in order, each with the object it is about as it was before and after, from the records alone. */
export function* moments(records: Iterable<TraceRecord>): Generator<Moment> {
  const objects = new Map<string, KubeObject>();
  for (const record of records) {
    const ref = asText(record['ref']) ?? '';
    if (record.is !== 'change' || ref === '') {
      yield { record, ref: undefined, previous: undefined, object: undefined };
      continue;
    }
    const previous = objects.get(ref);
    const object = objectAfter(record, previous);
    if (object === undefined) objects.delete(ref);
    else objects.set(ref, object);
    yield { record, ref: parseRef(ref), previous, object };
  }
}

function objectAfter(record: TraceRecord, previous: KubeObject | undefined): KubeObject | undefined {
  if (record['type'] === 'DELETED') return undefined;
  const changed: Json | undefined = record['type'] === 'ADDED' ? record['object'] : applyMergePatch(previous, record['patch'] ?? {});
  return isJsonObject(changed) && isJsonObject(changed['metadata']) && typeof changed['kind'] === 'string'
    ? (changed as KubeObject)
    : previous;
}
