import { PodcheckError } from '../../base/errors.ts';
import type { Rule } from '../../model/rule.ts';
import type { CommandContext } from '../context.ts';
import { diagnosed } from '../diagnose/diagnose.ts';
import { openEvidence } from '../diagnose/open-evidence.ts';
import type { SourceOptions } from '../options.ts';
import type { AnswerVerdict } from './accepted.ts';
import { verdictOf } from './accepted.ts';
import type { EvalCase } from './cases.ts';
import type { CasePart } from './labelled-verdict.ts';
import { verdictOnPart } from './labelled-verdict.ts';
import { readCaseTexts } from './reduce/case-texts.ts';
import type { Cut } from './reduce/cuts.ts';
import type { ReducedAnswer, ReducedScore } from './reduced-score.ts';
import { scoreReduced } from './reduced-score.ts';
import type { ScoredCause } from './scored-cause.ts';
import { causesOfCase, scannedCauses } from './scanned-causes.ts';

interface Evaluation extends Pick<SourceOptions, 'now'> {
  readonly cases: readonly EvalCase[];
  readonly cuts: readonly Cut[];
  readonly rules: readonly Rule[];
  readonly say: (step: string) => void;
}

/** Judges what each cut leaves of each case. */
export async function evaluateReduced({ cases, cuts, rules, say, now }: Evaluation, context: CommandContext): Promise<ReducedScore> {
  const byId = new Map(rules.map((rule) => [rule.id, rule] as const));
  const answers: ReducedAnswer[] = [];
  for (const [index, one] of cases.entries()) {
    const texts = await readCaseTexts(one.folder);
    const whole =
      one.accepted !== undefined || one.label.kind !== 'rule'
        ? []
        : ((await causesOfCase(one, rules, now, { ...context, note: () => undefined })) ?? []);
    for (const { name, of } of cuts) {
      say(`${String(index + 1)} of ${String(cases.length)}: ${one.name}, ${name}`);
      const text = of(texts);
      const causes = text === undefined || one.label.kind === 'outside' ? undefined : await causesIn(text, { one, rules, now }, context);
      const verdict = text === undefined ? undefined : verdictOn(one, causes, byId, { text, whole });
      answers.push({ cut: name, case: one.name, verdict, expected: expectedOf(one), first: causes?.[0] });
    }
  }
  return scoreReduced(
    answers,
    cuts.map(({ name }) => name),
  );
}

function verdictOn(
  one: EvalCase,
  causes: readonly ScoredCause[] | undefined,
  rules: ReadonlyMap<string, Rule>,
  part: CasePart,
): AnswerVerdict | undefined {
  const onPart = verdictOnPart({ case: one.name, expected: one.expected, label: one.label, causes }, rules, part);
  if (one.accepted === undefined) return onPart;
  const verdict = verdictOf(causes === undefined ? null : causes[0]?.rule, one.accepted);
  return verdict === 'wrong' && onPart === 'less-exact' ? onPart : verdict;
}

/** Undefined for a text of which nothing was understood. */
async function causesIn(
  text: string,
  { one, rules, now }: { one: EvalCase; rules: readonly Rule[]; now: string | undefined },
  context: CommandContext,
): Promise<readonly ScoredCause[] | undefined> {
  const from = { from: ['-'], ...(now === undefined ? {} : { now }) };
  try {
    const opened = await openEvidence(from, { ...context, note: () => undefined, stdin: () => bytesOf(text) }, { looseTexts: true, rules });
    if (one.accepted !== undefined) return (await diagnosed(opened, rules, {})).causes;
    return await scannedCauses(opened.reader, rules);
  } catch (error) {
    if (!(error instanceof PodcheckError)) throw error;
    return undefined;
  }
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  yield new TextEncoder().encode(text);
}

function expectedOf({ label, expected: { object } }: EvalCase): string {
  const rules = label.kind === 'rule' ? label.rules.join(' or ') : '';
  return `${rules === '' ? 'no cause' : rules}${object === undefined ? '' : ` at ${object}`}`;
}
