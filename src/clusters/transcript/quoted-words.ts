/**
 * Lines that quote what something may say: code and manifests as `grep -n` prints them, what a test of Go logs, the texts of alerts, what a
 * guide says of an error, and a search for one. A log names the file of a line, too, and puts one blank behind it.
 */
const CODE = /^[\w./@+-]{1,200}\.(?:go|py|[jt]sx?|java|kt|r[bs]|c[cs]?|cpp|h|php|sh|ya?ml)(?::\d{1,6}:(?! \S|\d|in )|-\d{1,6}-)/;
const QUOTING =
  /^\s{1,16}\w{1,80}_test\.go:\d{1,6}: |^\s{2,40}(?:summary|description): (?:"[^"]{1,2000}"|'[^']{1,2000}')$|^\s{0,8}(?:[-*•] )?If (?:you|it) (?:see|get|say)s? [`"']/;
const SEARCH = /^\s{0,8}(?:\d{1,6} {1,4})?e?grep -/;

/** A structured line of a log that only informs. */
export const INFORMS = /\b(?:level|severity)"?[=:] ?"?(?:info|debug)\b/i;
/** A field that keeps what failed before; the error of the line itself is `error`. */
const KEPT = /(\w(?:E|_e)rror"?[=:] ?)"(?:[^"\\]|\\.){0,4000}"/g;

/** A line without words that it only quotes. */
export function withoutQuotedWords(text: string): string {
  if (CODE.test(text) || QUOTING.test(text) || SEARCH.test(text)) return '';
  return INFORMS.test(text) ? text.replace(KEPT, '$1""') : text;
}

/** A diff with its hunks' heads or without: what it removes is no more. */
const CHANGED = /^(?:-.*|@@ .*|[+ ])/;
/** The same as `diff` prints it by itself. */
const REPLACED = /^(?:<.*|---.*|\d[\d,]*[acd]\d.*|> )/;

/** The marks of a diff that these lines are, each as all or most of it has them. */
export function marksOfDiff(
  lines: readonly string[],
  most: (fits: (line: string) => boolean, share: number) => boolean,
): RegExp | undefined {
  const some = (form: RegExp): boolean => lines.some((line) => form.test(line));
  if (some(/^@@ -/) && most((line) => CHANGED.test(line), 0.6)) return CHANGED;
  if (some(/^-(?:[^\s-]| {2})/) && some(/^\+(?:[^\s+]| {2})/) && lines.every((line) => /^(?:[-+ ]|diff |index )/.test(line)))
    return CHANGED;
  return some(/^< /) && some(/^---$/) && lines.every((line) => REPLACED.test(line)) ? REPLACED : undefined;
}
