import { repeated } from '../../../../base/text.ts';
import type { Issue } from './issues.ts';

/** A word of an expression. `kind` is what the grammar calls it: `'('`, `IDENTIFIER`, `<EOF>`. */
export interface Token {
  readonly kind: string;
  readonly text: string;
  readonly at: number;
}

/** The kinds in the order in which a message lists those that were expected. Source: cel-go parser/gen/CEL.g4. */
export const KINDS: readonly string[] = [
  "'=='",
  "'!='",
  "'in'",
  "'<'",
  "'<='",
  "'>='",
  "'>'",
  "'&&'",
  "'||'",
  "'['",
  "']'",
  "'{'",
  "'}'",
  "'('",
  "')'",
  "'.'",
  "','",
  "'-'",
  "'!'",
  "'?'",
  "':'",
  "'+'",
  "'*'",
  "'/'",
  "'%'",
  "'true'",
  "'false'",
  "'null'",
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
  'ESC_IDENTIFIER',
];

/** The words of an expression; what is none of them is left out and noted. */
export function tokensOf(text: string): { readonly tokens: readonly Token[]; readonly issues: readonly Issue[] } {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  for (let at = 0; at < text.length;) {
    const blank = BLANK.exec(text.slice(at, at + LONGEST_BLANK))?.[0].length ?? 0;
    if (blank > 0) {
      at += blank;
      continue;
    }
    if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
      continue;
    }
    const token = tokenAt(text, at);
    if ('end' in token) {
      issues.push({ at, message: `Syntax error: token recognition error at: '${escaped(text.slice(at, token.end))}'` });
      at = token.end;
    } else {
      tokens.push(token);
      at += token.text.length;
    }
  }
  tokens.push({ kind: '<EOF>', text: '<EOF>', at: text.length });
  return { tokens, issues };
}

const BLANK = /^[\t \r\n\f]+/;
const LONGEST_BLANK = 1000;
const LONGEST_WORD = 1000;
const SIGNS: readonly string[] = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<',
  '>',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
];
const NUMBER = /^(?:0x[0-9a-fA-F]+[uU]?|\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?|\d+[uU]?)/;

/** The token that begins here, or where the part ends that cannot be one. */
function tokenAt(text: string, at: number): Token | { readonly end: number } {
  const rest = text.slice(at, at + LONGEST_WORD);
  const quoted = quotedAt(text, at);
  if (quoted !== undefined) return quoted;
  const word = /^[A-Za-z_]\w*/.exec(rest)?.[0];
  if (word !== undefined) return { kind: WORDS.has(word) ? `'${word}'` : 'IDENTIFIER', text: word, at };
  const number = NUMBER.exec(rest)?.[0];
  if (number !== undefined) return { kind: numberKind(number), text: number, at };
  const sign = SIGNS.find((one) => rest.startsWith(one));
  if (sign !== undefined) return { kind: `'${sign}'`, text: sign, at };
  // Half a sign takes what follows it along.
  const last = at + (rest[0] === '=' || rest[0] === '&' || rest[0] === '|' ? 1 : 0);
  return { end: Math.min(text.length, last + ((text.codePointAt(last) ?? 0) > 0xff_ff ? 2 : 1)) };
}

function numberKind(number: string): string {
  if (/[uU]$/.test(number)) return 'NUM_UINT';
  return /[.eE]/.test(number) && !number.startsWith('0x') ? 'NUM_FLOAT' : 'NUM_INT';
}

const WORDS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

function quotedAt(text: string, at: number): Token | { readonly end: number } | undefined {
  const [prefix = ''] = /^(?:[bB][rR]?|[rR][bB]?)?(?=["'])/.exec(text.slice(at, at + 3)) ?? [];
  const start = at + prefix.length;
  const mark = text[start];
  if (mark !== '"' && mark !== "'") return undefined;
  const raw = /[rR]/.test(prefix);
  const kind = /[bB]/.test(prefix) ? 'BYTES' : 'STRING';
  const triple = repeated(mark, 3);
  const tripleEnd = text.startsWith(triple, start) ? endOf(text, start + 3, triple, raw) : undefined;
  if (tripleEnd !== undefined && tripleEnd.closed) return { kind, text: text.slice(at, tripleEnd.end), at };
  const { end, closed } = endOf(text, start + 1, mark, raw);
  return closed ? { kind, text: text.slice(at, end), at } : { end };
}

function endOf(text: string, from: number, mark: string, raw: boolean): { readonly end: number; readonly closed: boolean } {
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(mark, at)) return { end: at + mark.length, closed: true };
    if (mark.length === 1 && (text[at] === '\n' || text[at] === '\r')) return { end: at + 1, closed: false };
    if (raw || text[at] !== '\\') continue;
    const escape = /^\\(?:[abfnrtv"'\\?`]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[xX][0-9a-fA-F]{2}|[0-3][0-7]{2})/.exec(
      text.slice(at, at + 10),
    )?.[0];
    if (escape === undefined) return { end: Math.min(text.length, at + 2), closed: false };
    at += escape.length - 1;
  }
  return { end: text.length, closed: false };
}

/** As ANTLR shows text it cannot read. */
function escaped(text: string): string {
  return text
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\r', String.raw`\r`);
}
