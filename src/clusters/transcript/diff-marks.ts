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
