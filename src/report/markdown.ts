import { formatInstant } from '../base/instant.ts';
import type { Cause, Diagnosis, ScanResult } from '../model/diagnosis.ts';
import type { Gap } from '../model/fact.ts';
import { endWords, placeWords, roleWords } from './certificate-words.ts';
import { code, document, escaped, fenced } from './markdown-words.ts';
import { objectList, objectWords } from './object-words.ts';

const AFFECTED = 20;
const GAPS = 20;

/** A diagnosis for a ticket. Text from the cluster cannot become markup: it is escaped, or stands in code. */
export function diagnosisMarkdown({ target, at, outcome, stages, causes, gaps }: Diagnosis): string {
  const [cause, ...others] = causes;
  return document([
    `# ${escaped(objectWords(target))}: ${cause === undefined ? outcome : escaped(cause.title)}`,
    '',
    `Outcome **${outcome}**, as of ${formatInstant(at)}.`,
    '',
    '| Stage | Verdict | Since | Reason |',
    '|---|---|---|---|',
    ...stages.map((stage) => `| ${stage.id} | ${stage.verdict} | ${stage.at === undefined ? '' : formatInstant(stage.at)} | ${escaped(stage.reason ?? '')} |`),
    ...(cause === undefined ? [] : ['', '## Cause', '', ...causeSection(cause)]),
    ...(others.length === 0 ? [] : ['', '## Other candidates', '', ...others.map((other) => `${other.rank}. ${escaped(other.what)} (${code(other.rule)})`)]),
    ...gapSection(gaps),
  ]);
}

/** A scan for a ticket: one section for each cause. */
export function scanMarkdown({ at, scope, counts, causes, unexplained, certificates = [], gaps }: ScanResult): string {
  return document([
    `# ${scope.namespace === undefined ? 'All namespaces' : `Namespace ${escaped(scope.namespace)}`}: ${counts.healthy} of ${counts.targets} healthy`,
    '',
    `As of ${formatInstant(at)}.`,
    ...causes.flatMap((cause) => ['', `## ${cause.rank}. ${escaped(cause.title)}`, '', ...causeSection(cause)]),
    ...(unexplained.length === 0 ? [] : ['', '## Not well, and no rule knows why', '']),
    ...unexplained.map(({ ref, reason }) => `- ${escaped(objectWords(ref))}${reason === undefined ? '' : `: ${escaped(reason)}`}`),
    ...(certificates.length === 0 ? [] : ['', '## Certificates', '']),
    ...certificates.map((row) => `- **${row.status}** ${escaped(roleWords(row))}, ends ${endWords(row)}, ${escaped(placeWords(row, 1).join(', '))}: ${escaped(row.breaks)} ${code(row.renew)}`),
    ...gapSection(gaps),
  ]);
}

function causeSection(cause: Cause): readonly string[] {
  return [
    `**${escaped(cause.what)}**`,
    '',
    escaped(cause.why),
    '',
    `- Object: ${escaped(objectWords(cause.object))}`,
    ...(cause.workload === undefined ? [] : [`- Workload: ${escaped(objectWords(cause.workload))}`]),
    ...(cause.affected.length === 0 ? [] : [`- Affects: ${escaped(objectList(cause.affected, AFFECTED))}`]),
    `- Rule: ${code(cause.rule)}`,
    ...(cause.playbook === undefined ? [] : [`- Playbook: ${code(cause.playbook)}`]),
    '',
    'Evidence:',
    '',
    ...cause.evidence.flatMap(({ source, quote, at }) => [`- ${escaped(source)}${at === undefined ? '' : `, ${formatInstant(at)}`}`, ...fenced(quote, '  ')]),
    '',
    'Fix:',
    '',
    ...cause.fix.flatMap(({ say, run }, index) => [`${index + 1}. ${escaped(say)}`, ...(run === undefined ? [] : fenced(run, '   '))]),
  ];
}

function gapSection(gaps: readonly Gap[]): readonly string[] {
  if (gaps.length === 0) return [];
  const more = gaps.length - GAPS;
  return [
    '',
    '## Could not look at',
    '',
    ...gaps.slice(0, GAPS).map(({ kind, about, reason, needs }) => `- ${kind} of ${escaped(objectWords(about))}: ${escaped(reason)}${needs === undefined ? '' : ` (needs ${code(needs)})`}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}
