import type { Verdict, StageId } from '../../model/stage.ts';
import type { Look } from '../format/text-style.ts';
import { mark } from '../format/text-style.ts';
import { stageLine } from '../diagnosis/stage-lines.ts';
import { verdictWords } from '../diagnosis/verdict-words.ts';

/** A stage of a pod's way as somebody who watched it saw it. */
export interface WayStage {
  readonly id: StageId;
  readonly verdict: Verdict;
  readonly reason?: string;
  /** When it was passed, or how long it has been as it is, counted from the start; undefined for what was not reached. */
  readonly sinceMilliseconds?: number;
}

/** One line a stage: when it was passed, or since when it is stopped and why. What was not reached is one line, unless all are wanted. */
export function wayLines(way: readonly WayStage[], look: Look, every: boolean): readonly string[] {
  const reached = way.filter(({ verdict }) => verdict !== 'not-reached');
  const rest = way.slice(reached.length);
  const [first, last] = [rest[0], rest.at(-1)];
  const shown = every || rest.length < 3 || first === undefined ? way : reached;
  const lines = shown.map((stage) => stageLine(stage.verdict, stage.id, wayWords(stage), look));
  return shown === way || first === undefined || last === undefined
    ? lines
    : [...lines, stageLine('not-reached', `${first.id} ${mark(look, 'through')} ${last.id}`, wayWords(first), look)];
}

/** What is said of a stage, without its mark and name. */
export function wayWords({ verdict, reason, sinceMilliseconds }: WayStage): string {
  return verdictWords(verdict, reason, sinceMilliseconds === undefined ? '' : sinceStart(sinceMilliseconds));
}

/** `+0.06s`, `+12.4s`, `+13m 5s`, `+5h 30m`: virtual time after the start. */
export function sinceStart(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `+${seconds.toFixed(2)}s`;
  if (seconds < 600) return `+${seconds.toFixed(1)}s`;
  const [minutes, rest] = [Math.floor(seconds / 60), Math.round(seconds % 60)];
  return minutes < 60 ? `+${minutes}m ${rest}s` : `+${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
