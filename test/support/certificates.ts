import type { KeyObject } from 'node:crypto';
import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate with its key, both PEM. */
export interface Issued {
  readonly cert: string;
  readonly key: string;
  /** DER of its subject, for what it signs. */
  readonly subject: Buffer;
}

export interface CertificateWish {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  /** DNS names and IP addresses it is for. */
  readonly names?: readonly string[];
  readonly notBefore?: string;
  readonly notAfter?: string;
  /** Who signs it; itself without one. */
  readonly issuer?: Issued;
  readonly isAuthority?: boolean;
}

/** Issues a certificate (RFC 5280) with a new P-256 key. */
export function issueCertificate(wish: CertificateWish): Issued {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = nameOf(wish);
  const signer = wish.issuer === undefined ? privateKey : createPrivateKey(wish.issuer.key);
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    ECDSA_SHA256,
    wish.issuer?.subject ?? subject,
    sequence(time(wish.notBefore ?? '2020-01-01T00:00:00Z'), time(wish.notAfter ?? '2099-01-01T00:00:00Z')),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensionsOf(wish))),
  );
  return { cert: pem(signed(body, signer)), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), subject };
}

function signed(body: Buffer, signer: KeyObject): Buffer {
  return sequence(body, ECDSA_SHA256, tagged(0x03, Buffer.from([0]), sign('sha256', body, signer)));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function nameOf({ commonName, organizations = [] }: CertificateWish): Buffer {
  const attribute = (type: readonly number[], value: string): Buffer =>
    tagged(0x31, sequence(objectId(type), tagged(0x0c, Buffer.from(value))));
  return sequence(...organizations.map((organization) => attribute([2, 5, 4, 10], organization)), attribute([2, 5, 4, 3], commonName));
}

function extensionsOf({ names = [], isAuthority = false }: CertificateWish): readonly Buffer[] {
  const constraints = sequence(...(isAuthority ? [tagged(0x01, Buffer.from([0xff]))] : []));
  const alternatives = names.map((name) => (isIP(name) === 0 ? tagged(0x82, Buffer.from(name)) : tagged(0x87, addressBytes(name))));
  return [extension([2, 5, 29, 19], constraints), ...(names.length === 0 ? [] : [extension([2, 5, 29, 17], sequence(...alternatives))])];
}

function extension(type: readonly number[], value: Buffer): Buffer {
  return sequence(objectId(type), tagged(0x04, value));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  if (address === '::1') return Buffer.concat([Buffer.alloc(15), Buffer.from([1])]);
  throw new Error(`only IPv4 and ::1, not ${address}`);
}

/** Years from 2050 on are written with four digits. */
function time(instant: string): Buffer {
  const digits = instant.replace(/[-:T]|\.\d+/g, '');
  return Number(digits.slice(0, 4)) < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function explicit(tag: number, part: Buffer): Buffer {
  return tagged(0xa0 + tag, part);
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function objectId([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const digits = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return tagged(0x06, Buffer.from(bytes));
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const ECDSA_SHA256 = sequence(objectId([1, 2, 840, 10045, 4, 3, 2]));
