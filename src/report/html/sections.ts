import type { Html } from './markup.ts';
import { block, html } from './markup.ts';

/** A part of a report that is a table, lines and commands, in this order; what it has none of is left out. */
export interface Section {
  readonly heading: string;
  /** Rows, the first one its head. */
  readonly table?: readonly (readonly string[])[];
  readonly lines?: readonly string[];
  /** Commands to copy. */
  readonly commands?: readonly string[];
}

export function sectionHtml({ heading, table = [], lines = [], commands = [] }: Section): Html {
  const [head, ...rows] = table;
  return html`<section><h2>${heading}</h2>
${head === undefined ? undefined : html`<table><thead>${row(head, (cell) => html`<th scope="col">${cell}</th>`)}</thead><tbody>${rows.map((cells) => row(cells, (cell) => html`<td>${cell}</td>`))}</tbody></table>`}
${lines.length === 0 ? undefined : html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`}
${commands.map(command)}</section>`;
}

/** A command alone in its block: one click selects it whole. */
export function command(text: string): Html {
  return html`<pre class="command">${block(text, true)}</pre>`;
}

function row(cells: readonly string[], cell: (text: string) => Html): Html {
  return html`<tr>${cells.map(cell)}</tr>\n`;
}
