import type { Look } from '../../report/format/text-style.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/text.ts';
import type { RunMode } from '../../model/journal.ts';
import { formatRef } from '../../model/kube-object.ts';
import { paint, shown } from '../../report/format/text-style.ts';
import { wrap } from '../../report/format/display-width.ts';
import type { AtStart } from '../../runbook/resume.ts';
import type { RunEnd } from '../../runbook/run.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { dataText } from '../output-format.ts';
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

/** Prints how a run ended, whether the target is fixed, and how to export or resume it. */
export async function tellEnd(end: RunEnd, told: ToldRun, context: CommandContext): Promise<void> {
  if (told.format === 'text') context.write(endText(end, told, context.look));
  else context.write(await dataText(endJson(end, told), told.format));
}

export interface ToldRun {
  readonly run: string;
  readonly file: string;
  readonly choice: Choice;
  readonly mode: RunMode;
  readonly format: 'text' | 'json' | 'yaml';
  /** How the target was before the first step, if it was looked at. */
  readonly atStart: AtStart | undefined;
  /** Changes that were made and stand. */
  readonly changes: number;
}

function endJson({ status, result, words, escalated, diagnosis }: RunEnd, { run, file, choice, mode, atStart }: ToldRun): JsonObject {
  return {
    schema: 'podcheck.runbook-run/v1',
    run,
    playbook: choice.playbook.name,
    target: formatRef(choice.target),
    mode,
    status,
    result,
    outcome: diagnosis?.outcome ?? null,
    cause: diagnosis?.causes[0]?.rule ?? null,
    began: atStart === undefined ? null : { outcome: atStart.outcome, cause: atStart.cause === '' ? null : atStart.cause },
    escalated: escalated ?? null,
    words,
    journal: file,
  };
}

function endText(end: RunEnd, { run, mode, atStart, changes }: ToldRun, look: Look): string {
  const { status, result, words, escalated } = end;
  const verdict = verdictOf(end, { mode, changes, wasHealthy: atStart?.outcome === 'healthy' });
  const called = escalated === undefined ? '' : ` Escalated${escalated.to === '' ? '' : ` to ${printable(escalated.to)}`}.`;
  return [
    `\n${paint(look, result === 'fixed' ? 'green' : 'yellow', verdict)} ${RUN_WORDS[status]}${called}\n`,
    words === '' ? '' : shown(look, wrap(printable(words), look.width)),
    atStart !== undefined && atStart.cause !== '' ? `At the start: ${atStart.cause}\n` : '',
    status === 'completed' ? '' : labelledCommand('Resume', `podcheck runbook run --resume ${run}`),
    labelledCommand('Timeline', `podcheck runbook journal export ${run}`),
  ].join('');
}

/** On a line of its own, to be copied. */
function labelledCommand(label: string, command: string): string {
  return `${label.padEnd(9)} ${command}\n`;
}

const RUN_WORDS: Readonly<Record<RunEnd['status'], string>> = {
  completed: 'The run is complete.',
  failed: 'The run failed.',
  aborted: 'The run was aborted.',
  interrupted: 'The run was interrupted.',
};

/** What a run came to, in one sentence. A target that was healthy before any change needed none. */
function verdictOf(
  { result }: RunEnd,
  { mode, changes, wasHealthy }: { readonly mode: RunMode; readonly changes: number; readonly wasHealthy: boolean },
): string {
  if (result === 'fixed' && changes === 0 && wasHealthy) return 'Nothing to do: it was healthy at the start.';
  if (mode === 'dry-run') return 'Nothing was changed.';
  return (mode !== 'simulate' ? REAL : changes === 0 ? SIMULATED_WITHOUT_CHANGE : SIMULATED)[result];
}

const REAL = { fixed: 'Fixed.', 'not fixed': 'Not fixed.', unknown: 'Not known whether it is fixed.' } as const;
const SIMULATED = {
  fixed: 'The changes would fix it.',
  'not fixed': 'The changes would not fix it.',
  unknown: 'Not known whether the changes would fix it.',
} as const;
const SIMULATED_WITHOUT_CHANGE = {
  fixed: 'It becomes healthy without a change.',
  'not fixed': 'The playbook would not fix it: it makes no change here.',
  unknown: SIMULATED.unknown,
} as const;
