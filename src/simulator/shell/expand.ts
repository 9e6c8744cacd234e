import { append } from '../../base/lists.ts';
import { withoutTail } from '../../base/text.ts';
import { parseInteger } from '../../base/number.ts';
import type { Routine } from '../time/routine.ts';
import { keptText } from './kept-text.ts';
import { closing } from './parse.ts';
import type { Shell } from './shell-state.ts';

/** What ends a shell that nobody types into. Source: busybox shell/ash.c (ash_msg_and_raise_error). */
export class ShellError extends Error {}

/** Words with variables, quotes and substitutions carried out; what was not quoted is split at blanks. */
export function* expandWords(words: readonly string[], shell: Shell): Routine<readonly string[]> {
  const result: string[] = [];
  for (const word of words) {
    if (!/[\\$`'"]/.test(word)) {
      result.push(word);
      continue;
    }
    if (word === '"$@"') {
      append(result, shell.positional.slice(1));
      continue;
    }
    const quoted = /["']/.test(word);
    const text = yield* expandWord(word, shell);
    if (quoted) result.push(text);
    else
      append(
        result,
        text.split(/\s+/).filter((part) => part !== ''),
      );
  }
  return result;
}

export function* expandWord(word: string, shell: Shell): Routine<string> {
  let result = '';
  let at = 0;
  let inQuotes = false;
  while (at < word.length) {
    const char = word.charAt(at);
    if (char === '"') {
      inQuotes = !inQuotes;
      at++;
    } else if (char === "'" && !inQuotes) {
      const close = word.indexOf("'", at + 1);
      result += word.slice(at + 1, close);
      at = close + 1;
    } else if (char === '\\') {
      const next = word.charAt(at + 1);
      result += inQuotes && !'$`"\\\n'.includes(next) ? `\\${next}` : next;
      at += 2;
    } else if (char === '$' || char === '`') {
      const [text, end] = yield* substitution(word, at, shell);
      result += text;
      at = end;
    } else {
      result += char;
      at++;
    }
  }
  return result;
}

function* substitution(word: string, at: number, shell: Shell): Routine<readonly [string, number]> {
  if (word.charAt(at) === '`') {
    const end = closing(word, at + 1, '`') ?? word.length;
    return [yield* outputOf(word.slice(at + 1, end), shell), end + 1];
  }
  if (word.startsWith('$((', at)) {
    const end = word.indexOf('))', at);
    const inner = yield* expandWord(word.slice(at + 3, end < 0 ? word.length : end), shell);
    return [String(arithmetic(inner, shell)), end < 0 ? word.length : end + 2];
  }
  if (word.startsWith('$(', at)) {
    const end = closing(word, at + 2, ')') ?? word.length;
    return [yield* outputOf(word.slice(at + 2, end), shell), end + 1];
  }
  if (word.startsWith('${', at)) {
    const end = closing(word, at + 2, '}') ?? word.length;
    return [yield* parameter(word.slice(at + 2, end), shell), end + 1];
  }
  const name = /^(\w+|[?#@*$!])/.exec(word.slice(at + 1, at + 200))?.[1] ?? '';
  const used = /^\d/.test(name) ? name.charAt(0) : name;
  return used === '' ? ['$', at + 1] : [setValue(used, shell), at + 1 + used.length];
}

function* outputOf(script: string, shell: Shell): Routine<string> {
  const kept = keptText();
  yield* shell.surroundings.evaluate(script, { ...shell, output: kept.add });
  return withoutTail(kept.text(), '\n');
}

function* parameter(inner: string, shell: Shell): Routine<string> {
  const match = /^(#?)(\w+|[?@*#$!])(?:(:?[-=+?])([\s\S]*)|([#%]{1,2})([\s\S]*))?$/.exec(inner);
  if (match === null) throw new ShellError('syntax error: bad substitution');
  const [, length, name = '', operator, word = '', trim, pattern = ''] = match;
  const value = valueOf(name, shell);
  if (length === '#') return String(setValue(name, shell).length);
  if (trim !== undefined) return trimmed(setValue(name, shell), trim, pattern);
  if (operator === undefined) return setValue(name, shell);
  const isMissing = value === undefined || (operator.startsWith(':') && value === '');
  if (operator.endsWith('+')) return isMissing ? '' : yield* expandWord(word, shell);
  return isMissing ? yield* instead(name, operator, word, shell) : value;
}

/** What stands for a variable that is not set. */
function* instead(name: string, operator: string, word: string, shell: Shell): Routine<string> {
  const given = yield* expandWord(word, shell);
  if (operator.endsWith('?')) throw new ShellError(`${name}: ${given || 'parameter not set'}`);
  if (operator.endsWith('=')) shell.variables.set(name, given);
  return given;
}

function setValue(name: string, shell: Shell): string {
  const value = valueOf(name, shell);
  if (value === undefined && shell.state.unsetIsError && /^\w/.test(name)) throw new ShellError(`${name}: parameter not set`);
  return value ?? '';
}

function trimmed(value: string, trim: string, pattern: string): string {
  const [fromStart, longest] = [trim.startsWith('#'), trim.length === 2];
  const wanted = pattern.replace(/["'\\]/g, '');
  // Beyond it nothing is taken off: it would take longer than anybody waits.
  if (value.length * (wanted.length + 1) > MAX_COMPARISONS) return value;
  const length = fromStart ? fittingLength(value, wanted, longest) : fittingLength(reversed(value), reversed(wanted), longest);
  if (length === undefined) return value;
  return fromStart ? value.slice(length) : value.slice(0, value.length - length);
}

const MAX_COMPARISONS = 20_000_000;

function reversed(text: string): string {
  return text.split('').reverse().join('');
}

/**
 * The length of the shortest or longest beginning of a text that fits a pattern with `*` and `?`: all ways through the pattern are followed
 * at once.
 */
function fittingLength(text: string, pattern: string, longest: boolean): number | undefined {
  let places = behindStars(new Set([0]), pattern);
  let found: number | undefined;
  for (let at = 0; ; at++) {
    if (places.has(pattern.length)) found = at;
    if (at === text.length || places.size === 0 || (found !== undefined && !longest)) return found;
    const next = new Set<number>();
    for (const place of places) {
      const sign = pattern.charAt(place);
      if (sign === '*') next.add(place);
      else if (place < pattern.length && (sign === '?' || sign === text.charAt(at))) next.add(place + 1);
    }
    places = behindStars(next, pattern);
  }
}

/** A star may stand for nothing. */
function behindStars(places: Set<number>, pattern: string): Set<number> {
  for (const place of places) if (pattern.charAt(place) === '*') places.add(place + 1);
  return places;
}

function valueOf(name: string, shell: Shell): string | undefined {
  switch (name) {
    case '?':
      return String(shell.state.status);
    case '$':
      return '1';
    case '!':
      return '7';
    case '#':
      return String(Math.max(0, shell.positional.length - 1));
    case '@':
    case '*':
      return shell.positional.slice(1).join(' ');
    default:
      return /^\d+$/.test(name) ? shell.positional[parseInteger(name) ?? -1] : shell.variables.get(name);
  }
}

function divideByZero(): never {
  throw new ShellError('arithmetic syntax error');
}

/** Sums and products of whole numbers and variables; 0 for anything else. */
function arithmetic(text: string, shell: Shell): number {
  const tokens = text.match(/\d+|[A-Za-z_]\w*|[-+*/%()]/g) ?? [];
  let at = 0;
  const primary = (): number => {
    const token = tokens[at++] ?? '0';
    if (token === '(') {
      const value = sum();
      at++;
      return value;
    }
    if (token === '-') return -primary();
    return parseInteger(/^\d/.test(token) ? token : shell.variables.get(token)) ?? 0;
  };
  const product = (): number => {
    let value = primary();
    while (['*', '/', '%'].includes(tokens[at] ?? '')) {
      const [operator, right] = [tokens[at++], primary()];
      value =
        operator === '*' ? value * right : right === 0 ? divideByZero() : operator === '/' ? Math.trunc(value / right) : value % right;
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (['+', '-'].includes(tokens[at] ?? '')) value += tokens[at++] === '+' ? product() : -product();
    return value;
  };
  return tokens.length > 200 ? 0 : sum();
}

/** A shell pattern with `*` and `?`; quotes in it are taken off. Linear: no backtracking beyond the last star. */
export function matchesPattern(text: string, pattern: string): boolean {
  const wanted = pattern.replace(/["'\\]/g, '');
  let [at, place, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    const sign = wanted.charAt(place);
    if (sign === '*') [star, mark] = [place++, at];
    else if (place < wanted.length && (sign === '?' || sign === text.charAt(at))) [at, place] = [at + 1, place + 1];
    else if (star >= 0) [place, at] = [star + 1, ++mark];
    else return false;
  }
  while (wanted.charAt(place) === '*') place++;
  return place === wanted.length;
}
