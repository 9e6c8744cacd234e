import { reasonOf } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { countJson } from '../../base/value-count.ts';
import { jsonFault } from './json-fault.ts';
import { MAX_NESTING, MAX_VALUES } from './limits.ts';

/** `line` is the one the document begins on, from 1. */
export interface JsonDocument {
  readonly value: Json;
  readonly line: number;
}

export interface JsonError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** What to do, where the text is not simply wrong. */
  readonly hint?: string;
}

export interface JsonDocuments {
  readonly documents: readonly JsonDocument[];
  readonly errors: readonly JsonError[];
  /** How many values the text has, at most. */
  readonly values: number;
}

/**
 * The JSON documents of a text: one, one a line, or one after another, parted by nothing, white space or `---`. Lines between
 * them that are no JSON (warnings kubectl wrote to the same file) are passed over. A document that cannot be parsed is an
 * error of its own and leaves the others. A text of more values than `most` is not parsed at all: it would take too much memory.
 */
export function parseJsonDocuments(text: string, most: number = MAX_VALUES): JsonDocuments {
  const { values, depth } = countJson(text, most, Number.POSITIVE_INFINITY);
  if (values > most) return { documents: [], errors: [{ line: 1, column: 1, ...tooManyValues(most) }], values };
  try {
    if (depth <= MAX_NESTING) return { documents: [{ value: JSON.parse(text) as Json, line: 1 }], errors: [], values };
  } catch {
    // There may be several documents.
  }
  return { ...parseEach(text), values };
}

/** Why a text is not parsed that has more values than that. */
export function tooManyValues(most: number): { readonly message: string; readonly hint: string } {
  return {
    message: `more objects, lists and values than ${String(most)}`,
    hint: 'Narrow the output with kubectl -n and -l, or give Node more memory: NODE_OPTIONS=--max-old-space-size=4096.',
  };
}

function parseEach(text: string): Omit<JsonDocuments, 'values'> {
  const documents: JsonDocument[] = [];
  const errors: JsonError[] = [];
  let [line, counted] = [1, 0];
  for (const [start, end] of valuesIn(text)) {
    line += newlines(text, counted, start);
    counted = start;
    const part = text.slice(start, end);
    if (countJson(part, Number.POSITIVE_INFINITY, MAX_NESTING).depth > MAX_NESTING) {
      errors.push({
        line,
        column: start - lineStart(text, start) + 1,
        message: `objects and lists are nested more than ${String(MAX_NESTING)} levels deep`,
      });
      continue;
    }
    try {
      documents.push({ value: JSON.parse(part) as Json, line });
    } catch (error) {
      errors.push(errorIn(part, line, start - lineStart(text, start), reasonOf(error)));
    }
  }
  return { documents, errors };
}

/** Where each object or array stands that begins a line or follows another, found by counting brackets outside of strings. */
function* valuesIn(text: string): Generator<readonly [start: number, end: number]> {
  for (let at = nextStart(text, 0); at < text.length; at = nextStart(text, at)) {
    const end = endOfValue(text, at);
    yield [at, end];
    at = end;
  }
}

/** The next bracket that nothing but space (or a comma) parts from the beginning of a line or from what came before. */
function nextStart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === OPEN_BRACE || character === OPEN_BRACKET) return at;
    if (isSpace(character) || character === COMMA) continue;
    const newline = text.indexOf('\n', at);
    if (newline < 0) return text.length;
    at = newline;
  }
  return text.length;
}

/** An object that begins in the first column begins a document: one before it that is still open was cut off. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === OPEN_BRACE && depth > 0 && text.charCodeAt(at - 1) === NEWLINE) return at;
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth++;
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** Position of the closing quote; a string never goes over a line's end, so that a missing quote does not swallow the rest. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === BACKSLASH) at++;
    else if (character === QUOTE || character === NEWLINE) return at;
  }
  return text.length;
}

const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [QUOTE, BACKSLASH, NEWLINE, COMMA] = [0x22, 0x5c, 0x0a, 0x2c];

function isSpace(character: number): boolean {
  return character === 0x20 || character === NEWLINE || character === 0x0d || character === 0x09;
}

function errorIn(part: string, firstLine: number, indent: number, fallback: string): JsonError {
  const fault = jsonFault(part) ?? { offset: 0, message: fallback };
  const lines = newlines(part, 0, fault.offset);
  const column = fault.offset - lineStart(part, fault.offset) + 1 + (lines === 0 ? indent : 0);
  return { line: firstLine + lines, column, message: fault.message };
}

function newlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}
