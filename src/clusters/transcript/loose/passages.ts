import type { Line } from '../clean-lines.ts';
import { indentOf } from '../describe/sections.ts';
import { eventInLog } from './event-in-log.ts';
import { eventRow } from './event-row.ts';
import { unframed } from './log-frame.ts';

/** Lines that belong together, as one line with the number of the first. */
export interface Passage {
  readonly line: Line;
  /** Numbers of the lines that go on with it. */
  readonly more: readonly number[];
}

const MAX_JOINED = 12;
/** A sentence is looked for in so many characters at the beginning of a line. */
const SENTENCE_HEAD = 48;
const MAX_LENGTH = 8192;
/** Title lines, rules under them, and marks around code. */
const LAYOUT =
  /^\s*(?:Events:|Type\s+Reason\s|First ?Seen\s|FIRST ?SEEN\s|LAST ?SEEN\s|Last ?Seen\s|-{2,}(?:\s+-{2,})*|`{1,3}|\.\.\.|…)\s*/i;

/**
 * Joins wrapped lines. A line that says something goes on until something else begins. Two lines that say something only together are
 * joined. Lines that are only layout are left out. `beginsSomething` is the same, but for what may also go on with the line before.
 */
export function passages(
  lines: readonly Line[],
  saysSomething: (text: string) => boolean,
  beginsSomething: (text: string) => boolean,
): readonly Passage[] {
  const found: Passage[] = [];
  const width = fullWidth(lines);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (line === undefined || line.text.trim() === '' || isLayout(line.text)) continue;
    const more = linesAfter(lines, index, width, beginsSomething);
    const count = saysSomething(line.text) ? more.length : together(line.text, more, width, saysSomething);
    const text = joined([line.text, ...more.slice(0, count)], width);
    index += count;
    for (const part of rowsWithin(text))
      found.push({
        line: { number: line.number, text: part },
        more: lines.slice(index - count + 1, index + 1).map(({ number }) => number),
      });
  }
  return found;
}

/** The lines that may go on with the one at `index`. A line that says something by itself goes on only where a terminal broke it. */
function linesAfter(lines: readonly Line[], index: number, width: number, beginsSomething: (text: string) => boolean): readonly string[] {
  const more: string[] = [];
  let [last, length] = [lines[index]?.text ?? '', 0];
  for (let next = index + 1; more.length < MAX_JOINED && length < MAX_LENGTH; next++) {
    const text = lines[next]?.text;
    if (
      text === undefined ||
      !goesOn(last, text, lines[next + 1]?.text) ||
      (last.length !== width && text.length > 40 && !UNFINISHED.test(last) && beginsSomething(text.slice(0, SENTENCE_HEAD)))
    )
      break;
    more.push(text);
    length += text.length;
    if (text.trim() !== '') last = text;
  }
  return more;
}

/** How many more lines it takes until they say something that the last of them does not say alone; 0 when they do not. */
function together(text: string, more: readonly string[], width: number, saysSomething: (text: string) => boolean): number {
  const pair = more.slice(0, 2);
  for (const [index, next] of pair.entries()) {
    if (saysSomething(next)) return 0;
    if (saysSomething(joined([text, ...pair.slice(0, index + 1)], width))) return more.length;
  }
  return 0;
}

/** A message of a runtime or of Go that names an error and does not say it. */
const UNFINISHED = /(?:rpc error|code = \w{2,30}|[\w"'/)]:|desc =)\s{0,4}$/;
const IN_SENTENCE = /^\s{0,40}[a-z]{2,30}[ :=]/;

function joined(texts: readonly string[], width: number): string {
  let whole = '';
  let full = true;
  for (const text of texts) {
    if (text.trim() === '') continue;
    whole = whole === '' ? text : `${whole.trimEnd()}${full || isBroken(whole, text) ? '' : ' '}${text.trim()}`;
    full = text.length === width;
  }
  return whole;
}

/** Whether a word that runtimes and registries write was broken. */
function isBroken(before: string, after: string): boolean {
  const [head, tail] = [/[a-z]{1,20}$/i.exec(before)?.[0] ?? '', /^[a-z]{1,20}/.exec(after)?.[0] ?? ''];
  return head !== '' && tail !== '' && WORDS.has(`${head}${tail}`.toLowerCase());
}

const WORDS: ReadonlySet<string> = new Set(
  (
    'access authentication authority authorization authorized backoff certificate configmap connect connection container containerd ' +
    'context deadline denied directory exceeded failed forbidden found image invalid limit manifest manifests missing network ' +
    'operation permission permitted pulling reached reference refused registry repository requested required requests resolve resource ' +
    'response runtime sandbox secret server signed status storage timeout toomanyrequests unauthorized unexpected unknown unpack volume'
  ).split(' '),
);

/** Title lines of events, what stands under them, and marks around code: they say nothing. */
export function isLayout(text: string): boolean {
  const found = LAYOUT.exec(text);
  return (
    found !== null &&
    (found[0].length === text.length || /^\s*(?:Type\s+Reason|First ?Seen|Last ?Seen)\s/i.test(text)) &&
    !/\b(?:Normal|Warning)\s+[A-Z]/.test(text)
  );
}

/** The width of a terminal that broke lines: several lines are exactly that long, and none is longer. */
function fullWidth(lines: readonly Line[]): number {
  let [width, times] = [0, 0];
  for (const { text } of lines) {
    if (text.length > width) [width, times] = [text.length, 1];
    else if (text.length === width) times++;
  }
  return width >= 40 && times >= 2 ? width : -1;
}

/**
 * Whether a line can only be the rest of the one before: that one began something and this one begins nothing. A chat puts a blank line
 * between the parts of a message.
 */
function goesOn(before: string, text: string, next = ''): boolean {
  if (isWithin(before, text, next)) return true;
  if (RULE.test(text) && TITLES.test(before) && !isLayout(before)) return true;
  if (
    text.trim() === '' ||
    isLayout(text) ||
    beginsAnew(text) ||
    HEADS.some((head) => head.test(before) && head.test(text)) ||
    isNextField(before, text) ||
    isNextOfJson(before, text) ||
    isProse(before, text)
  )
    return false;
  return before.trim() !== '';
}

/** Whether what stands between two parts of a message says nothing itself. */
function isWithin(before: string, text: string, next: string): boolean {
  if (text.trim() === '') return UNFINISHED.test(before) && IN_SENTENCE.test(next);
  return ELLIPSIS.test(text) && AFTER_ELLIPSIS.test(next);
}

/** A person left out the middle of a line; behind it stands what can begin none. */
const ELLIPSIS = /^\s{0,8}(?:\.{3}|…|\[(?:\.{3}|…)\])\s{0,8}$/;
const AFTER_ELLIPSIS = /^\s{0,8}[:,)\]}]/;

/** A message may have a table in it: what the command of a probe printed. */
const TITLES = /\S {4,60}\S{1,40}\s{0,8}$/;
const RULE = /^-{2,40}(?: {1,60}-{2,40}){1,8}\s{0,8}$/;

/**
 * What stands before each of several lines, so that none is the rest of another: the name of a program, a step or a type (`[talos] `,
 * `[Warning] `), the mark of a text, and the type of an event behind its time.
 */
const HEADS: readonly RegExp[] = [
  /^\s{0,8}\[[\w./-]{1,40}\] /,
  /^\s{0,8}"(?:[^"\\]|\\.){1,8000}",?\s{0,8}$/,
  /^\s{0,8}"[^"]{0,300}",/,
  /^\s{0,8}\{"/,
  /^\s{0,8}(?:\S{1,40}\s{1,8}){0,2}(?:Normal|Warning)\s/,
];

/** Letters in which no component writes. */
const FOREIGN = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Cyrillic}]/u;
/** A person's words that lead to what follows them, and the line with name and time above each entry of a chat. */
const LEADS = /^\s{0,8}\p{Lu}[\p{L} ,'’-]{3,60}:\s{0,8}$/u;
const OF_COMPONENTS = /error|fail|response|output|arguments|command|message/i;
const CHAT_ENTRY = /^\S[\p{L} .'-]{0,40} {1,4}\d{1,2}:\d\d(?: ?[AP]M)?\s{0,8}$/u;

function isProse(before: string, text: string): boolean {
  return (FOREIGN.test(text) && !FOREIGN.test(before)) || (LEADS.test(text) && !OF_COMPONENTS.test(text)) || CHAT_ENTRY.test(text);
}

/** A field of YAML at the level of the one before, or further out: what stands before it has ended. */
function isNextField(before: string, text: string): boolean {
  if (!YAML_FIELD.test(text)) return false;
  const [outer, inner] = [indentOf(text), indentOf(before)];
  return outer < inner || (outer === inner && YAML_FIELD.test(before));
}

/** The next field, or the end, of the JSON whose field stands before it. */
function isNextOfJson(before: string, text: string): boolean {
  return JSON_FIELD.test(before) && (JSON_FIELD.test(text) || JSON_END.test(text));
}

const JSON_FIELD = /^\s{0,80}"[\w.-]{1,80}": ?\S/;
const JSON_END = /^\s{0,80}[}\]]{1,3},?\s{0,8}$/;

const YAML_FIELD = /^\s{0,40}(?:- )?[a-z][A-Za-z]{2,40}:(?: ['"\w-]|\s{0,8}$)/;

function beginsAnew(text: string): boolean {
  return (
    /^\s*(?:[#$>|❯➜]|[-*•] |(?:Normal|Warning) {1,20}[A-Z][a-z]|\d{4}-\d\d-\d\dT[\d:.]{8,18}Z \[(?:Normal|Warning)\] |(?:[\w:.-]{1,80},){1,4}[A-Z][A-Za-z]{3,40},|(?:FATAL|ERROR|WARNING|INFO|DEBUG): |Generated from |Successfully |\d{1,6} times in the last |```|~~~|[A-Z][\w ]{0,30}:\s{2,}|\[?[\w.-]{1,60}@[\w.-]{1,100}[:~ ][^#$%]{0,100}[#$%](?: |$))/u.test(
      text,
    ) ||
    eventRow(text) !== undefined ||
    eventInLog(text) !== undefined ||
    unframed(text).isLog
  );
}

const TYPE_AND_REASON = /(?:^|\s)(?=(?:Normal|Warning)\s{1,20}[A-Z][A-Za-z]{2,80}\s)/g;
const TRAILING = /\s((?:\d{1,9}[smhd]){1,3})\s*$/;

/** Rows that a page printed on one line: each begins with its type, or with its age in front of it. */
function rowsWithin(text: string): readonly string[] {
  const starts = [...text.matchAll(TYPE_AND_REASON)].map(({ index }) => index);
  if (starts.length < 2) return [text];
  const parts = starts.map((start, index) => text.slice(index === 0 ? 0 : start, starts[index + 1]));
  if (!/^\s*\S{1,40}\s+(?:Normal|Warning)/.test(parts[0] ?? '')) return parts;
  let carried = '';
  return parts.map((part) => {
    const age = TRAILING.exec(part)?.[1] ?? '';
    const row = `${carried} ${age === '' ? part : part.replace(TRAILING, '')}`;
    carried = age;
    return row;
  });
}
