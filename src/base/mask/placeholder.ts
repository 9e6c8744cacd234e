/** What stands where a value would: `<password>`, `$(DB_PASSWORD)`, `{{ .token }}`, `***`, `%s`, `xxxx`, `[redacted]`. */
const PLACEHOLDER =
  /^(?:<[^<>]{1,200}>|\$\([^()]{1,200}\)|\$\{[^{}]{1,200}\}|\$[A-Z][A-Z0-9_]{0,200}|\{\{.{0,200}\}\}|%[svdq]|[*•]{2,}|…+|\.{3}|x{3,}|X{3,}|[([<]?(?:redacted|masked|hidden|removed|omitted|not shown|private key)[)\]>]?|nil|null|none|undefined|true|false)$/i;

/** A whole value that only stands for one, or is nothing. */
export function isPlaceholder(value: string): boolean {
  return value === '' || PLACEHOLDER.test(value);
}

/** Where a structure, a template or a note of kubectl begins, and no value. */
export function beginsOther(rest: string): boolean {
  return /^(?:<[^<>\n]{1,200}(?:>|$)|\(private key\)|\{\{|\$[({]|map\[|\[\]|\{\}|[[{]\s{0,60}(?:\\{0,3}["'[{]|[\w.-]{1,40}\s?[:=]|$))/.test(
    rest,
  );
}
