import { rounded } from '../../base/number.ts';
import type { MomentWord } from '../../model/trace-record.ts';
import { clusterLine } from '../format/cluster-text.ts';
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

export function wordText({ subject, text, weight }: MomentWord, look: Look): string {
  const line = clusterLine(`${subject}: ${text}`);
  return weight === 'bad' ? paint(look, 'red', line) : weight === 'outside' ? paint(look, 'bold', line) : line;
}
