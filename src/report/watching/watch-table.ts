import { counted } from '../../base/counted.ts';
import { formatDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/instant.ts';
import type { WatchGap } from '../../model/followed.ts';
import type { Course, WatchView } from '../../model/watch-change.ts';
import { clusterLine } from '../format/cluster-text.ts';
import { fit } from '../format/display-width.ts';
import { tableText } from '../format/table.ts';
import type { Look, Paint } from '../format/text-style.ts';
import { mark, paint, shown } from '../format/text-style.ts';
import { gapWords, workloadWords } from './change-text.ts';

/** How long what has just changed is marked, in milliseconds. */
const FRESH = 120_000;
/** How long what is over still stands in the table. */
const SHOWN_CURED = 300_000;

/** The live table for a terminal, in at most so many lines: the newest causes first, what is over last. */
export function watchTable(view: WatchView, look: Look, height: number): readonly string[] {
  const { at, courses, gaps } = view;
  const over = view.past.filter(({ ended, endedAt }) => ended !== 'changed' && at - endedAt < SHOWN_CURED);
  const head = [
    headLine(view, look),
    ...gapLines(gaps.map(({ gap }) => gap)).map((line) => paint(look, 'yellow', fit(clusterLine(line), look.width))),
  ];
  const room = Math.max(3, height - head.length - 3);
  const rows: readonly Row[] = [
    ...courses.map((course): Row => (at - course.foundAt < FRESH ? rowOf(course, at, 'new') : rowOf(course, at, ''))),
    ...over.map((course) => rowOf(course, at, course.ended === 'deleted' ? 'deleted' : 'cured')),
  ];
  if (rows.length === 0) return lines(look, [...head, nothingWords(view, look)]);
  const names = Math.max(20, Math.trunc(look.width * 0.34));
  const seen = rows.slice(0, room);
  const cells = seen.map(({ object, age, pods, state, cause }) => [fit(object, names), age, pods, state, cause]);
  // A cell of a painted text would be taken for wider than it is: whole lines are painted.
  const table = tableText(['OBJECT', 'SINCE', 'PODS', '', 'CAUSE'], cells, { ...look, color: false, width: WIDEST });
  const left = rows.length - seen.length;
  return lines(look, [
    ...head,
    '',
    ...table
      .trimEnd()
      .split('\n')
      .map((line, index) => painted(look, index === 0 ? 'dim' : COLORS[seen[index - 1]?.state ?? ''], fit(line, look.width))),
    ...(left > 0 ? [`and ${left} more`] : []),
  ]);
}

type State = 'new' | 'cured' | 'deleted' | '';

interface Row {
  readonly object: string;
  readonly age: string;
  readonly pods: string;
  readonly state: State;
  readonly cause: string;
}

const COLORS: Readonly<Record<State, Paint | undefined>> = { new: 'red', cured: 'green', deleted: 'dim', '': undefined };
/** Nothing is wrapped: what is too long for the terminal is cut. */
const WIDEST = 10_000;
/** Who is not allowed to look, or looks at a server that is away, has not seen that all is well. */
function nothingWords({ complete, gaps }: WatchView, look: Look): string {
  if (!complete) return 'listing …';
  return gaps.length > 0 ? `${mark(look, 'unknown')} no causes in what can be seen` : `${mark(look, 'passed')} no causes`;
}

const MOST_GAPS = 3;

/** A server that is away is so for all kinds: what has the same reason is one line. */
function gapLines(gaps: readonly WatchGap[]): readonly string[] {
  const byDetail = new Map<string, WatchGap[]>();
  for (const gap of gaps) byDetail.set(gap.detail, [...(byDetail.get(gap.detail) ?? []), gap]);
  const lines = [...byDetail.values()].flatMap(([first, ...more]) =>
    first === undefined
      ? []
      : [more.length === 0 ? gapWords(first) : `${counted(more.length + 1, 'kind')} cannot be watched: ${first.detail}`],
  );
  return lines.length > MOST_GAPS ? [...lines.slice(0, MOST_GAPS - 1), `and ${lines.length - MOST_GAPS + 1} more gaps`] : lines;
}

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

function rowOf(course: Course, now: Instant, state: State): Row {
  const { cause, since, pods } = course;
  return {
    object: workloadWords(course),
    age: formatDuration(Math.max(0, (now - since) / 1000)),
    pods: pods === 0 ? '-' : String(pods),
    state,
    cause: clusterLine(`${cause.title} (${cause.rule})`),
  };
}

function painted(look: Look, color: Paint | undefined, line: string): string {
  return color === undefined ? line : paint(look, color, line);
}

function lines(look: Look, all: readonly string[]): readonly string[] {
  return shown(look, all).trimEnd().split('\n');
}
