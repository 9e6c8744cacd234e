import { setTimeout as pause } from 'node:timers/promises';
import { PodcheckError } from '../../base/errors.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import { formatRef } from '../../model/kube-object.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { SourceOptions } from '../options.ts';

const EVERY_SECONDS = 2;

/**
 * Diagnoses a live object every two seconds and writes a report whenever the answer changes, until the object is healthy. Ends with an
 * AbortError when it is interrupted.
 */
export async function watchDiagnosis(
  look: () => Promise<Diagnosis>,
  report: (diagnosis: Diagnosis) => Promise<string>,
  { from, scenario }: SourceOptions,
  context: CommandContext,
): Promise<ExitCode> {
  if (from !== undefined || scenario !== undefined)
    throw new PodcheckError('usage', '--watch needs a live cluster', 'leave out --watch, --from and --scenario, or use podcheck sim serve');
  let before: string | undefined;
  for (;;) {
    const diagnosis = await look();
    const now = answerOf(diagnosis);
    if (now !== before) context.write(`${before === undefined ? '' : '\n'}${await report(diagnosis)}`);
    before = now;
    if (diagnosis.outcome === 'healthy') return EXIT.healthy;
    await pause(EVERY_SECONDS * 1000, undefined, { signal: context.signal });
  }
}

/** What makes two answers the same: not the counts of events, nor the time. */
function answerOf({ outcome, state, pods, stages, causes }: Diagnosis): string {
  return JSON.stringify([
    outcome,
    state,
    pods,
    stages.map(({ verdict }) => verdict),
    causes.map(({ rule, object }) => `${rule} ${formatRef(object)}`),
  ]);
}
