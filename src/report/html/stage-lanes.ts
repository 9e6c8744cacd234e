import { formatDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import { largest, smallest } from '../../base/lists.ts';
import type { StageVerdict } from '../../model/diagnosis.ts';
import { NORMAL_SECONDS } from '../../model/stage.ts';
import { VERDICT_WORDS } from '../diagnosis/verdict-words.ts';
import { mark, PLAIN } from '../format/text-style.ts';
import type { Html } from './markup.ts';
import { html } from './markup.ts';

/** A stage on the axis of time, in milliseconds. */
interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * The way through the stages, in their order: a lane for each, with its verdict in a word, and how long it took against how long it takes
 * normally. A bar needs a time before and after it.
 */
export function stageLanes(stages: readonly StageVerdict[], now: Instant): Html {
  const spans = spansOf(stages, now);
  const known = spans.filter((span) => span !== undefined);
  const axis = { from: smallest(known.map(({ from }) => from)), to: largest(known.map(({ to }) => to)) };
  return html`<section><h2>Stages</h2>
<ol class="lanes">${stages.map((stage, index) => lane(stage, spans[index], axis))}</ol>
${known.length === 0 ? undefined : html`<p class="muted">Bars show the time since ${formatInstant(axis.from)}; an outline is the time that a stage normally takes at most.</p>`}</section>`;
}

function lane({ id, verdict, at, reason }: StageVerdict, span: Span | undefined, axis: Span): Html {
  const seconds = span === undefined ? undefined : (span.to - span.from) / 1000;
  const normal = NORMAL_SECONDS[id];
  const usual = normal === undefined ? '' : `, normally up to ${formatDuration(normal)}`;
  const took = seconds === undefined ? [] : [`${verdict === 'passed' ? 'took' : 'for'} ${formatDuration(seconds)}${usual}`];
  const times = [...(at === undefined ? [] : [formatInstant(at)]), ...took].join(', ');
  return html`<li class="lane"><span class="${verdict}">${mark(PLAIN, verdict)} ${id}</span> <span class="${verdict}">${VERDICT_WORDS[verdict]}</span> <span class="muted">${times}</span>${span === undefined ? undefined : bar(span, axis, normal, verdict)}${reason === undefined ? undefined : html` <span class="why">${reason}</span>`}</li>
`;
}

const WIDTH = 1000;

function bar(span: Span, axis: Span, normal: number | undefined, verdict: string): Html {
  const scale = WIDTH / Math.max(1, axis.to - axis.from);
  const place = (at: number): number => Math.min(WIDTH, Math.max(0, Math.round((at - axis.from) * scale)));
  const [x, end] = [place(span.from), place(span.to)];
  const usual = normal === undefined ? undefined : place(span.from + normal * 1000) - x;
  return html`<svg class="${verdict}" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true"><rect class="axis" x="0" y="5" width="1000" height="2"/><rect class="real" x="${x}" y="1" width="${Math.max(4, end - x)}" height="10"/>${usual === undefined ? undefined : html`<rect class="usual" x="${x}" y="1" width="${Math.max(4, usual)}" height="10"/>`}</svg>`;
}

/** From the time of the stage before whose time is known; a stage that is not passed lasts until now. */
function spansOf(stages: readonly StageVerdict[], now: Instant): readonly (Span | undefined)[] {
  let before: Instant | undefined;
  return stages.map(({ verdict, at }) => {
    if (verdict === 'passed') {
      const from = before;
      if (at !== undefined && (before === undefined || at > before)) before = at;
      return at === undefined || from === undefined || at < from ? undefined : { from, to: at };
    }
    const isOpen = verdict === 'blocked' || verdict === 'waiting';
    return isOpen && before !== undefined && before <= now ? { from: before, to: now } : undefined;
  });
}
