import { formatInstant } from '../../base/instant.ts';
import type { CertificateReport, CertificateRow } from '../../model/certificate.ts';
import {
  countWords,
  endWords,
  leftWords,
  needsAHand,
  placeWords,
  roleWords,
  skewWords,
  tierTitle,
  uncheckedTiers,
} from './certificate-words.ts';
import type { Markdown } from '../format/markdown-words.ts';
import { BLANK, code, document, joined, marked } from '../format/markdown-words.ts';

const WELL = 100;
const PLACES = 10;

/** Certificates for a ticket. Text from the cluster cannot become markup: it is escaped, or stands in code. */
export function certificatesMarkdown(report: CertificateReport): string {
  const { at, source, certificates } = report;
  const urgent = certificates.filter(needsAHand);
  const well = certificates.filter(({ status }) => status === 'OK' || status === 'NOT_CHECKED');
  const skew = skewWords(report);
  const unchecked = uncheckedTiers(report);
  return document([
    marked`# Certificates of ${source}: ${countWords(report)}`,
    BLANK,
    marked`As of ${formatInstant(at)}.`,
    ...(skew === undefined ? [] : [BLANK, marked`${skew}`]),
    ...urgent.flatMap((row) => [BLANK, ...section(row, at)]),
    ...(well.length === 0
      ? []
      : [
          BLANK,
          marked`## Fine`,
          BLANK,
          marked`| Status | Left | Expires | Rotated by | What | Where |`,
          marked`|---|---|---|---|---|---|`,
        ]),
    ...well
      .slice(0, WELL)
      .map(
        (row) =>
          marked`| ${row.status} | ${leftWords(row, at)} | ${endWords(row)} | ${row.rotatedBy} | ${roleWords(row)} | ${joined(placeWords(row, 1), ', ')} |`,
      ),
    ...(well.length > WELL ? [BLANK, marked`And ${well.length - WELL} more.`] : []),
    ...(unchecked.length === 0
      ? []
      : [
          BLANK,
          marked`## Not checked`,
          BLANK,
          ...unchecked.map(
            (tier) => marked`- ${tierTitle(tier)}${tier.state === 'PARTIAL' ? ', partly checked' : ''}: ${tier.reason ?? 'not checked'}`,
          ),
        ]),
  ]);
}

function section(row: CertificateRow, at: number): readonly Markdown[] {
  const ends =
    row.notAfter === undefined
      ? ''
      : row.notAfter < at
        ? `, expired ${endWords(row)} (${leftWords(row, at).slice(1)} ago)`
        : `, expires ${endWords(row)} (in ${leftWords(row, at)})`;
  return [
    marked`## ${row.status}: ${roleWords(row)}${ends}`,
    BLANK,
    ...(row.reason === undefined ? [] : [marked`${row.reason}`, BLANK]),
    marked`**Breaks${row.stage === undefined ? '' : marked` ${row.stage}`}**: ${row.breaks}`,
    BLANK,
    marked`- Renew: ${code(row.renew)}`,
    marked`- Rotated by: ${row.rotatedBy}`,
    ...(row.subject === '' ? [] : [marked`- Subject: ${code(row.subject)}`]),
    ...(row.names.length === 0 ? [] : [marked`- Names: ${code(row.names.join(', '))}`]),
    ...(row.issuer === '' ? [] : [marked`- Issuer: ${code(row.issuer)}`]),
    ...placeWords(row, PLACES).map((place) => marked`- At: ${place}`),
  ];
}
