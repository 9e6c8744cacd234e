import { fixWords } from '../format/fix-words.ts';
import { formatInstant } from '../../base/instant.ts';
import type { Cause, Diagnosis, ScanResult } from '../../model/diagnosis.ts';
import type { Gap } from '../../model/fact.ts';
import { isUnread } from '../../model/fact.ts';
import { endWords, placeWords, roleWords } from '../cert-expiry/certificate-words.ts';
import { SYMPTOM } from './cause-lines.ts';
import type { Markdown } from '../format/markdown-words.ts';
import { BLANK, code, document, fenced, md } from '../format/markdown-words.ts';
import { objectList, objectWords } from '../format/object-words.ts';

const AFFECTED = 20;
const GAPS = 20;

/** A diagnosis for a ticket. Text from the cluster cannot become markup: it is escaped, or stands in code. */
export function diagnosisMarkdown({ target, at, outcome, stages, causes, gaps }: Diagnosis): string {
  const [cause, ...others] = causes;
  return document([
    md`# ${objectWords(target)}: ${cause === undefined ? outcome : cause.title}`,
    BLANK,
    md`Outcome **${outcome}**, as of ${formatInstant(at)}.`,
    BLANK,
    md`| Stage | Verdict | Since | Reason |`,
    md`|---|---|---|---|`,
    ...stages.map((stage) => md`| ${stage.id} | ${stage.verdict} | ${stage.at === undefined ? '' : formatInstant(stage.at)} | ${stage.reason ?? ''} |`),
    ...(cause === undefined ? [] : [BLANK, md`## Cause`, BLANK, ...causeSection(cause)]),
    ...(others.length === 0 ? [] : [BLANK, md`## Other candidates`, BLANK, ...others.map((other) => md`${other.rank}. ${other.what} (${code(other.rule)})`)]),
    ...gapSection(gaps),
  ]);
}

/** A scan for a ticket: one section for each cause. */
export function scanMarkdown({ at, scope, counts, causes, unexplained, certificates = [], gaps }: ScanResult): string {
  return document([
    md`# ${scope.namespace === undefined ? 'All namespaces' : md`Namespace ${scope.namespace}`}: ${counts.healthy} of ${counts.targets} healthy`,
    BLANK,
    md`As of ${formatInstant(at)}.`,
    ...causes.flatMap((cause) => [BLANK, md`## ${cause.rank}. ${cause.title}`, BLANK, ...causeSection(cause)]),
    ...(unexplained.length === 0 ? [] : [BLANK, md`## Not well, and no rule knows why`, BLANK]),
    ...unexplained.map(({ ref, reason }) => md`- ${objectWords(ref)}${reason === undefined ? '' : md`: ${reason}`}`),
    ...(certificates.length === 0 ? [] : [BLANK, md`## Certificates`, BLANK]),
    ...certificates.map((row) => md`- **${row.status}** ${roleWords(row)}, ends ${endWords(row)}, ${placeWords(row, 1).join(', ')}: ${row.breaks} ${code(row.renew)}`),
    ...gapSection(gaps),
  ]);
}

function causeSection(cause: Cause): readonly Markdown[] {
  return [
    md`**${cause.what}**`,
    BLANK,
    md`${cause.why}`,
    ...(cause.symptom === undefined ? [] : [BLANK, md`${SYMPTOM}`]),
    BLANK,
    md`- Object: ${objectWords(cause.object)}`,
    ...(cause.workload === undefined ? [] : [md`- Workload: ${objectWords(cause.workload)}`]),
    ...(cause.affected.length === 0 ? [] : [md`- Affects: ${objectList(cause.affected, AFFECTED)}`]),
    md`- Rule: ${code(cause.rule)}`,
    ...(cause.playbook === undefined ? [] : [md`- Playbook: ${code(cause.playbook)}`]),
    BLANK,
    md`Evidence:`,
    BLANK,
    ...cause.evidence.flatMap(({ source, quote, at }) => [md`- ${source}${at === undefined ? '' : md`, ${formatInstant(at)}`}`, ...fenced(quote, '  ')]),
    BLANK,
    md`Fix:`,
    BLANK,
    ...cause.fix.flatMap((step, index) => [md`${index + 1}. ${fixWords(step)}`, ...(step.run === undefined ? [] : fenced(step.run, '   '))]),
  ];
}

function gapSection(gaps: readonly Gap[]): readonly Markdown[] {
  if (gaps.length === 0) return [];
  const more = gaps.length - GAPS;
  return [
    BLANK,
    md`## Could not look at`,
    BLANK,
    ...gaps.slice(0, GAPS).map((gap) => md`- ${isUnread(gap) ? '' : md`${gap.kind} of `}${objectWords(gap.about)}: ${gap.reason}${gap.needs === undefined ? '' : md` (needs ${code(gap.needs)})`}`),
    ...(more > 0 ? [md`- and ${more} more`] : []),
  ];
}
