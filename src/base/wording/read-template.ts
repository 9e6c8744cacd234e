import { withoutTail } from '../text.ts';
import { parseInteger } from '../number.ts';
import type { Capture, CaptureForm, Template } from './template.ts';

/** What a template's captures took, by their names. */
export type Captured = Readonly<Record<string, string | number>>;

/** A capture longer than this is no value, but the rest of the text. */
const CAPTURE_LIMIT = 1000;
/** Places at which a template's first piece is tried: the limit keeps the time linear in the text. */
const STARTS = 16;

const TOKENS: Readonly<Record<Exclude<CaptureForm, 'text'>, RegExp>> = {
  line: /[^\n]/,
  word: /[^\s"'`‘’“”,;()[\]{}<>]/,
  name: /[\w.-]/,
  constant: /\w/,
  number: /\d/,
  path: /[\w@%+=:,./~-]/,
};

/** What the whole token has to be like. */
const SHAPES: Readonly<Partial<Record<CaptureForm, RegExp>>> = { path: /^\.{0,2}\//, constant: /^[A-Z][A-Z\d]*_[A-Z\d_]+$/ };

/** A template that was found in a text. */
export interface Located {
  readonly captured: Captured;
  /** Where its first literal, or the token before it, begins, and where its last capture or literal ends. */
  readonly start: number;
  readonly end: number;
}

/**
 * What a text says where the template fits it: its pieces stand in the text in their order, and between them what the captures may take.
 * The text may go on before and after. `folded` is the text in which the pieces are looked for: the text itself, or its lower case.
 */
export function readTemplate(template: Template, text: string, folded: string): Captured | undefined {
  return locateTemplate(template, text, folded)?.captured;
}

/** The same with the place where it fits. */
export function locateTemplate({ pieces, captures }: Template, text: string, folded: string): Located | undefined {
  const [head = '', ...others] = pieces;
  const first = head === '' ? (others[0] ?? '') : head;
  let from = 0;
  for (let tries = 0; tries < STARTS; tries++) {
    const start = folded.indexOf(first, from);
    if (start < 0) return undefined;
    const located =
      head === '' ? readLeading(captures, others, text, folded, start) : readOn(captures, others, text, folded, start + head.length);
    if (located !== undefined) return { ...located, start: Math.min(start, located.start) };
    from = start + 1;
  }
  return undefined;
}

/** The token of a template's first capture stands before its first literal, which was found at `start`. */
function readLeading(
  captures: readonly Capture[],
  [piece = '', ...others]: readonly string[],
  text: string,
  folded: string,
  start: number,
): Located | undefined {
  const [capture, ...later] = captures;
  if (capture === undefined || capture.form === 'text') return undefined;
  const token = TOKENS[capture.form];
  let begin = start;
  while (begin > 0 && start - begin < CAPTURE_LIMIT && token.test(text[begin - 1] ?? '')) begin--;
  const own = valueOf(capture, text.slice(begin, start));
  const rest = own === undefined ? undefined : readOn(later, others, text, folded, start + piece.length);
  return rest === undefined ? undefined : { captured: { ...own, ...rest.captured }, start: begin, end: rest.end };
}

function readOn(captures: readonly Capture[], pieces: readonly string[], text: string, folded: string, begin: number): Located | undefined {
  let from = begin;
  const captured: Record<string, string | number> = {};
  for (const [index, capture] of captures.entries()) {
    const piece = pieces[index] ?? '';
    const end = endOf(capture, piece, text, folded, from);
    const value = end === undefined ? undefined : valueOf(capture, text.slice(from, end));
    if (end === undefined || value === undefined) return undefined;
    Object.assign(captured, value);
    from = end + piece.length;
  }
  return { captured, start: begin, end: from };
}

/** Where the capture that begins at `from` ends: at the next piece, or where the text or the token is over. */
function endOf({ form }: Capture, piece: string, text: string, folded: string, from: number): number | undefined {
  const furthest = form === 'text' ? Math.min(text.length, from + CAPTURE_LIMIT) : tokenEnd(TOKENS[form], text, from);
  if (piece === '') return furthest;
  const end = folded.indexOf(piece, from);
  return end < 0 || end > furthest ? undefined : end;
}

function tokenEnd(token: RegExp, text: string, from: number): number {
  let end = from;
  while (end < text.length && end - from < CAPTURE_LIMIT && token.test(text[end] ?? '')) end++;
  return end;
}

/** The capture's value under its name; undefined for one that is empty or not of its form. */
function valueOf({ name, form }: Capture, taken: string): Captured | undefined {
  if (name === undefined) return {};
  const whole = form === 'line' ? withoutLoneMark(taken.trim()) : taken.trim();
  const value = form === 'text' || form === 'line' || form === 'number' ? whole : withoutTail(taken, '.:,');
  if (value === '' || SHAPES[form]?.test(value) === false) return undefined;
  if (form !== 'number') return { [name]: value };
  const number = parseInteger(value);
  return number === undefined ? undefined : { [name]: number };
}

/** Without a quotation mark at its end that was opened before the capture: the line is a field of a log. */
function withoutLoneMark(text: string): string {
  return text.endsWith('"') && text.split('"').length % 2 === 0 ? text.slice(0, -1) : text;
}
