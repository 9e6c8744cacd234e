import type { Gap } from '../model/fact.ts';
import { ANYTHING } from '../model/fact.ts';
import { clusterLine } from './cluster-text.ts';
import { hanging } from './cause-lines.ts';
import type { Look } from './look.ts';
import { objectWords } from './object-words.ts';

const GAPS = 6;
/** What a whole kind that was not saved needs: several such commands are one. */
const LIST_COMMAND = /^kubectl get (-A|-n \S{1,253}) ([a-z.]{1,100}) -o yaml$/;

/** What could not be looked at, and the permission or command that would have shown it; gaps with the same remedy are one. */
export function gapLines(gaps: readonly Gap[], look: Look, every: boolean): readonly string[] {
  const told = [...listTellings(gaps), ...tellings(gaps.filter((gap) => !isList(gap)))];
  const shown = every ? told : told.slice(0, GAPS);
  const hidden = told.length - shown.length;
  return [...shown.flatMap((words) => hanging('  - ', words, look)), ...(hidden > 0 ? [`  and ${hidden} more (-o wide)`] : [])];
}

function isList({ about, needs }: Gap): boolean {
  return about.name === ANYTHING && needs !== undefined && LIST_COMMAND.test(needs);
}

/** Whole kinds that were not saved, by where they would have been: one command shows them all. */
function listTellings(gaps: readonly Gap[]): readonly string[] {
  const kinds = new Map<string, Set<string>>();
  for (const { needs } of gaps.filter(isList)) {
    const [, where = '', kind = ''] = LIST_COMMAND.exec(needs ?? '') ?? [];
    kinds.set(where, (kinds.get(where) ?? new Set()).add(kind));
  }
  return [...kinds].map(([where, names]) => {
    const place = where === '-A' ? '' : ` in ${where.slice('-n '.length)}`;
    return clusterLine(`${[...names].join(', ')}${place}, which would have been shown by: kubectl get ${where} ${[...names].join(',')} -o yaml`, 800);
  });
}

function tellings(gaps: readonly Gap[]): readonly string[] {
  const groups = new Map<string, Gap[]>();
  for (const gap of gaps) {
    const key = `${gap.needs ?? ''}\n${gap.reason}\n${gap.needs === undefined ? gap.kind : ''}`;
    groups.set(key, [...(groups.get(key) ?? []), gap]);
  }
  return [...groups.values()].map(telling);
}

function telling(group: readonly Gap[]): string {
  const [first] = group;
  if (first === undefined) return '';
  const objects = [...new Set(group.map(({ about }) => objectWords(about)))];
  const kinds = [...new Set(group.map(({ kind }) => kind.replaceAll('-', ' ')))].toSorted().join(', ');
  const about = objects.length > 2 ? `${objects[0] ?? ''} and ${objects.length - 1} more` : objects.join(' and ');
  const every = group.every(({ about: { name } }) => name === ANYTHING);
  return `${every ? about : `${kinds} of ${about}`}: ${clusterLine(first.reason, 300)}${first.needs === undefined ? '' : `. Would show it: ${clusterLine(first.needs, 200)}`}`;
}
