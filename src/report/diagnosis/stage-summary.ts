import type { StageVerdict } from '../../model/diagnosis.ts';
import type { Verdict } from '../../model/stage.ts';
import { clusterLine } from '../format/cluster-text.ts';
import { displayWidth } from '../format/display-width.ts';
import type { Look, Paint } from '../format/text-style.ts';
import { mark, paint } from '../format/text-style.ts';
import { VERDICT_WORDS } from './verdict-words.ts';

const COLORS: Readonly<Record<Verdict, Paint>> = {
  passed: 'green',
  blocked: 'red',
  waiting: 'yellow',
  unknown: 'yellow',
  'not-reached': 'dim',
};

/** All stages on one line (or as few as fit): neighbours with the same verdict as a span, each with its mark and its word. */
export function stageSummary(stages: readonly StageVerdict[], look: Look): readonly string[] {
  const lines: { text: string; width: number }[] = [];
  for (const span of spansOf(stages)) {
    const words = spanWords(span, look);
    const width = displayWidth(words) + 2;
    const text = `${paint(look, COLORS[span.verdict], words.slice(0, 1))}${words.slice(1)}`;
    const last = lines.at(-1);
    if (last !== undefined && last.width + 2 + width <= look.width) {
      last.text += `  ${text}`;
      last.width += width;
    } else lines.push({ text, width: width - 2 });
  }
  return lines.map(({ text }) => text);
}

/** A stage that the target has no need of, right behind one that was passed: no Service selects the pod. */
const NOT_NEEDED = 'not applicable';

/** Characters of a reason. */
const REASON = 40;

interface Span {
  readonly verdict: Verdict;
  readonly first: string;
  readonly last: string;
  /** Of the stage before it. */
  readonly after: Verdict | undefined;
  /** It says why it is not reached: the target has no need of it. */
  readonly isUnneeded: boolean;
  /** Of a single stage that is not known, why. */
  readonly reason?: string | undefined;
}

function spansOf(stages: readonly StageVerdict[]): readonly Span[] {
  const spans: Span[] = [];
  for (const { id, verdict, reason } of stages) {
    const before = spans.at(-1);
    if (before?.verdict === verdict) spans[spans.length - 1] = { ...before, last: id, reason: undefined };
    else
      spans.push({
        verdict,
        first: id,
        last: id,
        after: before?.verdict,
        reason: verdict === 'unknown' ? reason : undefined,
        isUnneeded: verdict === 'not-reached' && reason !== undefined,
      });
  }
  return spans;
}

function spanWords({ verdict, first, last, after, isUnneeded, reason }: Span, look: Look): string {
  const name = first === last ? first : `${first} ${mark(look, 'through')} ${last}`;
  return `${mark(look, verdict)} ${name} ${isUnneeded && after === 'passed' ? NOT_NEEDED : VERDICT_WORDS[verdict]}${reason === undefined ? '' : ` (${clusterLine(reason, REASON)})`}`;
}
