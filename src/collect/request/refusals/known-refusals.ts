import type { ObjectRef } from '../../../model/kube-object.ts';
import { formatRef } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';

/**
 * Tells whether somebody was heard to refuse an object for a reason (and by a name) already: what was heard need not be derived. Made once
 * for many questions.
 */
export function knownRefusals(sink: FactSink): (about: ObjectRef, reason: string, by?: string) => boolean {
  const known = new Set<string>();
  for (const { kind, about, fields } of sink.facts) {
    if (kind !== 'refusal') continue;
    const key = `${formatRef(about)} ${String(fields['reason'])}`;
    known.add(key).add(`${key} ${String(fields['by'] ?? '')}`);
  }
  return (about, reason, by) => known.has(`${formatRef(about)} ${reason}${by === undefined ? '' : ` ${by}`}`);
}
