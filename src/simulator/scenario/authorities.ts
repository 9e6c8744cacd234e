import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { encodeBase64 } from '../../base/base64.ts';
import type { Certificates } from '../x509/certificates.ts';
import { wrong } from './fault-of.ts';

const AUTHORITY = /^ca:([A-Za-z0-9.@-]{1,253})$/;

/** The document with the certificate of an authority wherever a `caBundle` names one: `caBundle: ca:webhook-ca`. */
export function withAuthorities(document: JsonObject, certificates: Certificates, place: string): JsonObject {
  return Object.fromEntries(
    Object.entries(document).map(([field, value]) => [
      field,
      field === 'caBundle' ? bundleOf(value, certificates, place) : within(value, certificates, place),
    ]),
  );
}

function within(value: Json | undefined, certificates: Certificates, place: string): Json | undefined {
  if (Array.isArray(value)) return value.map((item: Json) => within(item, certificates, place) ?? null);
  return isJsonObject(value) ? withAuthorities(value, certificates, place) : value;
}

function bundleOf(value: Json | undefined, certificates: Certificates, place: string): Json | undefined {
  const name = typeof value === 'string' ? AUTHORITY.exec(value)?.[1] : undefined;
  if (name === undefined) return value;
  const certificate = certificates.get(name);
  if (certificate === undefined)
    throw wrong(
      place,
      `there is no authority ${JSON.stringify(name)}`,
      `authorities are ${certificates
        .all()
        .flatMap(({ name: known, usages }) => (usages?.includes('authority') === true ? [known] : []))
        .join(', ')}`,
    );
  return encodeBase64(certificates.pem(certificate));
}
