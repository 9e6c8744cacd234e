import type { Instant } from '../base/instant.ts';
import { parseInstant } from '../base/instant.ts';
import { asText, dig } from '../base/json.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { OBSERVED, formatRef, refOf } from '../model/kube-object.ts';
import type { StoredEvidence } from './memory-reader.ts';
import type { Note } from './note.ts';
import type { Snapshot } from './snapshot/assemble.ts';
import { involvedIn } from '../model/event-fields.ts';

/** A transcript fit to be merged with the objects beside it. */
export interface Reconciled {
  readonly evidence: StoredEvidence;
  readonly notes: readonly Note[];
}

/**
 * Takes out of a transcript what the API's own objects beside it tell better: events they have as well, and objects that a complete
 * list lacks, which were there at another time (before the list, or after things were put right). What came to be well
 * after the newest time of the objects stays.
 */
export function reconcile(transcript: StoredEvidence, snapshot: Snapshot): Reconciled {
  const told = new Set(snapshot.objects.filter(({ kind }) => kind === 'Event').map(contentOf));
  const gone = new Set(transcript.objects.filter((object) => isGone(object, snapshot)).map((object) => formatRef(refOf(object))));
  const objects = transcript.objects.filter(
    (object) => !gone.has(formatRef(refOf(object))) && (object.kind !== 'Event' || !told.has(contentOf(object))),
  );
  const logs = transcript.logs.filter(({ pod }) => !gone.has(formatRef(pod)));
  const notes = [...gone].map((ref) => ({ text: `${ref} of the transcript is ignored: the complete list of objects does not contain it` }));
  return { evidence: { ...transcript, objects, logs }, notes };
}

/** What makes two tellings of an event the same: printed ones have neither name nor uid. */
function contentOf(event: KubeObject): string {
  const involved = involvedIn(event);
  const message = asText(dig(event, 'message')) ?? asText(dig(event, 'note')) ?? '';
  return JSON.stringify([dig(involved, 'kind'), dig(involved, 'namespace'), dig(involved, 'name'), dig(event, 'reason'), message.trim()]);
}

/** Ages are printed in whole minutes soon. */
const SAME_TIME_MS = 60_000;

function isGone(object: KubeObject, { objects, collected, newest }: Snapshot): boolean {
  const { kind, metadata } = object;
  if (object[OBSERVED] === undefined || kind === 'Event') return false;
  if (!collected.some((one) => one.kind === kind && one.complete && (one.namespace === undefined || one.namespace === metadata.namespace)))
    return false;
  const created: Instant | undefined =
    parseInstant(dig(object, 'metadata', 'creationTimestamp')) ?? parseInstant(dig(object, 'status', 'startTime'));
  if (created !== undefined && newest !== undefined && created > newest + SAME_TIME_MS) return false;
  return !objects.some(
    (known) => known.kind === kind && known.metadata.name === metadata.name && known.metadata.namespace === metadata.namespace,
  );
}
