import type { Instant } from '../base/instant.ts';
import { formatDuration } from '../base/duration.ts';
import { counted } from '../base/counted.ts';
import { formatRef } from '../model/kube-object.ts';
import type { Section } from '../report/html/sections.ts';
import type { Action, FaultRecord, Moment, RunRecord } from './run-record.ts';

/** A review as sections of lines: what text, Markdown and HTML are made of. */
export interface Review {
  readonly title: string;
  readonly summary: string;
  readonly sections: readonly Section[];
}

/** What broke and when, what the trainee looked at, what the evidence said, the shortest path, and what to practise next. */
export function reviewOf(record: RunRecord): Review {
  return {
    title: `${record.drill}: ${record.title}`,
    summary: `${record.trainee}, ${record.difficulty}, seed ${record.seed}: ${ENDINGS[record.ending]} with ${record.score.points} of 100 points`,
    sections: [
      { heading: 'What was wrong', lines: record.faults.map((fault) => `${formatRef(fault.target)}: ${fault.what} (${fault.cause})`) },
      { heading: 'How long it took', table: timesTable(record) },
      {
        heading: 'Score',
        table: [
          ['for', 'points', 'of'],
          ...record.score.parts
            .filter(({ points, of }) => points !== 0 || of > 0)
            .map(({ what, points, of }) => [what, `${points}`, of === 0 ? '' : `${of}`]),
        ],
      },
      ...careSection(record),
      { heading: 'What happened', table: timelineTable(record) },
      ...record.faults.flatMap((fault) => pathSections(fault, record)),
      ...(record.practise.length === 0
        ? []
        : [{ heading: 'Practise next', commands: record.practise.map((cause) => `podcheck drill start ${cause}`) }]),
    ],
  };
}

const READ_TERMINAL = 'cat terminal.txt';

const ENDINGS: Readonly<Record<RunRecord['ending'], string>> = {
  fixed: 'fixed',
  'gave-up': 'given up',
  stopped: 'stopped',
  open: 'still running',
};

function timesTable(record: RunRecord): readonly (readonly string[])[] {
  const row = (what: string, moment: Moment | undefined): readonly string[] => [
    what,
    moment === undefined ? 'never' : span(record.started.wall, moment.wall),
    moment === undefined ? '' : span(record.started.at, moment.at),
  ];
  const rows = record.faults.flatMap((fault) => [
    [fault.cause, '', ''],
    // No request shows that a trainee read a file.
    ...(fault.path[0] === READ_TERMINAL ? [] : [row('  first saw evidence', fault.looked)]),
    row('  named it', fault.named),
    row('  fixed it', fault.state === 'mended' || fault.state === 'coming' ? fault.mended : undefined),
  ]);
  return [
    ['', 'real time', 'cluster time'],
    ...rows,
    [
      'in total',
      record.ended === undefined ? '' : span(record.started.wall, record.ended.wall),
      record.ended === undefined ? '' : span(record.started.at, record.ended.at),
    ],
  ];
}

function careSection({ requests, hints, wrongAnswers, shortcuts, damage }: RunRecord): readonly Section[] {
  const all = `${counted(requests.reads, 'read')}, ${counted(requests.writes, 'write')} (${requests.destructive} destructive), ${counted(hints.given, 'hint')}, ${counted(wrongAnswers, 'wrong answer')}`;
  return [
    {
      heading: 'What it took',
      lines: [all, ...shortcuts.map((line) => `No real fix: ${line}`), ...damage.map((line) => `Damage: ${line}`)],
    },
  ];
}

const MAX_ROWS = 200;

function timelineTable({ broke, timeline, started }: RunRecord): readonly (readonly string[])[] {
  const before = broke.map(({ at, what }) => [`-${formatDuration(Math.max(0, started.at - at) / 1000)}`, 'cluster', what]);
  const after = timeline
    .slice(0, MAX_ROWS)
    .map((action) => [
      span(started.wall, action.wall),
      WHO[action.kind],
      `${action.what}${action.telling === true ? '  <- shows the cause' : ''}`,
    ]);
  const left = timeline.length - MAX_ROWS;
  return [['when', 'who', 'what'], ...before, ...after, ...(left > 0 ? [['', '', `and ${left} more`]] : [])];
}

const WHO: Readonly<Record<Action['kind'], string>> = {
  look: 'you',
  write: 'you',
  destroy: 'you',
  hint: 'podcheck',
  answer: 'you',
  check: 'podcheck',
  end: 'podcheck',
};

function pathSections(fault: FaultRecord, record: RunRecord): readonly Section[] {
  const evidence = fault.evidence.map(({ source, quote }) => `${source}: ${quote}`);
  return [
    { heading: `The shortest way to ${fault.cause}`, commands: fault.path, lines: evidence },
    { heading: 'Your way to it', lines: comparison(fault, record) },
    { heading: 'How to fix it', lines: fault.fix.map(({ say }) => say), commands: fault.fix.flatMap(({ run }) => run ?? []) },
  ];
}

/** What the trainee did from one moment to the next of a fault, against the shortest way. */
function comparison({ path, looked, named, mended, state }: FaultRecord, { timeline, started }: RunRecord): readonly string[] {
  const between = (kinds: readonly Action['kind'][], from: Moment, to: Moment): number =>
    timeline.filter(({ kind, wall }) => kinds.includes(kind) && wall >= from.wall && wall <= to.wall).length;
  const isFixed = mended !== undefined && (state === 'mended' || state === 'coming');
  const isRead = path[0] === READ_TERMINAL;
  return [
    `The shortest way takes ${counted(path.length, 'command')}, then the fix.`,
    ...(isRead
      ? []
      : [
          looked === undefined
            ? 'You never looked at what shows the cause.'
            : `You first saw the evidence with read ${String(Math.max(1, between(['look'], started, looked)))}, after ${span(started.wall, looked.wall)}.`,
        ]),
    named === undefined
      ? 'You did not name the cause.'
      : `You named the cause after ${counted(between(['look'], started, named), 'read')} and ${counted(between(['hint'], started, named), 'hint')}.`,
    isFixed
      ? `You fixed it with ${counted(between(['write', 'destroy'], started, mended), 'write')}, ${span(started.wall, mended.wall)} after the start.`
      : 'You did not fix it.',
  ];
}

function span(from: Instant, to: Instant): string {
  return formatDuration(Math.max(0, to - from) / 1000);
}
