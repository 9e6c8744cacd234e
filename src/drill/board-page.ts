import { page } from '../report/html/page.ts';
import { sectionHtml } from '../report/html/sections.ts';
import type { BoardRow } from './board.ts';
import { boardTable } from './board.ts';

/** A board as one page: a table for each drill, the best run first. */
export function boardHtml(rows: readonly BoardRow[]): string {
  const drills = [...new Set(rows.map(({ drill }) => drill))];
  const body = drills.map((drill) => {
    const { head, rows: cells } = boardTable(rows.filter((row) => row.drill === drill));
    // The heading names the drill.
    return sectionHtml({ heading: drill, table: [head, ...cells].map((row) => row.slice(0, -1)) });
  });
  return page({ title: 'Drill board', body });
}
