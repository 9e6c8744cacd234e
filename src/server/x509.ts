import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { Instant } from '../base/instant.ts';
import { formatInstant } from '../base/instant.ts';
import { parseDigits, parseInteger } from '../base/number.ts';
import { isOid, readDer, TAG, textBytes, writeDer } from '../simulator/der.ts';
import type { DerValue } from '../simulator/der.ts';

/** An X.509 certificate with its key, as PEM. Source: RFC 5280; ECDSA with P-256 and SHA-256 as kubeadm can be told to use. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** What a certificate is to say. */
export interface CertificateWish {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  readonly usage: 'authority' | 'server' | 'client';
  /** DNS names and IP addresses. */
  readonly hosts?: readonly string[];
}

export interface Issuer {
  readonly commonName: string;
  readonly key: KeyObject;
}

/** A new key and a certificate for it, signed by the issuer, or by itself where there is none. */
export function issueCertificate(wish: CertificateWish, issuer?: Issuer): KeyPair & { readonly privateKey: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = issuer ?? { commonName: wish.commonName, key: privateKey };
  const body = writeDer(
    TAG.sequence,
    writeDer(0xa0, writeDer(TAG.integer, [2])),
    writeDer(TAG.integer, [0x40 | ((randomBytes(1)[0] ?? 0) & 0x3f)], randomBytes(15)),
    ECDSA_WITH_SHA256,
    nameOf(signer.commonName, []),
    writeDer(TAG.sequence, timeOf(wish.notBefore), timeOf(wish.notAfter)),
    nameOf(wish.commonName, wish.organizations ?? []),
    publicKey.export({ type: 'spki', format: 'der' }),
    writeDer(0xa3, writeDer(TAG.sequence, ...extensionsOf(wish, publicKey, createPublicKey(signer.key)))),
  );
  return { certificate: pemOf(signed(body, signer.key)), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), privateKey };
}

/** A certificate (DER) under another issuer's name and signature, as PEM: what it says else stays. Undefined for what is no certificate. */
export function signedAnew(certificate: Uint8Array, { commonName, key }: Issuer): string | undefined {
  const [version, serial, , , dates, subject, publicKey, wrapped] = childrenOf(childrenOf(readDer(certificate)?.[0])[0]);
  if (version?.tag !== 0xa0 || serial === undefined || dates === undefined || subject === undefined || publicKey === undefined) return undefined;
  const kept = childrenOf(childrenOf(wrapped)[0]).filter((value) => !isOid(childrenOf(value)[0], AUTHORITY_KEY));
  const extensions = [...kept.map(({ whole }) => whole), authorityKey(createPublicKey(key))];
  return pemOf(
    signed(
      writeDer(TAG.sequence, version.whole, serial.whole, ECDSA_WITH_SHA256, nameOf(commonName, []), dates.whole, subject.whole, publicKey.whole, writeDer(0xa3, writeDer(TAG.sequence, ...extensions))),
      key,
    ),
  );
}

function signed(body: Uint8Array, key: KeyObject): Uint8Array {
  return writeDer(TAG.sequence, body, ECDSA_WITH_SHA256, writeDer(TAG.bitString, [0], sign('sha256', body, key)));
}

/** The names in the subject of a certificate (DER): its common name and its organizations, in their order. */
export function subjectOf(certificate: Uint8Array): { readonly commonName: string; readonly organizations: readonly string[] } {
  const fields = childrenOf(childrenOf(readDer(certificate)?.[0])[0]).filter(({ tag }) => tag !== 0xa0);
  const pairs = childrenOf(fields[4]).flatMap(childrenOf).map(childrenOf);
  const valuesOf = (oid: readonly number[]): readonly string[] => pairs.filter(([type]) => isOid(type, oid)).map(([, value]) => new TextDecoder().decode(value?.content));
  return { commonName: valuesOf(COMMON_NAME)[0] ?? '', organizations: valuesOf(ORGANIZATION) };
}

function childrenOf(value: DerValue | undefined): readonly DerValue[] {
  return value === undefined ? [] : (readDer(value.content) ?? []);
}

