import { decodeBase64, looseBytesOfBase64 } from '../../base/base64.ts';
import { asText } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import type { DerValue } from '../../base/x509/der.ts';
import { DER, derMembers, derOid, derValue } from '../../base/x509/der.ts';
import { distinguishedName } from '../../base/x509/distinguished-name.ts';

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
  const pem = /-----BEGIN CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE REQUEST-----/.exec(
    decodeBase64(asText(request) ?? ''),
  );
  if (pem === null) return undefined;
  const info = derMembers(derMembers(derValue(looseBytesOfBase64(pem[1] ?? '')))[0]);
  const [, subject, publicKey] = info;
  if (subject === undefined || publicKey === undefined) return undefined;
  const alternatives = info
    .slice(3)
    .flatMap(derMembers)
    .map(extensionRequest)
    .find((found) => found !== undefined);
  return {
    ...namesOf(subject),
    ...alternativesOf(alternatives),
    subject: subject.whole,
    publicKey: publicKey.whole,
    alternativeNames: alternatives?.whole,
  };
}

/** The extension of a certificate's other names. */
const ALTERNATIVE_NAMES = '2.5.29.17';

function namesOf(subject: DerValue): { readonly commonName: string; readonly organizations: readonly string[] } {
  const { commonName = '', organizations } = distinguishedName(subject);
  return { commonName, organizations };
}

/** The extension of alternative names in an attribute that requests extensions. */
function extensionRequest(attribute: DerValue): DerValue | undefined {
  const [, values] = derMembers(attribute);
  return derMembers(derMembers(values)[0]).find((extension) => derOid(derMembers(extension)[0]) === ALTERNATIVE_NAMES);
}

function alternativesOf(extension: DerValue | undefined): Pick<CertificateRequest, 'dnsNames' | 'ipAddresses' | 'otherNames'> {
  const wrapped = derMembers(extension).find((value) => value.tag === DER.octetString);
  const names = wrapped === undefined ? [] : derMembers(derValue(wrapped.content));
  const ofTag = (tag: number): readonly DerValue[] => names.filter((name) => name.tag === tag);
  return {
    dnsNames: ofTag(0x82).map((name) => new TextDecoder().decode(name.content)),
    ipAddresses: ofTag(0x87).map((name) => [...name.content].join('.')),
    otherNames: names.some((name) => name.tag === 0x81 || name.tag === 0x86),
  };
}
