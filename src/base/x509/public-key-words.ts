import type { DerValue } from './der.ts';
import { DER, derMembers, derOid, derValue } from './der.ts';

/** What kind of key a SubjectPublicKeyInfo holds: `RSA 2048`, `RSA-PSS 4096`, `EC P-256`, `Ed25519`; else its object identifier. */
export function keyWords(info: DerValue): string {
  const [algorithm, bits] = derMembers(info);
  const [oid, parameters] = derMembers(algorithm);
  const name = derOid(oid) ?? 'unknown';
  if (name === EC) return `EC ${CURVES.get(derOid(parameters) ?? '') ?? derOid(parameters) ?? 'with custom curve parameters'}`;
  const known = NAMES.get(name);
  if (known === undefined) return name;
  return known.startsWith('RSA') ? `${known}${sizeOf(bits)}` : known;
}

/** The bits of an RSA modulus. */
function sizeOf(bits: DerValue | undefined): string {
  if (bits === undefined || bits.tag !== DER.bitString) return '';
  const [modulus] = derMembers(derValue(bits.content.subarray(1)));
  if (modulus === undefined || modulus.tag !== DER.integer) return '';
  const first = modulus.content.findIndex((octet) => octet !== 0);
  if (first < 0) return '';
  return ` ${(modulus.content.length - first - 1) * 8 + (modulus.content[first] ?? 0).toString(2).length}`;
}

const EC = '1.2.840.10045.2.1';
/** Source: RFC 5480, RFC 5639. */
const CURVES: ReadonlyMap<string, string> = new Map([
  ['1.2.840.10045.3.1.7', 'P-256'],
  ['1.3.132.0.33', 'P-224'],
  ['1.3.132.0.34', 'P-384'],
  ['1.3.132.0.35', 'P-521'],
  ['1.3.132.0.10', 'secp256k1'],
  ['1.3.36.3.3.2.8.1.1.7', 'brainpoolP256r1'],
]);
/** Source: RFC 3279, RFC 4055, RFC 8410. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.1', 'RSA'],
  ['1.2.840.113549.1.1.10', 'RSA-PSS'],
  ['1.2.840.10040.4.1', 'DSA'],
  ['1.3.101.112', 'Ed25519'],
  ['1.3.101.113', 'Ed448'],
]);
