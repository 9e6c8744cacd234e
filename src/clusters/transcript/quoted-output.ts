import { parseDigits } from '../../base/number.ts';

/** What kubectl prints, told by its beginning: the head of a table, the first line of a `describe`, the columns of its events, an object. */
const PRINTED =
  /^(?:Name: {2,}\S|(?:NAMESPACE {2,})?(?:NAME|LAST SEEN) {2,}[A-Z]| {2}Type {4,}Reason {2,}|(?:\{\s{0,40}")?apiVersion"?: )/m;
/** What an object has in its own strings is part of it. */
const OBJECT = /"apiVersion"|^\s{0,40}(?:- )?apiVersion:/m;
/** A text of fewer lines stands in a log as it was written. */
const LEAST_LINES = 2;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '', b: '', f: '' };
/** A text within a text within a text has its marks escaped as often. */
const MAX_DEPTH = 3;

/** A text in which what kubectl printed stands as one string of JSON, as the result of a tool, a task or a ticket: the lines that it was. */
export function withoutQuoting(text: string, depth = 0): string {
  if (depth === MAX_DEPTH || !text.includes('\\n') || OBJECT.test(text)) return text;
  return text
    .split('\n')
    .map((line) => (line.split('\\n', LEAST_LINES + 1).length > LEAST_LINES ? printedIn(line, depth) : line))
    .join('\n');
}

/** The strings of a line, where one of them was printed; the line itself where none was. */
function printedIn(line: string, depth: number): string {
  const strings = stringsIn(line).map((one) => withoutQuoting(one, depth + 1));
  return strings.some((one) => PRINTED.test(one)) ? strings.filter((one) => /\s/.test(one)).join('\n') : line;
}

/** Also the last, where the text breaks off within it. */
function stringsIn(line: string): readonly string[] {
  const found: string[] = [];
  for (let start = line.indexOf('"'); start >= 0;) {
    let end = start + 1;
    while (end < line.length && line[end] !== '"') end += line[end] === '\\' ? 2 : 1;
    found.push(unescaped(line.slice(start + 1, end)));
    start = line.indexOf('"', end + 1);
  }
  return found;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([\da-f]{4})|(.))/gi, (_, code: string | undefined, mark: string) =>
    code === undefined ? (ESCAPED[mark] ?? mark) : String.fromCharCode(parseDigits(code, 16) ?? 0),
  );
}
