import { append } from '../../base/lists.ts';

/** A shell command as far as container commands use them. Words keep their quotes until they are expanded. */
export type Command =
  | {
      readonly kind: 'simple';
      readonly assignments: readonly (readonly [string, string])[];
      readonly words: readonly string[];
      readonly redirects: readonly Redirect[];
    }
  | { readonly kind: 'list'; readonly items: readonly { readonly command: Command; readonly join: ';' | '&&' | '||' | '&' }[] }
  | { readonly kind: 'pipe'; readonly parts: readonly Command[] }
  | { readonly kind: 'not'; readonly command: Command }
  | { readonly kind: 'group'; readonly body: Command; readonly redirects: readonly Redirect[] }
  | {
      readonly kind: 'if';
      readonly branches: readonly { readonly test: Command; readonly body: Command }[];
      readonly otherwise: Command | undefined;
    }
  | { readonly kind: 'while'; readonly until: boolean; readonly test: Command; readonly body: Command }
  | { readonly kind: 'for'; readonly name: string; readonly words: readonly string[]; readonly body: Command }
  | {
      readonly kind: 'case';
      readonly word: string;
      readonly branches: readonly { readonly patterns: readonly string[]; readonly body: Command }[];
    }
  | { readonly kind: 'function'; readonly name: string; readonly body: Command };

export interface Redirect {
  readonly operator: '>' | '>>' | '<' | '2>' | '2>>' | '&>' | 'dup';
  readonly target: string;
}

/** Reads a script; undefined when it uses what is not known here. */
export function parseScript(text: string): Command | undefined {
  if (text.length > 20_000) return undefined;
  const tokens = tokenize(text);
  if (tokens === undefined) return undefined;
  const parser = new Parser(tokens);
  const list = parser.list([]);
  return list !== undefined && parser.atEnd ? list : undefined;
}

interface Token {
  readonly text: string;
  readonly operator: boolean;
}

const OPERATORS: readonly string[] = [
  '2>&1',
  '1>&2',
  '&>>',
  '2>>',
  ';;',
  '&&',
  '||',
  '&>',
  '>&2',
  '>>',
  '2>',
  '\n',
  ';',
  '&',
  '|',
  '(',
  ')',
  '<',
  '>',
];

function tokenize(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\t' || char === '\r') at++;
    else if (text.startsWith('\\\n', at)) at += 2;
    else if (char === '#') while (at < text.length && text.charAt(at) !== '\n') at++;
    else {
      const operator = OPERATORS.find((each) => text.startsWith(each, at));
      if (operator === '<' && text.charAt(at + 1) === '<') return undefined;
      const end = operator === undefined ? wordEnd(text, at) : at + operator.length;
      if (end === undefined || tokens.length > 5000) return undefined;
      tokens.push({ text: text.slice(at, end), operator: operator !== undefined });
      at = end;
    }
  }
  return tokens;
}

/** Where a word ends: quotes, substitutions and escapes belong to it. */
function wordEnd(text: string, start: number): number | undefined {
  let at = start;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '\\') at += 2;
    else if (char === "'") {
      const close = text.indexOf("'", at + 1);
      if (close < 0) return undefined;
      at = close + 1;
    } else if (char === '"' || char === '`') {
      const close = closing(text, at + 1, char);
      if (close === undefined) return undefined;
      at = close + 1;
    } else if (char === '$' && (text.charAt(at + 1) === '(' || text.charAt(at + 1) === '{')) {
      const close = closing(text, at + 2, text.charAt(at + 1) === '(' ? ')' : '}');
      if (close === undefined) return undefined;
      at = close + 1;
    } else if (' \t\r\n;&|()<>'.includes(char)) return at;
    else at++;
  }
  return Math.min(at, text.length);
}

/** The place of the closing sign, over what is quoted or nested within. */
export function closing(text: string, start: number, sign: string): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === sign && depth === 0) return at;
    else if (sign === ')' && char === '(') depth++;
    else if (sign === ')' && char === ')') depth--;
    else if (sign !== '"' && sign !== '`' && (char === '"' || char === "'")) {
      const close = quoteEnd(text, at);
      if (close === undefined) return undefined;
      at = close;
    }
  }
  return undefined;
}

