import { manifestOfError, withoutAdvice } from '../../../model/kubectl-error.ts';
import type { Place } from '../../../model/place.ts';
import type { FieldValues, WordOf } from '../../survey/fact-sink.ts';
import type { Vocabulary } from '../../survey/vocabulary.ts';

/** What a client's own words say: why a command came to nothing before the API server judged an object. */
export interface ClientFailure extends Pick<
  FieldValues<'answer'>,
  'subject' | 'detail' | 'remedy' | 'file' | 'line' | 'kubeKind' | 'apiVersion'
> {
  readonly reason: WordOf<'answer', 'reason'>;
}

/** Reads the words of one failure; undefined when they are the API server's, or unknown. */
export function readClientFailure(text: string, place: Place, vocabulary: Vocabulary): ClientFailure | undefined {
  const found = vocabulary.read('answer', withoutAdvice(text), place);
  if (found?.fields.reason === undefined) return undefined;
  const { fields, words } = found;
  return { ...fields, reason: found.fields.reason, detail: fields.detail ?? words, file: fields.file ?? manifestOfError(text) };
}
