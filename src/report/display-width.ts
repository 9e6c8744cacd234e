import { repeated } from '../base/text.ts';

/** Columns a text takes in a terminal: East Asian wide characters and emoji two, combining marks none. Control characters must be gone. */
export function displayWidth(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length;
  let width = 0;
  for (const { segment } of SEGMENTER.segment(text.normalize('NFC'))) width += clusterWidth(segment);
  return width;
}

/**
 * Lines no wider than `width`, broken at spaces: a longer word, path or command stands whole on a line of its own, for it is to be copied.
 * Scripts that write without spaces are broken between characters. Newlines stay.
 */
export function wrap(text: string, width: number): readonly string[] {
  const room = Math.max(MIN_WIDTH, width);
  return text.split('\n').flatMap((line) => wrapLine(line.replaceAll('\t', '    '), room));
}

/** At most `width` columns, the cut marked with an ellipsis. */
export function fit(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let [kept, used] = ['', 0];
  for (const { segment } of SEGMENTER.segment(text)) {
    const next = clusterWidth(segment);
    if (used + next > width - 1) break;
    kept += segment;
    used += next;
  }
  return `${kept}…`;
}

export function padEnd(text: string, width: number): string {
  return text + repeated(' ', width - displayWidth(text));
}

/** Below this nothing can be read anyway: a terminal that says it has no columns gets these. */
const MIN_WIDTH = 20;

const NARROW_ONLY = /^[\u0020-\u007E\u00A0-\u02FF\u2500-\u257F]*$/;
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' });
const COMBINING_ONLY = /^(?:\p{Mark}|\u200D)+$/u;
const EMOJI = /\p{Emoji_Presentation}|\uFE0F/u;
/** East Asian Wide and Fullwidth (Unicode Standard Annex 11), by block. */
const WIDE = /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}]/u;

function clusterWidth(cluster: string): number {
  if (COMBINING_ONLY.test(cluster)) return 0;
  return WIDE.test(cluster) || EMOJI.test(cluster) ? 2 : 1;
}

function wrapLine(line: string, width: number): readonly string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = indent;
  let used = indent.length;
  let empty = true;
  for (const word of line.slice(indent.length).split(' ')) {
    for (const piece of WIDE.test(word) ? pieces(word, width - indent.length) : [word]) {
      const wide = displayWidth(piece);
      const gap = empty ? 0 : 1;
      if (!empty && used + gap + wide > width) {
        lines.push(current.trimEnd());
        [current, used, empty] = [indent, indent.length, true];
      }
      current += empty ? piece : ` ${piece}`;
      used += (empty ? 0 : 1) + wide;
      empty = false;
    }
  }
  lines.push(current.trimEnd());
  return lines;
}

/** A word cut into parts that fit; almost always just the word. */
function pieces(word: string, width: number): readonly string[] {
  const room = Math.max(MIN_WIDTH / 2, width);
  if (displayWidth(word) <= room) return [word];
  const parts: string[] = [];
  let [part, used] = ['', 0];
  for (const { segment } of SEGMENTER.segment(word)) {
    const next = clusterWidth(segment);
    if (used + next > room) {
      parts.push(part);
      [part, used] = ['', 0];
    }
    part += segment;
    used += next;
  }
  return [...parts, part];
}
