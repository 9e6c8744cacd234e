import type { DerValue } from './der.ts';
import { DER, derHexInteger, derMembers, derOid, derTime, derValue, latin1 } from './der.ts';
import type { DistinguishedName } from './distinguished-name.ts';
import { distinguishedName } from './distinguished-name.ts';
import type { Instant } from '../instant.ts';
import { keyWords } from './public-key-words.ts';
import { sha256Hex } from '../sha256.ts';

/** What a certificate (RFC 5280) says of itself. Nothing of it is verified here. */
export interface X509 {
  /** SHA-256 of the whole, lower-case hexadecimal. */
  readonly fingerprint: string;
  /** Hexadecimal as OpenSSL prints it; negative ones, which RFC 5280 forbids, with a minus. */
  readonly serial: string;
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  /** Subject and issuer are the same, byte for byte: a root, or a certificate that vouches for itself. */
  readonly selfIssued: boolean;
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  /** URIs and mail addresses. */
  readonly otherNames: readonly string[];
  readonly isCa: boolean;
  /** `server`, `client`, or the object identifier; empty where the certificate does not say. */
  readonly usages: readonly string[];
  /** `RSA 2048`, `EC P-256`, `Ed25519`. */
  readonly key: string;
  /** Hexadecimal; undefined where it has none. */
  readonly subjectKeyId: string | undefined;
  readonly authorityKeyId: string | undefined;
  /** Bytes of the subject and the issuer, to be compared, as Latin-1. */
  readonly subjectBytes: string;
  readonly issuerBytes: string;
}

export type ReadX509 = { readonly ok: true; readonly value: X509 } | { readonly ok: false; readonly reason: string };

/** Reads one certificate in DER. What cannot be read is said in a sentence; bytes that follow the certificate are passed over. */
export function readX509(bytes: Uint8Array): ReadX509 {
  const whole = derValue(bytes);
  if (whole === undefined) return wrong(bytes.length > 1 && bytes[0] === DER.sequence ? 'the certificate is cut off' : 'not valid DER');
  // A key begins with a number: it is not looked into any further.
  if (whole.content[0] !== DER.sequence) return wrong('not a valid X.509 certificate');
  const [body, , signature] = derMembers(whole);
  if (whole.tag !== DER.sequence || body?.tag !== DER.sequence || signature?.tag !== DER.bitString)
    return wrong('not a valid X.509 certificate');
  return readBody(derMembers(body), whole.whole);
}

function readBody(fields: ReturnType<typeof derMembers>, bytes: Uint8Array): ReadX509 {
  // The version is marked [0] and missing in certificates of version 1.
  const at = fields[0]?.tag === 0xa0 ? 1 : 0;
  const [serial, , issuer, validity, subject, publicKey] = fields.slice(at);
  const [notBefore, notAfter] = derMembers(validity).map(derTime);
  const serialHex = derHexInteger(serial);
  if (issuer?.tag !== DER.sequence || subject?.tag !== DER.sequence || publicKey === undefined)
    return wrong('not a valid X.509 certificate');
  if (serialHex === undefined) return wrong('the serial number is not an integer');
  if (notBefore === undefined || notAfter === undefined) return wrong('the validity dates cannot be parsed');
  const [subjectBytes, issuerBytes] = [latin1(subject.whole), latin1(issuer.whole)];
  return {
    ok: true,
    value: {
      fingerprint: sha256Hex(bytes),
      serial: serialHex,
      subject: distinguishedName(subject),
      issuer: distinguishedName(issuer),
      selfIssued: subjectBytes === issuerBytes,
      notBefore,
      notAfter,
      key: keyWords(publicKey),
      subjectBytes,
      issuerBytes,
      ...extensionsOf(fields.slice(at + 6)),
    },
  };
}

function wrong(reason: string): ReadX509 {
  return { ok: false, reason };
}

type Extensions = Pick<X509, 'dnsNames' | 'ipAddresses' | 'otherNames' | 'isCa' | 'usages' | 'subjectKeyId' | 'authorityKeyId'>;

