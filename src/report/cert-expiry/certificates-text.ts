import { formatInstant } from '../../base/instant.ts';
import { append } from '../../base/lists.ts';
import type { CertificateReport, CertificateRow, CertificateStatus, CertificateTier } from '../../model/certificate.ts';
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
import { hanging } from '../diagnosis/cause-lines.ts';
import { clusterLine } from '../format/cluster-text.ts';
import { fit } from '../format/display-width.ts';
import type { Look, Paint } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';
import { tableText } from '../format/table.ts';

/** The most valid certificates to list without -o wide. */
const WELL = 40;
const PLACES = 3;

/** For a terminal: problems first, with what fails and how to renew; then valid certificates, one line each. */
export function certificatesText(report: CertificateReport, look: Look, wide: boolean): string {
  const { at, source, certificates } = report;
  const urgent = certificates.filter(needsAHand);
  const well = certificates.filter((row) => !needsAHand(row) && (wide || row.status !== 'INFO'));
  const skew = skewWords(report);
  const lines = [
    paint(look, 'bold', `${clusterLine(source, 200)}: ${countWords(report)}`),
    paint(look, 'dim', `as of ${formatInstant(at)}`),
  ];
  if (skew !== undefined) append(lines, hanging('', skew, look));
  for (const row of urgent) append(lines, ['', ...urgentLines(row, at, look, wide)]);
  if (well.length > 0) append(lines, ['', ...wellLines(wide ? well : well.slice(0, WELL), at, look, wide)]);
  if (!wide && well.length > WELL) lines.push(`and ${well.length - WELL} more (-o wide)`);
  const harmless = certificates.filter(({ status }) => status === 'INFO').length;
  if (!wide && harmless > 0)
    append(lines, [
      '',
      ...hanging(
        '',
        `${harmless} more ${harmless === 1 ? 'needs' : 'need'} no action: public CA bundles and replaced certificates (-o wide)`,
        look,
      ),
    ]);
  const unchecked = uncheckedTiers(report);
  if (unchecked.length > 0) {
    lines.push('', paint(look, 'bold', 'NOT CHECKED'));
    for (const [reason, titles] of byReason(unchecked)) append(lines, hanging('  - ', `${titles.join('; ')}: ${reason}`, look));
  }
  return shown(look, lines);
}

/** Tiers that were not checked for the same reason share a line. */
function byReason(tiers: readonly CertificateTier[]): ReadonlyMap<string, readonly string[]> {
  const reasons = new Map<string, string[]>();
  for (const tier of tiers) {
    const reason = clusterLine(tier.reason ?? 'not checked', 300);
    reasons.set(reason, [...(reasons.get(reason) ?? []), `${tierTitle(tier)}${tier.state === 'PARTIAL' ? ', partly checked' : ''}`]);
  }
  return reasons;
}

function urgentLines(row: CertificateRow, at: number, look: Look, wide: boolean): readonly string[] {
  const ends =
    row.notAfter === undefined
      ? ''
      : row.notAfter < at
        ? `, expired ${endWords(row)} (${leftWords(row, at).slice(1)} ago)`
        : `, expires ${endWords(row)} (in ${leftWords(row, at)})`;
  const field = (name: string, text: string): readonly string[] => (text === '' ? [] : hanging(`  ${name.padEnd(8)} `, text, look));
  return [
    ...hanging(`${row.status}  `, `${roleWords(row)}${ends}`, look).map((line, index) =>
      index === 0 ? line.replace(row.status, paint(look, COLORS[row.status], row.status)) : line,
    ),
    ...(row.reason === undefined ? [] : field('why', clusterLine(row.reason, 300))),
    ...placeWords(row, wide ? 100 : PLACES).flatMap((place, index) => field(index === 0 ? 'where' : '', place)),
    ...field('subject', clusterLine(row.subject, 200)),
    ...(wide
      ? [
          ...field('names', clusterLine(row.names.join(', '), 2000)),
          ...field('issuer', clusterLine(row.issuer, 200)),
          ...field('rotated', `by ${row.rotatedBy}`),
          ...field('id', row.fingerprint ?? row.id),
        ]
      : []),
    ...field('breaks', `${row.stage === undefined ? '' : `${row.stage}: `}${row.breaks}`),
    ...field('renew', clusterLine(row.renew, 300)),
  ];
}

const COLORS: Readonly<Record<CertificateStatus, Paint>> = {
  EXPIRED: 'red',
  NOT_YET_VALID: 'red',
  MISMATCH: 'red',
  MISSING: 'red',
  CRITICAL: 'red',
  UNREADABLE: 'yellow',
  WARN: 'yellow',
  DUE: 'yellow',
  NOT_CHECKED: 'dim',
  OK: 'green',
  INFO: 'dim',
};

/** One line each where there is room for the words, with the place below. */
function wellLines(rows: readonly CertificateRow[], at: number, look: Look, wide: boolean): readonly string[] {
  const head = wide
    ? ['STATUS', 'LEFT', 'EXPIRES', 'ROTATED BY', 'ID', 'USED', 'WHAT AND WHERE']
    : ['STATUS', 'LEFT', 'EXPIRES', 'ROTATED BY', 'WHAT AND WHERE'];
  const cells = rows.map((row) => {
    const first = [row.status, leftWords(row, at), endWords(row), row.rotatedBy];
    const why = row.reason === undefined || (!wide && row.status !== 'NOT_CHECKED') ? '' : `\n${clusterLine(row.reason, 300)}`;
    if (!wide) return [...first, `${roleWords(row)}\n${fit(shortPlace(row), Math.max(20, look.width - LEAD))}${why}`];
    const used = row.usedShare === undefined ? '' : `${Math.round(row.usedShare * 100)}%`;
    const names = row.names.length === 0 ? '' : `\nfor ${clusterLine(row.names.join(', '), 400)}`;
    return [
      ...first,
      row.id,
      used,
      `${roleWords(row)}: ${clusterLine(row.subject, 200)}${row.issuer === '' ? '' : `, issued by ${clusterLine(row.issuer, 200)}`}${names}\n${placeWords(row, 100).join('\n')}${why}`,
    ];
  });
  return tableText(head, cells, look).trimEnd().split('\n');
}

/** Columns before the last one, at their widest. */
const LEAD = 44;

/** The first place, with kinds as kubectl shortens them. */
function shortPlace(row: CertificateRow): string {
  const more = row.places.length > 1 ? `(and ${row.places.length - 1} more) ` : '';
  return (
    more +
    (placeWords(row, 1)[0] ?? '')
      .replace(/ and \d+ more places$/, '')
      .replace(/^(\w+)\//, (whole, kind: string) => (SHORT[kind] === undefined ? whole : `${SHORT[kind]}/`))
  );
}

const SHORT: Readonly<Record<string, string>> = {
  CertificateSigningRequest: 'csr',
  ConfigMap: 'cm',
  Secret: 'secret',
  Certificate: 'cert',
  CustomResourceDefinition: 'crd',
  APIService: 'apiservice',
};
