import type { Json } from '../json.ts';
import { parseDigits, parseInteger } from '../number.ts';
import { repeated } from '../text.ts';
import { parseFlow } from './flow-yaml.ts';
import { kubeScalar } from './kube-scalar.ts';

/**
 * A document in the plain block style that kubectl prints and people write: mappings, sequences, one-line keys and flow collections,
 * plain, quoted and literal (`|`) scalars. Anything beyond it (anchors, tags, folded scalars, odd indentation, errors) is left to a full
 * parser: this one exists because it is some thirty times as fast and linear, and must agree with it on all it accepts.
 */
export function parseBlockYaml(text: string): BlockYaml {
  const { lines, bad } = readLines(text);
  if (bad !== undefined) return { beyond: bad };
  const cursor: Cursor = { lines, at: 0, entry: 0 };
  skipBlank(cursor);
  const first = lines[cursor.at];
  if (first === undefined) return { value: null };
  try {
    const value = node(cursor, 0, 0);
    skipBlank(cursor);
    return cursor.at < lines.length ? { beyond: cursor.at + 1 } : { value };
  } catch (error) {
    if (error instanceof BeyondBlockStyle) return { beyond: cursor.entry + 1 };
    throw error;
  }
}

/** The document's value, or the line (from 1) of the first entry that is not in this style. */
export type BlockYaml = { readonly value: Json } | { readonly beyond: number };

class BeyondBlockStyle extends Error {}

interface Line {
  readonly indent: number;
  /** Without indentation and trailing spaces; empty for a blank line. */
  readonly text: string;
  /** Whole, for literal scalars. */
  readonly raw: string;
}

interface Cursor {
  readonly lines: Line[];
  at: number;
  /** Where the entry begins that is being read. */
  entry: number;
}

const MAX_DEPTH = 64;

function readLines(text: string): { readonly lines: Line[]; readonly bad?: number } {
  const lines: Line[] = [];
  for (const raw of text.split('\n')) {
    let indent = 0;
    while (raw.charCodeAt(indent) === 0x20) indent++;
    if (raw.charCodeAt(indent) === 0x09) return { lines, bad: lines.length + 1 };
    const trimmed = raw.slice(indent, endOf(raw));
    if (trimmed.startsWith('...') && indent === 0) return { lines, bad: lines.length + 1 };
    lines.push({ indent, text: trimmed, raw });
  }
  return { lines };
}

/** Length without trailing spaces and tabs: YAML has no other white space, unlike `trimEnd`. */
function endOf(text: string): number {
  let end = text.length;
  while (end > 0 && (text.charCodeAt(end - 1) === 0x20 || text.charCodeAt(end - 1) === 0x09)) end--;
  return end;
}

/** A mapping or a sequence that starts at the cursor, at exactly this indentation. */
function node(cursor: Cursor, indent: number, depth: number): Json {
  if (depth > MAX_DEPTH) beyond();
  const line = cursor.lines[cursor.at];
  if (line === undefined || line.indent !== indent) return beyond();
  return isItem(line.text) ? sequence(cursor, indent, depth) : mapping(cursor, indent, depth);
}

function isItem(text: string): boolean {
  return text === '-' || text.startsWith('- ');
}

function mapping(cursor: Cursor, indent: number, depth: number): Json {
  const members: Record<string, Json> = {};
  for (let line = lineAt(cursor); line !== undefined && line.indent >= indent; line = lineAt(cursor)) {
    if (line.indent > indent || isItem(line.text)) beyond();
    cursor.entry = cursor.at;
    const { key, rest } = splitKey(line.text);
    cursor.at++;
    const value = rest === '' ? below(cursor, indent, depth) : scalar(cursor, rest, indent);
    if (key === '__proto__') beyond();
    members[key] = value;
  }
  return members;
}

function sequence(cursor: Cursor, indent: number, depth: number): Json {
  const items: Json[] = [];
  for (let line = lineAt(cursor); line !== undefined && line.indent === indent && isItem(line.text); line = lineAt(cursor)) {
    cursor.entry = cursor.at;
    const written = line.text.slice(1).replace(/^ +/, '');
    if (written.startsWith('\t')) beyond();
    const rest = written.startsWith('#') ? '' : written;
    const inner = indent + line.text.length - written.length;
    if (rest === '') {
      cursor.at++;
      items.push(under(cursor, indent, depth));
    } else if (isItem(rest) || hasKey(rest)) {
      cursor.lines[cursor.at] = { indent: inner, text: rest, raw: line.raw };
      items.push(node(cursor, inner, depth + 1));
    } else {
      cursor.at++;
      items.push(scalar(cursor, rest, indent));
    }
  }
  const after = lineAt(cursor);
  if (after !== undefined && after.indent > indent) beyond();
  return items;
}

