import { describe, expect, it } from 'vitest';
import type { X509 } from '../../src/base/x509/certificate.ts';
import { readX509 } from '../../src/base/x509/certificate.ts';
import type { Served } from '../../src/certificates/served.ts';
import { isFor, servedSightings } from '../../src/certificates/served.ts';
import { issueCertificate } from '../support/certificates.ts';
import { AUTHORITY, LEAF } from './objects.ts';

function der(pem: string): Uint8Array {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
}

function certificateOf(pem: string): X509 {
  const read = readX509(der(pem));
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

const WEB = certificateOf(LEAF.cert);

function mismatches(more: Partial<Served>, pems: readonly string[] = [LEAF.cert]): readonly (string | undefined)[] {
  const served = { tier: 'probe', where: 'https://web', role: 'ingress-serving', chainRole: 'issuer-ca', ...more } as const;
  return servedSightings({ ...served, certificates: pems.map(der) }).map(({ mismatch }) => mismatch);
}

describe('what a server shows', () => {
  it('is a chain: its own certificate, then those above it; what is no certificate says so', () => {
    const renews = { namespace: 'shop', name: 'web-tls' };
    const found = servedSightings({
      tier: 'probe',
      where: 'https://web',
      role: 'ingress-serving',
      chainRole: 'issuer-ca',
      renews,
      host: 'web.shop.svc',
      certificates: [der(LEAF.cert), der(AUTHORITY.cert), new Uint8Array([1, 2])],
    });
    expect(found.map(({ role, renews: told, mismatch, seen }) => [role, told, mismatch, seen.kind])).toEqual([
      ['ingress-serving', renews, undefined, 'certificate'],
      ['issuer-ca', renews, undefined, 'certificate'],
      ['issuer-ca', renews, undefined, 'unreadable'],
    ]);
  });

  it('does not fit when it is not trusted, is for other names, or is not what is stored', () => {
    const nameless = issueCertificate({ commonName: 'web', issuer: AUTHORITY });
    const many = issueCertificate({ commonName: 'web', names: Array.from({ length: 9 }, (_, index) => `n${String(index)}`) });
    const eight = issueCertificate({ commonName: 'web', names: Array.from({ length: 8 }, (_, index) => `n${String(index)}`) });
    const older = issueCertificate({ commonName: 'web', names: ['web.shop.svc'], notBefore: '2019-01-01T00:00:00Z' });
    const twin = issueCertificate({ commonName: 'web', names: ['web.shop.svc'] });
    const [differs, renewed] = [
      'the served certificate differs from the stored one',
      'renewed, but not reloaded: the stored certificate is newer than the served one; restart the server',
    ];
    expect([
      ...mismatches({ host: 'other', untrusted: 'signed by an unknown authority' }),
      ...mismatches({ host: 'other.example' }),
      ...mismatches({ host: 'other' }, [nameless.cert]),
      ...mismatches({ host: 'other' }, [many.cert]),
      ...mismatches({ host: 'other' }, [eight.cert]),
      ...mismatches({ host: 'web.shop.svc', stored: WEB }),
      ...mismatches({ stored: certificateOf(older.cert) }),
      ...mismatches({ stored: certificateOf(twin.cert) }),
      ...mismatches({ stored: WEB }, [older.cert]),
      ...mismatches({ host: 'other' }, [LEAF.cert, AUTHORITY.cert]),
    ]).toEqual([
      'signed by an unknown authority',
      'it is valid for web.shop.svc, *.shop.example, 10.0.0.7, not for other.example',
      'it contains no host name, so it is not valid for other',
      'it is valid for n0, n1, n2, n3, n4, n5, n6, n7, …, not for other',
      'it is valid for n0, n1, n2, n3, n4, n5, n6, n7, not for other',
      undefined,
      differs,
      differs,
      renewed,
      'it is valid for web.shop.svc, *.shop.example, 10.0.0.7, not for other',
      undefined,
    ]);
  });

  it.each([
    ['web.shop.svc', true],
    ['WEB.shop.SVC.', true],
    ['a.shop.example', true],
    ['a.b.shop.example', false],
    ['shop.example', false],
    ['.shop.example', false],
    ['10.0.0.7', true],
    ['10.0.0.8', false],
    ['web', false],
  ])('is for %s: %s', (host, expected) => {
    expect(isFor(WEB, host)).toBe(expected);
  });

  it('is for an address of IPv6 with and without its brackets', () => {
    const six = { ...WEB, ipAddresses: ['2001:db8::1'] };
    expect([isFor(six, '[2001:db8::1]'), isFor(six, '2001:DB8::1'), isFor(six, '2001:db8::2')]).toEqual([true, true, false]);
  });
});
