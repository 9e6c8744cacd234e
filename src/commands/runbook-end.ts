import { printable } from '../base/text.ts';
import type { RunMode } from '../model/journal.ts';
import { formatRef } from '../model/kube-object.ts';
import { paint } from '../report/look.ts';
import type { RunEnd } from '../runbook/run.ts';
import type { CommandContext } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';
import { dataText } from './output-format.ts';
import type { Choice } from './runbook-choose.ts';

/** 0 well at the end, 1 not (or the run failed), 3 nobody can tell or somebody stopped it, 130 interrupted. */
export function runExitCode({ status, result }: RunEnd): ExitCode {
  switch (status) {
    case 'interrupted':
      return EXIT.interrupted;
    case 'aborted':
      return EXIT.inconclusive;
    case 'failed':
      return EXIT.causeFound;
    case 'completed':
      return result === 'fixed' ? EXIT.healthy : result === 'unknown' ? EXIT.inconclusive : EXIT.causeFound;
  }
}

/** Says how a run went, whether it helped, and where it is written down. */
export async function tellEnd(end: RunEnd, { run, file, choice, mode, format }: { readonly run: string; readonly file: string; readonly choice: Choice; readonly mode: RunMode; readonly format: 'text' | 'json' | 'yaml' }, context: CommandContext): Promise<void> {
  const { status, result, words, escalated, diagnosis } = end;
  if (format !== 'text') {
    context.write(await dataText({ schema: 'podcheck.runbook-run/v1', run, playbook: choice.playbook.name, target: formatRef(choice.target), mode, status, result, outcome: diagnosis?.outcome ?? null, cause: diagnosis?.causes[0]?.rule ?? null, escalated: escalated ?? null, words, journal: file }, format));
    return;
  }
  const { look } = context;
  const verdict = mode === 'simulate' ? VERDICTS[result] : mode === 'dry-run' ? 'Nothing was changed.' : result === 'fixed' ? 'Fixed.' : result === 'not fixed' ? 'Not fixed.' : 'Nobody can tell whether it is fixed.';
  context.write(`\n${paint(look, result === 'fixed' ? 'green' : 'yellow', verdict)} The run is ${status}.${escalated === undefined ? '' : ` It was handed on${escalated.to === '' ? '' : ` to ${printable(escalated.to)}`}.`}\n`);
  if (words !== '') context.write(`${printable(words)}\n`);
  context.write(paint(look, 'dim', `podcheck runbook journal export ${run} tells it as a timeline.${status === 'completed' ? '' : ` --resume ${run} goes on.`}\n`));
}

const VERDICTS = { fixed: 'It would have fixed it.', 'not fixed': 'It would not have fixed it.', unknown: 'Nobody can tell whether it would have fixed it.' } as const;
