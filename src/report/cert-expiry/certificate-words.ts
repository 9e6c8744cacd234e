import { formatDuration } from '../../base/duration.ts';
import { formatInstant } from '../../base/instant.ts';
import type { CertificateReport, CertificateRow, CertificateStatus, CertificateTier } from '../../model/certificate.ts';
import { CERTIFICATE_TIERS } from '../../model/certificate.ts';
import { certificateRole } from '../../model/certificate-roles.ts';
import { clusterLine } from '../format/cluster-text.ts';

/** Whether a row needs action. */
export function needsAHand({ status }: CertificateRow): boolean {
  return status !== 'OK' && status !== 'INFO' && status !== 'NOT_CHECKED';
}

/** `2 have expired, 1 expires soon, 14 are valid` */
export function countWords({ certificates }: CertificateReport): string {
  const count = (...statuses: readonly CertificateStatus[]): number =>
    certificates.filter(({ status }) => statuses.includes(status)).length;
  const parts: readonly (readonly [number, string, string])[] = [
    [count('EXPIRED'), 'has expired', 'have expired'],
    [count('NOT_YET_VALID'), 'is not yet valid', 'are not yet valid'],
    [count('MISMATCH', 'MISSING'), 'is invalid or missing', 'are invalid or missing'],
    [count('CRITICAL', 'WARN'), 'expires soon', 'expire soon'],
    [count('DUE'), 'should have been renewed', 'should have been renewed'],
    [count('UNREADABLE', 'NOT_CHECKED'), 'could not be read', 'could not be read'],
    [count('OK'), 'is valid', 'are valid'],
  ];
  const said = parts.filter(([number]) => number > 0).map(([number, one, many]) => `${number} ${number === 1 ? one : many}`);
  return said.length === 0 ? 'no certificate found' : said.join(', ');
}

/** `20d ago`, `in 5h`, `in 161d`; to the unit in which it matters. */
export function leftWords(row: CertificateRow, at: number): string {
  if (row.notAfter === undefined) return '';
  const seconds = Math.abs(row.notAfter - at) / 1000;
  const amount =
    seconds < 3600
      ? `${Math.floor(seconds / 60)}m`
      : seconds < 172_800
        ? `${Math.floor(seconds / 3600)}h`
        : seconds < 63_072_000
          ? `${Math.floor(seconds / 86_400)}d`
          : `${Math.floor(seconds / 31_536_000)}y`;
  return row.notAfter < at ? `-${amount}` : amount;
}

/** The expiry date, UTC. */
export function endWords({ notAfter }: CertificateRow): string {
  return notAfter === undefined ? '' : formatInstant(notAfter).slice(0, 10);
}

/** A wrong clock makes certificates look expired or not yet valid; network delay explains up to a minute. */
export function skewWords({ clockSkewSeconds }: CertificateReport): string | undefined {
  if (clockSkewSeconds === undefined || Math.abs(clockSkewSeconds) < 60) return undefined;
  return `The cluster's clock is ${formatDuration(Math.abs(clockSkewSeconds))} ${clockSkewSeconds > 0 ? 'ahead of' : 'behind'} this machine's: certificate dates may be misjudged. Check both clocks with timedatectl.`;
}

/** What it is for, without the article. */
export function roleWords({ role }: CertificateRow): string {
  return certificateRole(role).title.replace(/^(?:the|an?) /, '');
}

export function placeWords(row: CertificateRow, limit: number): readonly string[] {
  const shown = row.places.slice(0, limit).map(({ where }) => clusterLine(where, 300));
  return row.places.length > limit ? [...shown, `and ${row.places.length - limit} more places`] : shown;
}

export function tierTitle({ id }: CertificateTier): string {
  return CERTIFICATE_TIERS.find((tier) => tier.id === id)?.title ?? id;
}

/** Tiers that were not checked, or only partly. */
export function uncheckedTiers({ tiers }: CertificateReport): readonly CertificateTier[] {
  return tiers.filter(({ state }) => state !== 'CHECKED');
}
