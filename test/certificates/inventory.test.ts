import { describe, expect, it } from 'vitest';
import { inventory } from '../../src/certificates/inventory.ts';
import type { Described, Sighting } from '../../src/certificates/seen-certificate.ts';
import { sightingsOfText } from '../../src/certificates/seen-certificate.ts';
import type { CertificateRoleId } from '../../src/model/certificate-roles.ts';
import type { CertificateRow } from '../../src/model/certificate.ts';
import { issueCertificate } from '../support/certificates.ts';
import { AUTHORITY, LEAF } from './objects.ts';

const NOW = Date.parse('2026-01-14T09:00:00Z');
const DAY = 86_400_000;

function rowsOf(sightings: readonly Sighting[], within?: number): readonly CertificateRow[] {
  return inventory(sightings, [], { now: NOW, source: 'test', within }).certificates;
}

function described(value: Partial<Described>, more: Partial<Sighting> = {}): Sighting {
  return {
    tier: 'api',
    where: 'Certificate/shop/web',
    role: 'tls-secret',
    seen: { kind: 'described', value: { subject: 'CN=web', ...value } },
    ...more,
  };
}

function read(pem: string, more: Partial<Sighting> = {}): readonly Sighting[] {
  return sightingsOfText(pem, { tier: 'secrets', where: 'Secret/shop/web-tls tls.crt', role: 'tls-secret', ...more });
}

