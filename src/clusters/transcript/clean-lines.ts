import { withoutTail } from '../../base/text.ts';
/** A line of the transcript with its number in it, from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** Longer lines are cut: nothing podcheck reads needs more, and a log may have lines of any length. */
const MAX_LINE = 16 * 1024;
const ESCAPE = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g;
const QUOTE_SAMPLE = 400;

/**
 * The lines of a pasted text one by one, without what terminals and issue trackers add to them: colours, carriage returns,
 * `> ` in front of every line. One line at a time, so that a text of any size takes no more than it has.
 */
export function* cleanLines(text: string): Generator<Line> {
  const quoted = isQuoted(text);
  let number = 1;
  for (const raw of rawLines(text)) {
    yield { number, text: cleaned(raw, quoted) };
    number++;
  }
}

function* rawLines(text: string): Generator<string> {
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (start <= text.length) {
    const end = text.indexOf('\n', start);
    const stop = end < 0 ? text.length : end;
    if (end < 0 && stop === start) return;
    yield text.slice(start, Math.min(stop, start + MAX_LINE));
    start = stop + 1;
  }
}

function cleaned(raw: string, quoted: boolean): string {
  let text = raw.includes('\u001B') ? raw.replace(ESCAPE, '') : raw;
  if (text.includes('\r')) text = afterReturn(text);
  return quoted ? text.replace(/^ {0,3}> ?/, '') : text;
}

/** A carriage return within a line means that the line was written again over itself. */
function afterReturn(text: string): string {
  const line = withoutTail(text, '\r');
  return line.slice(line.lastIndexOf('\r') + 1);
}

/** Whether (nearly) every line begins with `>`, as issue trackers and mail quote. */
function isQuoted(text: string): boolean {
  let [seen, marked] = [0, 0];
  for (const line of rawLines(text.slice(0, 64 * 1024))) {
    if (line.trim() === '') continue;
    seen++;
    if (/^ {0,3}>/.test(line)) marked++;
    if (seen >= QUOTE_SAMPLE) break;
  }
  return seen >= 3 && marked >= seen * 0.9;
}
