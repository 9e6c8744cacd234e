import { beginsOther, isPlaceholder } from './placeholder.ts';
import { isSecretValue } from './secret-values.ts';
import type { SecretWord } from './secret-words.ts';
import { secretWords } from './secret-words.ts';
import type { Span } from './span.ts';

/**
 * What stands behind a word for it: `password=…`, `PASSWORD: …`, `"token":"…"`, `--password …`, `name: DB_PASSWORD, value: …`,
 * `Authorization: …`.
 */
export function assignedSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  let covered = 0;
  for (const word of secretWords(text)) {
    if (word.end <= covered) continue;
    const value = valueBehind(text, word);
    if (value === undefined) continue;
    spans.push(value);
    covered = value.end;
  }
  return spans;
}

/** Codes that colour a word of a log. */
const COLOR = String.raw`(?:\u001B\[[\d;]{0,16}m){0,3}`;
const SEPARATOR = new RegExp(
  String.raw`${COLOR}(?:\\{0,3}["'\x60\]}]){0,2}(?:\.value)?[ \t]{0,100}(=>|:=|==?|:(?!:|//))${COLOR}[ \t]{0,100}${COLOR}`,
  'y',
);
/** What stands between a variable's name and its value in a container's `env`, as JSON, YAML or Go write it. */
const PAIR = /(?:\\{0,3}["'])?\s{0,100},?\s{0,100}(?:\\{0,3}["'])?value(?:\\{0,3}["'])?\s{0,20}([:=])\s{0,20}/iy;
/** Between a flag and its value: a blank, or the list of words it stands in. */
const BEHIND_FLAG = /\\{0,3}["']\s{0,100},\s{0,100}|\s{1,40}-[ \t]{1,4}|[ \t]{1,20}/y;

function valueBehind(text: string, word: SecretWord): Span | undefined {
  const separator = at(SEPARATOR, text, word.end);
  if (separator !== undefined) return read(text, SEPARATOR.lastIndex, word, separator[1] !== ':');
  if (word.kind === 'login' || word.kind === 'signature') return undefined;
  if (at(PAIR, text, word.end) !== undefined) return read(text, PAIR.lastIndex, word, true);
  return word.identifier.startsWith('-') && at(BEHIND_FLAG, text, word.end) !== undefined && text.charAt(BEHIND_FLAG.lastIndex) !== '-'
    ? read(text, BEHIND_FLAG.lastIndex, word, false)
    : undefined;
}

function at(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}

const OPENING = /\[?(\\{0,3}["'`])/y;

function read(text: string, from: number, word: SecretWord, isSure: boolean): Span | undefined {
  const opening = at(OPENING, text, from);
  if (opening === undefined) return word.kind === 'header' ? readHeader(text, from, undefined) : readBare(text, from, word, isSure);
  const start = OPENING.lastIndex;
  const end = endOfQuoted(text, start, opening[1] ?? '"');
  if (word.kind === 'header') return readHeader(text, start, end);
  return isSecretValue(text.slice(start, end), word, { isSure: true, isQuoted: true }) ? { start, end } : undefined;
}

/** Where the quotation ends: at the same quote with as many backslashes; one that is cut off, with its line. */
function endOfQuoted(text: string, start: number, quote: string): number {
  const limit = lineEnd(text, start);
  for (let end = text.indexOf(quote, start); end >= 0 && end < limit; end = text.indexOf(quote, end + quote.length)) {
    if (text.charAt(end - 1) !== '\\') return end;
  }
  return limit;
}

/** A line is looked through to its end by steps, so that many quotations on a long line do not look through all of it each. */
function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += STEP) {
    const end = text.slice(at, at + STEP).indexOf('\n');
    if (end >= 0) return at + end;
  }
  return text.length;
}

const STEP = 4096;

const BARE = /[^\s]{1,4096}/y;
/** `|` or `>`: the value stands on the lines below, further in. */
const BLOCK = /[|>][+-]?\d?[ \t]{0,20}\n([ \t]{1,100}[^\n]{1,4096}(?:\n[ \t]{1,100}[^\n]{1,4096}){0,100})/y;

function readBare(text: string, from: number, word: SecretWord, isSure: boolean): Span | undefined {
  const block = at(BLOCK, text, from);
  if (block?.[1] !== undefined) return { start: BLOCK.lastIndex - block[1].trimStart().length, end: BLOCK.lastIndex };
  const run = at(BARE, text, from)?.[0];
  if (run === undefined || isCount(text, from) || beginsOther(text.slice(from, from + 200))) return undefined;
  const value = trimmed(run.slice(0, endOfValue(run)));
  const start = from + (value.startsWith('[') && value.length > 1 ? 1 : 0);
  return value !== '' && isSecretValue(value, word, { isSure, isQuoted: false }) ? { start, end: from + value.length } : undefined;
}

/** What `kubectl describe secret` says of a value: `12 bytes`. */
function isCount(text: string, from: number): boolean {
  return /^\d{1,9} bytes?\b/.test(text.slice(from, from + 20));
}

/** Where another name begins within the run: `a=1,b=2`, `Pwd=x;Server=y`, `?token=x&page=2`, and what closes an outer quotation. */
const NEXT =
  /[,;&|](?:\\{0,3}["'])?[\w.-]{1,64}(?:\\{0,3}["'])?[=:]|[,;&]$|(?:\\{1,3}n|\\{0,3}["'`])(?:[,;)}\]]|$|[\w.-]{1,64}[=:])|[)}\]](?:[,;)}\]]|$)/;

function endOfValue(run: string): number {
  const next = run.slice(1).search(NEXT);
  return next < 0 ? run.length : next + 1;
}

function trimmed(value: string): string {
  let end = value.length;
  while (end > 1 && /[)\]}>.,;:'"`\\]/.test(value.charAt(end - 1))) end--;
  return value.slice(0, end);
}

const SCHEME = /(?:Bearer|Basic|Token|Negotiate|ApiKey|Digest|OAuth|AWS4-HMAC-SHA256)[ \t]{1,8}/iy;
const MANY_PARTS = /^(?:Digest|OAuth|AWS4|cookie)/i;

/**
 * The value of a header: behind its scheme where it has one, up to the end of its quotes, or of its word, or of its line where it has many
 * parts.
 */
function readHeader(text: string, from: number, quotedEnd: number | undefined): Span | undefined {
  const scheme = at(SCHEME, text, from)?.[0] ?? '';
  const start = from + scheme.length + (text.charAt(from + scheme.length) === '[' ? 1 : 0);
  const line = begun(/^[^\n"'`]*/, text.slice(start, start + 8192));
  const word = begun(/^[^\s"'`,;)\]}]*/, line);
  const isCookie = /^[\w.-]{1,64}=/.test(line);
  const isPlain = quotedEnd === undefined ? !/\d/.test(word) || word.length < 8 : /^[a-z ]*$/i.test(text.slice(start, quotedEnd));
  if (scheme === '' && !isCookie && isPlain) return undefined;
  const end = quotedEnd ?? start + (isCookie || MANY_PARTS.test(scheme) ? line.trimEnd().length : word.length);
  return end <= start || isPlaceholder(text.slice(start, end)) || beginsOther(text.slice(start, start + 200)) ? undefined : { start, end };
}

function begun(pattern: RegExp, text: string): string {
  return pattern.exec(text)?.[0] ?? '';
}
