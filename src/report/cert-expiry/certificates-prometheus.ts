import type { CertificatePlace, CertificateReport, CertificateRow } from '../../model/certificate.ts';
import { epochSeconds, gauge, labelBraces } from '../format/prometheus-text.ts';

/**
 * Prometheus' text format, for the textfile collector. The x509_* names and labels are those of x509-certificate-exporter, so that its
 * alerts work: `(x509_cert_not_after - time()) < 28 * 86400`. Members of public bundles have no series: nobody is to be woken by them.
 */
export function certificatesPrometheus({ at, tiers, certificates }: CertificateReport): string {
  const series = certificates
    .filter(({ status }) => status !== 'INFO')
    .flatMap((row) => row.places.map((place) => ({ row, labels: labelsOf(row, place) })));
  const dated = series.filter(({ row }) => row.notAfter !== undefined);
  const begun = series.filter(({ row }) => row.notBefore !== undefined);
  const broken = series.filter(({ row }) => row.status === 'UNREADABLE' || row.status === 'MISSING');
  return [
    ...gauge(
      'x509_cert_not_after',
      'Expiry time (notAfter), in seconds since 1970',
      dated.map(({ row, labels }) => [labels, epochSeconds(row.notAfter)]),
    ),
    ...gauge(
      'x509_cert_not_before',
      'Start of validity (notBefore), in seconds since 1970',
      begun.map(({ row, labels }) => [labels, epochSeconds(row.notBefore)]),
    ),
    ...gauge(
      'x509_cert_expired',
      'Whether the certificate has expired',
      dated.map(({ row, labels }) => [labels, row.status === 'EXPIRED' ? 1 : 0]),
    ),
    ...gauge(
      'x509_cert_error',
      'A certificate that is unreadable or missing',
      broken.map(({ labels }) => [labels, 1]),
    ),
    ...gauge(
      'podcheck_certificate_status',
      'Status of the certificate, in the label',
      certificates.filter(({ status }) => status !== 'INFO').map((row) => [statusLabels(row), 1]),
    ),
    ...gauge(
      'podcheck_certificate_tier_checked',
      'Whether podcheck checked this tier: 1 fully, 0.5 partly, 0 not',
      tiers.map(({ id, state }) => [labelBraces([['tier', id]]), TIER[state]]),
    ),
    ...gauge('podcheck_certificate_run_timestamp_seconds', 'Time of the check, in seconds since 1970', [['', epochSeconds(at)]]),
    '',
  ].join('\n');
}

const TIER = { CHECKED: 1, PARTIAL: 0.5, NOT_CHECKED: 0 } as const;

function labelsOf(row: CertificateRow, place: CertificatePlace): string {
  return labelBraces([
    ['serial_number', row.serial ?? ''],
    ['subject_CN', commonName(row.subject)],
    ['issuer_CN', commonName(row.issuer)],
    ...placeLabels(place),
    ['role', row.role],
    ['stage', row.stage ?? ''],
    ['tier', place.tier],
    ['rotated_by', row.rotatedBy],
    ['fingerprint', row.fingerprint ?? row.id],
  ]);
}

function statusLabels({ id, role, status, stage, rotatedBy, places }: CertificateRow): string {
  return labelBraces([
    ['id', id],
    ['role', role],
    ['status', status],
    ['stage', stage ?? ''],
    ['rotated_by', rotatedBy],
    ['place', places[0]?.where ?? ''],
  ]);
}

/** A place in the labels that exporters have for it. */
function placeLabels({ tier, where }: CertificatePlace): readonly (readonly [string, string])[] {
  const [, kind, namespace = '', name = '', key = ''] = /^(Secret|ConfigMap)\/([^/]*)\/(\S*)(?: (.*))?/.exec(where) ?? [];
  if (kind === 'Secret')
    return [
      ['secret_namespace', namespace],
      ['secret_name', name],
      ['secret_key', key],
    ];
  if (kind === 'ConfigMap')
    return [
      ['configmap_namespace', namespace],
      ['configmap_name', name],
      ['configmap_key', key],
    ];
  if (tier === 'files')
    return [
      ['filename', where.slice(where.lastIndexOf('/') + 1)],
      ['filepath', where],
    ];
  return [['place', where]];
}

/** The CN of a name as RFC 4514 writes it. */
function commonName(name: string): string {
  const found = /(?:^|[,+])CN=((?:\\.|[^,+\\])*)/.exec(name)?.[1] ?? '';
  return found.replaceAll(/\\(.)/g, '$1');
}
