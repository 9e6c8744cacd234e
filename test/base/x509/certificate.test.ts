import { createHash, X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64OfBytes, bytesOfBase64 } from '../../../src/base/base64.ts';
import { certificatesInBytes, certificatesInText } from '../../../src/base/x509/certificates-in.ts';
import { certificateBlocks, pemBlocks } from '../../../src/base/x509/pem.ts';
import { sha256Hex } from '../../../src/base/sha256.ts';
import type { X509 } from '../../../src/base/x509/certificate.ts';
import { readX509 } from '../../../src/base/x509/certificate.ts';
import { formatInstant } from '../../../src/base/instant.ts';
import { issueCertificate } from '../../support/certificates.ts';

const AUTHORITY = issueCertificate({ commonName: 'shop-authority', isAuthority: true });
const WEB = issueCertificate({
  commonName: 'web',
  organizations: ['shop'],
  names: ['web.shop.svc', '*.shop.example', '10.0.0.1', '::1'],
  issuer: AUTHORITY,
  notBefore: '2026-01-01T00:00:00Z',
  notAfter: '2027-01-01T12:34:56Z',
});

function derOf(pem: string): Uint8Array {
  return new Uint8Array(new X509Certificate(pem).raw);
}

function only(text: string): X509 {
  const [found, ...more] = certificatesInText(text);
  expect(more).toEqual([]);
  if (found?.ok !== true) throw new Error(found?.reason ?? 'nothing was found');
  return found.value;
}

describe('sha256Hex', () => {
  it('agrees with another implementation at every length around the block size', () => {
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + length) & 255);
      expect(sha256Hex(bytes), `${length} bytes`).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });
});

describe('bytesOfBase64', () => {
  it('reads what it writes, with line breaks anywhere', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length) & 255);
      const text = base64OfBytes(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64'));
      expect([...(bytesOfBase64(text.replaceAll(/(.{5})/g, '$1\r\n')) ?? [])]).toEqual([...bytes]);
    }
  });

  it('refuses text that is cut off within a byte, and text of anything else', () => {
    expect(bytesOfBase64('QUJDR')).toBeUndefined();
    expect(bytesOfBase64('QUJD!QUJD')).toBeUndefined();
  });
});

describe('a certificate', () => {
  it('says what Node says of it', () => {
    const node = new X509Certificate(WEB.cert);
    const read = only(WEB.cert);
    expect(read).toMatchObject({
      fingerprint: node.fingerprint256.replaceAll(':', '').toLowerCase(),
      serial: node.serialNumber,
      notBefore: Date.parse(node.validFrom),
      notAfter: Date.parse(node.validTo),
      dnsNames: ['web.shop.svc', '*.shop.example'],
      ipAddresses: ['10.0.0.1', '::1'],
      isCa: false,
      selfIssued: false,
      key: 'EC P-256',
    });
    expect(read.subject).toEqual({ text: 'CN=web,O=shop', commonName: 'web', organizations: ['shop'] });
    expect(only(AUTHORITY.cert)).toMatchObject({ isCa: true, selfIssued: true });
  });

  it('may end in the last second of the year 9999, which means never', () => {
    expect(formatInstant(only(issueCertificate({ commonName: 'web', notAfter: '9999-12-31T23:59:59Z' }).cert).notAfter)).toBe(
      '9999-12-31T23:59:59Z',
    );
  });

  it('may have begun in the last century', () => {
    expect(
      formatInstant(
        only(issueCertificate({ commonName: 'web', notBefore: '1970-01-01T00:00:00Z', notAfter: '2049-12-31T23:59:59Z' }).cert).notBefore,
      ),
    ).toBe('1970-01-01T00:00:00Z');
  });

  it.each(['Bäckerei Süd', 'カート', 'a,b+c"d\\e<f>;', ' lead', '#hash', 'x\u202Ey'])('may be for %j', (commonName) => {
    const { subject } = only(issueCertificate({ commonName }).cert);
    expect(subject.commonName).toBe(commonName);
    expect(subject.text.replaceAll(/\\(.)/g, '$1')).toBe(`CN=${commonName}`);
  });

  it('may have a negative serial number', () => {
    const der = derOf(WEB.cert);
    const at = der.findIndex((byte, index) => byte === 0x02 && der[index + 1] === 9 && der[index + 2] === 0x01);
    expect(at).toBeGreaterThan(0);
    der[at + 2] = 0xff;
    expect(readX509(der)).toMatchObject({ ok: true, value: { serial: expect.stringMatching(/^-[0-9A-F]+$/) as string } });
  });
});

