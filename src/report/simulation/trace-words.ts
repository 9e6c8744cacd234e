import { rounded } from '../../base/number.ts';
import type { MomentWord } from '../../model/trace-record.ts';
import { clusterLine } from '../format/cluster-text.ts';
import { wrap } from '../format/display-width.ts';
import type { Look } from '../format/text-style.ts';
import { paint } from '../format/text-style.ts';

/** `12.301s`, as times of a trace are written: seconds since the cluster was up, to the millisecond. */
export function traceTime(milliseconds: number): string {
  const sign = milliseconds < 0 ? '-' : '';
  const whole = Math.abs(milliseconds);
  if (whole < 120_000) return `${sign}${rounded(whole / 1000, 3)}s`;
  const [hours, minutes, seconds] = [Math.floor(whole / 3_600_000), Math.floor(whole / 60_000) % 60, rounded((whole % 60_000) / 1000, 3)];
  return `${sign}${hours === 0 ? '' : `${hours}h`}${hours === 0 && minutes === 0 ? '' : `${minutes}m`}${seconds}s`;
}

/** Seconds to the microsecond, for programs. */
export function traceSeconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1_000_000;
}

export function wordText(word: MomentWord, look: Look): string {
  return painted(word, look, said(word));
}

/** The same in lines of at most so many columns. */
export function wordLines(word: MomentWord, look: Look, width: number): readonly string[] {
  return wrap(said(word), Math.max(LEAST_WIDTH, width)).map((line) => painted(word, look, line));
}

const LEAST_WIDTH = 30;

function said({ subject, text }: MomentWord): string {
  return clusterLine(`${subject}: ${text}`);
}

function painted({ weight }: MomentWord, look: Look, line: string): string {
  return weight === 'bad' ? paint(look, 'red', line) : weight === 'outside' ? paint(look, 'bold', line) : line;
}
