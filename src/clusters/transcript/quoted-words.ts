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
