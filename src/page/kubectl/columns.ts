/**
 * Lines whose cells are parted by tabs, as Go's text/tabwriter lays them out: a column reaches over the lines in a row that have its cell,
 * and what stands behind the last tab of a line belongs to none.
 */
export function inColumns(lines: readonly string[], { least, padding }: { readonly least: number; readonly padding: number }): string {
  const cells = lines.map((line) => line.split('\t'));
  const widths = cells.map((): number[] => []);
  const lay = (column: number, from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      if (!hasColumn(cells[at], column)) continue;
      let [end, width] = [at, least];
      for (; end < to && hasColumn(cells[end], column); end++) width = Math.max(width, lengthOf(cells[end]?.[column]) + padding);
      for (let line = at; line < end; line++) widths[line]?.push(width);
      lay(column + 1, at, end);
      at = end - 1;
    }
  };
  lay(0, 0, cells.length);
  return cells
    .map((line, at) => line.map((cell, column) => cell + blanks((widths[at]?.[column] ?? 0) - lengthOf(cell))).join(''))
    .join('\n');
}

function hasColumn(line: readonly string[] | undefined, column: number): boolean {
  return line !== undefined && column < line.length - 1;
}

function lengthOf(cell: string | undefined): number {
  return cell === undefined ? 0 : Array.from(cell).length;
}

function blanks(count: number): string {
  return ''.padEnd(Math.max(0, count));
}
