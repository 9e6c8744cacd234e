import type { JournalRecord } from '../../model/journal.ts';
import type { Html } from '../html/markup.ts';
import { block, html } from '../html/markup.ts';
import { page } from '../html/page.ts';
import { sectionHtml } from '../html/sections.ts';
import { factsOf, noteOf } from './journal-markdown.ts';
import type { PresentStatus } from './journal-text.ts';
import { entryWords, summaryOf } from './journal-text.ts';

/** A run as an incident timeline on one page. */
export function journalPage(records: readonly JournalRecord[], present?: PresentStatus): string {
  const summary = summaryOf(records, present);
  if (summary === undefined) return page({ title: 'A run whose beginning was not written', body: [] });
  const outputs = records.flatMap(({ entry }) => (entry.type === 'output' ? [entry] : []));
  const timeline = records.flatMap(({ at, entry }) => {
    const words = entryWords(entry);
    return words === undefined ? [] : [[at.slice(11, 19), words]];
  });
  const parts: readonly (Html | undefined)[] = [
    html`<p>${noteOf(summary)}</p>`,
    sectionHtml({ heading: 'Run', table: [['', ''], ...factsOf(summary)] }),
    sectionHtml({ heading: 'Timeline', table: [['when', 'what'], ...timeline] }),
    outputs.length === 0
      ? undefined
      : html`<section><h2>What was read</h2>
${outputs.map(({ of, text, cut }) => html`<figure><figcaption>${of}${cut ? ' (shortened)' : ''}</figcaption><pre>${block(text, true)}</pre></figure>\n`)}</section>`,
  ];
  return page({
    title: `${summary.target}: ${summary.playbook}, ${summary.result}`,
    body: parts.filter((part) => part !== undefined),
  });
}
