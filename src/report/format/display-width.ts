import { repeated } from '../../base/text.ts';
import { once } from '../../base/once.ts';
import { clusterWidth } from './cluster-width.ts';

/** Columns a text takes in a terminal: East Asian wide characters and emoji two, combining marks none. Control characters must be gone. */
export function displayWidth(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length;
  let width = 0;
  for (const { segment } of clusters(text)) width += clusterWidth(segment);
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
  for (const { segment } of clusters(text)) {
    const next = displayWidth(segment);
    if (used + next > width - 1) break;
    kept += segment;
    used += next;
  }
  return `${kept}…`;
}

export function padEnd(text: string, width: number): string {
  return text + repeated(' ', width - displayWidth(text));
}

/** Most texts need none, and making it takes some milliseconds. */
const segmenter = once(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** What a reader takes for one character each. */
function clusters(text: string): Intl.Segments {
  return segmenter().segment(text);
}

/** Below this nothing can be read anyway: a terminal that says it has no columns gets these. */
const MIN_WIDTH = 20;

/** Latin letters, dashes and quotation marks, arrows, lines, and the marks of stages. */
const NARROW_ONLY = /^[\u0020-\u007E\u00A0-\u00AC\u00AE-\u02FF\u2010-\u2027\u2190-\u2193\u2500-\u257F\u2713\u2714\u2716-\u2718]*$/;
const WITHOUT_SPACES =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Bopomofo}|\p{Script=Yi}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}|[\uFF00-\uFF60]/u;

function wrapLine(line: string, width: number): readonly string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = indent;
  let used = indent.length;
  let empty = true;
  for (const word of line.slice(indent.length).split(' ')) {
    for (const piece of WITHOUT_SPACES.test(word) ? pieces(word, width - indent.length) : [word]) {
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
  for (const { segment } of clusters(word)) {
    const next = displayWidth(segment);
    if (used + next > room) {
      parts.push(part);
      [part, used] = ['', 0];
    }
    part += segment;
    used += next;
  }
  return [...parts, part];
}