function extensionsOf(rest: readonly DerValue[]): Extensions {
  const byOid = new Map<string, Uint8Array>();
  const wrapped = rest.find(({ tag }) => tag === 0xa3);
  for (const extension of derMembers(derMembers(wrapped)[0])) {
    const members = derMembers(extension);
    const oid = derOid(members[0]);
    const content = members.at(-1);
    if (oid !== undefined && content?.tag === DER.octetString && !byOid.has(oid)) byOid.set(oid, content.content);
  }
  const valueOf = (oid: string): DerValue | undefined => {
    const bytes = byOid.get(oid);
    return bytes === undefined ? undefined : derValue(bytes);
  };
  const [constraint] = derMembers(valueOf('2.5.29.19'));
  const keyId = valueOf('2.5.29.14');
  const authority = derMembers(valueOf('2.5.29.35')).find(({ tag }) => tag === 0x80);
  return {
    ...namesOf(derMembers(valueOf('2.5.29.17'))),
    isCa: constraint?.tag === DER.boolean && constraint.content[0] !== 0,
    usages: derMembers(valueOf('2.5.29.37'))
      .slice(0, MAX_NAMES)
      .map((usage) => USAGES.get(derOid(usage) ?? '') ?? derOid(usage) ?? '?'),
    subjectKeyId: keyId === undefined ? undefined : hex(keyId.content),
    authorityKeyId: authority === undefined ? undefined : hex(authority.content),
  };
}

/** Certificates of content networks have hundreds of names; more are not kept. */
const MAX_NAMES = 1000;

function namesOf(names: readonly DerValue[]): Pick<X509, 'dnsNames' | 'ipAddresses' | 'otherNames'> {
  const ofTag = (...tags: readonly number[]): readonly DerValue[] => names.filter(({ tag }) => tags.includes(tag)).slice(0, MAX_NAMES);
  return {
    dnsNames: ofTag(0x82).map(({ content }) => latin1(content.subarray(0, 512))),
    ipAddresses: ofTag(0x87).map(({ content }) => addressOf(content)),
    otherNames: ofTag(0x81, 0x86).map(({ tag, content }) => `${tag === 0x86 ? 'URI' : 'email'}:${latin1(content.subarray(0, 512))}`),
  };
}

function addressOf(octets: Uint8Array): string {
  if (octets.length === 4) return [...octets].join('.');
  if (octets.length !== 16) return `#${hex(octets)}`;
  const groups = Array.from({ length: 8 }, (_, index) => (((octets[index * 2] ?? 0) << 8) | (octets[index * 2 + 1] ?? 0)).toString(16));
  const { start, length } = longestZeros(groups);
  // As RFC 5952 has it: the longest run of zeros is left out.
  return length < 2 ? groups.join(':') : `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let longest = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === '0') end++;
    if (end - start > longest.length) longest = { start, length: end - start };
  }
  return longest;
}

/** Source: RFC 5280, 4.2.1.12. */
const USAGES: ReadonlyMap<string, string> = new Map([
  ['1.3.6.1.5.5.7.3.1', 'server'],
  ['1.3.6.1.5.5.7.3.2', 'client'],
  ['1.3.6.1.5.5.7.3.3', 'code-signing'],
  ['1.3.6.1.5.5.7.3.4', 'email'],
  ['1.3.6.1.5.5.7.3.8', 'time-stamping'],
  ['1.3.6.1.5.5.7.3.9', 'ocsp-signing'],
  ['2.5.29.37.0', 'any'],
]);

function hex(bytes: Uint8Array): string {
  return [...bytes.subarray(0, 64)].map((octet) => octet.toString(16).padStart(2, '0')).join('');
}

/** The certificates of a PKCS#7 bundle (SignedData, RFC 5652), in DER; undefined when it is none. */
export function pkcs7Certificates(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const whole = derValue(bytes);
  if (whole?.content[0] !== DER.oid) return undefined;
  const [type, wrapped] = derMembers(whole);
  if (derOid(type) !== SIGNED_DATA) return undefined;
  const members = derMembers(derMembers(wrapped)[0]);
  return derMembers(members.find(({ tag }) => tag === 0xa0))
    .filter(({ tag }) => tag === DER.sequence)
    .map(({ whole }) => whole);
}

const SIGNED_DATA = '1.2.840.113549.1.7.2';
