import { decodeBase64, looseBytesOfBase64 } from '../base/base64.ts';
import { asText } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { DerValue } from './der.ts';
import { isOid, readDer, TAG } from './der.ts';

/** What a certificate request (PKCS#10) asks for. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly otherNames: boolean;
  /** The subject and the public key as they are, to be put into the certificate. */
  readonly subject: Uint8Array;
  readonly publicKey: Uint8Array;
  /** The extension of the alternative names, when there is one. */
  readonly alternativeNames: Uint8Array | undefined;
}

/** Reads `spec.request` of a CertificateSigningRequest; undefined when it is no request. */
export function readRequest(request: Json | undefined): CertificateRequest | undefined {
  const pem = /-----BEGIN CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE REQUEST-----/.exec(decodeBase64(asText(request) ?? ''));
  if (pem === null) return undefined;
  const info = childrenOf(childrenOf(readDer(looseBytesOfBase64(pem[1] ?? ''))?.[0])[0]);
  const [, subject, publicKey] = info;
  if (subject === undefined || publicKey === undefined) return undefined;
  const alternatives = info.slice(3).flatMap(childrenOf).map(extensionRequest).find((found) => found !== undefined);
  return { ...namesOf(subject), ...alternativesOf(alternatives), subject: subject.whole, publicKey: publicKey.whole, alternativeNames: alternatives?.whole };
}

function childrenOf(value: DerValue | undefined): readonly DerValue[] {
  return value === undefined ? [] : (readDer(value.content) ?? []);
}

const COMMON_NAME = [0x55, 0x04, 0x03];
const ORGANIZATION = [0x55, 0x04, 0x0a];
const ALTERNATIVE_NAMES = [0x55, 0x1d, 0x11];

function namesOf(subject: DerValue): { readonly commonName: string; readonly organizations: readonly string[] } {
  const pairs = childrenOf(subject).flatMap(childrenOf).map(childrenOf);
  const valuesOf = (oid: readonly number[]): readonly string[] => pairs.filter(([type]) => isOid(type, oid)).map(([, value]) => new TextDecoder().decode(value?.content));
  return { commonName: valuesOf(COMMON_NAME)[0] ?? '', organizations: valuesOf(ORGANIZATION) };
}

/** The extension of alternative names in an attribute that requests extensions. */
function extensionRequest(attribute: DerValue): DerValue | undefined {
  const [, values] = childrenOf(attribute);
  return childrenOf(childrenOf(values)[0]).find((extension) => isOid(childrenOf(extension)[0], ALTERNATIVE_NAMES));
}

function alternativesOf(extension: DerValue | undefined): Pick<CertificateRequest, 'dnsNames' | 'ipAddresses' | 'otherNames'> {
  const wrapped = childrenOf(extension).find((value) => value.tag === TAG.octetString);
  const names = wrapped === undefined ? [] : childrenOf(readDer(wrapped.content)?.[0]);
  const ofTag = (tag: number): readonly DerValue[] => names.filter((name) => name.tag === tag);
  return {
    dnsNames: ofTag(0x82).map((name) => new TextDecoder().decode(name.content)),
    ipAddresses: ofTag(0x87).map((name) => [...name.content].join('.')),
    otherNames: names.some((name) => name.tag === 0x81 || name.tag === 0x86),
  };
}
