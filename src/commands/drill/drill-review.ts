import type { Json } from '../../base/json.ts';
import { PodcheckError } from '../../base/errors.ts';
import { boardHtml } from '../../drill/board-page.ts';
import { boardOf, boardTable } from '../../drill/board.ts';
import { draftPlaybook } from '../../drill/draft-playbook.ts';
import { reviewOf } from '../../drill/review.ts';
import { reviewHtml, reviewMarkdown, reviewText } from '../../drill/review-text.ts';
import { clusterLine } from '../../report/format/cluster-text.ts';
import { tableText } from '../../report/format/table.ts';
import { liveRuns, runsFolder } from '../../server/run-folder.ts';
import type { CommandContext } from '../context.ts';
import { readRecords, recordNamed } from './drill-records.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { OutputOptions } from '../options.ts';
import { dataText, outputFormat } from '../output-format.ts';

/** How a run went, or a playbook to begin with from it: the last run, or the one that is named by its id or its file. */
export async function runDrillReview(word: string | undefined, options: OutputOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'drill review');
  const record = await recordNamed(word, context);
  const runs = record.ending === 'open' ? await liveRuns(runsFolder(context.env, context.homeFolder)) : [];
  if (runs.some(({ id }) => id === record.run))
    throw new PodcheckError(
      'bad-input',
      `drill ${record.run} is still running, and its review tells the causes`,
      'end it with `podcheck drill stop` first',
    );
  const review = reviewOf(record);
  switch (format) {
    case 'text':
      context.write(reviewText(review, context.look));
      break;
    case 'json':
      context.write(await dataText(record as unknown as Json, 'json'));
      break;
    case 'markdown':
      context.write(reviewMarkdown(review));
      break;
    case 'html':
      context.write(reviewHtml(review, record));
      break;
    case 'playbook':
      context.write(await dataText(draftPlaybook(record), 'yaml'));
  }
  return EXIT.healthy;
}

/** A team's best runs of each drill, from a folder of records. */
export async function runDrillBoard(folder: string, options: OutputOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'drill board');
  const rows = boardOf(await readRecords(folder));
  if (rows.length === 0)
    throw new PodcheckError('not-found', `no drill records in ${folder}`, 'save the JSON of each run there: podcheck drill review -o json');
  const { head, rows: cells } = boardTable(rows);
  switch (format) {
    case 'text':
      context.write(
        tableText(
          head.map((title) => title.toUpperCase()),
          cells.map((row) => row.map((cell) => clusterLine(cell, 300))),
          context.look,
        ),
      );
      break;
    case 'html':
      context.write(boardHtml(rows));
      break;
    case 'json':
    case 'yaml':
      context.write(await dataText(rows as unknown as Json, format));
  }
  return EXIT.healthy;
}
