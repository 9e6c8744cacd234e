import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { Instant } from '../base/instant.ts';
import type { Signer } from '../base/x509/certificate-writer.ts';
import {
  alternativeNames,
  AUTHORITY_KEY_ID,
  authorityKeyId,
  basicConstraints,
  ECDSA_WITH_SHA256,
  extendedKeyUsage,
  keyUsage,
  nameDer,
  pemOf,
  signedDer,
  subjectKeyId,
  writeX509,
} from '../base/x509/certificate-writer.ts';
import { DER, derMembers, derOid, derValue } from '../base/x509/der.ts';
import { distinguishedName } from '../base/x509/distinguished-name.ts';
import { writeDer, writeDerOf } from '../base/x509/der-writer.ts';

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
export function issueCertificate(
  { commonName, organizations, notBefore, notAfter, usage, hosts = [] }: CertificateWish,
  issuer?: Issuer,
): KeyPair & { readonly privateKey: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { commonName: issuerName, key } = issuer ?? { commonName, key: privateKey };
  const isAuthority = usage === 'authority';
  const der = writeX509(
    {
      serial: [0x40 | ((randomBytes(1)[0] ?? 0) & 0x3f), ...randomBytes(15)],
      issuer: nameDer(issuerName),
      notBefore,
      notAfter,
      subject: nameDer(commonName, organizations),
      publicKey: publicKey.export({ type: 'spki', format: 'der' }),
      extensions: [
        basicConstraints(isAuthority),
        keyUsage(isAuthority ? { certificateSign: true, crlSign: true } : { digitalSignature: true }),
        ...extendedKeyUsage(isAuthority ? [] : [usage]),
        subjectKeyId(keyIdOf(publicKey)),
        authorityKeyId(keyIdOf(createPublicKey(key))),
        ...alternativeNames(
          hosts.filter((host) => isIP(host) === 0),
          hosts.filter((host) => isIP(host) !== 0),
        ),
      ],
    },
    signerWith(key),
  );
  return { certificate: pemOf(der), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), privateKey };
}

/** A certificate (DER) under another issuer's name and signature, as PEM: what it says else stays. Undefined for what is no certificate. */
export function signedAnew(certificate: Uint8Array, { commonName, key }: Issuer): string | undefined {
  const [version, serial, , , dates, subject, publicKey, wrapped] = bodyOf(certificate);
  if (version?.tag !== 0xa0 || serial === undefined || dates === undefined || subject === undefined || publicKey === undefined)
    return undefined;
  const kept = derMembers(derMembers(wrapped)[0]).filter((value) => derOid(derMembers(value)[0]) !== AUTHORITY_KEY_ID);
  const extensions = [...kept.map(({ whole }) => whole), authorityKeyId(keyIdOf(createPublicKey(key)))];
  const body = writeDer(
    DER.sequence,
    version.whole,
    serial.whole,
    ECDSA_WITH_SHA256,
    nameDer(commonName),
    dates.whole,
    subject.whole,
    publicKey.whole,
    writeDer(0xa3, writeDerOf(DER.sequence, extensions)),
  );
  return pemOf(signedDer(body, signerWith(key)));
}

function signerWith(key: KeyObject): Signer {
  return { algorithm: ECDSA_WITH_SHA256, sign: (body) => sign('sha256', body, key) };
}

/** The names in the subject of a certificate (DER): its common name and its organizations, in their order. */
export function subjectOf(certificate: Uint8Array): { readonly commonName: string; readonly organizations: readonly string[] } {
  const fields = bodyOf(certificate).filter(({ tag }) => tag !== 0xa0);
  const { commonName = '', organizations } = distinguishedName(fields[4]);
  return { commonName, organizations };
}

function bodyOf(certificate: Uint8Array): ReturnType<typeof derMembers> {
  return derMembers(derMembers(derValue(certificate))[0]);
}

/** The last twenty bytes of the public key: any value that tells keys apart will do (RFC 5280, 4.2.1.2). */
function keyIdOf(publicKey: KeyObject): Uint8Array {
  return new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-20));
}
