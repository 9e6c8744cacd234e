import Table from 'cli-table3';
import { append, largest } from '../../base/lists.ts';
import { displayWidth, padEnd, wrap } from './display-width.ts';
import type { Look } from './text-style.ts';
import { paint } from './text-style.ts';

/**
 * A table without lines around its cells, and without a head when it has no words. The last column takes what room is left and is wrapped
 * here: the library's own wrapping
 * loses wide characters. Cells must be harmless already.
 */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[], look: Look): string {
  const columns = head.length - 1;
  const widths = head
    .slice(0, columns)
    .map((title, column) => largest([title, ...rows.map((row) => row[column] ?? '')].map((cell) => displayWidth(cell.normalize('NFC')))));
  let used = 0;
  for (const width of widths) used += width + GAP.length;
  const room = Math.max(MIN_LAST, look.width - used);
  const padded = (cells: readonly string[]): string[] =>
    cells.map((cell, column) => (column < columns ? padEnd(cell.normalize('NFC'), widths[column] ?? 0) : cell.normalize('NFC')));
  const blocks = rows.map((row) => linesOf([...row.slice(0, columns).map((cell) => cell.split('\n')), wrap(row[columns] ?? '', room)]));
  const top = head.some((title) => title !== '') ? [padded(head).map((title) => paint(look, 'dim', title))] : [];
  const first = drawn([...top, ...blocks.map(([cells = []]) => padded(cells))]);
  const lines = first.slice(0, top.length);
  for (const [index, block] of blocks.entries()) {
    lines.push(first[top.length + index] ?? '');
    // The library takes long for a row, and there is nothing beside what goes on.
    for (const cells of block.slice(1)) lines.push(padded(cells).join(GAP));
  }
  return lines.map((line) => `${line.trimEnd()}\n`).join('') || '\n';
}

function linesOf(cells: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const height = largest(cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => cells.map((lines) => lines[line] ?? ''));
}

/** A line for each row, in pieces: the library compares each row with all rows before it. All cells of a column are as wide already. */
function drawn(rows: readonly string[][]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < rows.length; at += PIECE) {
    const table = new Table({ chars: NO_LINES, style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 } });
    for (const cells of rows.slice(at, at + PIECE)) table.push(cells);
    append(lines, table.toString().split('\n'));
  }
  return lines;
}

const PIECE = 50;
const GAP = '  ';
const MIN_LAST = 20;
const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: GAP,
};
