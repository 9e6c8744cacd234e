import type { Instant } from '../../../base/instant.ts';
import type { Prng } from '../../../base/prng.ts';
import { encodeBase64 } from '../../apiserver/base64.ts';
import type { CertificateRequest } from '../../certificate-request.ts';
import { base64OfBytes } from '../../certificate-request.ts';
import { TAG, textBytes, writeDer } from '../../der.ts';

/**
 * A certificate for a request, as `status.certificate` has it: base64 of PEM. It can be read as any other; its signature is made
 * up, for nobody in a simulation has keys. Source: pkg/controller/certificates/authority/{authority,policies}.go.
 */
export function signedCertificate(request: CertificateRequest, usages: readonly string[], notBefore: Instant, notAfter: Instant, prng: Prng): string {
  const issuer = writeDer(TAG.sequence, writeDer(TAG.set, writeDer(TAG.sequence, writeDer(TAG.oid, COMMON_NAME), writeDer(TAG.utf8, textBytes('kubernetes')))));
  const serial = [0x40 | prng.below(0x3f), ...randomBytes(prng, 15)];
  const extended = usages.flatMap((usage) => (usage === 'client auth' ? [CLIENT_AUTH] : usage === 'server auth' ? [SERVER_AUTH] : []));
  const extensions = [
    extension(KEY_USAGE, true, writeDer(TAG.bitString, keyUsage(usages))),
    ...(extended.length === 0 ? [] : [extension(EXTENDED_KEY_USAGE, false, writeDer(TAG.sequence, ...extended.map((oid) => writeDer(TAG.oid, oid))))]),
    extension(BASIC_CONSTRAINTS, true, writeDer(TAG.sequence)),
    ...(request.alternativeNames === undefined ? [] : [request.alternativeNames]),
  ];
  const body = writeDer(
    TAG.sequence,
    writeDer(0xa0, writeDer(TAG.integer, [2])),
    writeDer(TAG.integer, serial),
    SIGNATURE_ALGORITHM,
    issuer,
    writeDer(TAG.sequence, time(notBefore), time(notAfter)),
    request.subject,
    request.publicKey,
    writeDer(0xa3, writeDer(TAG.sequence, ...extensions)),
  );
  const certificate = writeDer(TAG.sequence, body, SIGNATURE_ALGORITHM, writeDer(TAG.bitString, [0], randomBytes(prng, 256)));
  return encodeBase64(`-----BEGIN CERTIFICATE-----\n${(base64OfBytes(certificate).match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`);
}

const COMMON_NAME = [0x55, 0x04, 0x03];
const KEY_USAGE = [0x55, 0x1d, 0x0f];
const EXTENDED_KEY_USAGE = [0x55, 0x1d, 0x25];
const BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13];
const SERVER_AUTH = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01];
const CLIENT_AUTH = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02];
/** sha256WithRSAEncryption. */
const SIGNATURE_ALGORITHM = writeDer(TAG.sequence, writeDer(TAG.oid, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]), writeDer(TAG.null));

function extension(oid: readonly number[], critical: boolean, value: Uint8Array): Uint8Array {
  return writeDer(TAG.sequence, writeDer(TAG.oid, oid), ...(critical ? [writeDer(TAG.boolean, [0xff])] : []), writeDer(TAG.octetString, value));
}

function keyUsage(usages: readonly string[]): readonly number[] {
  const bits = (usages.includes('digital signature') ? 0x80 : 0) | (usages.includes('key encipherment') ? 0x20 : 0);
  return [5, bits];
}

/** UTCTime: `261120091500Z`. */
function time(instant: Instant): Uint8Array {
  const text = new Date(Math.floor(instant / 1000) * 1000).toISOString();
  return writeDer(TAG.utcTime, textBytes(`${text.slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));
}

function randomBytes(prng: Prng, count: number): readonly number[] {
  return Array.from({ length: count }, () => prng.below(256));
}
