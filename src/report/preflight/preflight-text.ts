import { append } from '../../base/lists.ts';
import { clusterLine } from '../format/cluster-text.ts';
import { wrap } from '../format/display-width.ts';
import { fixWords } from '../format/fix-words.ts';
import { objectWords } from '../format/object-words.ts';
import type { Look, Paint } from '../format/text-style.ts';
import { mark, paint, shown } from '../format/text-style.ts';
import { gapLines, gapSummary } from '../diagnosis/gap-lines.ts';
import type { Problem } from '../pipeline/check.ts';
import type { Obstacle, Preflight, PreflightVerdict, WorkloadOutcome } from './preflight.ts';
import { clusterWords, placeText, reachWords, titleWords, verdictWords } from './preflight-words.ts';

/** A preflight for a person: the blocked workloads with all they would meet, in order, then the others in a line each. */
export function preflightText(preflight: Preflight, look: Look, wide: boolean): string {
  const { workloads, remarks, effects, gaps } = preflight;
  const lines = [
    ...wrap(clusterLine(titleWords(preflight)), look.width).map((line) => paint(look, 'bold', line)),
    ...wrap(clusterLine(clusterWords(preflight)), look.width),
  ];
  for (const verdict of ['blocked', 'unknown', 'starts'] as const)
    for (const workload of workloads.filter((one) => one.verdict === verdict)) append(lines, workloadLines(workload, look));
  append(lines, problemSection('REJECTED OR UNCLEAR', remarks, look));
  append(lines, problemSection('EFFECT ON RUNNING WORKLOADS', effects, look));
  if (gaps.length > 0)
    append(lines, [
      '',
      paint(look, 'bold', 'NOT SEEN'),
      ...(wide ? gapLines(gaps, look, true) : indented(gapSummary(gaps, narrower(look, 2)), 2)),
    ]);
  return shown(look, lines);
}

const MARKS: Readonly<Record<PreflightVerdict, readonly ['passed' | 'blocked' | 'unknown', Paint]>> = {
  starts: ['passed', 'green'],
  blocked: ['blocked', 'red'],
  unknown: ['unknown', 'yellow'],
};

function workloadLines(workload: WorkloadOutcome, look: Look): readonly string[] {
  const { ref, verdict, obstacles, place } = workload;
  const [name, color] = MARKS[verdict];
  const head = `${objectWords(ref)} ${verdictWords(workload)}${obstacles.length === 0 ? ` (${placeText(place)})` : ''}`;
  return [
    '',
    ...wrap(clusterLine(head), look.width - 2).map((line, index) =>
      index === 0 ? `${paint(look, color, mark(look, name))} ${line}` : `  ${line}`,
    ),
    ...obstacles.flatMap((obstacle, index) => obstacleLines(obstacle, index + 1, look)),
    ...(reachWords(workload) === '' ? [] : indented(wrap(clusterLine(`${capital(reachWords(workload))}.`, 1200), look.width - 2), 2)),
  ];
}

function obstacleLines(obstacle: Obstacle, position: number, look: Look): readonly string[] {
  const { stage, title, says, fix, place, rule, assumed } = obstacle;
  const [step] = fix;
  const body = narrower(look, INDENT);
  return [
    ...hung(`  ${position}. `, clusterLine(`${stage}: ${title}`), look).map((line) => paint(look, 'bold', line)),
    ...(place === undefined ? [] : indented([clusterLine(placeText(place))], INDENT)),
    ...indented(wrap(clusterLine(says, 1200), body.width), INDENT),
    ...(step === undefined
      ? []
      : indented(
          [
            ...(step.run === undefined ? [] : [paint(look, 'green', clusterLine(step.run, 1200))]),
            ...wrap(`Fix: ${clusterLine(fixWords(step))}`, body.width),
          ],
          INDENT,
        )),
    ...indented(
      wrap(`Rule: ${clusterLine(rule)}${assumed === undefined ? '' : `. Assumed from here on: ${clusterLine(assumed)}`}`, body.width),
      INDENT,
    ),
  ];
}

const INDENT = 5;

function problemSection(heading: string, problems: readonly Problem[], look: Look): readonly string[] {
  if (problems.length === 0) return [];
  return [
    '',
    paint(look, 'bold', heading),
    ...problems.flatMap(({ says, place }) =>
      hung('  - ', clusterLine(`${place === undefined ? '' : `${placeText(place)}: `}${says}`, 1200), look),
    ),
  ];
}

function hung(lead: string, text: string, look: Look): readonly string[] {
  return wrap(text, look.width - lead.length).map((line, index) => (index === 0 ? lead + line : ' '.repeat(INDENT) + line));
}

function indented(lines: readonly string[], columns: 2 | 5): readonly string[] {
  return lines.map((line) => (columns === 2 ? `  ${line}` : `     ${line}`));
}

function narrower(look: Look, columns: number): Look {
  return { ...look, width: look.width - columns };
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
