import type { Instant } from '../base/instant.ts';
import { formatInstant } from '../base/instant.ts';
import { parseInteger } from '../base/number.ts';
import type { Prng } from '../base/prng.ts';
import { base64OfBytes } from '../base/base64.ts';
import { TAG, textBytes, writeDer } from './der.ts';

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

/** A certificate in DER. It can be read as any other; its signature is made up, for nobody in a simulation has keys. */
export function writeX509(parts: X509Parts, prng: Prng): Uint8Array {
  const body = writeDer(
    TAG.sequence,
    writeDer(0xa0, writeDer(TAG.integer, [2])),
    writeDer(TAG.integer, parts.serial),
    SIGNATURE_ALGORITHM,
    parts.issuer,
    writeDer(TAG.sequence, timeDer(parts.notBefore), timeDer(parts.notAfter)),
    parts.subject,
    parts.publicKey,
    writeDer(0xa3, writeDer(TAG.sequence, ...parts.extensions)),
  );
  return writeDer(TAG.sequence, body, SIGNATURE_ALGORITHM, writeDer(TAG.bitString, [0], randomBytes(prng, 256)));
}

/** sha256WithRSAEncryption. */
const SIGNATURE_ALGORITHM = writeDer(TAG.sequence, writeDer(TAG.oid, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]), writeDer(TAG.null));

export function pemOf(der: Uint8Array, label = 'CERTIFICATE'): string {
  return `-----BEGIN ${label}-----\n${(base64OfBytes(der).match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`;
}

/** A distinguished name as Go writes it: organizations first, then the common name. */
export function nameDer(commonName: string, organizations: readonly string[] = []): Uint8Array {
  const part = (oid: readonly number[], value: string): Uint8Array => writeDer(TAG.set, writeDer(TAG.sequence, writeDer(TAG.oid, oid), writeDer(isPrintable(value) ? TAG.printable : TAG.utf8, textBytes(value))));
  return writeDer(TAG.sequence, ...organizations.map((organization) => part([0x55, 0x04, 0x0a], organization)), part([0x55, 0x04, 0x03], commonName));
}

/** Source: Go's encoding/asn1 (isPrintable). */
function isPrintable(value: string): boolean {
  return /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value);
}

/** An RSA key of 2048 bits that nobody has the other half of. */
export function rsaKeyDer(prng: Prng): Uint8Array {
  const modulus = randomBytes(prng, 256);
  modulus[0] = 0x80 | (modulus[0] ?? 0);
  modulus[255] = 1 | (modulus[255] ?? 0);
  const key = writeDer(TAG.sequence, writeDer(TAG.integer, [0], modulus), writeDer(TAG.integer, [1, 0, 1]));
  const algorithm = writeDer(TAG.sequence, writeDer(TAG.oid, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]), writeDer(TAG.null));
  return writeDer(TAG.sequence, algorithm, writeDer(TAG.bitString, [0], key));
}

/** Positive, 16 octets. */
export function randomSerial(prng: Prng): readonly number[] {
  return [0x40 | prng.below(0x3f), ...randomBytes(prng, 15)];
}

export function keyUsage({ digitalSignature = false, keyEncipherment = false, certificateSign = false }): Uint8Array {
  const bits = (digitalSignature ? 0x80 : 0) | (keyEncipherment ? 0x20 : 0) | (certificateSign ? 0x04 : 0);
  const unused = certificateSign ? 2 : keyEncipherment ? 5 : 7;
  return extension(KEY_USAGE, true, writeDer(TAG.bitString, [unused, bits]));
}

export function extendedKeyUsage(usages: readonly ('server' | 'client')[]): readonly Uint8Array[] {
  return usages.length === 0 ? [] : [extension(EXTENDED_KEY_USAGE, false, writeDer(TAG.sequence, ...usages.map((usage) => writeDer(TAG.oid, usage === 'server' ? SERVER_AUTH : CLIENT_AUTH))))];
}

export function basicConstraints(isAuthority: boolean): Uint8Array {
  return extension(BASIC_CONSTRAINTS, true, writeDer(TAG.sequence, ...(isAuthority ? [writeDer(TAG.boolean, [0xff])] : [])));
}

export function subjectKeyId(id: readonly number[]): Uint8Array {
  return extension(SUBJECT_KEY_ID, false, writeDer(TAG.octetString, id));
}

export function authorityKeyId(id: readonly number[]): Uint8Array {
  return extension(AUTHORITY_KEY_ID, false, writeDer(TAG.sequence, writeDer(0x80, id)));
}

/** None for a certificate without names. */
export function alternativeNames(dnsNames: readonly string[], ipAddresses: readonly string[]): readonly Uint8Array[] {
  if (dnsNames.length === 0 && ipAddresses.length === 0) return [];
  const names = [...dnsNames.map((name) => writeDer(0x82, textBytes(name))), ...ipAddresses.map((address) => writeDer(0x87, address.split('.').map((part) => parseInteger(part) ?? 0)))];
  return [extension(ALTERNATIVE_NAMES, false, writeDer(TAG.sequence, ...names))];
}

const SUBJECT_KEY_ID = [0x55, 0x1d, 0x0e];
const KEY_USAGE = [0x55, 0x1d, 0x0f];
const ALTERNATIVE_NAMES = [0x55, 0x1d, 0x11];
const BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13];
const AUTHORITY_KEY_ID = [0x55, 0x1d, 0x23];
const EXTENDED_KEY_USAGE = [0x55, 0x1d, 0x25];
const SERVER_AUTH = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01];
const CLIENT_AUTH = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02];

function extension(oid: readonly number[], critical: boolean, value: Uint8Array): Uint8Array {
  return writeDer(TAG.sequence, writeDer(TAG.oid, oid), ...(critical ? [writeDer(TAG.boolean, [0xff])] : []), writeDer(TAG.octetString, value));
}

/** UTCTime (`261120091500Z`) until 2049, GeneralizedTime from then on (RFC 5280, 4.1.2.5); times beyond the years 1970 to 9999 are moved into them. */
function timeDer(instant: Instant): Uint8Array {
  const seconds = Math.floor(Math.min(LAST_INSTANT, Math.max(0, instant)) / 1000);
  const digits = formatInstant(seconds * 1000).slice(0, 19).replaceAll(/[-:T]/g, '');
  return digits < '2050' ? writeDer(TAG.utcTime, textBytes(`${digits.slice(2)}Z`)) : writeDer(TAG.generalizedTime, textBytes(`${digits}Z`));
}

/** 9999-12-31T23:59:59Z, which RFC 5280 gives to what never ends. */
const LAST_INSTANT = 253_402_300_799_000;

/** Four at a time: a cluster of a thousand nodes has megabytes of keys. */
function randomBytes(prng: Prng, count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += 4) {
    const bits = prng.bits();
    for (let index = 0; index < 4 && at + index < count; index++) bytes[at + index] = (bits >>> (index * 8)) & 0xff;
  }
  return bytes;
}