/** What stands under a key without a value on its line: deeper lines, or a sequence at the key's own indentation. */
function below(cursor: Cursor, indent: number, depth: number): Json {
  const line = lineAt(cursor);
  if (line !== undefined && line.indent === indent && isItem(line.text)) return sequence(cursor, indent, depth + 1);
  return under(cursor, indent, depth);
}

function under(cursor: Cursor, indent: number, depth: number): Json {
  const line = lineAt(cursor);
  if (line === undefined || line.indent <= indent) return null;
  if (!isItem(line.text) && !hasKey(line.text)) return beyond();
  return node(cursor, line.indent, depth + 1);
}

/** The next line that is neither blank nor a comment. */
function lineAt(cursor: Cursor): Line | undefined {
  skipBlank(cursor);
  return cursor.lines[cursor.at];
}

function skipBlank(cursor: Cursor): void {
  for (let line = cursor.lines[cursor.at]; line !== undefined; line = cursor.lines[cursor.at]) {
    if (line.text !== '' && !line.text.startsWith('#')) return;
    cursor.at++;
  }
}

function hasKey(text: string): boolean {
  return keyEnd(text) >= 0;
}

/** Where the colon after a line's key stands; -1 when the line is no `key:`. */
function keyEnd(text: string): number {
  const quote = text.charAt(0);
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, 1);
    return close > 0 && text.charAt(close + 1) === ':' && [' ', ''].includes(text.charAt(close + 2)) ? close + 1 : -1;
  }
  const colon = text.indexOf(': ');
  return colon >= 0 ? colon : text.endsWith(':') ? text.length - 1 : -1;
}

function splitKey(text: string): { readonly key: string; readonly rest: string } {
  const end = keyEnd(text);
  if (end <= 0) return beyond();
  const written = text.slice(0, end);
  if (written.includes('\t')) beyond();
  let rest = text.slice(end + 1).replace(/^[ \t]+/, '');
  if (rest.startsWith('#')) rest = '';
  if (written.startsWith('"') || written.startsWith("'")) {
    const key = written.slice(1, -1);
    return key.includes('\\') ? beyond() : { key, rest };
  }
  if (!isPlain(written) || written.includes(' #') || written.endsWith(' ')) return beyond();
  const key = kubeScalar(written);
  return key === null || key === undefined || written === '<<' ? beyond() : { key: String(key), rest };
}

const NOT_PLAIN = new Set('-?:,[]{}#&*!|>\'"%@`');

function isPlain(text: string): boolean {
  const first = text.charAt(0);
  if (!NOT_PLAIN.has(first)) return true;
  return '-?:'.includes(first) && text.length > 1 && text.charAt(1) !== ' ';
}

/** A scalar whose text begins on a line just consumed, in a collection at this indentation. */
function scalar(cursor: Cursor, start: string, indent: number): Json {
  if (start.startsWith('[') || start.startsWith('{')) return flow(cursor, start, indent);
  if (start.startsWith('"') || start.startsWith("'")) return quoted(cursor, start, indent);
  const block = /^\|([1-9]?)([+-]?)$/.exec(start);
  if (block !== null) return literal(cursor, block[2] ?? '', indent, parseInteger(block[1]) ?? 0);
  return isPlain(start) ? plain(cursor, start, indent) : beyond();
}

/** Within a flow collection lines may break anywhere, so one that does not end on its line is left to a full parser. */
function flow(cursor: Cursor, start: string, indent: number): Json {
  const next = lineAt(cursor);
  if (next !== undefined && next.indent > indent) beyond();
  return parseFlow(start)?.value ?? beyond();
}

function plain(cursor: Cursor, text: string, indent: number): Json {
  const comment = text.indexOf(' #');
  const start = comment < 0 ? text : text.slice(0, endOf(text.slice(0, comment)));
  if (comment >= 0) {
    const next = lineAt(cursor);
    if (next !== undefined && next.indent > indent) beyond();
  }
  if (hasKey(start) || start.includes('\t')) beyond();
  const parts = [start];
  let blanks = 0;
  for (let line = cursor.lines[cursor.at]; comment < 0 && line !== undefined; line = cursor.lines[++cursor.at]) {
    if (line.text === '') {
      blanks++;
      continue;
    }
    if (line.indent <= indent) break;
    if (isMoreThanText(line.text)) beyond();
    parts.push(blanks === 0 ? ' ' : repeated('\n', blanks), line.text);
    blanks = 0;
  }
  if (parts.length > 1) return parts.join('');
  const value = kubeScalar(start);
  return value === undefined ? beyond() : value;
}

