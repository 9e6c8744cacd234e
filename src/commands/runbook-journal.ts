import { resolve } from 'node:path';
import { PodcheckError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { printable } from '../base/text.ts';
import type { JournalRecord } from '../model/journal.ts';
import { journalMarkdown, journalText, summaryOf } from '../report/journal-text.ts';
import { tableText } from '../report/table.ts';
import type { ReadJournal } from '../runbook/journal-chain.ts';
import { defaultJournalFolder, readJournal, runsIn } from '../runbook/journal-file.ts';
import type { CommandContext } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';
import type { OutputOptions } from './options.ts';
import { dataText, outputFormat } from './output-format.ts';

export interface JournalOptions extends OutputOptions {
  readonly journal?: string;
}

/** All runs, oldest first, each with how it went and whether it helped. */
export async function runJournalList(options: JournalOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, ['text', 'json', 'yaml']);
  const folder = folderOf(options, context);
  const runs = runsIn(folder).flatMap((run) => {
    const { records, broken } = readJournal(folder, run);
    const summary = summaryOf(records);
    return summary === undefined ? [] : [{ ...summary, broken: broken !== undefined }];
  });
  if (format !== 'text') context.write(await dataText(runs.map(({ run, playbook, target, mode, who, began, seconds, status, result, broken }) => ({ run, playbook, target, mode, who, began, seconds, status, result, broken })), format));
  else if (runs.length === 0) context.write(`There are no runs in ${folder}.\n`);
  else context.write(tableText(['RUN', 'TARGET', 'STATUS', 'RESULT'], runs.map(({ run, target, status, result, broken, mode }) => [run, target, broken ? 'BROKEN' : mode === 'run' ? status : `${status} (${mode})`, result].map(printable)), context.look));
  return EXIT.healthy;
}

/** A run step by step. */
export async function runJournalShow(run: string, options: JournalOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, ['text', 'json', 'yaml']);
  const read = readJournal(folderOf(options, context), run);
  warnIfBroken(read, context);
  context.write(format === 'text' ? journalText(read.records, context.look) : await dataText(recordsJson(read.records), format));
  return read.broken === undefined ? EXIT.healthy : EXIT.causeFound;
}

/** Whether every record is as it was written, and none is missing between two others. */
export function runJournalVerify(run: string, options: JournalOptions, context: CommandContext): Promise<ExitCode> {
  const { records, broken, wholeBytes } = readJournal(folderOf(options, context), run);
  if (broken !== undefined) {
    context.write(`BROKEN at line ${broken.line}: ${printable(broken.why)}; the ${records.length} records before it are as they were written\n`);
    return Promise.resolve(EXIT.causeFound);
  }
  const isEnded = records.at(-1)?.entry.type === 'end';
  context.write(`${records.length} records (${wholeBytes} bytes) are as they were written${isEnded ? '' : '; the run was not brought to its end'}\nlast digest ${records.at(-1)?.hash ?? 'none'}\n`);
  return Promise.resolve(EXIT.healthy);
}

/** An incident timeline with a short note. */
export async function runJournalExport(run: string, options: JournalOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, ['markdown', 'json', 'yaml']);
  const read = readJournal(folderOf(options, context), run);
  warnIfBroken(read, context);
  const summary = summaryOf(read.records);
  if (summary === undefined) throw new PodcheckError('bad-input', `the journal of ${run} has no beginning`, '`podcheck runbook journal verify` says more');
  context.write(format === 'markdown' ? journalMarkdown(read.records) : await dataText({ schema: 'podcheck.runbook-journal/v1', summary: summary as unknown as Json, records: recordsJson(read.records) }, format));
  return EXIT.healthy;
}

function recordsJson(records: readonly JournalRecord[]): Json {
  return records.map(({ seq, at, entry, hash }) => ({ seq, at, ...(entry as unknown as Record<string, Json>), hash }));
}

function warnIfBroken({ broken }: ReadJournal, { note }: CommandContext): void {
  if (broken !== undefined) note(`note: the journal is not as it was written: line ${broken.line}: ${printable(broken.why)}; what follows is left out\n`);
}

function folderOf({ journal }: JournalOptions, { env, homeFolder, workingFolder }: CommandContext): string {
  return journal === undefined ? defaultJournalFolder(env, homeFolder) : resolve(workingFolder, journal);
}
