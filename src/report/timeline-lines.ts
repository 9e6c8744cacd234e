import { formatDuration } from '../base/duration.ts';
import { formatInstant } from '../base/instant.ts';
import type { StageVerdict } from '../model/diagnosis.ts';
import { clusterLine } from './cluster-text.ts';
import { fit, padEnd } from './display-width.ts';
import type { Look } from './look.ts';
import { mark, paint } from './look.ts';

/** When each stage was passed, and how long after the one before it whose time is known. */
export function timelineLines(stages: readonly StageVerdict[], look: Look): readonly string[] {
  let before: number | undefined;
  return stages.map(({ id, verdict, at, reason }) => {
    const time = at === undefined ? '' : formatInstant(at);
    const taken = at === undefined || before === undefined || at < before ? '' : `+${formatDuration((at - before) / 1000)}`;
    before = at ?? before;
    const words = reason === undefined ? '' : fit(clusterLine(reason), Math.max(20, look.width - 57));
    return `  ${mark(look, verdict)} ${padEnd(id, 22)} ${time.padEnd(20)} ${paint(look, 'dim', taken.padEnd(8))} ${words}`.trimEnd();
  });
}
