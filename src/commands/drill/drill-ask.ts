import type { JsonObject } from '../../base/json.ts';
import { asText, dig } from '../../base/json.ts';
import { PodcheckError } from '../../base/errors.ts';
import { printable } from '../../base/text.ts';
import type { CheckResult } from '../../drill/check.ts';
import type { Hint } from '../../drill/hints.ts';
import { reviewOf } from '../../drill/review.ts';
import { reviewText } from '../../drill/review-text.ts';
import type { RunRecord } from '../../drill/run-record.ts';
import type { AnswerResult, SessionStatus } from '../../drill/session.ts';
import { answerText, checkText, hintText, statusText } from '../../drill/session-text.ts';
import { askControl } from '../../server/control.ts';
import type { Run } from '../../server/run-folder.ts';
import { liveRuns, runsFolder } from '../../server/run-folder.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { OutputOptions } from '../options.ts';
import { dataText, outputFormat } from '../output-format.ts';
import type { RunOptions } from '../sim/sim-time.ts';
import { runAmong } from '../sim/sim-time.ts';

export type DrillAskOptions = RunOptions & OutputOptions;

/** Where the run stands; the alert once more. */
export async function runDrillStatus(options: DrillAskOptions, context: CommandContext): Promise<ExitCode> {
  const status = (await ask<SessionStatus>('drill/status', options, context)).answer;
  return said(status, () => statusText(status, context.look), options, context);
}

/** The next hint, from gentle to explicit; it costs points. */
export async function runDrillHint(options: DrillAskOptions, context: CommandContext): Promise<ExitCode> {
  const hint = (await ask<Hint | null>('drill/hint', options, context)).answer;
  return said(hint, () => hintText(hint ?? undefined, context.look), options, context);
}

/** Whether all of it works again, and for the right reason: 0 when it does, 1 when it does not. */
export async function runDrillCheck(options: DrillAskOptions, context: CommandContext): Promise<ExitCode> {
  const check = (await ask<CheckResult>('drill/check', options, context)).answer;
  await said(check, () => checkText(check, context.look), options, context);
  return check.fixed ? EXIT.healthy : EXIT.causeFound;
}

/** Names a cause by its rule or in words: 0 when it is right, 1 when it is not. */
export async function runDrillAnswer(words: readonly string[], options: DrillAskOptions, context: CommandContext): Promise<ExitCode> {
  const result = (await ask<AnswerResult>('drill/answer', options, context, { words: words.join(' ') })).answer;
  await said(result, () => answerText(result, context.look), options, context);
  return result.answered.verdict === 'right' ? EXIT.healthy : EXIT.causeFound;
}

/** Ends the run as given up, and tells all. */
export async function runDrillGiveUp(options: DrillAskOptions, context: CommandContext): Promise<ExitCode> {
  const record = (await ask<RunRecord>('drill/give-up', options, context)).answer;
  return said(record, () => reviewText(reviewOf(record), context.look), options, context);
}

/** Ends the cluster; what was done in it is kept for the review. */
export async function runDrillStop(options: DrillAskOptions, context: CommandContext): Promise<ExitCode> {
  const { run, unsaved } = await asked<null>('drill/keep', options, context);
  await askControl(run.control, 'stop');
  if (unsaved !== undefined)
    throw new PodcheckError('bad-input', `drill ${run.id} is complete, but ${unsaved}`, 'free disk space before the next drill');
  context.write(`drill ${run.id} is complete; \`podcheck drill review ${run.id}\` shows the review\n`);
  return EXIT.healthy;
}

interface Asked<Answer> {
  readonly run: Run;
  readonly answer: Answer;
  /** Why the record of the run could not be written. */
  readonly unsaved?: string;
}

async function ask<Answer>(
  route: string,
  options: DrillAskOptions,
  context: CommandContext,
  body: JsonObject = {},
): Promise<Asked<Answer>> {
  const answered = await asked<Answer>(route, options, context, body);
  if (answered.unsaved !== undefined) context.note(`warning: ${printable(answered.unsaved)}\n`);
  return answered;
}

async function asked<Answer>(
  route: string,
  options: DrillAskOptions,
  context: CommandContext,
  body: JsonObject = {},
): Promise<Asked<Answer>> {
  const drills = (await liveRuns(runsFolder(context.env, context.homeFolder))).filter(
    ({ about }) => asText(dig(about, 'drill')) !== undefined,
  );
  if (drills.length === 0)
    throw new PodcheckError(
      'not-found',
      'no drill is running',
      'start one with `podcheck drill start`, or see the last with `podcheck drill review`',
    );
  const run = runAmong(drills, options, context);
  // The process that answers is of the same version: it was started from the same program.
  const said = await askControl(run.control, route, body);
  const unsaved = asText(said['unsaved']);
  return { run, answer: said['answer'] as unknown as Answer, ...(unsaved === undefined ? {} : { unsaved }) };
}

async function said(value: unknown, text: () => string, options: DrillAskOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'drill status');
  context.write(format === 'text' ? text() : await dataText(value as JsonObject, format));
  return EXIT.healthy;
}
