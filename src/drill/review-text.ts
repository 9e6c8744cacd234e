import { append } from '../base/lists.ts';
import { clusterLine } from '../report/format/cluster-text.ts';
import { wrap } from '../report/format/display-width.ts';
import type { Look } from '../report/format/text-style.ts';
import { paint, shown } from '../report/format/text-style.ts';
import { BLANK, document, fenced, joined, marked } from '../report/format/markdown-words.ts';
import { tableText } from '../report/format/table.ts';
import { html } from '../report/html/markup.ts';
import { page } from '../report/html/page.ts';
import type { Section } from '../report/html/sections.ts';
import { sectionHtml } from '../report/html/sections.ts';
import type { Review } from './review.ts';
import type { RunRecord } from './run-record.ts';
import { timelinePicture } from './timeline-picture.ts';

/** A review for a terminal. */
export function reviewText({ title, summary, sections }: Review, look: Look): string {
  const lines = [paint(look, 'bold', clusterLine(title)), clusterLine(summary)];
  for (const section of sections) append(lines, ['', paint(look, 'bold', section.heading), ...sectionLines(section, look)]);
  return shown(look, lines);
}

function sectionLines({ table, lines = [], commands = [] }: Section, look: Look): readonly string[] {
  const [head = [], ...rows] = (table ?? []).map((row) => row.map((cell) => clusterLine(cell, 300)));
  const narrow = { ...look, width: look.width - 2 };
  return [
    ...(table === undefined ? [] : tableText(head, rows, narrow).trimEnd().split('\n')),
    ...lines.flatMap((line) => wrap(clusterLine(line), narrow.width)),
    ...commands.map((command) => `  ${clusterLine(command)}`),
  ].map((line) => `  ${line}`);
}

/** A review for a ticket or a wiki. What came from the cluster cannot become markup. */
export function reviewMarkdown({ title, summary, sections }: Review): string {
  const lines = [marked`# ${title}`, BLANK, marked`${summary}`];
  for (const { heading, table, lines: said = [], commands = [] } of sections) {
    lines.push(BLANK, marked`## ${heading}`, BLANK);
    const [head, ...rows] = table ?? [];
    if (head !== undefined)
      append(lines, [
        marked`| ${joined(head, ' | ')} |`,
        marked`|${joined(
          head.map(() => marked`---`),
          '|',
        )}|`,
        ...rows.map((row) => marked`| ${joined(row, ' | ')} |`),
      ]);
    append(
      lines,
      said.map((line) => marked`- ${line}`),
    );
    if (commands.length > 0) append(lines, fenced(commands.join('\n'), ''));
  }
  return document(lines);
}

/** A review as one page with a picture of the run, without scripts or anything from elsewhere. */
export function reviewHtml({ title, summary, sections }: Review, record: RunRecord): string {
  return page({ title, body: [html`<p>${summary}</p>`, timelinePicture(record), ...sections.map(sectionHtml)] });
}
