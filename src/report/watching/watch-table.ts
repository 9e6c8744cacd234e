import { counted } from '../../base/counted.ts';
import { formatDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/instant.ts';
import type { Course, WatchView } from '../../model/watch-change.ts';
import { clusterLine } from '../format/cluster-text.ts';
import { fit } from '../format/display-width.ts';
import { objectWords } from '../format/object-words.ts';
import { tableText } from '../format/table.ts';
import type { Look } from '../format/text-style.ts';
import { mark, paint, shown } from '../format/text-style.ts';
import { gapWords } from './change-text.ts';

/** How long what has just changed is marked, in milliseconds. */
const FRESH = 120_000;
/** How long what is cured still stands in the table. */
const SHOWN_CURED = 300_000;

/** The live table for a terminal, in at most so many lines: the newest causes first, what is cured last. */
export function watchTable(view: WatchView, look: Look, height: number): readonly string[] {
  const { at, courses, gaps } = view;
  const cured = view.past.filter(({ ended, endedAt }) => ended !== 'changed' && at - endedAt < SHOWN_CURED);
  const head = [
    headLine(view, look),
    ...gaps.slice(0, MOST_GAPS).map(({ gap }) => paint(look, 'yellow', fit(clusterLine(gapWords(gap)), look.width))),
  ];
  const room = Math.max(3, height - head.length - 3);
  const rows = [
    ...courses.map((course) => rowOf(course, at, at - course.foundAt < FRESH ? paint(look, 'red', 'new') : '')),
    ...cured.map((course) => rowOf(course, at, paint(look, 'green', 'cured'))),
  ];
  if (rows.length === 0) return lines(look, [...head, view.complete ? `${mark(look, 'passed')} no causes` : 'listing …']);
  const names = Math.max(20, Math.trunc(look.width * 0.34));
  const shownRows = rows.slice(0, room).map(([object = '', ...cells]) => [fit(object, names), ...cells]);
  const table = tableText(['OBJECT', 'SINCE', 'PODS', '', 'CAUSE'], shownRows, { ...look, width: 10_000 });
  const left = rows.length - shownRows.length;
  return lines(look, [
    ...head,
    '',
    ...table
      .trimEnd()
      .split('\n')
      .map((line) => cut(line, look)),
    ...(left > 0 ? [`and ${left} more`] : []),
  ]);
}

const MOST_GAPS = 3;

function headLine({ scope, objects, courses, pending, complete }: WatchView, look: Look): string {
  const parts = [
    paint(look, 'bold', `Watching ${clusterLine(scope, 100)}`),
    counted(objects, 'object'),
    counted(courses.length, 'cause'),
    ...(pending === 0 ? [] : [`${pending} being checked`]),
    ...(complete ? [] : ['not all listed yet']),
  ];
  return parts.join(', ');
}

function rowOf({ cause, since, pods }: Course, now: Instant, state: string): readonly string[] {
  const age = formatDuration(Math.max(0, (now - since) / 1000));
  return [objectWords(cause.workload), age, pods === 0 ? '-' : String(pods), state, clusterLine(`${cause.title} (${cause.rule})`)];
}

/** Colours take no columns: only what comes after the last of them is cut. */
function cut(line: string, look: Look): string {
  const end = line.lastIndexOf('\u001B[');
  if (end < 0) return fit(line, look.width);
  const painted = line.slice(0, line.indexOf('m', end) + 1);
  const plain = painted.replaceAll(/\u001B\[\d+m/g, '');
  return `${painted}${fit(line.slice(painted.length), Math.max(1, look.width - plain.length))}`;
}

function lines(look: Look, all: readonly string[]): readonly string[] {
  return shown(look, all).trimEnd().split('\n');
}
