import type { Json } from '../../base/json.ts';
import { largest } from '../../base/lists.ts';
import { printable } from '../../base/text.ts';
import { shippedScenarios } from '../../catalog/bundled-data.ts';
import { displayWidth, wrap } from '../../report/format/display-width.ts';
import { tableText } from '../../report/format/table.ts';
import type { Look } from '../../report/format/text-style.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { OutputOptions } from '../options.ts';
import { dataText, outputFormat } from '../output-format.ts';
import { scenarioNamed } from './scenario-named.ts';
import { scenarioText } from '../../report/simulation/scenario-text.ts';

/** All scenarios that come along. */
export async function runSimList(options: OutputOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'sim list');
  const scenarios = await shippedScenarios();
  if (format === 'text')
    context.write(
      listText(
        scenarios.map(({ id, title }) => [printable(id), printable(title)]),
        context.look,
      ),
    );
  else
    context.write(
      await dataText(
        scenarios.map(({ id, title, expect }) => ({ id, title, outcome: expect?.outcome ?? null, cause: expect?.cause ?? null })),
        format,
      ),
    );
  return EXIT.healthy;
}

/** A table where titles have room beside the longest ID; else each below its own. */
function listText(rows: readonly (readonly [string, string])[], look: Look): string {
  const widest = largest(rows.map(([id]) => displayWidth(id)));
  if (look.width - widest >= ROOM) return tableText(['SCENARIO', 'TITLE'], rows, look);
  const indent = ' '.repeat(INDENT);
  return rows
    .flatMap(([id, title]) => [id, ...wrap(title, look.width - INDENT).map((line) => indent + line)])
    .map((line) => `${line}\n`)
    .join('');
}

const ROOM = 50;
const INDENT = 4;

/** One scenario: what is done, what must be found, what makes it well. */
export async function runSimShow(word: string, options: OutputOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'sim show');
  const scenario = await scenarioNamed(word);
  // A scenario is data; its interfaces just do not say that it is JSON.
  context.write(format === 'text' ? scenarioText(scenario, context.look) : await dataText(scenario as unknown as Json, format));
  return EXIT.healthy;
}
