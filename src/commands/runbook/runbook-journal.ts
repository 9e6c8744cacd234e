import { PodcheckError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { printable } from '../../base/text.ts';
import type { JournalRecord } from '../../model/journal.ts';
import type { PresentStatus, RunSummary } from '../../report/playbooks/journal-text.ts';
import { journalMarkdown } from '../../report/playbooks/journal-markdown.ts';
import { journalText, presentStatus, summaryOf } from '../../report/playbooks/journal-text.ts';
import { tableText } from '../../report/format/table.ts';
import type { ReadJournal } from '../../runbook/journal-chain.ts';
import { readJournal, runsIn } from '../../runbook/journal-file.ts';
import type { JournalState } from '../../runbook/journal-state.ts';
import { journalState, stateWords } from '../../runbook/journal-state.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { OutputOptions } from '../options.ts';
import { isHeld } from '../../runbook/lock.ts';
import { dataText, outputFormat } from '../output-format.ts';
import { journalFolder, locksFolder } from './runbook-folders.ts';

export interface JournalOptions extends OutputOptions {
  readonly journal?: string;
}

/** All runs, oldest first, each with how it went and whether it helped. */
export async function runJournalList(options: JournalOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'runbook journal list');
  const folder = journalFolder(options, context);
  const runs = runsIn(folder).map((run) => listed(folder, run, options, context));
  if (format !== 'text')
    context.write(
      await dataText(
        runs.map(({ run, playbook, target, mode, who, began, seconds, status, result, broken, journal }) => ({
          run,
          playbook,
          target,
          mode,
          who,
          began,
          seconds,
          status,
          result,
          broken,
          journal,
        })),
        format,
      ),
    );
  else if (runs.length === 0) context.write(`There are no runs in ${folder}.\n`);
  else
    context.write(
      tableText(
        ['RUN', 'TARGET', 'STATUS', 'RESULT'],
        runs.map(({ run, target, status, result, journal, mode }) =>
          [run, target, SUSPECT[journal] ?? (mode === 'run' ? status : `${status} (${mode})`), result].map(printable),
        ),
        context.look,
      ),
    );
  return EXIT.healthy;
}

/** A journal that cannot be read (somebody else's) does not keep the others from being listed. */
function listed(
  folder: string,
  run: string,
  options: JournalOptions,
  context: CommandContext,
): RunSummary & { readonly broken: boolean; readonly journal: JournalState } {
  try {
    const read = readJournal(folder, run);
    const summary = summaryOf(read.records, presentOf(run, read, options, context));
    return { ...(summary ?? WITHOUT_BEGINNING), run, broken: read.broken !== undefined, journal: journalState(read) };
  } catch (error) {
    if (!(error instanceof PodcheckError)) throw error;
    context.note(`note: ${printable(error.message)}\n`);
    return { ...WITHOUT_BEGINNING, run, status: 'unreadable', broken: true, journal: 'unfinished' };
  }
}

/** Undefined for a run whose process is gone. */
function presentOf(run: string, { records }: ReadJournal, options: JournalOptions, context: CommandContext): PresentStatus | undefined {
  return isHeld(locksFolder(options, context), `run ${run}`) ? presentStatus(records) : undefined;
}

/** A run that was ended before its first record was written. */
const WITHOUT_BEGINNING: RunSummary = {
  run: '',
  playbook: '',
  target: '',
  mode: 'run',
  who: '',
  context: '',
  began: '',
  ended: '',
  seconds: 0,
  status: 'interrupted',
  result: 'unknown',
  before: '',
  after: '',
  changes: [],
  undone: [],
  escalated: '',
  alerts: [],
};

/** Stands where the status would: what such a journal says of its run cannot be relied on. */
const SUSPECT: Partial<Record<JournalState, string>> = { altered: 'JOURNAL ALTERED', cut: 'JOURNAL CUT', unknown: 'HEAD MISSING' };

/** A run step by step. */
export async function runJournalShow(run: string, options: JournalOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'runbook journal show');
  const read = readJournal(journalFolder(options, context), run);
  warnIfSuspect(read, context);
  const present = presentOf(run, read, options, context);
  context.write(format === 'text' ? journalText(read.records, context.look, present) : await dataText(recordsJson(read.records), format));
  return read.broken === undefined ? EXIT.healthy : EXIT.causeFound;
}

const VERDICTS: Readonly<Record<JournalState, string>> = {
  complete: 'OK',
  unfinished: 'OK, UNFINISHED',
  altered: 'ALTERED',
  cut: 'CUT',
  unknown: 'UNKNOWN',
};

/** Whether every record is present and as it was written: 0 yes, 1 no, 3 when nobody can tell. */
export async function runJournalVerify(run: string, options: JournalOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'runbook journal verify');
  const read = readJournal(journalFolder(options, context), run);
  const { records, broken, wholeBytes, head } = read;
  const [state, last] = [journalState(read), records.at(-1)?.hash];
  if (format === 'text')
    context.write(
      `${VERDICTS[state]}: ${printable(stateWords(read))}\n${last === undefined ? '' : `digest of the last record: ${last}\n`}`,
    );
  else
    context.write(
      await dataText(
        {
          run,
          state,
          words: stateWords(read),
          records: records.length,
          bytes: wholeBytes,
          head,
          line: broken?.line ?? null,
          digest: last ?? null,
        },
        format,
      ),
    );
  return state === 'altered' || state === 'cut' ? EXIT.causeFound : state === 'unknown' ? EXIT.inconclusive : EXIT.healthy;
}

/** An incident timeline with a short note. */
export async function runJournalExport(run: string, options: JournalOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'runbook journal export');
  const read = readJournal(journalFolder(options, context), run);
  warnIfSuspect(read, context);
  const present = presentOf(run, read, options, context);
  const summary = summaryOf(read.records, present);
  if (summary === undefined)
    throw new PodcheckError(
      'bad-input',
      `the first record of the journal of ${run} is missing`,
      'see details with `podcheck runbook journal verify`',
    );
  const pageOf = async (): Promise<string> => (await import('../../report/playbooks/journal-page.ts')).journalPage(read.records, present);
  context.write(
    format === 'markdown'
      ? journalMarkdown(read.records, present)
      : format === 'html'
        ? await pageOf()
        : await dataText(
            { schema: 'podcheck.runbook-journal/v1', summary: summary as unknown as Json, records: recordsJson(read.records) },
            format,
          ),
  );
  return EXIT.healthy;
}

function recordsJson(records: readonly JournalRecord[]): Json {
  return records.map(({ seq, at, entry, hash }) => ({ seq, at, ...(entry as unknown as Record<string, Json>), hash }));
}

function warnIfSuspect(read: ReadJournal, { note }: CommandContext): void {
  const state = journalState(read);
  if (SUSPECT[state] !== undefined)
    note(`note: the journal is ${state === 'unknown' ? 'not verified' : state}: ${printable(stateWords(read))}\n`);
}
