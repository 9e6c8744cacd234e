import type { Line } from './clean-lines.ts';

/** A printed table: one map from column title to cell for each row. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row {
  readonly line: number;
  /** Cells by column title; a column cut off on the right is missing. */
  readonly cells: ReadonlyMap<string, string>;
}

interface Column {
  readonly title: string;
  readonly start: number;
}

/** Titles with a space in them, which a table of single-spaced titles would otherwise split. */
const SPACED = ['LAST SEEN', 'FIRST SEEN', 'NOMINATED NODE', 'READINESS GATES', 'ACCESS MODES', 'RECLAIM POLICY', 'NODE SELECTOR', 'MIN AVAILABLE', 'MAX UNAVAILABLE', 'ALLOWED DISRUPTIONS', 'LAST SCHEDULE', 'OS IMAGE', 'PORT(S)'];
const TITLE = /^[A-Z][A-Z0-9()%/-]*(?: [A-Z][A-Z0-9()%/-]*)*$/;

/** Whether a line is the title line of a table of `kubectl get`. */
export function isHeader(text: string): boolean {
  if (!/^\s*(?:NAME|NAMESPACE|LAST SEEN|RESOURCE|TYPE)(?:\s|$)/.test(text)) return false;
  const titles = titlesOf(text);
  return titles.length > 0 && titles.every(({ title }) => TITLE.test(title)) && (titles.length > 1 || text.trim() === 'NAME');
}

/** Reads a table from its title line on, up to the first blank line or the next title line. */
export function readTable(lines: readonly Line[], from: number): { readonly table: Table; readonly next: number } {
  const header = lines[from];
  const columns = titlesOf(header?.text ?? '');
  const rows: Row[] = [];
  let at = from + 1;
  for (; at < lines.length; at++) {
    const line = lines[at];
    if (line === undefined || line.text.trim() === '' || isHeader(line.text)) break;
    rows.push({ line: line.number, cells: cellsOf(line.text, columns) });
  }
  return { table: { columns: columns.map(({ title }) => title), rows }, next: at };
}

/** Titles with the position each begins at. */
function titlesOf(text: string): readonly Column[] {
  const byGaps = [...text.matchAll(/\S+(?: \S+)*/g)].map((match) => ({ title: match[0], start: match.index }));
  if (byGaps.length > 1 || !text.trim().includes(' ')) return byGaps;
  let joined = text;
  for (const title of SPACED) joined = joined.replace(title, title.replace(' ', '\u00a0'));
  return [...joined.matchAll(/[^ \t]+/g)].map((match) => ({ title: match[0].replace('\u00a0', ' '), start: match.index }));
}

/** Cells stand under their titles; where something moved them, the gaps between them have to do. */
function cellsOf(text: string, columns: readonly Column[]): ReadonlyMap<string, string> {
  const cells = new Map<string, string>();
  if (isAligned(text, columns)) {
    for (const [index, { title, start }] of columns.entries()) {
      if (start < text.length) cells.set(title, text.slice(start, columns[index + 1]?.start).trim());
    }
    return cells;
  }
  const byGaps = text.trim().split(/\s{2,}|\t/);
  const pieces = byGaps.length === columns.length ? byGaps : looseCells(text, columns.length);
  for (const [index, piece] of pieces.entries()) {
    const title = columns[index]?.title;
    if (title !== undefined) cells.set(title, piece);
  }
  return cells;
}

function isAligned(text: string, columns: readonly Column[]): boolean {
  return !text.includes('\t') && columns.every(({ start }) => start === 0 || start >= text.length || text.charAt(start - 1) === ' ');
}

/** Cells of a row whose spaces were collapsed: a restart count keeps its `(5m ago)`, the last column takes what is left. */
function looseCells(text: string, count: number): readonly string[] {
  const words = text.trim().replace(/ \((\S+) ago\)/g, '\u00a0($1\u00a0ago)').split(/\s+/);
  const head = words.slice(0, count - 1);
  const rest = words.slice(count - 1).join(' ');
  return [...head, ...(rest === '' ? [] : [rest])].map((cell) => cell.replaceAll('\u00a0', ' '));
}
