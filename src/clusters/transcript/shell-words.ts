/** One program of a pipeline with its arguments, quotes taken off. */
export type Words = readonly string[];

/** A command line as the shell would cut it up: programs joined by pipes, and what parts these pipelines (`;`, `&&`, `||`). */
export interface ShellLine {
  readonly pipelines: readonly (readonly Words[])[];
  /** The word that ends a here-document, when the line begins one. */
  readonly heredoc?: string;
}

/** Cuts up a command line. Quotes, backslashes and redirections are understood; variables and globs stay as written. */
export function shellLine(text: string): ShellLine {
  const pipelines: Words[][] = [[]];
  let words: string[] = [];
  let heredoc: string | undefined;
  let skip: 'target' | 'heredoc' | undefined;
  const endProgram = (): void => {
    if (words.length > 0) pipelines.at(-1)?.push(words);
    words = [];
  };
  for (const token of tokens(text)) {
    if (token.operator === undefined) {
      if (skip === undefined) words.push(token.word);
      else if (skip === 'heredoc') heredoc ??= token.word;
      skip = undefined;
    } else if (token.operator === '|' || token.operator === '|&') endProgram();
    else if (token.operator.startsWith('<<')) skip = 'heredoc';
    else if (/^\d*[<>]/.test(token.operator)) skip = token.operator.endsWith('&1') || token.operator.endsWith('&2') ? undefined : 'target';
    else {
      endProgram();
      pipelines.push([]);
    }
  }
  endProgram();
  return { pipelines: pipelines.filter((programs) => programs.length > 0), ...(heredoc === undefined ? {} : { heredoc }) };
}

/** `<pod-name>`: what a person is to put there, and no redirection. */
const PLACEHOLDER = /^<[A-Za-z][\w .-]{0,60}>/;

interface Token {
  readonly word: string;
  readonly operator?: string;
}

const OPERATOR = /^(?:\d?>&[12]|&>>?|\d?>>?|<<<|<<-?|<|\|\||\|&?|&&|;|&)/;

function operatorAt(text: string, at: number): string | undefined {
  return placeholderAt(text, at) === undefined ? OPERATOR.exec(text.slice(at, at + 4))?.[0] : undefined;
}

function placeholderAt(text: string, at: number): string | undefined {
  return text.charAt(at) === '<' ? PLACEHOLDER.exec(text.slice(at, at + 64))?.[0] : undefined;
}

function tokens(text: string): readonly Token[] {
  const found: Token[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    const operator = word === undefined || !/^\d$/.test(character) ? operatorAt(text, at) : undefined;
    if (operator !== undefined) {
      if (word !== undefined) found.push({ word });
      word = undefined;
      found.push({ word: '', operator });
      at += operator.length;
    } else if (/\s/.test(character)) {
      if (word !== undefined) found.push({ word });
      word = undefined;
      at++;
    } else if (character === '#' && word === undefined) break;
    else {
      const piece = quotedPiece(text, at);
      word = (word ?? '') + piece.text;
      at = piece.end;
    }
  }
  if (word !== undefined) found.push({ word });
  return found;
}

/** The piece of a word at a position: a quoted stretch, an escaped character, a placeholder or a plain one. An open quote ends with the line. */
function quotedPiece(text: string, at: number): { readonly text: string; readonly end: number } {
  const character = text.charAt(at);
  if (character === '\\') return { text: text.charAt(at + 1), end: at + 2 };
  const placeholder = placeholderAt(text, at);
  if (placeholder !== undefined) return { text: placeholder, end: at + placeholder.length };
  if (character !== '"' && character !== "'") return { text: character, end: at + 1 };
  const close = text.indexOf(character, at + 1);
  const end = close < 0 ? text.length : close;
  const inner = text.slice(at + 1, end);
  return { text: character === '"' ? inner.replace(/\\(["\\$`])/g, '$1') : inner, end: end + 1 };
}
