import { base64OfBytes } from '../base64.ts';
import type { Instant } from '../instant.ts';
import { formatInstant } from '../instant.ts';
import { parseDigits, parseInteger } from '../number.ts';
import { DER } from './der.ts';
import { oidDer, textBytes, writeDer, writeDerOf } from './der-writer.ts';

/** What a certificate (RFC 5280) is made of; names, key and extensions are DER already. */
export interface X509Parts {
  readonly serial: readonly number[];
  readonly issuer: Uint8Array;
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  readonly subject: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Uint8Array[];
}

/** How a body is signed: the algorithm in DER, and the signature of the bytes. */
export interface Signer {
  readonly algorithm: Uint8Array;
  readonly sign: (body: Uint8Array) => Uint8Array;
}

/** A certificate of version 3, in DER. */
export function writeX509(parts: X509Parts, signer: Signer): Uint8Array {
  const body = writeDer(
    DER.sequence,
    writeDer(0xa0, writeDer(DER.integer, [2])),
    writeDer(DER.integer, parts.serial),
    signer.algorithm,
    parts.issuer,
    writeDer(DER.sequence, timeDer(parts.notBefore), timeDer(parts.notAfter)),
    parts.subject,
    parts.publicKey,
    writeDer(0xa3, writeDerOf(DER.sequence, parts.extensions)),
  );
  return signedDer(body, signer);
}

/** A body with its signature: what certificates and certificate requests have in common. */
export function signedDer(body: Uint8Array, { algorithm, sign }: Signer): Uint8Array {
  return writeDer(DER.sequence, body, algorithm, writeDer(DER.bitString, [0], sign(body)));
}

export function pemOf(der: Uint8Array, label = 'CERTIFICATE'): string {
  return `-----BEGIN ${label}-----\n${(base64OfBytes(der).match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`;
}

/** sha256WithRSAEncryption. */
export const RSA_WITH_SHA256 = writeDer(DER.sequence, oidDer('1.2.840.113549.1.1.11'), writeDer(DER.null));
/** ecdsa-with-SHA256. */
export const ECDSA_WITH_SHA256 = writeDer(DER.sequence, oidDer('1.2.840.10045.4.3.2'));

/** A distinguished name as Go writes it: organizations first, then the common name. */
export function nameDer(commonName: string, organizations: readonly string[] = []): Uint8Array {
  const part = (oid: string, value: string): Uint8Array =>
    writeDer(DER.set, writeDer(DER.sequence, oidDer(oid), writeDer(isPrintable(value) ? DER.printable : DER.utf8, textBytes(value))));
  return writeDerOf(DER.sequence, [...organizations.map((organization) => part('2.5.4.10', organization)), part('2.5.4.3', commonName)]);
}

/** Source: Go's encoding/asn1 (isPrintable). */
function isPrintable(value: string): boolean {
  return /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value);
}

export function keyUsage({ digitalSignature = false, keyEncipherment = false, certificateSign = false, crlSign = false }): Uint8Array {
  const bits = (digitalSignature ? 0x80 : 0) | (keyEncipherment ? 0x20 : 0) | (certificateSign ? 0x04 : 0) | (crlSign ? 0x02 : 0);
  const unused = crlSign ? 1 : certificateSign ? 2 : keyEncipherment ? 5 : 7;
  return extension('2.5.29.15', true, writeDer(DER.bitString, [unused, bits]));
}

/** None for a certificate that does not say what it is for. */
export function extendedKeyUsage(usages: readonly ('server' | 'client')[]): readonly Uint8Array[] {
  return usages.length === 0
    ? []
    : [
        extension(
          '2.5.29.37',
          false,
          writeDerOf(
            DER.sequence,
            usages.map((usage) => oidDer(usage === 'server' ? '1.3.6.1.5.5.7.3.1' : '1.3.6.1.5.5.7.3.2')),
          ),
        ),
      ];
}

export function basicConstraints(isAuthority: boolean): Uint8Array {
  return extension('2.5.29.19', true, writeDerOf(DER.sequence, isAuthority ? [writeDer(DER.boolean, [0xff])] : []));
}

export function subjectKeyId(id: readonly number[] | Uint8Array): Uint8Array {
  return extension('2.5.29.14', false, writeDer(DER.octetString, id));
}

/** The extension that names the key of the issuer. */
export const AUTHORITY_KEY_ID = '2.5.29.35';

export function authorityKeyId(id: readonly number[] | Uint8Array): Uint8Array {
  return extension(AUTHORITY_KEY_ID, false, writeDer(DER.sequence, writeDer(0x80, id)));
}

/** None for a certificate without names. */
export function alternativeNames(dnsNames: readonly string[], ipAddresses: readonly string[]): readonly Uint8Array[] {
  if (dnsNames.length === 0 && ipAddresses.length === 0) return [];
  const names = [
    ...dnsNames.map((name) => writeDer(0x82, textBytes(name))),
    ...ipAddresses.map((address) => writeDer(0x87, addressOctets(address))),
  ];
  return [extension('2.5.29.17', false, writeDerOf(DER.sequence, names))];
}

function addressOctets(address: string): readonly number[] {
  if (!address.includes(':')) return address.split('.').map((part) => parseInteger(part) ?? 0);
  const [head = '', tail] = address.split('::');
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const between = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...between, ...after].flatMap((group) => [(parseDigits(group, 16) ?? 0) >> 8, (parseDigits(group, 16) ?? 0) & 0xff]);
}

function extension(oid: string, critical: boolean, value: Uint8Array): Uint8Array {
  return writeDerOf(DER.sequence, [oidDer(oid), ...(critical ? [writeDer(DER.boolean, [0xff])] : []), writeDer(DER.octetString, value)]);
}

/**
 * UTCTime (`261120091500Z`) until 2049, GeneralizedTime from then on (RFC 5280, 4.1.2.5); times beyond the years 1970 to 9999 are moved
 * into them.
 */
function timeDer(instant: Instant): Uint8Array {
  const seconds = Math.floor(Math.min(LAST_INSTANT, Math.max(0, instant)) / 1000);
  const digits = formatInstant(seconds * 1000)
    .slice(0, 19)
    .replaceAll(/[-:T]/g, '');
  return digits < '2050' ? writeDer(DER.utcTime, textBytes(`${digits.slice(2)}Z`)) : writeDer(DER.generalizedTime, textBytes(`${digits}Z`));
}

/** 9999-12-31T23:59:59Z, which RFC 5280 gives to what never ends. */
const LAST_INSTANT = 253_402_300_799_000;
