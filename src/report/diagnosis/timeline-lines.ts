import { formatDuration } from '../../base/duration.ts';
import { formatInstant } from '../../base/instant.ts';
import type { StageVerdict } from '../../model/diagnosis.ts';
import { fit, padEnd } from '../format/display-width.ts';
import type { Look } from '../format/text-style.ts';
import { mark, paint } from '../format/text-style.ts';
import { verdictWords } from './verdict-words.ts';

/** When each stage was passed, and how long after the one before it whose time is known. */
export function timelineLines(stages: readonly StageVerdict[], look: Look): readonly string[] {
  let before: number | undefined;
  return stages.map(({ id, verdict, at, reason }) => {
    // What was not passed has no time, and its reason has the columns for it.
    if (at === undefined)
      return `  ${mark(look, verdict)} ${padEnd(id, 22)} ${fit(verdictWords(verdict, reason), Math.max(20, look.width - 27))}`;
    const taken = before === undefined || at < before ? '' : `+${formatDuration((at - before) / 1000)}`;
    before = at;
    const words = fit(verdictWords(verdict, reason), Math.max(20, look.width - 57));
    return `  ${mark(look, verdict)} ${padEnd(id, 22)} ${formatInstant(at).padEnd(20)} ${paint(look, 'dim', taken.padEnd(8))} ${words}`;
  });
}
