import { readX509 } from '../base/x509/certificate.ts';
import type { X509 } from '../base/x509/certificate.ts';
import type { CertificateTierId } from '../model/certificate.ts';
import type { CertificateRoleId } from '../model/certificate-roles.ts';
import type { Sighting } from './seen-certificate.ts';

/** A server that was connected to, and what it showed. */
export interface Served {
  readonly tier: CertificateTierId;
  /** `https://10.0.0.1:6443` */
  readonly where: string;
  readonly role: CertificateRoleId;
  /** Role of the links above the first. */
  readonly chainRole: CertificateRoleId;
  /** DER, the server's own first. */
  readonly certificates: readonly Uint8Array[];
  /** The name or address it has to be for; undefined where any will do. */
  readonly host?: string | undefined;
  /** Why whoever asks it does not trust it. */
  readonly untrusted?: string | undefined;
  readonly renews?: Sighting['renews'];
  /** Fingerprint and end of what is stored for it, where that is known. */
  readonly stored?: X509 | undefined;
}

/** Each link of a chain that a server shows. */
export function servedSightings({
  certificates,
  tier,
  where,
  role,
  chainRole,
  host,
  untrusted,
  renews,
  stored,
}: Served): readonly Sighting[] {
  return certificates.map((der, index): Sighting => {
    const read = readX509(der);
    const place = { tier, where, role: index === 0 ? role : chainRole, ...(renews === undefined ? {} : { renews }) };
    if (!read.ok) return { ...place, seen: { kind: 'unreadable', reason: read.reason } };
    const mismatch = index > 0 ? undefined : mismatchOf(read.value, { host, untrusted, stored });
    return { ...place, seen: { kind: 'certificate', value: read.value }, ...(mismatch === undefined ? {} : { mismatch }) };
  });
}

function mismatchOf(leaf: X509, { host, untrusted, stored }: Pick<Served, 'host' | 'untrusted' | 'stored'>): string | undefined {
  if (untrusted !== undefined) return untrusted;
  if (host !== undefined && !isFor(leaf, host)) {
    const names = [...leaf.dnsNames, ...leaf.ipAddresses];
    return names.length === 0
      ? `it contains no host name, so it is not valid for ${host}`
      : `it is valid for ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}, not for ${host}`;
  }
  if (stored === undefined || stored.fingerprint === leaf.fingerprint) return undefined;
  return stored.notBefore > leaf.notBefore
    ? 'renewed, but not reloaded: the stored certificate is newer than the served one; restart the server'
    : 'the served certificate differs from the stored one';
}

/** As Go's crypto/x509 has it (VerifyHostname): names of the subject do not count, a star stands for one label. */
export function isFor({ dnsNames, ipAddresses }: X509, host: string): boolean {
  const wanted = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (/^[\d.]+$/.test(wanted) || wanted.includes(':')) return ipAddresses.includes(wanted);
  const dot = wanted.indexOf('.');
  return dnsNames.some((given) => {
    const name = given.toLowerCase();
    return name === wanted || (name.startsWith('*.') && dot > 0 && name.slice(1) === wanted.slice(dot));
  });
}
