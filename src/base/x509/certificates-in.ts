import { DER, latin1 } from './der.ts';
import { mayHoldPem, pemBlocks } from './pem.ts';
import type { ReadX509 } from './certificate.ts';
import { pkcs7Certificates, readX509 } from './certificate.ts';

/** The certificates of a text of PEM, in their order; a PKCS#7 bundle stands for those within. All else in the text stays unread. */
export function certificatesInText(text: string): readonly ReadX509[] {
  if (!mayHoldPem(text)) return [];
  return pemBlocks(text).flatMap(({ label, content }) => {
    if (!content.ok) return [{ ok: false, reason: content.reason }];
    return label === 'PKCS7' || label === 'CMS' ? bundled(content.bytes) : [readX509(content.bytes)];
  });
}

/** The certificates of a file: PEM, or one certificate or a PKCS#7 bundle in DER. Empty when it holds none. */
export function certificatesInBytes(bytes: Uint8Array): readonly ReadX509[] {
  if (bytes[0] !== DER.sequence) return certificatesInText(latin1(bytes));
  if (pkcs7Certificates(bytes) !== undefined) return bundled(bytes);
  return [readX509(bytes)];
}

function bundled(bytes: Uint8Array): readonly ReadX509[] {
  const found = pkcs7Certificates(bytes);
  return found === undefined ? [{ ok: false, reason: 'not a valid PKCS#7 bundle of certificates' }] : found.map(readX509);
}
