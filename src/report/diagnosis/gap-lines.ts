import type { Gap } from '../../model/fact.ts';
import { ANYTHING, isUnread } from '../../model/fact.ts';
import { hanging } from './cause-lines.ts';
import { clusterLine } from '../format/cluster-text.ts';
import { wrap } from '../format/display-width.ts';
import type { Look } from '../format/text-style.ts';
import { objectWords } from '../format/object-words.ts';
import { INDENT } from './proof-lines.ts';

const GAPS = 6;
const KINDS = 4;
/** What a whole kind that was not saved needs: several such commands are one. */
const LIST_COMMAND = /^kubectl get (?:(-A|-n \S{1,253}) )?([a-z.]{1,100}) -o yaml$/;

/** What could not be looked at, and the permission or command that would have shown it; gaps with the same remedy are one. */
export function gapLines(gaps: readonly Gap[], look: Look, every: boolean): readonly string[] {
  const told = gapTellings(gaps);
  const shown = every ? told : told.slice(0, GAPS);
  const hidden = told.length - shown.length;
  return [
    ...shown.flatMap(({ words, command }) => [...hanging('  - ', words, look), ...(command === undefined ? [] : [`      ${command}`])]),
    ...(hidden > 0 ? [`  and ${hidden} more (-o wide)`] : []),
  ];
}

/** The first gap in a line or two, and how many more there are: for an answer that was found without them. */
export function gapSummary(gaps: readonly Gap[], look: Look): readonly string[] {
  const [first, ...others] = gapTellings(gaps);
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` (and ${others.length} more: -o wide)`;
  return wrap(`${first.words.replace(/[.:]? (?:To see (?:it|them):)$/, '')}${more}`, look.width - INDENT);
}

/** Each gap in words, with the command that would show it; gaps with the same remedy are one. What the first gap lacks comes first. */
export function gapTellings(gaps: readonly Gap[]): readonly Telling[] {
  const [lists, others] = [listTellings(gaps), tellings(gaps.filter((gap) => !isList(gap)))];
  return gaps[0] === undefined || isList(gaps[0]) ? [...lists, ...others] : [...others, ...lists];
}

interface Telling {
  readonly words: string;
  /** Stands alone on its line, unwrapped, to be copied. */
  readonly command?: string;
}

function isList({ about, needs }: Gap): boolean {
  return about.name === ANYTHING && needs !== undefined && LIST_COMMAND.test(needs);
}

/** Whole kinds that were not saved, by where they would have been: one command shows them all. */
function listTellings(gaps: readonly Gap[]): readonly Telling[] {
  const kinds = new Map<string, Set<string>>();
  for (const { needs } of gaps.filter(isList)) {
    const [, where = '', kind = ''] = LIST_COMMAND.exec(needs ?? '') ?? [];
    kinds.set(where, (kinds.get(where) ?? new Set()).add(kind));
  }
  return [...kinds].map(([where, names]) => ({
    words: clusterLine(
      `${[...names].join(', ')}${where.startsWith('-n ') ? ` in ${where.slice('-n '.length)}` : ''} were not collected. To see them:`,
    ),
    command: clusterLine(`kubectl get ${where === '' ? '' : `${where} `}${[...names].join(',')} -o yaml`),
  }));
}

function tellings(gaps: readonly Gap[]): readonly Telling[] {
  const groups = new Map<string, Gap[]>();
  for (const gap of gaps) {
    const whole = gap.about.name === ANYTHING;
    const key = [whole, gap.needs ?? '', gap.reason, gap.needs === undefined && !whole ? gap.kind : ''].join('\n');
    groups.set(key, [...(groups.get(key) ?? []), gap]);
  }
  // The remedy that closes most gaps comes first: mostly it is all that is needed.
  return [...groups.values()].toSorted((a, b) => b.length - a.length).map(telling);
}

function telling(group: readonly Gap[]): Telling {
  const [first] = group;
  if (first === undefined) return { words: '' };
  const { reason, needs, about } = first;
  const said = `${about.name === ANYTHING ? kindsOf(group) : objectsOf(group)}: ${clusterLine(reason, 300)}`;
  if (needs === undefined) return { words: said };
  const isCommand = needs.startsWith('kubectl ');
  return isCommand
    ? { words: `${said.replace(/\.$/, '')}. To see it:`, command: clusterLine(needs) }
    : { words: `${said.replace(/\.$/, '')}. Needs: ${clusterLine(needs)}` };
}

function kindsOf(group: readonly Gap[]): string {
  const kinds = [...new Set(group.map(({ about }) => about.kind))];
  const where = [...new Set(group.map(({ about }) => about.namespace))];
  const place = where.length === 1 && where[0] !== undefined ? ` in ${where[0]}` : '';
  return clusterLine(
    `every ${kinds.slice(0, KINDS).join(', ')}${kinds.length > KINDS ? ` and ${kinds.length - KINDS} more kinds` : ''}${place}`,
  );
}

function objectsOf(group: readonly Gap[]): string {
  const objects = [...new Set(group.map(({ about }) => objectWords(about)))];
  const facts = [...new Set(group.flatMap((gap) => (isUnread(gap) ? [] : gap.kind.replaceAll('-', ' '))))].toSorted().join(', ');
  return `${facts === '' ? '' : `${facts} of `}${objects.length > 2 ? `${objects[0] ?? ''} and ${objects.length - 1} more` : objects.join(' and ')}`;
}
