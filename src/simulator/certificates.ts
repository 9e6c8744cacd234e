import type { Instant } from '../base/instant.ts';
import { formatInstant } from '../base/instant.ts';

/** A certificate as data: who it names, who signed it, how long it is good. No keys: whoever has the value has the key. */
export interface Certificate {
  /** What it is called in the cluster: `apiserver`, `kubelet-worker-1`. */
  readonly name: string;
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The authority that signed it, by name: `kubernetes-ca`. */
  readonly issuer: string;
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** Why a certificate does not hold, in Go's words; undefined when it does. `authorities` are the names that are trusted. */
export function verifyCertificate(certificate: Certificate, authorities: readonly string[], now: Instant): string | undefined {
  if (now > certificate.notAfter) return `x509: certificate has expired or is not yet valid: current time ${formatInstant(now)} is after ${formatInstant(certificate.notAfter)}`;
  if (now < certificate.notBefore) return `x509: certificate has expired or is not yet valid: current time ${formatInstant(now)} is before ${formatInstant(certificate.notBefore)}`;
  if (!authorities.includes(certificate.issuer)) return 'x509: certificate signed by unknown authority';
  return undefined;
}

/** Why a server's certificate is not for this host, in Go's words (crypto/x509 HostnameError); undefined when it is. */
export function verifyHost(certificate: Certificate, host: string): string | undefined {
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
  readonly #byName = new Map<string, Certificate>();
  readonly #listeners: ((certificate: Certificate) => void)[] = [];

  get(name: string): Certificate | undefined {
    return this.#byName.get(name);
  }

  all(): readonly Certificate[] {
    return [...this.#byName.values()];
  }

  put(certificate: Certificate): void {
    this.#byName.set(certificate.name, certificate);
    for (const listener of this.#listeners) listener(certificate);
  }

  onPut(listener: (certificate: Certificate) => void): void {
    this.#listeners.push(listener);
  }
}

export const CLUSTER_CA = 'kubernetes-ca';
