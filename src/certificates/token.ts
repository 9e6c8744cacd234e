import { bytesOfBase64 } from '../base/base64.ts';
import { asNumber, asText, dig } from '../base/json.ts';
import { parsedJson } from '../base/parsed-json.ts';
import type { Described } from './seen-certificate.ts';

/** A token is a few kilobytes at most. */
const MAX_CHARACTERS = 64 * 1024;

/**
 * When a JSON web token ends (RFC 7519: `exp`, `iat`, `nbf`) and whom it speaks for. Its signature is never looked at, and nothing
 * of the token itself is kept. Undefined for any other token, which does not say when it ends.
 */
export function tokenLife(token: string): Described | undefined {
  const [, body, signature, more] = token.trim().split('.', 4);
  if (token.length > MAX_CHARACTERS || body === undefined || signature === undefined || more !== undefined) return undefined;
  const bytes = bytesOfBase64(body);
  if (bytes === undefined) return undefined;
  const claims = parsedJson(new TextDecoder().decode(bytes));
  const [end, start] = [asNumber(dig(claims, 'exp')), asNumber(dig(claims, 'nbf')) ?? asNumber(dig(claims, 'iat'))];
  return {
    subject: asText(dig(claims, 'sub')) ?? '',
    issuer: asText(dig(claims, 'iss')) ?? '',
    ...(end === undefined || !isInstant(end) ? {} : { notAfter: end * 1000 }),
    ...(start === undefined || !isInstant(start) ? {} : { notBefore: start * 1000 }),
  };
}

/** Seconds that a date can be made of. */
function isInstant(seconds: number): boolean {
  return Number.isFinite(seconds) && Math.abs(seconds) < 253_402_300_800;
}
