import { describe, expect, it } from 'vitest';
import { requestSightings } from '../../src/certificates/signing-requests.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { LEAF, base64, linesOf, objectOf } from './objects.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const KUBELET = { signerName: 'kubernetes.io/kubelet-serving', username: 'system:node:n1', usages: ['digital signature', 'server auth'] };
const REPLACED = 'a newer certificate was issued to the same requester';

function request(name: string, created: string, spec: object, status: object = {}): KubeObject {
  return objectOf('CertificateSigningRequest', name, { spec, status }, { creationTimestamp: `2026-03-01T${created}:00Z` });
}

const ISSUED = { certificate: base64(LEAF.cert) };

describe('requests for certificates', () => {
  it('of one requester count once: the newest that was issued, whatever waits beside it and in whatever order', () => {
    const requests = [
      request('csr-old', '09:00', KUBELET, ISSUED),
      request('csr-new', '10:00', KUBELET, ISSUED),
      request('csr-waits', '11:00', KUBELET),
    ];
    const expected = [
      `CertificateSigningRequest/csr-new of system:node:n1 | kubelet-serving | kubelet | CN=web`,
      `CertificateSigningRequest/csr-old of system:node:n1 | kubelet-serving | kubelet | CN=web | ${REPLACED}`,
    ];
    expect(linesOf(requestSightings(requests, NOW)).toSorted()).toEqual(expected);
    expect(linesOf(requestSightings(requests.toReversed(), NOW)).toSorted()).toEqual(expected);
  });

  it('of the same time count once: the first that is told', () => {
    const found = requestSightings([request('a', '09:00', KUBELET, ISSUED), request('b', '09:00', KUBELET, ISSUED)], NOW);
    expect(found.map(({ harmless }) => harmless)).toEqual([undefined, REPLACED]);
  });

  it('to other signers, of others and for other uses count by themselves', () => {
    const found = requestSightings(
      [
        request('a', '09:00', KUBELET, ISSUED),
        request('b', '10:00', { ...KUBELET, username: 'system:node:n2' }, ISSUED),
        request('c', '10:00', { ...KUBELET, usages: ['client auth'] }, ISSUED),
        request('d', '10:00', { ...KUBELET, signerName: 'kubernetes.io/kube-apiserver-client-kubelet' }, ISSUED),
        request('e', '10:00', { ...KUBELET, signerName: 'shop.example/signer' }, ISSUED),
        request('f', '10:00', { ...KUBELET, username: 'system:bootstrap:abc' }, ISSUED),
        request('g', '10:00', {}, ISSUED),
      ],
      NOW,
    );
    expect(found.map(({ role, rotatedBy, harmless }) => `${role} ${rotatedBy ?? '-'} ${harmless ?? ''}`.trimEnd())).toEqual([
      'kubelet-serving kubelet',
      'kubelet-serving kubelet',
      'kubelet-serving kubelet',
      'kubelet-client kubelet',
      'signed-request -',
      'signed-request kubelet',
      'signed-request -',
    ]);
  });

  it('that nobody answers are missing, with who did not; after ten minutes, or at once when they are refused', () => {
    const reasons = (
      [
        ['11:50', []],
        ['11:51', []],
        ['11:00', [{ type: 'Approved' }]],
        ['11:59', [{ type: 'Denied', message: 'unknown node' }]],
        ['11:59', [{ type: 'Denied', reason: 'Policy' }]],
        ['11:59', [{ type: 'Denied' }]],
        ['11:59', [{ type: 'Approved' }, { type: 'Failed' }]],
        ['11:59', [{ type: 'Approved' }, { type: 'Failed', message: 'no key' }]],
      ] as const
    ).map(([created, conditions]) => requestSightings([request('csr', created, KUBELET, { conditions })], NOW).map(({ seen }) => seen));
    const missing = (reason: string): readonly object[] => [{ kind: 'missing', reason }];
    expect(reasons).toEqual([
      missing('the request waits for approval (kubectl certificate approve)'),
      [],
      missing('the request was approved, but no signer issues the certificate'),
      missing('the request was denied: unknown node'),
      missing('the request was denied: Policy'),
      missing('the request was denied'),
      missing('the signer failed'),
      missing('the signer failed: no key'),
    ]);
  });

  it('wait for their requester as long as no newer one does', () => {
    const waiting = [request('csr-old', '10:00', KUBELET), request('csr-new', '11:00', KUBELET)];
    for (const requests of [waiting, waiting.toReversed()])
      expect(requestSightings(requests, NOW).map(({ where, harmless }) => [where, harmless])).toEqual([
        ['CertificateSigningRequest/csr-new of system:node:n1', undefined],
      ]);
  });

  it('of nobody have their place, too', () => {
    expect(requestSightings([request('csr', '11:00', {}, ISSUED)], NOW)[0]?.where).toBe('CertificateSigningRequest/csr of ');
  });

  it('whose answer is no certificate are unreadable', () => {
    const seen = ['%', base64('no certificate')].map(
      (certificate) => requestSightings([request('csr', '11:00', KUBELET, { certificate })], NOW)[0]?.seen,
    );
    expect(seen).toEqual([
      { kind: 'unreadable', reason: 'status.certificate is not base64' },
      { kind: 'unreadable', reason: 'contains no PEM certificate' },
    ]);
  });
});
