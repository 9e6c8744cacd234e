import type { Instant } from '../../base/instant.ts';
import type { StageVerdict } from '../../model/diagnosis.ts';
import type { Verdict } from '../../model/stage.ts';
import { displayWidth, fit, padEnd } from '../format/display-width.ts';
import type { Look, Paint } from '../format/text-style.ts';
import { mark, paint } from '../format/text-style.ts';
import { ago } from '../format/time-words.ts';
import { verdictWords } from './verdict-words.ts';

const COLORS: Readonly<Record<Verdict, Paint>> = {
  passed: 'green',
  blocked: 'red',
  waiting: 'yellow',
  unknown: 'yellow',
  'not-reached': 'dim',
};
const NAME_COLUMNS = 22;
/** From so many neighbours that say nothing but the same verdict, one line stands for all. */
const RUN = 3;

/** One line a stage with its mark, time and reason. Runs of stages that say nothing but the same are one line, unless all are wanted. */
export function stageLines(stages: readonly StageVerdict[], now: Instant, look: Look, every: boolean): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < stages.length;) {
    const end = every ? at + 1 : endOfRun(stages, at);
    const run = stages.slice(at, end);
    at = end;
    const [first] = run;
    const last = run.at(-1);
    if (first === undefined || last === undefined) continue;
    if (run.length >= RUN)
      lines.push(stageLine(first.verdict, `${first.id} ${mark(look, 'through')} ${last.id}`, sayingOf(first, now), look));
    else for (const stage of run) lines.push(stageLine(stage.verdict, stage.id, sayingOf(stage, now), look));
  }
  return lines;
}

function endOfRun(stages: readonly StageVerdict[], start: number): number {
  let end = start + 1;
  const first = stages[start];
  while (first !== undefined && first.at === undefined && isSame(first, stages[end])) end++;
  return end;
}

function isSame(stage: StageVerdict, other: StageVerdict | undefined): boolean {
  return other?.verdict === stage.verdict && other.at === undefined && other.reason === stage.reason;
}

function sayingOf({ verdict, at, reason }: StageVerdict, now: Instant): string {
  const words = verdictWords(verdict, reason);
  return at === undefined ? words : `${words}, ${ago(at, now)}`;
}

export function stageLine(verdict: Verdict, name: string, said: string, look: Look): string {
  const words = fit(said, Math.max(20, look.width - Math.max(NAME_COLUMNS, displayWidth(name)) - 5));
  return `  ${paint(look, COLORS[verdict], mark(look, verdict))} ${padEnd(name, NAME_COLUMNS)} ${verdict === 'not-reached' ? paint(look, 'dim', words) : words}`;
}
