/**
 * What is wrong with a file of the catalog, and where: `line` and `column` count from 1, `field` is the path to it. The column may be
 * unknown.
 */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly field: string;
  readonly message: string;
}

/** A problem in one line: `rules/volumes/x.yaml:7:14: when.all[0].fact: unknown kind of fact: …`. */
export function problemText({ file, line, column, field, message }: Problem): string {
  return `${file}:${String(line)}${column === undefined ? '' : `:${String(column)}`}: ${field === '' ? '' : `${field}: `}${message}`;
}

/** One indented line for each problem, but no more than `most`. */
export function problemLines(problems: readonly Problem[], most = 20): readonly string[] {
  const lines = problems.slice(0, most).map((problem) => `  ${problemText(problem)}`);
  return problems.length > most ? [...lines, `  and ${String(problems.length - most)} more`] : lines;
}
