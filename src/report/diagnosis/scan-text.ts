import { formatInstant } from '../../base/instant.ts';
import { counted } from '../../base/counted.ts';
import { append, grouped } from '../../base/lists.ts';
import type { Cause, ScanResult, Target } from '../../model/diagnosis.ts';
import { isUnread } from '../../model/fact.ts';
import { causeLines, hanging } from './cause-lines.ts';
import { endWords, placeWords, roleWords } from '../cert-expiry/certificate-words.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef } from '../../model/kube-object.ts';
import { resourceOfKind } from '../../model/resources.ts';
import { isWorkloadKind } from '../../model/workload-kinds.ts';
import { clusterLine } from '../format/cluster-text.ts';
import { fit } from '../format/display-width.ts';
import { gapLines } from './gap-lines.ts';
import { commandLine } from '../format/kubectl-words.ts';
import type { Look } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';
import { objectList, objectWords } from '../format/object-words.ts';
import type { SourceFlags } from './runbook-command.ts';

const UNEXPLAINED = 20;
const INACTIVE = 6;
const CERTIFICATES = 6;
/** Causes in the table. */
const CAUSES = 12;

export interface ScanTextOptions {
  /** Where the cluster is, for commands to go on with. */
  readonly flags?: SourceFlags;
  /** What was not looked at on purpose, and what would. */
  readonly notes?: readonly string[];
}

/** A scan for a person: a table of causes, those that stop most first; then what no rule explains, certificates, and what was not seen. */
export function scanText(result: ScanResult, look: Look, wide: boolean, { flags = [], notes = [] }: ScanTextOptions = {}): string {
  const { at, causes, gaps } = result;
  const lines = [
    ...hanging('', headline(result), look).map((line) => paint(look, 'bold', line)),
    paint(look, 'dim', `as of ${formatInstant(at)}`),
  ];
  const sorted = causes.toSorted((one, other) => countOf(other) - countOf(one) || one.rank - other.rank);
  const told = wide ? sorted : sorted.slice(0, CAUSES);
  if (told.length > 0)
    append(lines, [
      '',
      paint(look, 'dim', `${'COUNT'.padStart(COUNT_WIDTH)}  CAUSE, OBJECT, FIX`),
      ...told.flatMap((cause) => rowLines(cause, look)),
    ]);
  if (told.length < causes.length) lines.push(`${' '.repeat(COUNT_WIDTH)}  and ${causes.length - told.length} more (-o wide)`);
  if (wide)
    for (const cause of sorted)
      append(lines, ['', paint(look, 'bold', `${cause.title} (${countOf(cause)})`), ...causeLines(cause, at, look, { wide, flags })]);
  else if (causes.length > 0) append(lines, ['', ...moreLines(sorted, flags, look)]);
  append(lines, targetSections(result, look, wide));
  append(lines, certificateLines(result, look, wide));
  if (gaps.length > 0) append(lines, ['', paint(look, 'bold', 'NOT SEEN'), ...gapLines(gaps, look, wide), ...narrowerLines(result)]);
  if (notes.length > 0) append(lines, ['', ...notes.flatMap((note) => hanging('', note, look)).map((line) => paint(look, 'dim', line))]);
  return shown(look, lines);
}

/** Nobody has to do anything about those that are on their way or inactive, but who waits for them wants to know. */
function targetSections({ unexplained, starting = [], inactive = [] }: ScanResult, look: Look, wide: boolean): readonly string[] {
  return [
    ['UNHEALTHY, NO RULE MATCHES', unexplained, UNEXPLAINED] as const,
    ['NOT READY YET', starting, INACTIVE] as const,
    ['INACTIVE BY THEIR OWN SPEC', inactive, INACTIVE] as const,
  ].flatMap(([title, targets, limit]) =>
    targets.length === 0 ? [] : ['', ...targetLines(title, targets, look, wide ? undefined : limit)],
  );
}

function targetLines(title: string, targets: readonly Target[], look: Look, limit: number | undefined): readonly string[] {
  const groups = limit === undefined ? targets.map((target) => [target]) : [...grouped(targets, groupOf).values()];
  const told = groups.slice(0, limit);
  const left = groups.slice(told.length).reduce((sum, group) => sum + group.length, 0);
  return [
    paint(look, 'bold', title),
    ...told.flatMap((group) => hanging('  - ', groupWords(group), look)),
    ...(left > 0 ? [`  and ${left} more (-o wide)`] : []),
  ];
}

/** Pods of one controller that are in one state are told in one line: twenty lines were one Deployment, and the others were left out. */
function groupOf({ ref, reason, members: [owner] }: Target): string {
  return ref.kind === 'Pod' && owner !== undefined ? `${formatRef(owner)} ${reason ?? ''}` : formatRef(ref);
}

function groupWords([first, ...others]: readonly Target[]): string {
  if (first === undefined) return '';
  const {
    ref,
    reason,
    members: [owner],
  } = first;
  const words =
    others.length === 0 || owner === undefined ? objectWords(ref) : `${counted(others.length + 1, 'Pod')} of ${objectWords(owner)}`;
  return reason === undefined ? words : `${words}: ${clusterLine(reason, 200)}`;
}

