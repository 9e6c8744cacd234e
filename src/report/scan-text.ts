import { formatInstant } from '../base/instant.ts';
import type { Cause, ScanResult } from '../model/diagnosis.ts';
import { causeLines, hanging } from './cause-lines.ts';
import { endWords, placeWords, roleWords } from './certificate-words.ts';
import { clusterLine } from './cluster-text.ts';
import { gapLines } from './gap-lines.ts';
import type { Look } from './look.ts';
import { mark, paint, shown } from './look.ts';
import { objectWords } from './object-words.ts';
import type { SourceFlags } from './runbook-command.ts';

const UNEXPLAINED = 20;
const CERTIFICATES = 6;
/** Causes told in full; the others get their heading and their first fix. */
const IN_FULL = 3;

export interface ScanTextOptions {
  /** Where the cluster is, for commands to go on with. */
  readonly flags?: SourceFlags;
  /** What was not looked at on purpose, and what would. */
  readonly notes?: readonly string[];
}

/** A scan for a person: each cause once, with what it stops; then what is sick for unknown reasons, and what nobody could look at. */
export function scanText(result: ScanResult, look: Look, wide: boolean, { flags = [], notes = [] }: ScanTextOptions = {}): string {
  const { at, causes, unexplained, gaps } = result;
  const lines = [paint(look, 'bold', headline(result)), paint(look, 'dim', `as of ${formatInstant(at)}`)];
  for (const [index, cause] of causes.entries()) {
    lines.push('', ...heading(cause, look), '');
    lines.push(...(wide || index < IN_FULL ? causeLines(cause, at, look, { wide, flags }) : shortly(cause, look)));
  }
  if (unexplained.length > 0) {
    lines.push('', paint(look, 'bold', 'NOT WELL, AND NO RULE KNOWS WHY'));
    for (const { ref, reason } of wide ? unexplained : unexplained.slice(0, UNEXPLAINED)) {
      lines.push(...hanging('  - ', reason === undefined ? objectWords(ref) : `${objectWords(ref)}: ${clusterLine(reason, 200)}`, look));
    }
    if (!wide && unexplained.length > UNEXPLAINED) lines.push(`  and ${unexplained.length - UNEXPLAINED} more (-o wide)`);
  }
  lines.push(...certificateLines(result, look, wide));
  if (gaps.length > 0) lines.push('', paint(look, 'bold', 'COULD NOT LOOK AT'), ...gapLines(gaps, look, wide));
  if (notes.length > 0) lines.push('', ...notes.flatMap((note) => hanging('', note, look)).map((line) => paint(look, 'dim', line)));
  return shown(look, lines);
}

/** One line for each, with what it will stop; `cert-expiry` tells the rest. */
function certificateLines({ certificates = [], at }: ScanResult, look: Look, wide: boolean): readonly string[] {
  if (certificates.length === 0) return [];
  const shownRows = wide ? certificates : certificates.slice(0, CERTIFICATES);
  return [
    '',
    paint(look, 'bold', 'CERTIFICATES'),
    ...shownRows.flatMap((row) => [
      ...hanging('  - ', `${row.status}: ${roleWords(row)}, ${row.notAfter !== undefined && row.notAfter < at ? 'ended' : 'ends'} ${endWords(row)} (${placeWords(row, 1).join(', ')}). ${row.breaks}`, look),
      `       ${paint(look, 'green', clusterLine(row.renew, 400))}`,
    ]),
    ...(certificates.length > shownRows.length ? [`  and ${certificates.length - shownRows.length} more (podcheck cert-expiry)`] : []),
  ];
}

function headline({ scope, counts, causes }: ScanResult): string {
  const where = scope.namespace === undefined ? 'all namespaces' : `namespace ${clusterLine(scope.namespace, 80)}`;
  if (counts.targets === 0 && causes.length === 0) return `Nothing to look at in ${where}`;
  const parts = [
    `${counts.healthy} of ${counts.targets} healthy`,
    ...(counts.unhealthy === 0 ? [] : [`${counts.unhealthy} not`]),
    ...(counts.unknown === 0 ? [] : [`${counts.unknown} could not be judged`]),
  ];
  const found = causes.length === 1 ? '1 cause' : `${causes.length} causes`;
  return `${where}: ${parts.join(', ')}; ${found}`;
}

function heading(cause: Cause, look: Look): readonly string[] {
  const count = cause.affected.length;
  const stops = count > 1 ? ` (${count} objects)` : '';
  return hanging(`${cause.rank}. `, `${cause.title}${stops}`, look).map((line) => paint(look, 'bold', line));
}

function shortly(cause: Cause, look: Look): readonly string[] {
  const [first] = cause.fix;
  return [
    ...hanging('  ', clusterLine(cause.what, 600), look),
    ...hanging(`  ${mark(look, 'dash')} `, `${objectWords(cause.object)} (${cause.rule})`, look),
    ...(first?.run === undefined ? [] : [`       ${paint(look, 'green', clusterLine(first.run, 400))}`]),
  ];
}