describe('certificates in a text', () => {
  it.each([
    ['with carriage returns', WEB.cert.replaceAll('\n', '\r\n')],
    ['with words around', `subject=CN = web\n# the shop's\n${WEB.cert}\nbye\n`],
    ['with a comment within', WEB.cert.replace('-----\n', "-----\n# the shop's\n")],
    ['on one line', WEB.cert.replaceAll('\n', '')],
    ['as JSON has it', JSON.stringify(WEB.cert)],
    ['with indentation', WEB.cert.replaceAll(/^/gm, '    ')],
    ["as OpenSSL's trusted certificate", WEB.cert.replaceAll('CERTIFICATE', 'TRUSTED CERTIFICATE')],
    ['without an end of line', WEB.cert.trimEnd()],
    ['behind a key', WEB.key + WEB.cert],
    ['before a key', WEB.cert + WEB.key],
    ['behind a key that is cut off', WEB.key.slice(0, 80) + WEB.cert],
  ])('are read %s', (_, text) => {
    expect(only(text).subject.commonName).toBe('web');
  });

  it('are read as DER too', () => {
    expect(certificatesInBytes(derOf(WEB.cert))).toEqual(certificatesInText(WEB.cert));
  });

  it('keep their order', () => {
    expect(
      certificatesInText(AUTHORITY.cert + WEB.cert + AUTHORITY.cert).map((read) => (read.ok ? read.value.subject.commonName : read.reason)),
    ).toEqual(['shop-authority', 'web', 'shop-authority']);
  });

  it.each([
    ['no END', WEB.cert.slice(0, 300), 'cut off'],
    ['half of it', `${WEB.cert.slice(0, 304)}\n-----END CERTIFICATE-----\n`, 'cut off'],
    ['other bytes', '-----BEGIN CERTIFICATE-----\nQUJDREVGRw==\n-----END CERTIFICATE-----\n', 'not valid DER'],
    ['no base64', '-----BEGIN CERTIFICATE-----\n<redacted>\n-----END CERTIFICATE-----\n', 'not base64'],
    ['nothing', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n', 'not base64'],
    ['a key', WEB.key.replaceAll('PRIVATE KEY', 'CERTIFICATE'), 'not a valid X.509 certificate'],
  ])('with %s say what is wrong, and leave the next one', (_, text, reason) => {
    expect(certificatesInText(text + WEB.cert)).toMatchObject([
      { ok: false, reason: expect.stringContaining(reason) as string },
      { ok: true },
    ]);
  });

  it('are all that is kept of it', () => {
    expect(certificateBlocks(`token: hunter2\n${WEB.key}${WEB.cert}password`)).toBe(WEB.cert);
    expect(certificateBlocks('-----BEGIN CERTIFICATE-----\nhunter2')).toBe('-----BEGIN CERTIFICATE-----\n');
  });

  it('are never looked for in keys', () => {
    expect(pemBlocks(WEB.key)).toEqual([]);
  });
});

describe('whatever bytes come', () => {
  it('they are a certificate or a reason, never a crash', () => {
    const whole = derOf(WEB.cert);
    const damaged = fc
      .tuple(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }), fc.nat(whole.length))
      .map(([changes, length]) => {
        const bytes = whole.slice(0, length < 20 ? whole.length : length);
        for (const [at, byte] of changes) bytes[at] = byte;
        return bytes;
      });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 200 })), (bytes) => {
        const read = readX509(bytes);
        expect(read.ok ? typeof read.value.notAfter : typeof read.reason).toMatch(/number|string/);
        if (read.ok) expect(() => new Date(read.value.notAfter).toISOString()).not.toThrow();
      }),
      { numRuns: 2000, seed: 3 },
    );
  });

  it('texts with marks of PEM anywhere are read without an end of time or a crash', () => {
    const piece = fc.constantFrom(
      '-----BEGIN CERTIFICATE-----',
      '-----END CERTIFICATE-----',
      '-----BEGIN ',
      '-----',
      '\n',
      'MIIB',
      WEB.cert,
      WEB.key,
      '\\n',
      '=',
      ':',
      '#',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 40 }),
        (pieces) => void certificatesInText(pieces.join('')),
      ),
      { numRuns: 1000, seed: 4 },
    );
    expect(certificatesInText('-----BEGIN CERTIFICATE-----\n'.repeat(20_000))).toHaveLength(20_000);
    expect(certificatesInText('-----BEGIN '.repeat(200_000))).toEqual([]);
  });

  it('values within values are not followed into any depth', () => {
    let bytes = Buffer.alloc(0);
    for (let level = 0; level < 3000; level++) {
      const head = Buffer.from([0x30, 0x84, 0, 0, 0, 0]);
      head.writeUInt32BE(bytes.length, 2);
      bytes = Buffer.concat([head, bytes]);
    }
    expect(readX509(bytes)).toEqual({ ok: false, reason: 'not a valid X.509 certificate' });
  });
});
