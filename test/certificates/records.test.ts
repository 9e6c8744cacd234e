import { describe, expect, it } from 'vitest';
import { recordFindings } from '../../src/certificates/records.ts';
import { AUTHORITY, LEAF, linesOf, objectOf } from './objects.ts';

function found(...specs: readonly object[]): ReturnType<typeof recordFindings> {
  return recordFindings({
    ok: true,
    value: specs.map((spec, index) => objectOf('CertificateRecord', `record-${String(index)}`, { spec })),
  });
}

describe('records of certificates outside the API', () => {
  it('are sorted by tier, and tell role and rotator or show them by their place', () => {
    const tiers = found(
      { tier: 'node', place: 'etc/kubernetes/pki/apiserver.crt', pem: LEAF.cert },
      { tier: 'node', place: 'etc/shop/web.crt', pem: LEAF.cert, role: 'ingress-serving', rotatedBy: 'k3s' },
      { tier: 'node', place: 'etc/shop/web.crt', pem: AUTHORITY.cert, rotatedBy: 'nobody' },
      // A record that says what it is for is not judged by its place.
      { tier: 'node', place: 'etc/kubernetes/pki/apiserver.crt', pem: LEAF.cert, role: 'ingress-serving' },
      { tier: 'served', place: 'https://web', error: 'connection refused' },
      { tier: 'elsewhere', pem: LEAF.cert },
      { tier: 'secret', place: 'Secret/shop/web-tls tls.crt', pem: LEAF.cert },
      { tier: 'api', error: 'file not found' },
      { tier: 'probe' },
    );
    expect(tiers.map(({ tier, sightings }) => [tier.id, tier.state, linesOf(sightings)])).toEqual([
      [
        'files',
        'CHECKED',
        [
          'etc/kubernetes/pki/apiserver.crt | apiserver-serving | kubeadm | CN=web',
          'etc/shop/web.crt | ingress-serving | k3s | CN=web',
          'etc/shop/web.crt | other | - | CN=shop-ca',
          'etc/kubernetes/pki/apiserver.crt | ingress-serving | - | CN=web',
        ],
      ],
      ['served', 'CHECKED', ['https://web | other | - | unreadable: connection refused']],
      ['secrets', 'CHECKED', ['Secret/shop/web-tls tls.crt | tls-secret | - | CN=web']],
      ['api', 'CHECKED', ['record-7 | configmap-certificate | - | missing: file not found']],
      ['probe', 'CHECKED', ['record-8 | other | - | unreadable: the record holds no certificate']],
    ]);
    expect(tiers[2]?.sightings[0]?.of).toBe('Secret/shop/web-tls');
    expect(tiers[0]?.sightings[0]?.of).toBeUndefined();
  });

  it('describe certificates that nobody read, as far as they do', () => {
    const [whole, bare] = found(
      {
        tier: 'metadata',
        described: {
          subject: 'O=system:nodes,CN=system:node:n1',
          issuer: 'CN=ca',
          serial: '0A',
          names: ['n1', 5],
          isCa: true,
          notBefore: '2026-01-01T00:00:00Z',
          notAfter: '2026-02-01T00:00:00Z',
        },
      },
      { tier: 'kubeconfig', described: {} },
    ).map(({ sightings }) => sightings[0]?.seen);
    expect(whole).toEqual({
      kind: 'described',
      value: {
        subject: 'O=system:nodes,CN=system:node:n1',
        issuer: 'CN=ca',
        serial: '0A',
        names: ['n1'],
        isCa: true,
        notBefore: Date.parse('2026-01-01T00:00:00Z'),
        notAfter: Date.parse('2026-02-01T00:00:00Z'),
      },
    });
    expect(bare).toEqual({ kind: 'described', value: { subject: '', issuer: '', names: [], isCa: false } });
  });

  it('of no tier and reads that failed tell nothing', () => {
    expect(recordFindings({ ok: false, why: 'not-collected', detail: 'none' })).toEqual([]);
  });
});
