/**
 * What is wrong with an expression, at an offset into its text. Source: cel-go common/error.go, common/errors.go.
 */
export interface Issue {
  readonly at: number;
  readonly message: string;
}

/** All that is wrong, in the order of the text, each with its line and a mark under the place. */
export function formatIssues(text: string, issues: readonly Issue[]): string {
  return issues
    .map((issue, order) => ({ ...placeOf(text, issue.at), message: issue.message, order }))
    .sort((a, b) => a.line - b.line || a.column - b.column || a.order - b.order)
    .slice(0, MOST_ISSUES)
    .map(
      ({ line, column, message, snippet }) =>
        `ERROR: <input>:${line}:${column + 1}: ${message}${snippet === undefined ? '' : `\n | ${snippet.replaceAll('\t', ' ')}\n | ${marksUnder(snippet, column)}`}`,
    )
    .join('\n');
}

const MOST_ISSUES = 100;

/** The place of what is about the expression as a whole. */
export const NOWHERE = -1;

interface Place {
  readonly line: number;
  /** From 0. */
  readonly column: number;
  readonly snippet: string | undefined;
}

function placeOf(text: string, at: number): Place {
  if (at === NOWHERE) return { line: -1, column: -1, snippet: undefined };
  // Nothing has no first column.
  if (text === '') return { line: 1, column: -1, snippet: undefined };
  const before = text.slice(0, at);
  const start = before.lastIndexOf('\n') + 1;
  const end = text.indexOf('\n', start);
  return {
    line: before.split('\n').length,
    column: Array.from(before.slice(start)).length,
    snippet: text.slice(start, end === -1 ? text.length : end),
  };
}

/** A dot for each sign before the place; wide ones for what takes more than a byte. */
function marksUnder(snippet: string, column: number): string {
  const signs = Array.from(snippet);
  const dots = signs
    .slice(0, column)
    .map((sign) => (isWide(sign) ? '．' : '.'))
    .join('');
  return `${dots}${isWide(signs[column] ?? '') ? '＾' : '^'}`;
}

function isWide(sign: string): boolean {
  return (sign.codePointAt(0) ?? 0) > 0x7f;
}
