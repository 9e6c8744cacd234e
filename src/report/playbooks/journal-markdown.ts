import { formatDuration } from '../../base/duration.ts';
import type { JournalRecord } from '../../model/journal.ts';
import type { PresentStatus, RunSummary } from './journal-text.ts';
import { entryWords, summaryOf } from './journal-text.ts';
import { BLANK, code, document, fenced, marked } from '../format/markdown-words.ts';

/** A run as an incident timeline: a short note first, then what happened when, then what was read. */
export function journalMarkdown(records: readonly JournalRecord[], present?: PresentStatus): string {
  const summary = summaryOf(records, present);
  if (summary === undefined) return document([marked`# A run whose beginning was not written`]);
  const outputs = records.flatMap(({ entry }) => (entry.type === 'output' ? [entry] : []));
  return document([
    marked`# ${summary.target}: ${summary.playbook}, ${summary.result}`,
    BLANK,
    marked`${noteOf(summary)}`,
    BLANK,
    marked`| | |`,
    marked`|---|---|`,
    ...factsOf(summary).map(([name, value]) => marked`| ${name} | ${value} |`),
    BLANK,
    marked`## Timeline`,
    BLANK,
    marked`| When | What |`,
    marked`|---|---|`,
    ...records.flatMap(({ at, entry }) => {
      const words = entryWords(entry);
      return words === undefined ? [] : [marked`| ${at.slice(11, 19)} | ${words} |`];
    }),
    ...(outputs.length === 0 ? [] : [BLANK, marked`## What was read`]),
    ...outputs.flatMap(({ of, text, cut }) => [BLANK, marked`${code(of)}${cut ? ' (shortened)' : ''}`, BLANK, ...fenced(text, '')]),
  ]);
}

/** Names and values that say which run it was; those that are known. */
export function factsOf(summary: RunSummary): readonly (readonly [name: string, value: string])[] {
  const facts: readonly (readonly [string, string])[] = [
    ['Run', summary.run],
    ['Cluster', summary.context],
    ['By', summary.who],
    ['Mode', summary.mode],
    ['Began', summary.began],
    ['Ended', summary.ended],
    ['Status', summary.status],
    ['Result', summary.result],
    ['Alerts', summary.alerts.join(', ')],
  ];
  return facts.filter(([, value]) => value !== '');
}

/** What a colleague reads first. */
export function noteOf({ playbook, target, before, after, changes, undone, escalated, seconds, status }: RunSummary): string {
  const parts = [
    before === '' ? '' : `${before}.`,
    `${playbook} was run for ${target} and is ${status} after ${formatDuration(seconds)}.`,
    changes.length === 0 ? 'Nothing was changed.' : `Changed: ${changes.join(', ')}.`,
    undone.length === 0 ? '' : `Undone: ${undone.join(', ')}.`,
    escalated === '' ? '' : `Escalated: ${escalated}.`,
    after === '' ? '' : `At the end: ${after}.`,
  ];
  return parts
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll('..', '.');
}
