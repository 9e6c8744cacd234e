import type { Verdict } from '../../model/stage.ts';
import { clusterLine } from '../format/cluster-text.ts';

/** The word of each verdict. It stands beside every mark: a screen reader skips marks, and NO_COLOR takes the colours away. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  passed: 'passed',
  blocked: 'blocked',
  waiting: 'waiting',
  unknown: 'unknown',
  'not-reached': 'not reached',
};

/** `blocked: ConfigMap not found`, or the word alone; `since` stands between them. */
export function verdictWords(verdict: Verdict, reason: string | undefined, since = ''): string {
  const word = since === '' ? VERDICT_WORDS[verdict] : `${VERDICT_WORDS[verdict]} ${since}`;
  return reason === undefined || reason === '' ? word : `${word}: ${clusterLine(reason)}`;
}
