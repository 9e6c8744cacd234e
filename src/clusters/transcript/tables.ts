import type { Line } from './clean-lines.ts';
import type { Column } from './column.ts';
import { beginsLog } from './loose/program-lines.ts';
import { screenColumns } from './screen-titles.ts';
import { titlesOf } from './table-titles.ts';

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

const TITLE = /^[A-Z][A-Z0-9()%/-]*(?: [A-Z][A-Z0-9()%/-]*)*$/;

/** Whether a line is the title line of a table of `kubectl get`, or of a screen. */
export function isHeader(text: string): boolean {
  return isKubectlHeader(text) || screenColumns(text) !== undefined;
}

/** Columns of events that a person chose. */
const CHOSEN = /^\s*[A-Z][A-Z ]{2,100} REASON {1,60}[A-Z][A-Z ]{0,100}MESSAGE\s*$/;

function isKubectlHeader(text: string): boolean {
  if (!/^\s*(?:NAME|NAMESPACE|LAST SEEN|RESOURCE|TYPE)(?:\s|$)/.test(text) && !CHOSEN.test(text)) return false;
  const titles = titlesOf(text);
  return titles.length > 0 && titles.every(({ title }) => TITLE.test(title)) && (titles.length > 1 || text.trim() === 'NAME');
}

/** What stands right behind a table where the prompt between them was left out: what describe prints first, its events, or one of them. */
const DESCRIBED = /^\s*(?:Name: {2,}\S|Events:\s*$|(?:Normal|Warning) +[A-Z]\w+ +(?:\d+[smhd]|<))/;

/** The kubelet's message about a mount has several lines. Source: staging/src/k8s.io/mount-utils/mount_linux.go. */
const OF_MOUNT =
  /^(?:Mounting (?:command|arguments): |Output: |Running scope as unit|mount(?:\.\w{2,10}: | error\(|: )|Refer to the mount\.)/;

/** Reads a table from its title line on, up to the first blank line, the next title line or a describe. */
export function readTable(lines: readonly Line[], from: number): { readonly table: Table; readonly next: number } {
  const header = lines[from];
  const columns = titlesOf(header?.text ?? '');
  const isOfEvents = columns.some(({ title }) => title === 'MESSAGE' || title === 'REASON');
  const rows: Row[] = [];
  let at = from + 1;
  for (; at < lines.length; at++) {
    const line = lines[at];
    if (line === undefined || line.text.trim() === '' || isHeader(line.text) || DESCRIBED.test(line.text)) break;
    if (!isOfEvents && beginsLog(line.text)) break;
    const last = rows.at(-1);
    const message = OF_MOUNT.test(line.text) ? last?.cells.get('MESSAGE') : undefined;
    if (last === undefined || message === undefined) rows.push({ line: line.number, cells: cellsOf(line.text, columns) });
    else rows[rows.length - 1] = { ...last, cells: new Map([...last.cells, ['MESSAGE', `${message}\n${line.text}`]]) };
  }
  return { table: { columns: columns.map(({ title }) => title), rows }, next: at };
}

/** Cells stand under their titles; where something moved them, the gaps between them have to do. The last one takes what is left. */
export function cellsOf(text: string, columns: readonly Column[]): ReadonlyMap<string, string> {
  if (columns[0]?.tab !== undefined && text.includes('\t')) return tabbedCells(text, columns);
  const aligned = alignedCells(text, columns);
  if (aligned !== undefined) return aligned;
  const cells = new Map<string, string>();
  const pieces = [...text.matchAll(/[^\s](?:[^\t ]| (?! ))*/g)].map((match) => ({ text: match[0].trim(), start: match.index }));
  if (pieces.length >= columns.length) {
    for (const [index, { title }] of columns.entries()) {
      const piece = pieces[index];
      if (piece !== undefined) cells.set(title, index === columns.length - 1 ? text.slice(piece.start).trim() : piece.text);
    }
  } else if (/\S {2,}\S/.test(text)) {
    for (const piece of pieces) cells.set(nearest(columns, piece.start), piece.text);
  } else {
    for (const [index, cell] of looseCells(text, columns.length).entries()) cells.set(columns[index]?.title ?? '', cell);
  }
  return cells;
}

function alignedCells(text: string, columns: readonly Column[]): ReadonlyMap<string, string> | undefined {
  if (!isAligned(text, columns)) return undefined;
  const seen = columns.filter(({ start }) => start < text.length);
  const cells = new Map(seen.map(({ title, start }, index) => [title, text.slice(start, columns[index + 1]?.start).trim()] as const));
  return areSingle(cells, columns) ? cells : undefined;
}

function tabbedCells(text: string, columns: readonly Column[]): ReadonlyMap<string, string> {
  const texts = text.split('\t');
  return new Map(columns.flatMap(({ title, tab = 0 }) => (texts[tab] === undefined ? [] : [[title, texts[tab].trim()] as const])));
}

/** The title that begins closest to where a cell begins. */
function nearest(columns: readonly Column[], start: number): string {
  let best = columns[0];
  for (const column of columns) if (best === undefined || Math.abs(column.start - start) < Math.abs(best.start - start)) best = column;
  return best?.title ?? '';
}

function isAligned(text: string, columns: readonly Column[]): boolean {
  return !text.includes('\t') && columns.every(({ start }) => start === 0 || start >= text.length || text.charAt(start - 1) === ' ');
}

/** No cell but the last has two spaces in it: where one seems to, names of another length have moved what stands behind them. */
function areSingle(cells: ReadonlyMap<string, string>, columns: readonly Column[]): boolean {
  return columns.slice(0, -1).every(({ title }) => !/\S {2,}\S/.test(cells.get(title) ?? ''));
}

/** Cells of a row whose spaces were collapsed: a restart count keeps its `(5m ago)`, the last column takes what is left. */
function looseCells(text: string, count: number): readonly string[] {
  const words = text
    .trim()
    .replace(/ \((\S+) ago\)/g, '\u0001($1\u0001ago)')
    .split(/\s+/);
  const head = words.slice(0, count - 1);
  const rest = words.slice(count - 1).join(' ');
  return [...head, ...(rest === '' ? [] : [rest])].map((cell) => cell.replaceAll('\u0001', ' '));
}
