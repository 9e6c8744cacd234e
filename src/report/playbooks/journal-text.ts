import type { JsonObject } from '../../base/json.ts';
import { formatDuration } from '../../base/duration.ts';
import { parseInstant } from '../../base/instant.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { printable, printableUpTo } from '../../base/text.ts';
import type { JournalEntry, JournalRecord } from '../../model/journal.ts';
import { hanging } from '../diagnosis/cause-lines.ts';
import type { Look } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';

/** How a run went, by its journal. `interrupted` is also what a run is that was never brought to its end. */
export interface RunSummary {
  readonly run: string;
  readonly playbook: string;
  readonly target: string;
  readonly mode: string;
  readonly who: string;
  readonly context: string;
  readonly began: string;
  readonly ended: string;
  readonly seconds: number;
  readonly status: string;
  readonly result: string;
  readonly before: string;
  readonly after: string;
  readonly changes: readonly string[];
  readonly undone: readonly string[];
  readonly escalated: string;
  readonly alerts: readonly string[];
}

/** How a run is whose process is still there: it waits for an answer, or it is at work. */
export type PresentStatus = 'waiting' | 'running';

/** What a run does whose process is still there, by the last record. */
export function presentStatus(records: readonly JournalRecord[]): PresentStatus {
  const entry = records.at(-1)?.entry;
  if (entry?.type === 'change') return 'waiting';
  if (entry?.type !== 'step') return 'running';
  return entry.kind === 'ask' || entry.kind === 'manual' || (entry.kind === 'run' && isOnNode(entry.step, records)) ? 'waiting' : 'running';
}

/** Somebody has to run such a command on a node, and to paste what it printed. */
function isOnNode(step: string, [first]: readonly JournalRecord[]): boolean {
  const steps = first?.entry.type === 'run' ? asList(dig(first.entry.copy, 'steps')) : [];
  return steps.some((one) => dig(one, 'id') === step && dig(one, 'action', 'node') !== undefined);
}

/** What matters of a run; undefined when not even its beginning was written. `present` is given while its process is still there. */
export function summaryOf(records: readonly JournalRecord[], present?: PresentStatus): RunSummary | undefined {
  const [first] = records;
  if (first?.entry.type !== 'run') return undefined;
  const entries = records.map(({ entry }) => entry);
  const end = entries.findLast((entry) => entry.type === 'end');
  const before = entries.find((entry) => entry.type === 'before');
  const last = records.at(-1) ?? first;
  const { run, playbook, target, mode, who, context, alerts } = first.entry;
  return {
    run,
    playbook,
    target,
    mode,
    who,
    context,
    began: first.at,
    ended: last.at,
    seconds: Math.round(elapsedOf(records).at(-1) ?? 0),
    ...endOf(end),
    ...(present === undefined ? {} : { status: present, result: 'unknown', after: '' }),
    before: before?.words ?? '',
    changes: entries.flatMap((entry) => (entry.type === 'changed' ? [`${entry.object} (${entry.step})`] : [])),
    undone: entries.flatMap((entry) => (entry.type === 'undone' && entry.ok ? [`${entry.object} (${entry.step})`] : [])),
    escalated: escalationWords(end?.escalated ?? {}),
    alerts,
  };
}

function endOf(end: (JournalEntry & { readonly type: 'end' }) | undefined): Pick<RunSummary, 'status' | 'result' | 'after'> {
  if (end === undefined) return { status: 'interrupted', result: 'unknown', after: '' };
  return { status: end.status, result: end.result, after: end.words };
}

function escalationWords({ say, to }: JsonObject): string {
  return [asText(say) ?? '', asText(to) ?? ''].filter((word) => word !== '').join(' ');
}

/** Seconds since the first record, for each: a clock that was set back takes none of them away. */
function elapsedOf(records: readonly JournalRecord[]): readonly number[] {
  let [seconds, before] = [0, parseInstant(records[0]?.at) ?? 0];
  return records.map(({ at }) => {
    const now = parseInstant(at) ?? before;
    seconds += Math.max(0, now - before) / 1000;
    before = now;
    return seconds;
  });
}

/** A run step by step, for a person. */
export function journalText(records: readonly JournalRecord[], look: Look, present?: PresentStatus): string {
  const summary = summaryOf(records, present);
  const elapsed = elapsedOf(records);
  return shown(look, [
    ...(summary === undefined ? [] : summaryLines(summary, look)),
    '',
    ...records.flatMap((record, index) => {
      const words = entryWords(record.entry);
      return words === undefined ? [] : hanging(`  ${`+${formatDuration(elapsed[index] ?? 0)}`.padStart(8)}  `, words, look);
    }),
  ]);
}

function summaryLines(
  { run, playbook, target, mode, who, context, began, status, result, changes }: RunSummary,
  look: Look,
): readonly string[] {
  return [
    paint(look, 'bold', printable(run)),
    ...hanging('  ', `${playbook} for ${target}${mode === 'run' ? '' : `, ${mode}`}, by ${who} on ${context}`, look),
    ...hanging(
      '  ',
      `started ${began}; ${status}, ${result}; ${changes.length === 0 ? 'nothing was changed' : `changed: ${changes.join(', ')}`}`,
      look,
    ),
  ];
}

/** An entry as a line of a timeline; undefined for what only machines need. */
export function entryWords(entry: JournalEntry): string | undefined {
  switch (entry.type) {
    case 'run':
      return `${entry.who} started ${entry.playbook}${entry.alerts.length === 0 ? '' : ` because of ${entry.alerts.join(', ')}`}`;
    case 'resumed':
      return `${entry.who} resumed at step ${entry.step}`;
    case 'before':
      return `before: ${entry.words}`;
    case 'precondition':
      return `precondition: ${entry.say} ${entry.is} (${entry.why})`;
    case 'step':
      return undefined;
    case 'output':
      return `${entry.of} says: ${printableUpTo(entry.text.split('\n')[0] ?? '', 120)}`;
    case 'decision':
      return `${entry.by}: ${entry.question} ${entry.answer}`;
    case 'change':
      return `shown: ${entry.command}`;
    case 'writing':
      return undefined;
    case 'changed':
      return `CHANGED ${entry.object}`;
    case 'undone':
      return `${entry.ok ? 'UNDONE' : 'not undone:'} ${entry.object}${entry.words === '' ? '' : `: ${entry.words}`}`;
    case 'done':
      return `${entry.step}: ${entry.result.toUpperCase().replace('-', '_')}${entry.words === '' ? '' : `: ${entry.words}`}`;
    case 'end':
      return `${entry.status}, ${entry.result}: ${entry.words}`;
  }
}