/** One line for each, with what it will stop; `cert-expiry` tells the rest. */
function certificateLines({ certificates = [], at }: ScanResult, look: Look, wide: boolean): readonly string[] {
  if (certificates.length === 0) return [];
  const shownRows = wide ? certificates : certificates.slice(0, CERTIFICATES);
  return [
    '',
    paint(look, 'bold', 'CERTIFICATES'),
    ...shownRows.flatMap((row) => [
      ...hanging(
        '  - ',
        `${row.status}: ${roleWords(row)}, ${row.notAfter !== undefined && row.notAfter < at ? 'expired' : 'expires'} ${endWords(row)} (${placeWords(row, 1).join(', ')}). ${row.breaks}`,
        look,
      ),
      `       ${paint(look, 'green', clusterLine(row.renew, 400))}`,
    ]),
    ...(certificates.length > shownRows.length ? [`  and ${certificates.length - shownRows.length} more (podcheck cert-expiry)`] : []),
  ];
}

/** Who may not list the pods of a whole cluster may be allowed to in one namespace. */
function narrowerLines({ scope, counts, gaps }: ScanResult): readonly string[] {
  const isRefused = gaps.some((gap) => isUnread(gap) && gap.about.kind === 'Pod' && gap.needs !== undefined);
  return scope.namespace === undefined && counts.targets === 0 && isRefused
    ? ['', 'To scan a namespace that you can read: podcheck scan -n NAMESPACE']
    : [];
}

function headline(result: ScanResult): string {
  const { scope, counts, causes, starting = [], gaps } = result;
  const unhealthy = counts.unhealthy - starting.length;
  const where = scope.namespace === undefined ? 'all namespaces' : `namespace ${clusterLine(scope.namespace, 80)}`;
  const unread = gaps.some(isUnread);
  if (counts.targets === 0 && causes.length === 0)
    return unread ? `No pods or workloads were seen in ${where}: not everything could be read` : `No pods or workloads in ${where}`;
  const parts = [
    `${counts.healthy} of ${counts.targets} healthy`,
    ...(unhealthy === 0 ? [] : [`${unhealthy} unhealthy`]),
    ...(starting.length === 0 ? [] : [`${starting.length} not ready yet`]),
    ...(counts.unknown === 0 ? [] : [`${counts.unknown} unknown`]),
  ];
  return `${where}: ${parts.join(', ')}; ${foundWords(result)}${unread ? '; not everything could be read' : ''}`;
}

/** How many causes there are; where all that was counted is healthy, also what they are about. */
function foundWords({ counts, causes }: ScanResult): string {
  const [first, ...others] = causes;
  if (first === undefined || counts.unhealthy + counts.unknown > 0) return causes.length === 1 ? '1 cause' : `${causes.length} causes`;
  if (others.length === 0) return `1 cause concerns ${objectWords(first.object)}`;
  return `${causes.length} causes concern ${[...new Set(causes.map(({ object }) => object.kind))].toSorted().join(', ')}`;
}

/** Pods, or where no pod is affected objects, that a cause stops. */
function countOf({ affected, others = [] }: Cause): number {
  const pods = affected.filter(({ kind }) => kind === 'Pod').length;
  return Math.max(others.length + 1, pods === 0 ? affected.length : pods);
}

const COUNT_WIDTH = 5;
const NARROW = 60;

/** A cause in three lines: how many it stops and what it is, where it is, and the command of its first fix. */
function rowLines(cause: Cause, look: Look): readonly string[] {
  const indent = ' '.repeat(COUNT_WIDTH + 2);
  const run = cause.fix.find((step) => step.run !== undefined)?.run;
  const callers = callersOf(cause);
  return [
    ...rowText(`${String(countOf(cause)).padStart(COUNT_WIDTH)}  `, clusterLine(cause.title), look).map((line) =>
      paint(look, 'bold', line),
    ),
    ...rowText(indent, `${cause.rule}: ${placeOf(cause)}`, look),
    ...(callers.length === 0 ? [] : rowText(indent, `also affects ${objectList(callers, CALLERS)}`, look)),
    ...(run === undefined
      ? cause.fix.slice(0, 1).flatMap(({ say }) => rowText(indent, clusterLine(say), look))
      : [`${indent}${paint(look, 'green', clusterLine(run, 400))}`]),
  ];
}

/** Workloads that suffer because they call what the cause stops. */
function callersOf({ affected, workload, object, others = [] }: Cause): readonly ObjectRef[] {
  const own = new Set([object, ...others, ...(workload === undefined ? [] : [workload])].map(formatRef));
  return workload === undefined ? [] : affected.filter((ref) => isWorkloadKind(ref.kind) && !own.has(formatRef(ref)));
}

const CALLERS = 2;

/** One line, cut at the end; on a narrow terminal, where a cut would hide the object, as many as it needs. */
function rowText(lead: string, text: string, look: Look): readonly string[] {
  return look.width < NARROW ? hanging(lead, text, look) : [`${lead}${fit(text, look.width - lead.length)}`];
}

function placeOf({ object, workload, others = [] }: Cause): string {
  const isOwn = workload === undefined || formatRef(workload) === formatRef(object);
  const place = isOwn ? objectWords(object) : `${objectWords(workload)}: ${objectWords(object)}`;
  return others.length === 0 ? place : `${counted(others.length + 1, 'object')}, first ${place}`;
}

/** How to see the proof and the whole fix of the first cause, and all causes in full. */
function moreLines([first]: readonly Cause[], flags: SourceFlags, look: Look): readonly string[] {
  const target = first === undefined ? undefined : (first.workload ?? first.object);
  const command =
    target === undefined || resourceOfKind(target.kind) === undefined
      ? undefined
      : ['podcheck', 'diagnose', formatRef(target), ...flags].map((word) => commandLine([word])).join(' ');
  return [
    ...(command === undefined ? [] : [`Proof and fix:    ${paint(look, 'green', clusterLine(command, 400))}`]),
    'All in full:      -o wide',
  ];
}
