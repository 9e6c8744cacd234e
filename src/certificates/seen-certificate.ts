import { certificatesInText } from '../base/x509/certificates-in.ts';
import type { Instant } from '../base/instant.ts';
import { REDACTED } from '../base/x509/pem.ts';
import type { X509, ReadX509 } from '../base/x509/certificate.ts';
import type { CertificateTierId } from '../model/certificate.ts';
import type { CertificateRoleId } from '../model/certificate-roles.ts';
import type { CertificateRotator } from '../model/certificate-rotators.ts';

/** One certificate, or what should be one, seen at one place. */
export interface Sighting {
  readonly tier: CertificateTierId;
  /** What a person calls the place: `Secret/shop/web-tls tls.crt`. */
  readonly where: string;
  readonly role: CertificateRoleId;
  readonly seen: Seen;
  readonly rotatedBy?: CertificateRotator;
  /** For the command that renews it. */
  readonly renews?: { readonly namespace?: string | undefined; readonly name?: string | undefined; readonly context?: string | undefined };
  /** Certificates that stand together with it in one value, when there are several. */
  readonly bundle?: Bundle;
  /** What is wrong with it besides its times. */
  readonly mismatch?: string;
  /** When whoever owns it should have renewed it. */
  readonly dueAt?: Instant;
  /** `Secret/shop/web-tls`: the object that holds the certificate which only its dates are known of here. */
  readonly of?: string;
  /** Of no consequence, whatever its dates. */
  readonly harmless?: string;
}

export interface Bundle {
  readonly size: number;
  /** Members that are past notAfter may stay as long as others are valid. */
  readonly latestEnd: Instant;
}

export type Seen =
  | { readonly kind: 'certificate'; readonly value: X509 }
  | { readonly kind: 'described'; readonly value: Described }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'unchecked'; readonly reason: string };

/** What is known of a certificate or token that was not read itself. */
export interface Described {
  readonly subject: string;
  readonly issuer?: string;
  readonly serial?: string;
  readonly names?: readonly string[];
  readonly isCa?: boolean;
  readonly notBefore?: Instant;
  readonly notAfter?: Instant;
}

type Where = Omit<Sighting, 'seen' | 'bundle'>;

/** A sighting of each certificate in a text of PEM; one that says so where there should be some and is none. */
export function sightingsOfText(
  text: string,
  where: Where,
  options: { readonly required: boolean } = { required: true },
): readonly Sighting[] {
  return sightingsOf(certificatesInText(text), where, options);
}

export function sightingsOf(found: readonly ReadX509[], where: Where, { required }: { readonly required: boolean }): readonly Sighting[] {
  if (found.length === 0) return required ? [{ ...where, seen: { kind: 'unreadable', reason: 'contains no PEM certificate' } }] : [];
  const [only] = found;
  if (found.length === 1 && only !== undefined) return [{ ...where, seen: seenOf(only) }];
  let latestEnd = -Infinity;
  for (const one of found) if (one.ok) latestEnd = Math.max(latestEnd, one.value.notAfter);
  const bundle: Bundle = { size: found.length, latestEnd };
  return found.map((one) => ({ ...where, seen: seenOf(one), bundle }));
}

function seenOf(read: ReadX509): Seen {
  if (read.ok) return { kind: 'certificate', value: read.value };
  return read.reason === REDACTED ? { kind: 'unchecked', reason: REDACTED } : { kind: 'unreadable', reason: read.reason };
}