const COMMON_NAME = [0x55, 0x04, 0x03];
const ORGANIZATION = [0x55, 0x04, 0x0a];
const ECDSA_WITH_SHA256 = writeDer(TAG.sequence, writeDer(TAG.oid, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));

function nameOf(commonName: string, organizations: readonly string[]): Uint8Array {
  const part = (oid: readonly number[], text: string): Uint8Array => writeDer(TAG.set, writeDer(TAG.sequence, writeDer(TAG.oid, oid), writeDer(TAG.utf8, textBytes(text))));
  return writeDer(TAG.sequence, ...organizations.map((organization) => part(ORGANIZATION, organization)), part(COMMON_NAME, commonName));
}

/** UTCTime until 2049, GeneralizedTime from then on. */
function timeOf(instant: Instant): Uint8Array {
  const digits = formatInstant(instant).slice(0, 19).replaceAll(/[-:T]/g, '');
  return digits < '2050' ? writeDer(TAG.utcTime, textBytes(`${digits.slice(2)}Z`)) : writeDer(0x18, textBytes(`${digits}Z`));
}

const BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13];
const KEY_USAGE = [0x55, 0x1d, 0x0f];
const EXTENDED_KEY_USAGE = [0x55, 0x1d, 0x25];
const ALTERNATIVE_NAMES = [0x55, 0x1d, 0x11];
const SUBJECT_KEY = [0x55, 0x1d, 0x0e];
const AUTHORITY_KEY = [0x55, 0x1d, 0x23];
const SERVER_AUTH = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01];
const CLIENT_AUTH = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02];

function extensionsOf({ usage, hosts = [] }: CertificateWish, own: KeyObject, signer: KeyObject): readonly Uint8Array[] {
  const authority = usage === 'authority';
  return [
    extension(BASIC_CONSTRAINTS, true, writeDer(TAG.sequence, ...(authority ? [writeDer(TAG.boolean, [0xff])] : []))),
    // Certificate and CRL signing for an authority, digital signature for the others.
    extension(KEY_USAGE, true, writeDer(TAG.bitString, authority ? [1, 0x06] : [7, 0x80])),
    ...(authority ? [] : [extension(EXTENDED_KEY_USAGE, false, writeDer(TAG.sequence, writeDer(TAG.oid, usage === 'server' ? SERVER_AUTH : CLIENT_AUTH)))]),
    extension(SUBJECT_KEY, false, writeDer(TAG.octetString, keyIdOf(own))),
    authorityKey(signer),
    ...(hosts.length === 0 ? [] : [extension(ALTERNATIVE_NAMES, false, writeDer(TAG.sequence, ...hosts.map(hostName)))]),
  ];
}

function authorityKey(signer: KeyObject): Uint8Array {
  return extension(AUTHORITY_KEY, false, writeDer(TAG.sequence, writeDer(0x80, keyIdOf(signer))));
}

function extension(oid: readonly number[], critical: boolean, value: Uint8Array): Uint8Array {
  return writeDer(TAG.sequence, writeDer(TAG.oid, oid), ...(critical ? [writeDer(TAG.boolean, [0xff])] : []), writeDer(TAG.octetString, value));
}

/** The last twenty bytes of the public key: any value that tells keys apart will do (RFC 5280, 4.2.1.2). */
function keyIdOf(publicKey: KeyObject): Uint8Array {
  return new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-20));
}

function hostName(host: string): Uint8Array {
  switch (isIP(host)) {
    case 4:
      return writeDer(0x87, host.split('.').map((part) => parseInteger(part) ?? 0));
    case 6:
      return writeDer(0x87, sixteenBytes(host));
    default:
      return writeDer(0x82, textBytes(host));
  }
}

function sixteenBytes(address: string): readonly number[] {
  const [head = '', tail] = address.split('::');
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const between = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...between, ...after].flatMap((group) => [(parseDigits(group, 16) ?? 0) >> 8, (parseDigits(group, 16) ?? 0) & 0xff]);
}

function pemOf(der: Uint8Array): string {
  return `-----BEGIN CERTIFICATE-----\n${(Buffer.from(der).toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;
}
