import type { Column } from './column.ts';
import { screenColumns } from './screen-titles.ts';

/** Titles with a space in them, which a table of single-spaced titles would otherwise split. */
const SPACED = [
  'LAST SEEN',
  'FIRST SEEN',
  'NOMINATED NODE',
  'READINESS GATES',
  'ACCESS MODES',
  'RECLAIM POLICY',
  'NODE SELECTOR',
  'MIN AVAILABLE',
  'MAX UNAVAILABLE',
  'ALLOWED DISRUPTIONS',
  'LAST SCHEDULE',
  'OS IMAGE',
  'PORT(S)',
];
/** Whether the titles are not those of kubectl, which are two blanks apart and in capital letters. */
function isUnspaced(text: string): boolean {
  return /[^\x20-\x7e]|[a-z]|\S (?!SEEN|NODE|GATES|MODES|POLICY|SELECTOR|AVAILABLE|UNAVAILABLE|DISRUPTIONS|SCHEDULE|IMAGE)\S/.test(text);
}

/** Titles with the position each begins at. */
export function titlesOf(text: string): readonly Column[] {
  const onScreen = isUnspaced(text) ? screenColumns(text) : undefined;
  if (onScreen !== undefined) return onScreen;
  const byGaps = [...text.matchAll(/\S+(?: \S+)*/g)].map((match) => ({ title: match[0], start: match.index }));
  if (byGaps.length > 1 || !text.trim().includes(' ')) return byGaps;
  let joined = text;
  for (const title of SPACED) joined = joined.replace(title, title.replace(' ', '\u00a0'));
  return [...joined.matchAll(/[^ \t]+/g)].map((match) => ({ title: match[0].replace('\u00a0', ' '), start: match.index }));
}