function quoteEnd(text: string, at: number): number | undefined {
  if (text.charAt(at) === '"') return closing(text, at + 1, '"');
  const end = text.indexOf("'", at + 1);
  return end < 0 ? undefined : end;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get atEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  /** Commands up to one of the words that end them, which is left. */
  list(ends: readonly string[]): Command | undefined {
    const items: { command: Command; join: ';' | '&&' | '||' | '&' }[] = [];
    if (++this.#depth > 50) return undefined;
    for (;;) {
      while (this.#takeOperator('\n') || this.#takeOperator(';')) continue;
      const next = this.#peek();
      if (next === undefined || ends.includes(next.text)) break;
      const command = this.#pipeline();
      if (command === undefined) return undefined;
      const join = this.#join();
      items.push({ command, join });
    }
    this.#depth--;
    return { kind: 'list', items };
  }

  #join(): ';' | '&&' | '||' | '&' {
    for (const join of ['&&', '||', '&', ';'] as const) {
      if (!this.#takeOperator(join)) continue;
      if (join === '&&' || join === '||') while (this.#takeOperator('\n')) continue;
      return join;
    }
    return ';';
  }

  #pipeline(): Command | undefined {
    const negated = this.#takeWord('!');
    const parts: Command[] = [];
    do {
      while (parts.length > 0 && this.#takeOperator('\n')) continue;
      const part = this.#command();
      if (part === undefined) return undefined;
      parts.push(part);
    } while (this.#takeOperator('|'));
    const [first] = parts;
    const command: Command = parts.length === 1 && first !== undefined ? first : { kind: 'pipe', parts };
    return negated ? { kind: 'not', command } : command;
  }

  #command(): Command | undefined {
    const next = this.#peek();
    if (next === undefined) return undefined;
    if (next.operator) return next.text === '(' ? this.#group('(', ')') : undefined;
    switch (next.text) {
      case '{':
        return this.#group('{', '}');
      case 'if':
        return this.#if();
      case 'while':
        return this.#while(false);
      case 'until':
        return this.#while(true);
      case 'for':
        return this.#for();
      case 'case':
        return this.#case();
      case '[[':
        return this.#condition();
      case 'function':
      case 'select':
      case 'then':
      case 'do':
      case 'done':
      case 'fi':
      case 'esac':
      case '}':
        return undefined;
      default:
        return this.#simple();
    }
  }

  /** `[[ -r file ]]`, as far as `[` can do it as well. */
  #condition(): Command | undefined {
    const command = this.#simple();
    if (command?.kind !== 'simple') return undefined;
    return command.words.at(-1) === ']]' && !command.words.includes('=~') ? command : undefined;
  }

  #group(open: string, close: string): Command | undefined {
    this.#take(open);
    const body = this.list([close]);
    if (body === undefined || !this.#take(close)) return undefined;
    return { kind: 'group', body, redirects: this.#redirects() };
  }

  #if(): Command | undefined {
    const branches: { test: Command; body: Command }[] = [];
    let otherwise: Command | undefined;
    this.#take('if');
    for (;;) {
      const test = this.list(['then']);
      if (test === undefined || !this.#take('then')) return undefined;
      const body = this.list(['elif', 'else', 'fi']);
      if (body === undefined) return undefined;
      branches.push({ test, body });
      if (this.#take('elif')) continue;
      if (this.#take('else') && (otherwise = this.list(['fi'])) === undefined) return undefined;
      return this.#take('fi') ? { kind: 'if', branches, otherwise } : undefined;
    }
  }

  #while(until: boolean): Command | undefined {
    this.#at++;
    const test = this.list(['do']);
    if (test === undefined || !this.#take('do')) return undefined;
    const body = this.list(['done']);
    if (body === undefined || !this.#take('done')) return undefined;
    return { kind: 'while', until, test, body };
  }

  #for(): Command | undefined {
    this.#take('for');
    const name = this.#word();
    if (name === undefined || !this.#takeWord('in')) return undefined;
    const words: string[] = [];
    for (let word = this.#word(); word !== undefined; word = this.#word()) words.push(word);
    while (this.#takeOperator(';') || this.#takeOperator('\n')) continue;
    if (!this.#take('do')) return undefined;
    const body = this.list(['done']);
    return body !== undefined && this.#take('done') ? { kind: 'for', name, words, body } : undefined;
  }

  #case(): Command | undefined {
    this.#take('case');
    const word = this.#word();
    if (word === undefined || !this.#takeWord('in')) return undefined;
    const branches: { patterns: string[]; body: Command }[] = [];
    for (;;) {
      while (this.#takeOperator('\n') || this.#takeOperator(';')) continue;
      if (this.#take('esac')) return { kind: 'case', word, branches };
      this.#takeOperator('(');
      const patterns: string[] = [];
      do {
        const pattern = this.#word();
        if (pattern === undefined) return undefined;
        patterns.push(pattern);
      } while (this.#takeOperator('|'));
      if (!this.#takeOperator(')')) return undefined;
      const body = this.list([';;', 'esac']);
      if (body === undefined) return undefined;
      branches.push({ patterns, body });
      this.#takeOperator(';;');
    }
  }

  #simple(): Command | undefined {
    const assignments: (readonly [string, string])[] = [];
    const words: string[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      const found = this.#redirects();
      append(redirects, found);
      const word = this.#word();
      if (word === undefined) {
        if (found.length > 0) continue;
        break;
      }
      const assigned = words.length === 0 ? /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word) : null;
      if (assigned === null) words.push(word);
      else assignments.push([assigned[1] ?? '', assigned[2] ?? '']);
      if (words.length === 1 && this.#peek()?.text === '(' && this.#tokens[this.#at + 1]?.text === ')')
        return this.#function(words[0] ?? '');
    }
    return words.length + assignments.length + redirects.length === 0 ? undefined : { kind: 'simple', assignments, words, redirects };
  }

  #function(name: string): Command | undefined {
    this.#at += 2;
    while (this.#takeOperator('\n')) continue;
    const body = this.#command();
    return body === undefined ? undefined : { kind: 'function', name, body };
  }

  #redirects(): readonly Redirect[] {
    const found: Redirect[] = [];
    for (;;) {
      const next = this.#peek();
      if (next?.operator !== true) return found;
      if (next.text === '2>&1' || next.text === '1>&2' || next.text === '>&2') {
        this.#at++;
        found.push({ operator: 'dup', target: next.text.slice(-2) });
        continue;
      }
      const operator = next.text === '&>>' ? '&>' : next.text;
      if (operator !== '>' && operator !== '>>' && operator !== '<' && operator !== '2>' && operator !== '2>>' && operator !== '&>')
        return found;
      this.#at++;
      found.push({ operator, target: this.#word() ?? '' });
    }
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #word(): string | undefined {
    const next = this.#peek();
    if (next === undefined || next.operator) return undefined;
    this.#at++;
    return next.text;
  }

  #take(text: string): boolean {
    if (this.#peek()?.text !== text) return false;
    this.#at++;
    return true;
  }

  #takeWord(text: string): boolean {
    return this.#peek()?.operator === false && this.#take(text);
  }

  #takeOperator(text: string): boolean {
    return this.#peek()?.operator === true && this.#take(text);
  }
}
