import { fixWords } from '../format/fix-words.ts';
import { formatInstant } from '../../base/instant.ts';
import type { Cause, Diagnosis, ScanResult, Target } from '../../model/diagnosis.ts';
import type { Gap } from '../../model/fact.ts';
import { isUnread } from '../../model/fact.ts';
import { endWords, placeWords, roleWords } from '../cert-expiry/certificate-words.ts';
import { SYMPTOM } from './cause-lines.ts';
import { healthyWords, subjectWords } from './headline.ts';
import type { Markdown } from '../format/markdown-words.ts';
import { BLANK, code, document, fenced, marked } from '../format/markdown-words.ts';
import { objectList, objectWords } from '../format/object-words.ts';

const AFFECTED = 20;
const GAPS = 20;

/** A diagnosis for a ticket. Text from the cluster cannot become markup: it is escaped, or stands in code. */
export function diagnosisMarkdown(diagnosis: Diagnosis): string {
  const { at, outcome, stages, causes, gaps } = diagnosis;
  const healthy = healthyWords(diagnosis, AFFECTED);
  const [cause, ...others] = causes;
  return document([
    marked`# ${subjectWords(diagnosis)}: ${cause === undefined ? outcome : cause.title}`,
    BLANK,
    marked`Outcome **${outcome}**, as of ${formatInstant(at)}.`,
    BLANK,
    ...(healthy === '' ? [] : [marked`${healthy}.`]),
    ...(stages.length === 0 ? [] : [marked`| Stage | Verdict | Since | Reason |`, marked`|---|---|---|---|`]),
    ...stages.map(
      (stage) =>
        marked`| ${stage.id} | ${stage.verdict} | ${stage.at === undefined ? '' : formatInstant(stage.at)} | ${stage.reason ?? ''} |`,
    ),
    ...(cause === undefined ? [] : [BLANK, marked`## Cause`, BLANK, ...causeSection(cause)]),
    ...(others.length === 0
      ? []
      : [BLANK, marked`## Other candidates`, BLANK, ...others.map((other) => marked`${other.rank}. ${other.what} (${code(other.rule)})`)]),
    ...gapSection(gaps),
  ]);
}

/** A scan for a ticket: one section for each cause. */
export function scanMarkdown({
  at,
  scope,
  counts,
  causes,
  unexplained,
  starting = [],
  inactive = [],
  certificates = [],
  gaps,
}: ScanResult): string {
  return document([
    marked`# ${scope.namespace === undefined ? 'All namespaces' : marked`Namespace ${scope.namespace}`}: ${counts.healthy} of ${counts.targets} healthy`,
    BLANK,
    marked`As of ${formatInstant(at)}.`,
    ...causes.flatMap((cause) => [BLANK, marked`## ${cause.rank}. ${cause.title}`, BLANK, ...causeSection(cause)]),
    ...(unexplained.length === 0 ? [] : [BLANK, marked`## Not well, and no rule knows why`, BLANK]),
    ...unexplained.map(targetItem),
    ...(starting.length === 0 ? [] : [BLANK, marked`## Not ready yet`, BLANK]),
    ...starting.map(targetItem),
    ...(inactive.length === 0 ? [] : [BLANK, marked`## Inactive by their own spec`, BLANK]),
    ...inactive.map(targetItem),
    ...(certificates.length === 0 ? [] : [BLANK, marked`## Certificates`, BLANK]),
    ...certificates.map(
      (row) =>
        marked`- **${row.status}** ${roleWords(row)}, ends ${endWords(row)}, ${placeWords(row, 1).join(', ')}: ${row.breaks} ${code(row.renew)}`,
    ),
    ...gapSection(gaps),
  ]);
}

function targetItem({ ref, reason }: Target): Markdown {
  return marked`- ${objectWords(ref)}${reason === undefined ? '' : marked`: ${reason}`}`;
}

function causeSection(cause: Cause): readonly Markdown[] {
  return [
    marked`**${cause.what}**`,
    BLANK,
    marked`${cause.why}`,
    ...(cause.symptom === undefined ? [] : [BLANK, marked`${SYMPTOM}`]),
    BLANK,
    marked`- Object: ${objectWords(cause.object)}`,
    ...(cause.workload === undefined ? [] : [marked`- Workload: ${objectWords(cause.workload)}`]),
    ...(cause.affected.length === 0 ? [] : [marked`- Affects: ${objectList(cause.affected, AFFECTED)}`]),
    marked`- Rule: ${code(cause.rule)}`,
    ...(cause.playbook === undefined ? [] : [marked`- Playbook: ${code(cause.playbook)}`]),
    BLANK,
    marked`Evidence:`,
    BLANK,
    ...cause.evidence.flatMap(({ source, quote, at }) => [
      marked`- ${source}${at === undefined ? '' : marked`, ${formatInstant(at)}`}`,
      ...fenced(quote, '  '),
    ]),
    BLANK,
    marked`Fix:`,
    BLANK,
    ...cause.fix.flatMap((step, index) => [
      marked`${index + 1}. ${fixWords(step)}`,
      ...(step.run === undefined ? [] : fenced(step.run, '   ')),
    ]),
  ];
}

function gapSection(gaps: readonly Gap[]): readonly Markdown[] {
  if (gaps.length === 0) return [];
  const more = gaps.length - GAPS;
  return [
    BLANK,
    marked`## Could not look at`,
    BLANK,
    ...gaps
      .slice(0, GAPS)
      .map(
        (gap) =>
          marked`- ${isUnread(gap) ? '' : marked`${gap.kind} of `}${objectWords(gap.about)}: ${gap.reason}${gap.needs === undefined ? '' : marked` (needs ${code(gap.needs)})`}`,
      ),
    ...(more > 0 ? [marked`- and ${more} more`] : []),
  ];
}
