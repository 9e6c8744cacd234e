import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { base64OfBytes } from './base64.ts';

/** SHA-256 in lower-case hexadecimal: the fingerprint of a certificate. */
export function sha256Hex(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** SHA-256 in base64, as a Content-Security-Policy names a style; of its first bytes alone where a length is given. */
export function sha256Base64(bytes: Uint8Array, length?: number): string {
  return base64OfBytes(sha256(bytes).subarray(0, length));
}
