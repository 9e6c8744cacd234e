import { PodcheckError } from '../../base/errors.ts';
import { printable } from '../../base/text.ts';
import type { Difficulty, Drill } from '../../model/drill.ts';
import { DIFFICULTIES } from '../../model/drill.ts';
import type { StageId } from '../../model/stage.ts';
import { isStage, STAGE_IDS } from '../../model/stage.ts';
import { wrap } from '../../report/format/display-width.ts';
import type { Look } from '../../report/format/text-style.ts';
import { paint, shown } from '../../report/format/text-style.ts';
import { tableText } from '../../report/format/table.ts';
import type { CommandContext } from '../context.ts';
import { allDrills, noDrills } from './drill-named.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { OutputOptions } from '../options.ts';
import { dataText, outputFormat } from '../output-format.ts';

export interface DrillListOptions extends OutputOptions {
  readonly stage?: string;
  readonly difficulty?: string;
}

/** The drills there are; a drill's title is not shown, for it would tell. */
export async function runDrillList(options: DrillListOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'drill list');
  const [stage, difficulty] = [optionStage(options.stage), optionDifficulty(options.difficulty)];
  const drills = (await allDrills()).filter(
    (drill) => (stage === undefined || stagesOf(drill).includes(stage)) && (difficulty === undefined || drill.difficulty === difficulty),
  );
  if (format === 'text')
    context.write(`${listText(drills, context.look)}${stage === undefined && difficulty === undefined ? leftOut(await noDrills()) : ''}`);
  else
    context.write(
      await dataText(
        drills.map((drill) => ({
          id: drill.id,
          difficulty: drill.difficulty,
          stages: stagesOf(drill),
          faults: drill.faults.length,
          story: drill.story ?? null,
        })),
        format,
      ),
    );
  return EXIT.healthy;
}

/** The written drills with their stories, then the scenarios by their ids. The titles would tell. */
function listText(drills: readonly Drill[], look: Look): string {
  const written = drills.filter(({ story }) => story !== undefined);
  const others = drills.filter(({ story }) => story === undefined);
  const stories = written.flatMap(({ id, difficulty, faults, story }) => [
    paint(look, 'bold', printable(id)) + paint(look, 'dim', `  ${difficulty}, ${faults.length} fault${faults.length === 1 ? '' : 's'}`),
    ...wrap(printable(story ?? ''), look.width - 4).map((line) => `    ${line}`),
  ]);
  const table =
    others.length === 0
      ? ''
      : tableText(
          ['DIFFICULTY', 'SCENARIO'],
          others.map(({ id, difficulty }) => [difficulty, printable(id)]),
          look,
        );
  return `${stories.length === 0 ? '' : `${shown(look, stories)}\n`}${table}`;
}

function leftOut(reasons: ReadonlyMap<string, number>): string {
  return [...reasons]
    .map(([reason, count]) => `\n${count} ${count === 1 ? 'scenario is' : 'scenarios are'} not usable as a drill: ${reason}.\n`)
    .join('');
}

export function optionStage(text: string | undefined): StageId | undefined {
  if (text === undefined || isStage(text)) return text;
  throw new PodcheckError('usage', `unknown stage "${text}"`, `one of: ${STAGE_IDS.join(', ')}`);
}

export function optionDifficulty(text: string | undefined): Difficulty | undefined {
  const difficulty = DIFFICULTIES.find((known) => known === text);
  if (text !== undefined && difficulty === undefined)
    throw new PodcheckError('usage', `unknown difficulty "${text}"`, `one of: ${DIFFICULTIES.join(', ')}`);
  return difficulty;
}

function stagesOf({ faults }: Drill): readonly StageId[] {
  return [...new Set(faults.map(({ cause }) => cause.split('/')[0] ?? '').filter(isStage))];
}
