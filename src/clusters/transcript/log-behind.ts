import type { Line } from './clean-lines.ts';
import { indentOf } from './describe/sections.ts';
import { beginsLog } from './loose/program-lines.ts';
import { isHeader } from './tables.ts';

/** Where a log begins that stands right behind a table, without a word; undefined for nowhere. */
export function logBehindTable(lines: readonly Line[]): number | undefined {
  const header = lines.findIndex(({ text }) => isHeader(text));
  if (header < 0 || OF_EVENTS.test(lines[header]?.text ?? '')) return undefined;
  return found(lines.findIndex(({ text }, index) => index > header && beginsLog(text)));
}

/** Messages of events may be anything. */
const OF_EVENTS = /\b(?:MESSAGE|REASON)\b/;

/** The same behind a describe. */
export function logBehindDescribe(lines: readonly Line[]): number | undefined {
  const events = lines.findIndex(({ text }) => text.startsWith('Events:'));
  if (events < 0) return undefined;
  return found(lines.findIndex((_, index) => index > events && isLogBehindEvents(lines, index)));
}

/** A message of an event that goes on at the margin may tell of an error number, too. */
export function isLogBehindEvents(lines: readonly Line[], index: number): boolean {
  const text = lines[index]?.text ?? '';
  return indentOf(text) === 0 && beginsLog(text, lines[index - 1]?.text.trim() === '');
}

function found(index: number): number | undefined {
  return index < 0 ? undefined : index;
}
