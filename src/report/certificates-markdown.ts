import { formatInstant } from '../base/instant.ts';
import type { CertificateReport, CertificateRow } from '../model/certificate.ts';
import { countWords, endWords, leftWords, needsAHand, placeWords, roleWords, skewWords, tierTitle, uncheckedTiers } from './certificate-words.ts';
import { code, document, escaped } from './markdown-words.ts';

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
    `# Certificates of ${escaped(source)}: ${countWords(report)}`,
    '',
    `As of ${formatInstant(at)}.`,
    ...(skew === undefined ? [] : ['', escaped(skew)]),
    ...urgent.flatMap((row) => ['', ...section(row, at)]),
    ...(well.length === 0 ? [] : ['', '## Fine', '', '| Status | Left | Ends | Rotated by | What | Where |', '|---|---|---|---|---|---|']),
    ...well.slice(0, WELL).map((row) => `| ${row.status} | ${leftWords(row, at)} | ${endWords(row)} | ${row.rotatedBy} | ${escaped(roleWords(row))} | ${placeWords(row, 1).map(escaped).join(', ')} |`),
    ...(well.length > WELL ? ['', `And ${well.length - WELL} more.`] : []),
    ...(unchecked.length === 0 ? [] : ['', '## Not checked', '', ...unchecked.map((tier) => `- ${tierTitle(tier)}${tier.state === 'PARTIAL' ? ', in part' : ''}: ${escaped(tier.reason ?? 'not looked at')}`)]),
  ]);
}

function section(row: CertificateRow, at: number): readonly string[] {
  const ends = row.notAfter === undefined ? '' : row.notAfter < at ? `, ended ${endWords(row)} (${leftWords(row, at).slice(1)} ago)` : `, ends ${endWords(row)} (in ${leftWords(row, at)})`;
  return [
    `## ${row.status}: ${escaped(roleWords(row))}${ends}`,
    '',
    ...(row.reason === undefined ? [] : [escaped(row.reason), '']),
    `**Breaks${row.stage === undefined ? '' : ` ${row.stage}`}**: ${escaped(row.breaks)}`,
    '',
    `- Renew: ${code(row.renew)}`,
    `- Rotated by: ${row.rotatedBy}`,
    ...(row.subject === '' ? [] : [`- Subject: ${code(row.subject)}`]),
    ...(row.names.length === 0 ? [] : [`- Names: ${code(row.names.join(', '))}`]),
    ...(row.issuer === '' ? [] : [`- Issuer: ${code(row.issuer)}`]),
    ...placeWords(row, PLACES).map((place) => `- At: ${escaped(place)}`),
  ];
}
