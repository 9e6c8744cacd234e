import type { Instant } from '../../../base/instant.ts';
import type { Prng } from '../../../base/prng.ts';
import { encodeBase64 } from '../../../base/base64.ts';
import type { CertificateRequest } from '../../x509/certificate-request.ts';
import type { Certificates } from '../../x509/certificates.ts';
import { CLUSTER_CA } from '../../x509/certificates.ts';
import {
  authorityKeyId,
  basicConstraints,
  extendedKeyUsage,
  keyUsage,
  nameDer,
  pemOf,
  writeX509,
} from '../../../base/x509/certificate-writer.ts';
import { randomSerial, simulatedSigner } from '../../x509/simulated-keys.ts';

/**
 * A certificate for a request, as `status.certificate` has it: base64 of PEM.
 * Source: pkg/controller/certificates/authority/{authority,policies}.go.
 */
export function signedCertificate(
  request: CertificateRequest,
  usages: readonly string[],
  times: { readonly notBefore: Instant; readonly notAfter: Instant },
  authorities: Certificates,
  prng: Prng,
): string {
  const extended = usages.flatMap((usage) =>
    usage === 'client auth' ? (['client'] as const) : usage === 'server auth' ? (['server'] as const) : [],
  );
  const der = writeX509(
    {
      ...times,
      serial: randomSerial(prng),
      issuer: nameDer(authorities.get(CLUSTER_CA)?.commonName ?? CLUSTER_CA),
      subject: request.subject,
      publicKey: request.publicKey,
      extensions: [
        ...keyUsages(usages),
        ...extendedKeyUsage(extended),
        basicConstraints(false),
        authorityKeyId(authorities.keyId(CLUSTER_CA)),
        ...(request.alternativeNames === undefined ? [] : [request.alternativeNames]),
      ],
    },
    simulatedSigner(prng),
  );
  return encodeBase64(pemOf(der));
}

/** Go leaves the extension out where nothing stands in it, and a certificate with an empty one is not taken by anyone. */
function keyUsages(usages: readonly string[]): readonly Uint8Array[] {
  const wanted = { digitalSignature: usages.includes('digital signature'), keyEncipherment: usages.includes('key encipherment') };
  return wanted.digitalSignature || wanted.keyEncipherment ? [keyUsage(wanted)] : [];
}
