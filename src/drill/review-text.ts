import { append } from '../base/lists.ts';
import { clusterLine } from '../report/format/cluster-text.ts';
import { wrap } from '../report/format/display-width.ts';
import type { Look } from '../report/format/text-style.ts';
import { paint, shown } from '../report/format/text-style.ts';
import { BLANK, document, fenced, joined, marked } from '../report/format/markdown-words.ts';
import { tableText } from '../report/format/table.ts';
import type { Review, ReviewSection } from './review.ts';

/** A review for a terminal. */
export function reviewText({ title, summary, sections }: Review, look: Look): string {
  const lines = [paint(look, 'bold', clusterLine(title)), clusterLine(summary)];
  for (const section of sections) append(lines, ['', paint(look, 'bold', section.heading), ...sectionLines(section, look)]);
  return shown(look, lines);
}

function sectionLines({ table, lines = [], commands = [] }: ReviewSection, look: Look): readonly string[] {
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

/** A review as one page without scripts or anything from elsewhere. */
export function reviewHtml({ title, summary, sections }: Review): string {
  const body = sections.map(({ heading, table, lines = [], commands = [] }) => [
    `<h2>${html(heading)}</h2>`,
    table === undefined
      ? ''
      : `<table>${table.map((row, index) => `<tr>${row.map((cell) => `<${index === 0 ? 'th' : 'td'}>${html(cell)}</${index === 0 ? 'th' : 'td'}>`).join('')}</tr>`).join('\n')}</table>`,
    lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${html(line)}</li>`).join('\n')}</ul>`,
    commands.length === 0 ? '' : `<pre>${html(commands.join('\n'))}</pre>`,
  ]);
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${html(title)}</title><style>${STYLE}</style></head>`,
    `<body><h1>${html(title)}</h1><p>${html(summary)}</p>`,
    ...body.flat().filter((part) => part !== ''),
    '</body></html>',
    '',
  ].join('\n');
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse}td,th{border:1px solid #999;padding:.2rem .6rem;text-align:left;vertical-align:top}pre{background:#eee;padding:.6rem;overflow:auto}';

function html(text: string): string {
  const harmless = text
    .split('\n')
    .map((line) => clusterLine(line, 1200))
    .join('\n');
  return harmless.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
