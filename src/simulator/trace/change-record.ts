import type { JsonObject } from '../../base/json.ts';
import { mergeDiff } from '../../base/json-edit.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import type { Change } from '../store/store.ts';

/** What the trace keeps of a change of the store: a new object whole, of another what is different. */
export function changeRecord({ type, object, previous, revision }: Change): JsonObject {
  const base = { rv: revision, type, ref: formatRef(refOf(object)) };
  if (type === 'ADDED') return { ...base, object };
  return type === 'MODIFIED' && previous !== undefined ? { ...base, patch: mergeDiff(previous, object) ?? {} } : base;
}
