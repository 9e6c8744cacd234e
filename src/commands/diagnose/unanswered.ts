import { PodcheckError } from '../../base/errors.ts';
import { getsOnce } from '../../clusters/gets-once.ts';
import type { TargetWords } from '../../collect/survey/resolve-target.ts';
import { diagnoseTarget } from '../../library/diagnose-target.ts';
import type { Examination } from '../../library/examine.ts';
import { examine } from '../../library/examine.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import type { Rule } from '../../model/rule.ts';
import { namedTarget } from './choose-target.ts';
import type { OpenedEvidence } from './open-evidence.ts';

/** The object a person named. An API server that does not answer about it may say what it lacks itself. */
export async function diagnosisOfNamed(
  { reader: source, unreadyWords }: OpenedEvidence,
  rules: readonly Rule[],
  words: TargetWords,
): Promise<Diagnosis> {
  const reader = getsOnce(source);
  let ref;
  try {
    ref = await namedTarget(reader, words);
  } catch (error) {
    const isSilent = error instanceof PodcheckError && error.code === 'unreachable';
    const output = isSilent ? await unreadyWords?.() : undefined;
    if (!isSilent || output === undefined) throw error;
    const { withAnswer } = await import('./connection-answer.ts');
    const answered = withAnswer(reader, { command: "kubectl get --raw '/readyz?verbose'", output }, error.message);
    return unreachable(await examine(answered, rules, {}), error.message);
  }
  return diagnoseTarget(reader, rules, ref);
}

/** The cause for which no request can be answered; an error where no rule names one. */
export function unreachable({ scan, diagnosisOf }: Examination, trouble: string): Diagnosis {
  const [cause] = scan().causes;
  if (cause === undefined)
    throw new PodcheckError(
      'unreachable',
      trouble,
      'check the connection with `kubectl version` and the same flags, or use --from with saved output',
    );
  return diagnosisOf(cause.object);
}
