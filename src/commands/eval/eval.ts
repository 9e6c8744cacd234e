import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../base/json.ts';
import { PodcheckError } from '../../base/errors.ts';
import type { Cause } from '../../model/diagnosis.ts';
import type { Rule } from '../../model/rule.ts';
import { evalText } from '../../report/eval/eval-text.ts';
import { reducedText } from '../../report/eval/reduced-text.ts';
import type { CommandContext } from '../context.ts';
import type { EvalCase } from './cases.ts';
import { diagnosed } from '../diagnose/diagnose.ts';
import { verdictOf } from './accepted.ts';
import { loadCases } from './cases.ts';
import { evaluateReduced } from './evaluate-reduced.ts';
import { cutsNamed } from './reduce/cuts.ts';
import type { JudgedCase } from './score.ts';
import { scoreCases } from './score.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { gatherRules } from '../rules/gather-rules.ts';
import { openEvidence } from '../diagnose/open-evidence.ts';
import type { OutputOptions, RuleOptions, SourceOptions } from '../options.ts';
import { dataText, outputFormat } from '../output-format.ts';
import { causesOfCase } from './scanned-causes.ts';

export interface EvalOptions extends RuleOptions, OutputOptions, Pick<SourceOptions, 'now'> {
  /** The folder's own labels.yaml without it. */
  readonly labels?: string;
  /** Names of cuts, or `all`: each case is judged by what these leave of it. */
  readonly reduce?: string;
}

/** Scans every case of a folder and says how often the first cause is the right one. */
export async function runEval(folder: string, options: EvalOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'eval');
  if (options.reduce !== undefined) return runReduced(folder, { ...options, reduce: options.reduce }, context);
  const score = await context.progress('evaluating', async (say) => {
    const rules = await gatherRules(options.rules ?? []);
    const cases = await loadCases(folder, options.labels);
    const judged: JudgedCase[] = [];
    for (const one of cases) {
      say(`${judged.length + 1} of ${cases.length}: ${one.name}`);
      const causes =
        one.accepted === undefined ? await causesOfCase(one, rules, options.now, context) : await answerTo(one, rules, options, context);
      judged.push({
        case: one.name,
        expected: one.expected,
        label: one.label,
        causes,
        ...(one.accepted === undefined ? {} : { verdict: verdictOf(causes === undefined ? null : causes[0]?.rule, one.accepted) }),
      });
    }
    return scoreCases(judged);
  });
  // A score is data; its interfaces just do not say that it is JSON.
  context.write(format === 'text' ? evalText(score, context.look) : await dataText(score as unknown as Json, format));
  return EXIT.healthy;
}

async function runReduced(folder: string, options: EvalOptions & { readonly reduce: string }, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'eval');
  const cuts = cutsNamed(options.reduce);
  const score = await context.progress('evaluating', async (say) => {
    const [rules, cases] = [await gatherRules(options.rules ?? []), await loadCases(folder, options.labels)];
    return evaluateReduced({ cases, cuts, rules, say, ...(options.now === undefined ? {} : { now: options.now }) }, context);
  });
  context.write(format === 'text' ? reducedText(score, context.look) : await dataText(score as unknown as Json, format));
  return EXIT.healthy;
}

/** What `podcheck diagnose` names for the texts of a case, each given by its name: a fragment is read only where somebody gives it. */
async function answerTo(
  { folder, name }: EvalCase,
  rules: readonly Rule[],
  { now }: EvalOptions,
  context: CommandContext,
): Promise<readonly Cause[] | undefined> {
  const files = (await readdir(folder)).filter((file) => file !== 'expected.json').toSorted();
  try {
    const opened = await openEvidence(
      { from: files.map((file) => join(folder, file)), ...(now === undefined ? {} : { now }) },
      { ...context, note: () => undefined },
      { looseTexts: true, rules },
    );
    return (await diagnosed(opened, rules, {})).causes;
  } catch (error) {
    if (!(error instanceof PodcheckError)) throw error;
    context.note(`${name}: ${error.message}\n`);
    return undefined;
  }
}
