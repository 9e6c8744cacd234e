import type { Cause, Diagnosis } from '../../model/diagnosis.ts';
import { TEXT_ALONE } from '../../collect/events/events.ts';

/**
 * The proof says that it is words alone. Sentences that name no object may be about two: of different causes nobody can say then which one
 * counts.
 */
export function withoutGuess(diagnosis: Diagnosis): Diagnosis {
  const { target, gaps } = diagnosis;
  const causes = diagnosis.causes.map((cause) => ({
    ...cause,
    evidence: cause.evidence.map((quote) => ({ ...quote, source: quote.source.replace(/^event on /, `${TEXT_ALONE} `) })),
  }));
  // A symptom is most likely that of the cause at its stage.
  const isTold = ({ stage, symptom }: Cause): boolean =>
    symptom === true && causes.some((other) => other.stage === stage && !other.symptom);
  const different = new Set(causes.filter((cause) => !isTold(cause)).map(({ rule }) => rule));
  if (!target.name.startsWith('<') || different.size < 2) return { ...diagnosis, causes };
  const reason = `the text tells of several causes (${causes.map(({ title }) => title).join('; ')}) and does not name their objects`;
  const stages = diagnosis.stages.map((stage) => (stage.verdict === 'blocked' ? { id: stage.id, verdict: 'unknown' as const } : stage));
  return {
    ...diagnosis,
    outcome: 'inconclusive',
    stages,
    causes: [],
    gaps: [{ kind: 'event', about: target, reason, needs: 'kubectl get events -A --sort-by=.lastTimestamp' }, ...gaps],
  };
}
