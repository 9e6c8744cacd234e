import type { Prng } from '../../base/prng.ts';
import { randomSerial, rsaKeyDer, simulatedSigner } from './simulated-keys.ts';
import {
  alternativeNames,
  authorityKeyId,
  basicConstraints,
  extendedKeyUsage,
  keyUsage,
  nameDer,
  subjectKeyId,
  writeX509,
} from '../../base/x509/certificate-writer.ts';
import type { Certificate } from './simulated-certificate.ts';

/**
 * The bytes of a certificate that is data, as kubeadm would have made them. A certificate with other dates has another serial
 * number and, unless it is an authority, another key, as a renewed one has. Source: cmd/kubeadm/app/util/pkiutil/pki_helpers.go.
 */
export function certificateDer(
  certificate: Certificate,
  issuer: { readonly commonName: string; readonly keyId: readonly number[] },
  prng: Prng,
): Uint8Array {
  const { name, commonName, organizations, notBefore, notAfter, dnsNames, ipAddresses, usages = ['client'] } = certificate;
  const isAuthority = usages.includes('authority');
  const generation = isAuthority ? name : `${name} ${notBefore} ${notAfter}`;
  const own = usages.flatMap((usage) => (usage === 'authority' ? [] : [usage]));
  return writeX509(
    {
      serial: randomSerial(prng.split(`serial ${name} ${notBefore} ${notAfter}`)),
      issuer: nameDer(issuer.commonName),
      notBefore,
      notAfter,
      subject: nameDer(commonName, organizations),
      publicKey: rsaKeyDer(prng.split(`key ${generation}`)),
      extensions: [
        keyUsage({ digitalSignature: true, keyEncipherment: true, certificateSign: isAuthority }),
        ...extendedKeyUsage(own),
        basicConstraints(isAuthority),
        isAuthority ? subjectKeyId(issuer.keyId) : authorityKeyId(issuer.keyId),
        ...alternativeNames(dnsNames, ipAddresses),
      ],
    },
    simulatedSigner(prng.split(`signature ${name} ${notBefore} ${notAfter}`)),
  );
}
