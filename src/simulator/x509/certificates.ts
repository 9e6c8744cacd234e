import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import { Prng } from '../../base/prng.ts';
import { readX509 } from '../../base/x509/certificate.ts';
import { certificateDer } from './certificate-bytes.ts';
import { LruMap } from '../../base/lru-map.ts';
import { pemOf } from '../../base/x509/certificate-writer.ts';
import type { Certificate } from './simulated-certificate.ts';

/**
 * Why a certificate does not hold, in Go's words; undefined when it does. `authorities` are the names that are trusted; `issuer` is
 * the certificate of its authority, where that is known: when it has ended, nothing it signed holds, and the words name its dates.
 * Source: Go's crypto/x509/verify.go (Verify, isValid).
 */
export function verifyCertificate(
  certificate: Certificate,
  authorities: readonly string[],
  now: Instant,
  issuer?: Certificate,
): string | undefined {
  const own = outOfTime(certificate, now);
  if (own !== undefined) return own;
  if (!authorities.includes(certificate.issuer)) return 'x509: certificate signed by unknown authority';
  return issuer === undefined ? undefined : outOfTime(issuer, now);
}

function outOfTime({ notBefore, notAfter }: Certificate, now: Instant): string | undefined {
  if (now > notAfter)
    return `x509: certificate has expired or is not yet valid: current time ${formatInstant(now)} is after ${formatInstant(notAfter)}`;
  if (now < notBefore)
    return `x509: certificate has expired or is not yet valid: current time ${formatInstant(now)} is before ${formatInstant(notBefore)}`;
  return undefined;
}

/** A certificate that was issued for a request, by the cluster's authority; undefined when the bytes are none. */
export function readCertificate(name: string, der: Uint8Array): Certificate | undefined {
  const read = readX509(der);
  if (!read.ok) return undefined;
  const { subject, notBefore, notAfter, dnsNames, ipAddresses, usages } = read.value;
  return {
    name,
    commonName: subject.commonName ?? '',
    organizations: subject.organizations,
    issuer: CLUSTER_CA,
    notBefore,
    notAfter,
    dnsNames,
    ipAddresses,
    usages: usages.includes('server') ? ['server'] : ['client'],
    der,
  };
}

/**
 * Why a client does not take a server's certificate: its time first, then its names, then who signed it, as Go looks (crypto/x509
 * Certificate.Verify).
 */
export function verifyServer(certificate: Certificate, host: string, now: Instant, chain: () => string | undefined): string | undefined {
  return outOfTime(certificate, now) ?? verifyHost(certificate, host) ?? chain();
}

/** Why a server's certificate is not for this host, in Go's words (crypto/x509 HostnameError); undefined when it is. */
function verifyHost(certificate: Certificate, host: string): string | undefined {
  if (/^[\d.]+$/.test(host)) {
    if (certificate.ipAddresses.includes(host)) return undefined;
    if (certificate.ipAddresses.length === 0) return `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
    return `x509: certificate is valid for ${certificate.ipAddresses.join(', ')}, not ${host}`;
  }
  if (certificate.dnsNames.some((name) => matchesHost(name, host))) return undefined;
  if (certificate.dnsNames.length === 0) return 'x509: certificate is not valid for any names, but wanted to match ' + host;
  return `x509: certificate is valid for ${certificate.dnsNames.join(', ')}, not ${host}`;
}

function matchesHost(name: string, host: string): boolean {
  if (!name.startsWith('*.')) return name === host;
  const dot = host.indexOf('.');
  return dot > 0 && host.slice(dot) === name.slice(1);
}

/** The certificates of a cluster by name; a renewed one takes the place of the old. */
export class Certificates {
  readonly #prng: Prng;
  readonly #byName = new Map<string, Certificate>();
  readonly #bytes = new WeakMap<Certificate, Uint8Array>();
  readonly #pems = new WeakMap<Uint8Array, string>();
  readonly #keyIds = new Map<string, readonly number[]>();
  /** Tells this source of keys from that of a cluster with another seed. */
  readonly #source: string;
  readonly #listeners: ((certificate: Certificate) => void)[] = [];
  #changes = 0;

  constructor(prng = new Prng('certificates')) {
    this.#prng = prng;
    this.#source = prng.split('source').hex(32);
  }

  get(name: string): Certificate | undefined {
    return this.#byName.get(name);
  }

  /** How many have come so far: while it stays the same, every name leads to the same certificate. */
  get changes(): number {
    return this.#changes;
  }

  all(): readonly Certificate[] {
    return [...this.#byName.values()];
  }

  put(certificate: Certificate): void {
    this.#byName.set(certificate.name, certificate);
    this.#changes++;
    for (const listener of this.#listeners) listener(certificate);
  }

  onPut(listener: (certificate: Certificate) => void): void {
    this.#listeners.push(listener);
  }

  /** `verifyCertificate` with the authorities as they are in this cluster. */
  verify(certificate: Certificate, authorities: readonly string[], now: Instant): string | undefined {
    return verifyCertificate(certificate, authorities, now, this.#byName.get(certificate.issuer));
  }

  /** Why the certificate of this name does not hold now, in Go's words; undefined when it does, or where there is none. */
  trouble(name: string, authority: string, now: Instant): string | undefined {
    const certificate = this.#byName.get(name);
    return certificate === undefined ? undefined : this.verify(certificate, [authority], now);
  }

  /** The certificate in DER, always the same for the same data. */
  der(certificate: Certificate): Uint8Array {
    const known = certificate.der ?? this.#bytes.get(certificate);
    if (known !== undefined) return known;
    const commonName = this.#byName.get(certificate.issuer)?.commonName ?? certificate.issuer;
    const key = JSON.stringify([this.#source, certificate, commonName]);
    let der = BYTES.get(key);
    if (der === undefined)
      BYTES.set(key, (der = certificateDer(certificate, { commonName, keyId: this.keyId(certificate.issuer) }, this.#prng)));
    this.#bytes.set(certificate, der);
    return der;
  }

  pem(certificate: Certificate): string {
    const der = this.der(certificate);
    let pem = this.#pems.get(der);
    if (pem === undefined) this.#pems.set(der, (pem = pemOf(der)));
    return pem;
  }

  /** What certificates of an authority know its key by: 20 octets. */
  keyId(authority: string): readonly number[] {
    let id = this.#keyIds.get(authority);
    if (id === undefined) {
      const prng = this.#prng.split(`key id ${authority}`);
      this.#keyIds.set(authority, (id = Array.from({ length: 20 }, () => prng.below(256))));
    }
    return id;
  }
}

/** A cluster that is played again has the same certificates again: their bytes follow from seed and data alone. */
const BYTES = new LruMap<Uint8Array>(2000);

export const CLUSTER_CA = 'kubernetes-ca';
export const ETCD_CA = 'etcd-ca';
export const FRONT_PROXY_CA = 'front-proxy-ca';
