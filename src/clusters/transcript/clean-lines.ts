import { parseInteger } from '../../base/number.ts';
import { withoutTail } from '../../base/text.ts';
import { dockerLine } from './docker-json.ts';
import { marksOfDiff } from './diff-marks.ts';
import { withoutWrapping, wrappedAt } from './hard-wrapping.ts';
import { journalLine } from './journal-json.ts';
import { klogLine } from './klog-json.ts';
import { withoutQuoting } from './quoted-output.ts';
import { withoutQuotedWords } from './quoted-words.ts';

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
export function* cleanLines(whole: string): Generator<Line> {
  const text = plainText(whole);
  const wrapping = wrappingOf(rawLines(text.slice(0, SAMPLE)));
  const sample = [...uncoveredLines(text.slice(0, SAMPLE), wrapping)].map((line) => line.text);
  const width = wrappedAt(text.length > SAMPLE ? sample.slice(0, -1) : sample);
  const margin = marginOf(sample);
  const lines = uncoveredLines(text, wrapping);
  for (const line of width === undefined ? lines : withoutWrapping(lines, width, MAX_LINE))
    yield margin === 0 ? line : { number: line.number, text: line.text.slice(margin) };
}

function* uncoveredLines(text: string, wrapping: Wrapping): Generator<Line> {
  let number = 1;
  let quotes = 0;
  let afterBlank = true;
  for (const raw of rawLines(text)) {
    const line = cleaned(raw);
    const isBlank = line.trim() === '';
    const isSpacing = wrapping.spaced && isBlank && !afterBlank;
    afterBlank = isBlank;
    if (isSpacing) {
      number++;
      continue;
    }
    quotes = /^ {0,3}>/.test(line) ? quotes + 1 : 0;
    yield { number, text: unwrapped(line, wrapping, quotes > 1) };
    number++;
  }
}

/** Markdown takes a text that is indented so far for code. */
const INDENTED = 4;

