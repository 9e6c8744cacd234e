import { counted } from '../base/counted.ts';
import { formatDuration } from '../base/duration.ts';
import { largest } from '../base/lists.ts';
import type { Instant } from '../base/instant.ts';
import { objectWords } from '../report/format/object-words.ts';
import type { Html } from '../report/html/markup.ts';
import { html } from '../report/html/markup.ts';
import type { Action, FaultRecord, RunRecord } from './run-record.ts';

/** Real time from the start of the run to its end or its last action. */
interface Axis {
  readonly from: Instant;
  readonly to: Instant;
}

/** Kinds of actions that share a lane, and the colour of their marks. */
const LANES: readonly { readonly name: string; readonly kinds: readonly Action['kind'][]; readonly look: string; readonly what: string }[] =
  [
    { name: 'Reads', kinds: ['look'], look: 'not-reached', what: 'read' },
    { name: 'Writes', kinds: ['write', 'destroy'], look: 'waiting', what: 'write' },
    { name: 'Hints', kinds: ['hint'], look: 'unknown', what: 'hint' },
    { name: 'Answers and checks', kinds: ['answer', 'check'], look: 'passed', what: 'time' },
  ];

/** A run at a glance: how long each fault stood, and when the trainee read, changed, took a hint or answered. */
export function timelinePicture(record: RunRecord): Html {
  const { started, ended, timeline, faults } = record;
  const axis = { from: started.wall, to: ended?.wall ?? largest([started.wall, ...timeline.map(({ wall }) => wall)]) };
  return html`<section><h2>Timeline</h2>
<ol class="lanes">${faults.map((fault) => faultLane(fault, axis))}${LANES.map((lane) => actionLane(lane, timeline, axis))}</ol>
<p class="muted">Real time: ${formatDuration((axis.to - axis.from) / 1000)} from left to right. A fault is red until it was fixed, and green after that. A read with a high mark shows the cause.</p></section>`;
}

function faultLane({ target, looked, named, mended, state }: FaultRecord, axis: Axis): Html {
  const isFixed = mended !== undefined && (state === 'mended' || state === 'coming');
  const until = isFixed ? mended.wall : axis.to;
  const times = [
    ...(looked === undefined ? [] : [`evidence seen after ${since(looked.wall, axis)}`]),
    ...(named === undefined ? [] : [`named after ${since(named.wall, axis)}`]),
    ...(isFixed ? [`fixed after ${since(until, axis)}`] : []),
  ].join(', ');
  const [edge, look] = [place(until, axis), isFixed ? 'passed' : 'blocked'];
  return html`<li class="lane"><span class="${look}">${objectWords(target)}</span> <span class="${look}">${isFixed ? 'fixed' : 'not fixed'}</span> <span class="muted">${times}</span><svg viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true"><rect class="blocked" x="0" y="1" width="${Math.max(MARK, edge)}" height="10"/>${isFixed ? html`<rect class="passed" x="${edge}" y="1" width="${Math.max(MARK, WIDTH - edge)}" height="10"/>` : undefined}</svg></li>
`;
}

function actionLane({ name, kinds, look, what }: (typeof LANES)[number], timeline: readonly Action[], axis: Axis): Html {
  const own = timeline.filter(({ kind }) => kinds.includes(kind));
  const marks = own.slice(0, MOST_MARKS).map((action) => mark(action, axis));
  return html`<li class="lane"><span>${name}</span> <span class="${look}">${counted(own.length, what)}</span> <span class="muted">${own.length > MOST_MARKS ? `the first ${String(MOST_MARKS)} are drawn` : ''}</span><svg class="${look}" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true"><rect class="axis" x="0" y="5" width="1000" height="2"/>${marks}</svg></li>
`;
}

/** What destroys, and what shows a cause, is the full height. */
function mark({ wall, kind, telling }: Action, axis: Axis): Html {
  const isHigh = kind !== 'look' || telling === true;
  return html`<rect x="${Math.min(WIDTH - MARK, place(wall, axis))}" y="${isHigh ? 0 : 4}" width="${MARK}" height="${isHigh ? 12 : 4}"/>`;
}

const WIDTH = 1000;
/** Wide enough to be seen where a lane is drawn on a telephone. */
const MARK = 4;
const MOST_MARKS = 1000;

function place(wall: Instant, { from, to }: Axis): number {
  return Math.min(WIDTH, Math.max(0, Math.round(((wall - from) / Math.max(1, to - from)) * WIDTH)));
}

function since(wall: Instant, { from }: Axis): string {
  return formatDuration(Math.max(0, wall - from) / 1000);
}
