import { asText, dig } from '../base/json.ts';
import type { KubeObject } from '../model/kube-object.ts';
import type { StoredEvidence } from './memory-reader.ts';

/** A transcript without the events that the API's own objects beside it tell as well. */
export function withoutToldEvents(transcript: StoredEvidence, objects: readonly KubeObject[]): StoredEvidence {
  const told = new Set(objects.filter(({ kind }) => kind === 'Event').map(contentOf));
  return told.size === 0 ? transcript : { ...transcript, objects: transcript.objects.filter((object) => object.kind !== 'Event' || !told.has(contentOf(object))) };
}

/** What makes two tellings of an event the same: printed ones have neither name nor uid. */
function contentOf(event: KubeObject): string {
  const involved = dig(event, 'involvedObject') ?? dig(event, 'regarding');
  const message = asText(dig(event, 'message')) ?? asText(dig(event, 'note')) ?? '';
  return JSON.stringify([dig(involved, 'kind'), dig(involved, 'namespace'), dig(involved, 'name'), dig(event, 'reason'), message.trim()]);
}
