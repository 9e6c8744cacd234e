import type { Prng } from '../../base/prng.ts';
import type { Signer } from '../../base/x509/certificate-writer.ts';
import { RSA_WITH_SHA256 } from '../../base/x509/certificate-writer.ts';
import { DER } from '../../base/x509/der.ts';
import { oidDer, writeDer } from '../../base/x509/der-writer.ts';

/** Signs with random bytes: everything can read the certificate, and nobody in a simulation has keys to verify it. */
export function simulatedSigner(prng: Prng): Signer {
  return { algorithm: RSA_WITH_SHA256, sign: () => randomBytes(prng, 256) };
}

/** An RSA public key of 2048 bits without a private one. */
export function rsaKeyDer(prng: Prng): Uint8Array {
  const modulus = randomBytes(prng, 256);
  modulus[0] = 0x80 | (modulus[0] ?? 0);
  modulus[255] = 1 | (modulus[255] ?? 0);
  const key = writeDer(DER.sequence, writeDer(DER.integer, [0], modulus), writeDer(DER.integer, [1, 0, 1]));
  const algorithm = writeDer(DER.sequence, oidDer('1.2.840.113549.1.1.1'), writeDer(DER.null));
  return writeDer(DER.sequence, algorithm, writeDer(DER.bitString, [0], key));
}

/** Positive, 16 octets. */
export function randomSerial(prng: Prng): readonly number[] {
  return [0x40 | prng.below(0x3f), ...randomBytes(prng, 15)];
}

/** Four at a time: a cluster of a thousand nodes has megabytes of keys. */
function randomBytes(prng: Prng, count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += 4) {
    const bits = prng.bits();
    for (let index = 0; index < 4 && at + index < count; index++) bytes[at + index] = (bits >>> (index * 8)) & 0xff;
  }
  return bytes;
}
