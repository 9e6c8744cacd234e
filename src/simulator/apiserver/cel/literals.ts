import { repeated } from '../../../base/text.ts';

/**
 * Objects written by their type, as policies that change objects write them: `Object.spec{replicas: 3}`, `JSONPatch{op: "add"}`.
 * They become maps that remember the name of their type. Source: staging/src/k8s.io/apiserver/pkg/cel/mutation.
 */

/** The member of a map that holds the name of its type. */
export const TYPE_NAME = '@type';

/** What the name of a member that may be missing begins with. */
export const MAY_MISS = '?';

const STARTS = /^(?:Object|JSONPatch)(?:\.[A-Za-z_]\w*)*\{/;
const WORD = /^[A-Za-z_]\w*/;

export function plainLiterals(expression: string): string {
  if (!expression.includes('Object') && !expression.includes('JSONPatch')) return expression;
  /** Whether the names of the braces that are open are names of fields. */
  const open: boolean[] = [];
  let result = '';
  let isName = false;
  let mayMiss = false;
  for (let at = 0; at < expression.length;) {
    // After an opening brace or a comma it is no condition, but says that the member may be missing.
    if (expression[at] === '?' && /[{,]\s*$/.test(result)) {
      mayMiss = true;
      at++;
      continue;
    }
    const { kind, token } = tokenAt(expression, at);
    at += token.length;
    if (kind === 'type') {
      open.push(true);
      result += `{${JSON.stringify(TYPE_NAME)}: ${JSON.stringify(token.slice(0, -1))}, `;
      isName = true;
      continue;
    }
    result += written(kind, token, isName, mayMiss ? MAY_MISS : '');
    const isBlank = token.trim() === '';
    if (!isBlank) mayMiss = false;
    if ('({['.includes(token)) open.push(false);
    else if (')}]'.includes(token)) open.pop();
    isName = (token === ',' && open.at(-1) === true) || (isName && isBlank);
  }
  return result;
}

/** A name of a field becomes a text; what may be missing is marked. */
function written(kind: Kind, token: string, isName: boolean, mark: string): string {
  if (kind === 'word' && isName) return JSON.stringify(`${mark}${token}`);
  return mark !== '' && kind === 'text' ? `${token[0] ?? ''}${mark}${token.slice(1)}` : token;
}

type Kind = 'text' | 'type' | 'word' | 'character';

/** What stands there: a text in quotes, the name of a type with its opening brace, a word, or one character. */
function tokenAt(expression: string, at: number): { readonly kind: Kind; readonly token: string } {
  if (/["']/.test(expression[at] ?? '')) return { kind: 'text', token: expression.slice(at, textEnd(expression, at)) };
  const rest = expression.slice(at, at + LONGEST);
  const type = STARTS.exec(rest)?.[0];
  if (type !== undefined) return { kind: 'type', token: type };
  const word = WORD.exec(rest)?.[0];
  return word === undefined ? { kind: 'character', token: rest[0] ?? '' } : { kind: 'word', token: word };
}

/** As long as the name of a type may be. */
const LONGEST = 300;

/** Where the text ends that starts here. */
function textEnd(expression: string, start: number): number {
  const mark = expression[start] ?? '';
  const end = expression.startsWith(repeated(mark, 3), start) ? repeated(mark, 3) : mark;
  for (let at = start + end.length; at < expression.length; at++) {
    if (expression[at] === '\\') at++;
    else if (expression.startsWith(end, at)) return at + end.length;
  }
  return expression.length;
}
