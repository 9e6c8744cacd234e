import Table from 'cli-table3';
import { largest } from '../../base/lists.ts';
import { displayWidth, wrap } from './display-width.ts';
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
  const table = new Table({
    chars: {
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
    },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  if (head.some((title) => title !== '')) table.push(head.map((title) => paint(look, 'dim', title)));
  for (const row of rows)
    table.push([...row.slice(0, columns), wrap(row[columns] ?? '', room).join('\n')].map((cell) => cell.normalize('NFC')));
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}

const GAP = '  ';
const MIN_LAST = 20;
