import { formatInstant } from '../../base/instant.ts';
import type { CertificateReport, CertificateRow } from '../../model/certificate.ts';
import { countWords, endWords, leftWords, needsAHand, placeWords, roleWords, skewWords, tierTitle, uncheckedTiers } from './certificate-words.ts';
import type { Markdown } from '../format/markdown-words.ts';
import { BLANK, code, document, joined, md } from '../format/markdown-words.ts';

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
    md`# Certificates of ${source}: ${countWords(report)}`,
    BLANK,
    md`As of ${formatInstant(at)}.`,
    ...(skew === undefined ? [] : [BLANK, md`${skew}`]),
    ...urgent.flatMap((row) => [BLANK, ...section(row, at)]),
    ...(well.length === 0 ? [] : [BLANK, md`## Fine`, BLANK, md`| Status | Left | Expires | Rotated by | What | Where |`, md`|---|---|---|---|---|---|`]),
    ...well.slice(0, WELL).map((row) => md`| ${row.status} | ${leftWords(row, at)} | ${endWords(row)} | ${row.rotatedBy} | ${roleWords(row)} | ${joined(placeWords(row, 1), ', ')} |`),
    ...(well.length > WELL ? [BLANK, md`And ${well.length - WELL} more.`] : []),
    ...(unchecked.length === 0 ? [] : [BLANK, md`## Not checked`, BLANK, ...unchecked.map((tier) => md`- ${tierTitle(tier)}${tier.state === 'PARTIAL' ? ', partly checked' : ''}: ${tier.reason ?? 'not checked'}`)]),
  ]);
}

function section(row: CertificateRow, at: number): readonly Markdown[] {
  const ends = row.notAfter === undefined ? '' : row.notAfter < at ? `, expired ${endWords(row)} (${leftWords(row, at).slice(1)} ago)` : `, expires ${endWords(row)} (in ${leftWords(row, at)})`;
  return [
    md`## ${row.status}: ${roleWords(row)}${ends}`,
    BLANK,
    ...(row.reason === undefined ? [] : [md`${row.reason}`, BLANK]),
    md`**Breaks${row.stage === undefined ? '' : md` ${row.stage}`}**: ${row.breaks}`,
    BLANK,
    md`- Renew: ${code(row.renew)}`,
    md`- Rotated by: ${row.rotatedBy}`,
    ...(row.subject === '' ? [] : [md`- Subject: ${code(row.subject)}`]),
    ...(row.names.length === 0 ? [] : [md`- Names: ${code(row.names.join(', '))}`]),
    ...(row.issuer === '' ? [] : [md`- Issuer: ${code(row.issuer)}`]),
    ...placeWords(row, PLACES).map((place) => md`- At: ${place}`),
  ];
}