/** By how much every line is indented; 0 for less than a text is for quoting. */
function marginOf(lines: readonly string[]): number {
  let margin = Number.POSITIVE_INFINITY;
  for (const line of lines) if (line.trim() !== '') margin = Math.min(margin, line.length - line.trimStart().length);
  return Number.isFinite(margin) && margin >= INDENTED ? margin : 0;
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

const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const INVISIBLE = /[\u200b-\u200d\u2060\ufeff]/g;

/** An address or a name that an issue tracker made a link: `[https://a](https://a)`, `[a.io](http://a.io/)`. */
const LINKED = /\[((?:https?:\/\/)?[\w-]{1,63}[.:][^\][()\s]{1,1000})\]\(https?:\/\/[^\][()\s]{1,1000}\)/g;

/** Words that a person put in bold type. */
const BOLD = /(?<![\w/*])\*\*(?=[^\s*])([^*]{1,2000}?)(?<=[^\s/])\*\*(?![\w/*])/g;

/** A command on a line of its own that a person made a piece of code, with its prompt or without. */
const CODE_COMMAND =
  /^\s{0,12}(?:> )?(?:#{1,6} |[-*•] |\d{1,2}[.)] )?(?:[$#%>] )?`{1,3}(?:[$#%>] ?)?((?:sudo )?(?:kubectl|oc|cat|crictl|journalctl|systemctl|ssh) [^`]{1,1000})`{1,3}:?\s{0,12}$/;

/** A word in quotation marks within a field of CSV. */
const DOUBLED = /(?<![^\s=:,([])""([\w./-][^"]{0,253})""/g;

function cleaned(raw: string): string {
  let text = raw.includes('\u001B') ? raw.replace(ESCAPE, '') : raw;
  if (text.includes('\r')) text = afterReturn(text);
  if (text.includes('](http')) text = text.replace(LINKED, '$1');
  if (text.includes('**')) text = text.replace(BOLD, '$1');
  if (text.includes('`')) text = text.replace(CODE_COMMAND, '$ $1');
  if (text.includes('""')) text = text.replace(DOUBLED, '"$1"');
  if (text.includes('"MESSAGE"')) text = journalLine(text) ?? text;
  if (text.includes('"stream"')) text = dockerLine(text) ?? text;
  if (text.includes('{"ts":')) text = klogLine(text) ?? text;
  return withoutQuotedWords(/[\u00a0-\uffff]/.test(text) ? plainMarks(text) : text);
}

/** Blanks and quotation marks as a terminal prints them: word processors and chats put others in their place. */
function plainMarks(text: string): string {
  return text
    .replace(SPACES, ' ')
    .replace(INVISIBLE, '')
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u2018\u2019]/g, "'");
}

/** Also what was quoted already: `>> `, `> > `. */
const QUOTED = /^ {0,3}>(?:>{1,8}| (?:> ){0,8}>(?= ))? ?/;
const RULED = /^\s{0,40}\|.*\|\s{0,40}$/;

function unwrapped(line: string, { quoted, prefix, boxed, numbered, ruled }: Wrapping, inQuote: boolean): string {
  let text = line;
  if (prefix !== undefined) text = text.replace(prefix, '');
  if (numbered) text = text.replace(NUMBERED, '');
  if (ruled && RULED.test(text)) text = text.trim().slice(1, -1).replaceAll('|', ' ').trim();
  if (quoted || inQuote) text = text.replace(QUOTED, '');
  // A terminal that copies several rows of a box as one line breaks words at its width.
  text = text.split(' ││ ', 3).length > 2 ? text.replaceAll(' ││ ', '') : text;
  return boxed
    ? text
        .replace(/^\s{0,200}[│┃║] ?/, '')
        .replace(/\s{0,400}[│┃║]\s{0,40}$/, '')
        .replace(/[│┃║]/g, '  ')
    : text;
}

/** A carriage return within a line means that the line was written again over itself. */
function afterReturn(text: string): string {
  const line = withoutTail(text, '\r');
  return line.slice(line.lastIndexOf('\r') + 1);
}

/** What stands around every line of a text, and is none of it. */
interface Wrapping {
  /** Issue trackers and mail quote with `>`. */
  readonly quoted: boolean;
  /** Programs that run others put their name or the time in front. */
  readonly prefix: RegExp | undefined;
  /** Full-screen programs draw a box. */
  readonly boxed: boolean;
  readonly numbered: boolean;
  /** A table of Markdown, or of a database's console. */
  readonly ruled: boolean;
  /** Pages and chats put a blank line behind every line. */
  readonly spaced: boolean;
}

const SAMPLE = 64 * 1024;
const NUMBERED = /^\s{0,12}(\d{1,6})(?:[|.)]?(?:\s|$)|: ?)/;
/** vagrant, docker compose, Jenkins, GitHub's and GitLab's runners, `gh run view`, Tekton, grep in files, a diff of what is new. */
const PREFIXES: readonly RegExp[] = [
  /^ {0,4}==> [\w.-]{1,100}: ?/,
  /^[\w.-]{1,100} {0,40}\| /,
  /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z\] /,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}Z [\da-f]{2}[OE][ +]/,
  /^(?:[^\t]{1,100}\t[^\t]{1,100}\t)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z /,
  /^[\w./-]{1,200}\.(?:txt|log|out|md):(?:\d{1,6}:)?/,
  /^\+(?!\+)/,
];
/** The time in front of a line, the name of a step or a program, and a dash are a text's own, but not of what kubectl printed. */
const OF_LOGS: readonly RegExp[] = [
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)? /,
  /^\[?\d\d:\d\d:\d\d\]? {1,2}/,
  /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,253} [\w./@-]{1,100}(?:\[\d{1,8}\])?: /,
  /^\[[\w.-]{1,100}(?: : [\w.-]{1,100})?\] ?/,
  /^[-*•] /,
];

/** Test runners print what they are told behind the mark of a remark; what is typed at root's prompt is no remark. */
const REMARK = /^#(?: |$)(?! ?(?:kubectl|k|oc|helm|crictl|journalctl|systemctl|cat|ls|ssh|docker) )/;

function wrappingOf(lines: Iterable<string>): Wrapping {
  const seen: string[] = [];
  let spaces = 0;
  let last = '';
  for (const line of lines) {
    if (line.trim() === '' && last !== '') spaces++;
    last = line.trim();
    if (last === '') continue;
    seen.push(cleaned(line));
    if (seen.length >= QUOTE_SAMPLE) break;
  }
  const most = (fits: (line: string) => boolean, share: number): boolean =>
    seen.length >= 3 && seen.filter(fits).length >= seen.length * share;
  return {
    quoted: most((line) => /^ {0,3}>/.test(line), 0.9),
    prefix:
      marksOfDiff(seen, most) ??
      PREFIXES.find((prefix) => most((line) => prefix.test(line), 0.6)) ??
      (most((line) => REMARK.test(line), 0.85) ? REMARK : undefined) ??
      OF_LOGS.find((lead) => most((line) => lead.test(line), 0.9) && seen.some((line) => PRINTED.test(line.replace(lead, '')))),
    boxed: seen.filter((line) => /^\s{0,200}[│┃║]/.test(line)).length >= 2,
    numbered: isNumbered(seen),
    ruled: most((line) => RULED.test(line), 0.6),
    spaced: spaces >= (seen.length - 1) * 0.9 && seen.some((line) => PRINTED.test(line)),
  };
}

/** What no person writes, nor leaves without what stands under it. */
const PRINTED = /^\s{0,12}(?:NAME(?:SPACE)? +[A-Z]|LAST SEEN |Type +Reason |-{4} +-{4})/;

/** Whether lines are numbered one by one, as editors and `cat -n` do. */
function isNumbered(lines: readonly string[]): boolean {
  let [first, last]: [number | undefined, number] = [undefined, -1];
  for (const line of lines) {
    const number = parseInteger(NUMBERED.exec(line)?.[1]);
    if (number === undefined || number <= last) return false;
    first ??= number;
    last = number;
  }
  return lines.length >= 3 && last - (first ?? 0) <= lines.length * 2;
}

/** A page's source as it is shown, and line ends of old systems as new ones. */
function plainText(text: string): string {
  const lines = withoutQuoting(text.includes('\n') || !text.includes('\r') ? text : text.replaceAll('\r', '\n'));
  if (!/<\/?(?:pre|code|br|p|div|span|td|tr)\b|&(?:quot|lt|gt|#39|#34|nbsp);/i.test(lines.slice(0, SAMPLE))) return lines;
  const bare = lines
    .replace(/<br ?\/?>|<\/(?:p|div|tr)>/gi, '\n')
    .replace(/<\/?(?:pre|code|p|div|span|td|tr|table|tbody|b|i|strong|em|details|summary)(?: [^<>]{0,300})?>/gi, '');
  return bare
    .replace(/&(?:quot|#34|#x22);/gi, '"')
    .replace(/&(?:#39|#x27|apos);/gi, "'")
    .replace(/&lt;/gi, '<')
    .replace(/&gt;/gi, '>')
    .replace(/&nbsp;/gi, ' ')
    .replace(/&amp;/gi, '&');
}
