import type { JsonObject } from '../../base/json.ts';

const HEADER =
  /^(?=[^\n]{0,2000}\breason\b)(?=[^\n]{0,2000}\bmessage\b)"?[@\w][\w .@/-]{0,100}"?(?:,"?[@\w][\w .@/-]{0,100}"?){2,100}\s*$/i;

/** Whether a line has the titles of a table of events that a search exported. */
export function isCsvHeader(line: string): boolean {
  return line.length < 2000 && HEADER.test(line);
}

/** The rows of such a table by its titles. Source: RFC 4180. */
export function csvRows(text: string): readonly JsonObject[] {
  const [titles = [], ...rows] = recordsOf(text);
  return rows
    .filter((cells) => cells.length === titles.length)
    .map((cells) => Object.fromEntries(titles.map((title, column) => [title, cells[column] ?? ''])));
}

function recordsOf(text: string): readonly (readonly string[])[] {
  const records: string[][] = [[]];
  for (let at = 0; at < text.length;) {
    const end = text[at] === '"' ? endOfQuoted(text, at) : endOfBare(text, at);
    const cell = text.slice(at, end);
    records.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    const mark = text.startsWith('\r\n', end) ? end + 1 : end;
    if (text[mark] === '\n') records.push([]);
    at = mark + 1;
  }
  return records;
}

function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') continue;
    if (text[at + 1] !== '"') return at + 1;
    at++;
  }
  return text.length;
}

function endOfBare(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') at++;
  return at;
}