/** Whether a line goes on with something else than words: a key, a comment, a tab. */
function isMoreThanText(line: string): boolean {
  return line.includes(': ') || line.endsWith(':') || line.startsWith('#') || line.includes(' #') || line.includes('\t');
}

function quoted(cursor: Cursor, start: string, indent: number): Json {
  const double = start.startsWith('"');
  let close = closing(start, 1, double);
  let body = start;
  if (close < 0) {
    const parts = [start];
    for (let line = cursor.lines[cursor.at]; close < 0; line = cursor.lines[cursor.at]) {
      if (line === undefined || (line.text !== '' && line.indent <= indent)) return beyond();
      cursor.at++;
      close = closing(line.text, 0, double);
      parts.push(line.text);
    }
    body = fold(parts, double);
    close = closing(body, 1, double);
  }
  const after = body.slice(close + 1);
  if (close < 0 || (endOf(after) > 0 && !/^[ \t]+#/.test(after))) return beyond();
  const inner = body.slice(1, close);
  return double ? unescape(inner) : inner.replaceAll("''", "'");
}

/** The closing quote from a position on; -1 when it is not on this line. */
function closing(text: string, from: number, double: boolean): number {
  for (let index = from; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (double && character === 0x5c) index++;
    else if (double ? character === 0x22 : character === 0x27) {
      if (double || text.charCodeAt(index + 1) !== 0x27) return index;
      index++;
    }
  }
  return -1;
}

/** Line breaks in a quoted scalar: one is a space, each further one a newline; a backslash at a line's end joins. */
function fold(parts: readonly string[], double: boolean): string {
  const [first = '', ...rest] = parts;
  const folded = [first];
  let [last, blanks] = [first, 0];
  for (const part of rest) {
    const joins = double && endsEscaped(last);
    if (joins && (blanks > 0 || part === '')) beyond();
    if (part === '') blanks++;
    else {
      if (joins) folded[folded.length - 1] = last.slice(0, -1);
      else folded.push(blanks === 0 ? ' ' : repeated('\n', blanks));
      folded.push(part);
      [last, blanks] = [part, 0];
    }
  }
  return folded.join('');
}

/** Whether the last backslash escapes what follows it: there is an odd number of them. */
function endsEscaped(text: string): boolean {
  let start = text.length;
  while (text.charCodeAt(start - 1) === 0x5c) start--;
  return (text.length - start) % 2 === 1;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

function unescape(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]?))/g,
    (_, x?: string, u?: string, U?: string, one = '') => {
      const code = x ?? u ?? U;
      if (code === undefined) return ESCAPES[one as string] ?? beyond();
      const point = parseDigits(code, 16) ?? Number.POSITIVE_INFINITY;
      return point > 0x10ffff ? beyond() : String.fromCodePoint(point);
    },
  );
}

/** `given` is how much deeper than its parent the text says it stands; 0 where its first line tells. */
function literal(cursor: Cursor, chomp: string, indent: number, given: number): Json {
  const lines: string[] = [];
  let inner = given === 0 ? -1 : indent + given;
  for (let line = cursor.lines[cursor.at]; line !== undefined; line = cursor.lines[++cursor.at]) {
    if (line.text === '' && (inner < 0 || line.indent <= inner)) {
      if (inner < 0 && line.indent > indent + 1) beyond();
      lines.push('');
      continue;
    }
    if (inner < 0) inner = line.indent;
    if (line.indent <= indent || line.indent < inner) break;
    lines.push(line.raw.slice(inner));
  }
  if (inner < 0 || inner <= indent) return beyond();
  return chomped(lines, chomp, cursor.at >= cursor.lines.length);
}

/** Lines as one text, with as many newlines at its end as are asked for. `isLast`: nothing follows in the document. */
function chomped(lines: string[], chomp: string, isLast: boolean): Json {
  let blanks = 0;
  while (lines.at(-1) === '') {
    lines.pop();
    blanks++;
  }
  if (lines.length === 0) return beyond();
  if (chomp !== '+') return lines.join('\n') + (chomp === '-' ? '' : '\n');
  // Behind the last newline of a document there is no further line.
  const kept = isLast ? blanks - 1 : blanks;
  return kept < 0 ? beyond() : `${lines.join('\n')}${repeated('\n', kept + 1)}`;
}

function beyond(): never {
  throw new BeyondBlockStyle();
}