describe('the inventory of certificates', () => {
  it('tells all of a certificate that was read', () => {
    const leaf = issueCertificate({
      commonName: 'web',
      names: ['web.example', '10.0.0.7'],
      notBefore: '2026-01-04T09:00:00Z',
      notAfter: '2026-04-14T09:00:00Z',
      issuer: AUTHORITY,
    });
    const [row, ...others] = rowsOf(read(leaf.cert));
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      subject: 'CN=web',
      names: ['web.example', '10.0.0.7'],
      issuer: 'CN=shop-ca',
      key: 'EC P-256',
      isCa: false,
      role: 'tls-secret',
      places: [{ tier: 'secrets', where: 'Secret/shop/web-tls tls.crt', role: 'tls-secret' }],
      daysLeft: 90,
      usedShare: 0.1,
      status: 'OK',
    });
    expect([row?.id, row?.fingerprint?.startsWith(row.id), row?.reason]).toEqual([row?.fingerprint?.slice(0, 8), true, undefined]);
  });

  it('has one row for a certificate seen at several places, with the role that stops most and the place where it is renewed', () => {
    const rows = rowsOf([
      ...read(LEAF.cert, { where: 'other', role: 'other' }),
      ...read(LEAF.cert, { renews: { namespace: 'a', name: 'first' } }),
      ...read(LEAF.cert, {
        where: '/etc/kubernetes/pki/apiserver.crt',
        role: 'apiserver-serving',
        rotatedBy: 'cert-manager',
        renews: { namespace: 'shop', name: 'web' },
      }),
      ...read(LEAF.cert, { where: 'other', role: 'other' }),
    ]);
    expect(rows.map(({ role, places, rotatedBy, stage }) => [role, places.length, rotatedBy, stage])).toEqual([
      ['apiserver-serving', 3, 'cert-manager', 'apply'],
    ]);
    expect(rows[0]?.renew).toContain('web');
  });

  it('is for what its most telling place says it is for', () => {
    const roleOf = (...roles: readonly CertificateRoleId[]): unknown =>
      rowsOf(roles.flatMap((role) => read(LEAF.cert, { where: role, role })))[0]?.role;
    const telling = ['kubelet-client', 'issuer-ca', 'signed-request', 'tls-secret', 'configmap-certificate', 'other'] as const;
    for (const [index, role] of telling.entries())
      for (const less of [...telling.slice(index + 1), 'trust-bundle-member'] as const)
        expect([roleOf(role, less), roleOf(less, role)]).toEqual([role, role]);
    // What stops an earlier stage comes before what stops a later one, and both before what stops none.
    expect([roleOf('mutating-webhook-serving', 'apiserver-serving'), roleOf('controller-manager-serving', 'kubelet-client')]).toEqual([
      'apiserver-serving',
      'kubelet-client',
    ]);
  });

  it('joins what tells only the dates with what was read of the same object, and of no other', () => {
    const told = (notAfter: number, of: string): Sighting => described({ notAfter }, { where: `Certificate of ${of}`, of });
    const end = Date.parse('2099-01-01T00:00:00Z');
    const secret = 'Secret/shop/web-tls';
    expect(rowsOf([told(end, secret), ...read(LEAF.cert)]).map(({ places }) => places.length)).toEqual([2]);
    expect(rowsOf([told(end - DAY, secret), ...read(LEAF.cert)]).map(({ places }) => places.length)).toEqual([1, 1]);
    expect(rowsOf([told(end, 'Secret/shop/other'), ...read(LEAF.cert)]).map(({ places }) => places.length)).toEqual([1, 1]);
    expect(rowsOf([told(end, secret), told(end, secret)]).map(({ places }) => places.length)).toEqual([1]);
  });

  it('tells described ones apart by their serial number and issuer where they have one', () => {
    const one = { serial: '01', issuer: 'CN=ca', notAfter: NOW + 400 * DAY };
    const rows = rowsOf([
      described(one, { where: 'a' }),
      described(one, { where: 'b' }),
      described({ ...one, serial: '02' }, { where: 'c' }),
      described({ ...one, issuer: 'CN=other' }, { where: 'd' }),
    ]);
    expect(rows.map(({ places }) => places.map(({ where }) => where))).toEqual([['a', 'b'], ['c'], ['d']]);
    expect(rows[0]).toMatchObject({ serial: '01', issuer: 'CN=ca', subject: 'CN=web', names: [], isCa: false });
  });

  it.each<[string, Partial<Described>, object]>([
    ['both ends', { notBefore: NOW - DAY, notAfter: NOW + 3 * DAY }, { daysLeft: 3, usedShare: 0.25 }],
    ['an end alone', { notAfter: NOW + 1.5 * DAY }, { daysLeft: 1, usedShare: undefined }],
    [
      'an end before its beginning',
      { notBefore: NOW + DAY, notAfter: NOW - DAY },
      { daysLeft: -1, usedShare: undefined, status: 'EXPIRED' },
    ],
    ['a beginning to come', { notBefore: NOW + DAY, notAfter: NOW + 9 * DAY }, { usedShare: 0, status: 'NOT_YET_VALID' }],
    ['no end', { notBefore: NOW }, { daysLeft: undefined, status: 'NOT_CHECKED', reason: 'its expiry date is unknown' }],
  ])('reckons with %s', (_, value, expected) => {
    const [row] = rowsOf([described(value)]);
    expect({ daysLeft: row?.daysLeft, usedShare: row?.usedShare, ...row }).toMatchObject(expected);
  });

  it('says what is missing, unreadable, unchecked, harmless or does not fit', () => {
    const soon = { notAfter: NOW + DAY, notBefore: NOW - 4 * DAY };
    const of = (seen: Sighting['seen'], where: string, more: Partial<Sighting> = {}): Sighting => ({
      tier: 'files',
      where,
      role: 'other',
      seen,
      ...more,
    });
    const rows = rowsOf([
      of({ kind: 'unchecked', reason: 'masked' }, 'c'),
      of({ kind: 'missing', reason: 'gone' }, 'a'),
      of({ kind: 'unreadable', reason: 'cut' }, 'b'),
      described({ notAfter: NOW - DAY }, { where: 'd', harmless: 'replaced' }),
      described({ notAfter: NOW + 900 * DAY }, { where: 'e', mismatch: 'for another host' }),
      described({ notAfter: NOW - DAY, serial: '7' }, { where: 'f', mismatch: 'for another host' }),
      described({ notBefore: NOW + DAY, notAfter: NOW + 9 * DAY, serial: '9' }, { where: 'i', mismatch: 'for another host' }),
      described({ ...soon, serial: '8' }, { where: 'g', harmless: 'replaced' }),
      described({ ...soon, serial: '8' }, { where: 'h' }),
    ]);
    expect(rows.map(({ places, status, reason }) => [places[0]?.where, status, reason])).toEqual([
      ['a', 'MISSING', 'gone'],
      ['b', 'UNREADABLE', 'cut'],
      ['f', 'EXPIRED', 'for another host'],
      ['g', 'WARN', undefined],
      ['i', 'NOT_YET_VALID', 'for another host'],
      ['e', 'MISMATCH', 'for another host'],
      ['c', 'NOT_CHECKED', 'masked'],
      ['d', 'INFO', 'replaced'],
    ]);
  });

  it('leaves an expired authority of a bundle alone, as long as nothing in use was signed by it', () => {
    const old = issueCertificate({ commonName: 'old-ca', isAuthority: true, notAfter: '2025-01-01T00:00:00Z' });
    const bundle = read(`${old.cert}${AUTHORITY.cert}`, { where: 'bundle', role: 'mutating-webhook-ca' });
    const stillUsed = issueCertificate({ commonName: 'web', issuer: old });
    const ended = issueCertificate({ commonName: 'web', issuer: old, notAfter: '2025-06-01T00:00:00Z' });
    const statusOfOld = (more: readonly Sighting[]): unknown =>
      rowsOf([...bundle, ...more]).find(({ subject }) => subject === 'CN=old-ca')?.status;
    expect([statusOfOld([]), statusOfOld(read(stillUsed.cert)), statusOfOld(read(ended.cert))]).toEqual(['INFO', 'EXPIRED', 'INFO']);
    expect(rowsOf(read(old.cert, { role: 'mutating-webhook-ca' }))[0]?.status).toBe('EXPIRED');
    const publicOne = { ...bundle[0], role: 'trust-bundle-member' } as Sighting;
    expect(rowsOf([publicOne])[0]).toMatchObject({ status: 'INFO', reason: 'a member of a bundle of public authorities' });
  });

  it('puts what needs a hand first, what ends first before that, and names of places last', () => {
    const rows = rowsOf([
      described({ notAfter: NOW + 900 * DAY }, { where: 'well' }),
      described({ notAfter: NOW + 5 * DAY }, { where: 'b soon' }),
      described({ notAfter: NOW + 5 * DAY }, { where: 'a soon' }),
      described({ notAfter: NOW + 2 * DAY }, { where: 'sooner' }),
      described({}, { where: 'unknown' }),
    ]);
    expect(rows.map(({ places }) => places[0]?.where)).toEqual(['sooner', 'a soon', 'b soon', 'unknown', 'well']);
    expect(rowsOf([described({ notAfter: NOW + 5 * DAY })], DAY)[0]?.status).toBe('OK');
    // Those of one place that end together always come in the same order, however they were found.
    const bundle = [LEAF, AUTHORITY].map(({ cert }) => read(cert));
    const ids = (found: readonly (readonly Sighting[])[]): readonly string[] => rowsOf(found.flat()).map(({ id }) => id);
    expect(ids(bundle)).toEqual(ids(bundle.toReversed()));
    expect(ids(bundle)).toEqual(ids(bundle).toSorted());
  });

  it.each([
    ['cert-manager', undefined, 'cmctl renew -n shop web'],
    ['cert-manager', 'prod/eu', 'cmctl --context prod/eu renew -n shop web'],
    ['cert-manager', "it's $&", String.raw`cmctl --context 'it'\''s $&' renew -n shop web`],
    ['service-ca', 'prod', 'oc --context prod delete secret -n shop web'],
    [
      'manual',
      'prod',
      'kubectl --context prod create secret tls -n shop web --cert <file> --key <file> --dry-run=client -o yaml | kubectl --context prod replace -f -',
    ],
  ] as const)('renews what %s keeps in the context that holds it: %s', (rotatedBy, context, command) => {
    const renews = { namespace: 'shop', name: 'web', context };
    expect(rowsOf([described({ notAfter: NOW + DAY }, { rotatedBy, renews })])[0]?.renew).toBe(command);
  });

  it('tells the time, the source, the tiers and how far the clock is off', () => {
    const tiers = [{ id: 'api', state: 'CHECKED', asked: true, found: 0 }] as const;
    expect(inventory([], tiers, { now: NOW, source: 'shop', clockSkew: 1499 })).toEqual({
      at: NOW,
      source: 'shop',
      clockSkewSeconds: 1,
      tiers,
      certificates: [],
    });
    expect(inventory([], [], { now: NOW, source: 'shop' })).toEqual({ at: NOW, source: 'shop', tiers: [], certificates: [] });
  });
});
