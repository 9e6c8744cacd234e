import { parseBigint, parseDigits } from '../../base/number.ts';
import type { Prng } from '../../base/prng.ts';
import { alternativeNames, ECDSA_WITH_SHA256, nameDer, pemOf, signedDer } from '../../base/x509/certificate-writer.ts';
import { DER } from '../../base/x509/der.ts';
import { oidDer, writeDer, writeDerOf } from '../../base/x509/der-writer.ts';

/** What a certificate is asked for. */
export interface RequestWish {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
}

/**
 * A certificate request (PKCS#10, RFC 2986) in PEM with a new P-256 key, as a kubelet makes it; its signature is made up.
 * Source: staging/src/k8s.io/client-go/util/certificate/certificate_manager.go (generateCSR).
 */
export function writeRequest({ commonName, organizations, dnsNames = [], ipAddresses = [] }: RequestWish, prng: Prng): string {
  const names = alternativeNames(dnsNames, ipAddresses);
  const attributes =
    names.length === 0 ? [] : [writeDer(DER.sequence, oidDer('1.2.840.113549.1.9.14'), writeDer(DER.set, writeDerOf(DER.sequence, names)))];
  const info = writeDer(
    DER.sequence,
    writeDer(DER.integer, [0]),
    nameDer(commonName, organizations),
    ecKeyDer(prng),
    writeDerOf(0xa0, attributes),
  );
  const sign = (): Uint8Array => writeDer(DER.sequence, writeDer(DER.integer, positive(prng)), writeDer(DER.integer, positive(prng)));
  return pemOf(signedDer(info, { algorithm: ECDSA_WITH_SHA256, sign }), 'CERTIFICATE REQUEST');
}

function positive(prng: Prng): readonly number[] {
  return [0x40 | prng.below(0x3f), ...Array.from({ length: 31 }, () => prng.below(256))];
}

/** A point of the curve, so that others can load the key. */
function ecKeyDer(prng: Prng): Uint8Array {
  const algorithm = writeDer(DER.sequence, oidDer('1.2.840.10045.2.1'), oidDer('1.2.840.10045.3.1.7'));
  const { x, y } = pointOf(prng);
  return writeDer(DER.sequence, algorithm, writeDer(DER.bitString, [0, 4], octets(x), octets(y)));
}

/** Source: FIPS 186-4, D.1.2.3. */
const PRIME = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
/** Half of all numbers are the x of a point. */
const TRIES = 256;

function pointOf(prng: Prng): { readonly x: bigint; readonly y: bigint } {
  for (let index = 0; index < TRIES; index++) {
    const x = (parseBigint(prng.hex(64), 16) ?? 0n) % PRIME;
    const square = (((x * x) % PRIME) * x + PRIME * 3n - 3n * x + B) % PRIME;
    const y = power(square, (PRIME + 1n) / 4n);
    if ((y * y) % PRIME === square) return { x, y };
  }
  return { x: 0n, y: 0n };
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, factor] = [1n, base];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * factor) % PRIME;
    factor = (factor * factor) % PRIME;
  }
  return result;
}

function octets(number: bigint): readonly number[] {
  const hex = number.toString(16).padStart(64, '0');
  return Array.from({ length: 32 }, (_, index) => parseDigits(hex.slice(index * 2, index * 2 + 2), 16) ?? 0);
}
