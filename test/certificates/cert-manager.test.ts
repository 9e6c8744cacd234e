import { describe, expect, it } from 'vitest';
import { certManagerSightings } from '../../src/certificates/cert-manager.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { objectOf } from './objects.ts';

function certificate(spec: object, status: object): KubeObject {
  return objectOf('Certificate', 'web', { apiVersion: 'cert-manager.io/v1', spec, status }, { namespace: 'shop' });
}

const [FROM, TO, DUE] = ['2026-01-01T00:00:00Z', '2026-04-01T00:00:00Z', '2026-03-01T00:00:00Z'];

describe('a Certificate of cert-manager', () => {
  it('tells when what was issued ends, when it is due, and which Secret holds it', () => {
    const spec = {
      secretName: 'web-tls',
      commonName: 'web.example',
      dnsNames: ['web.example', 'www.example'],
      ipAddresses: ['10.0.0.1'],
      issuerRef: { kind: 'ClusterIssuer', name: 'letsencrypt' },
    };
    expect(certManagerSightings([certificate(spec, { notBefore: FROM, notAfter: TO, renewalTime: DUE })])).toEqual([
      {
        tier: 'api',
        where: 'Certificate/shop/web',
        role: 'tls-secret',
        rotatedBy: 'cert-manager',
        renews: { namespace: 'shop', name: 'web' },
        of: 'Secret/shop/web-tls',
        dueAt: Date.parse(DUE),
        seen: {
          kind: 'described',
          value: {
            subject: 'CN=web.example',
            names: ['web.example', 'www.example', '10.0.0.1'],
            issuer: 'ClusterIssuer letsencrypt',
            notBefore: Date.parse(FROM),
            notAfter: Date.parse(TO),
          },
        },
      },
    ]);
  });

  it('is called by its first name or its own, by an Issuer unless it says another kind; an authority is one', () => {
    const seen = [
      { dnsNames: ['web.example'], issuerRef: { name: 'own' } },
      { isCA: true, issuerRef: {} },
    ].map((spec) => certManagerSightings([certificate(spec, { notAfter: TO })])[0]);
    expect(seen.map((one) => [one?.role, one?.of, one?.dueAt, one?.seen])).toEqual([
      [
        'tls-secret',
        undefined,
        undefined,
        {
          kind: 'described',
          value: { subject: 'CN=web.example', names: ['web.example'], issuer: 'Issuer own', notAfter: Date.parse(TO) },
        },
      ],
      [
        'issuer-ca',
        undefined,
        undefined,
        { kind: 'described', value: { subject: 'CN=web', names: [], issuer: '', notAfter: Date.parse(TO) } },
      ],
    ]);
  });

  it('that was never issued is missing when it says that something is wrong, and silent before it has said anything', () => {
    const reasons = [
      [{ type: 'Issuing', status: 'True' }],
      [{ type: 'Ready', status: 'True' }],
      [
        { type: 'Issuing', status: 'True' },
        { type: 'Ready', status: 'False', message: 'no such issuer', reason: 'DoesNotExist' },
      ],
      [{ type: 'Ready', status: 'False', reason: 'DoesNotExist' }],
      [{ type: 'Ready', status: 'Unknown' }],
    ].map((conditions) => certManagerSightings([certificate({}, { conditions })]).map(({ seen }) => seen));
    const missing = (words: string): object => ({ kind: 'missing', reason: `the certificate was never issued: ${words}` });
    expect(reasons).toEqual([[], [], [missing('no such issuer')], [missing('DoesNotExist')], [missing('it is not ready')]]);
  });
});
