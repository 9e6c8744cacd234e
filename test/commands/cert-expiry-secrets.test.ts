import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { NOW, base64, KUBERNETES, leaf, look, configMap, secret } from './certificate-snapshot.ts';

describe('what cert-manager says', () => {
  const certificate = (status: object): object => ({
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { namespace: 'shop', name: 'web' },
    spec: { secretName: 'web-tls', dnsNames: ['web.shop.example'], issuerRef: { kind: 'ClusterIssuer', name: 'letsencrypt' } },
    status,
  });

  it('is joined with the Secret it is about', async () => {
    const web = leaf('web', '2026-02-20T00:00:00Z');
    const { rows } = await look([
      certificate({ notBefore: '2025-12-01T00:00:00Z', notAfter: '2026-02-20T00:00:00Z', renewalTime: '2026-01-25T00:00:00Z' }),
      secret('web-tls', { 'tls.crt': web.cert }),
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ status: 'OK', rotatedBy: 'cert-manager', renew: 'cmctl renew -n shop web' });
    expect(rows[0]?.places.map(({ where }) => where)).toEqual(['Secret/shop/web-tls tls.crt', 'Certificate/shop/web']);
  });

  it('is due when it meant to renew it days ago', async () => {
    const { code, rows } = await look([
      certificate({ notBefore: '2025-12-01T00:00:00Z', notAfter: '2026-02-20T00:00:00Z', renewalTime: '2026-01-05T00:00:00Z' }),
    ]);
    expect(code).toBe(1);
    expect(rows).toMatchObject([{ status: 'DUE' }]);
  });

  it('names why one was never issued', async () => {
    const { rows } = await look([
      certificate({ conditions: [{ type: 'Ready', status: 'False', message: 'Issuer letsencrypt not found' }] }),
    ]);
    expect(rows).toMatchObject([{ status: 'MISSING', reason: 'the certificate was never issued: Issuer letsencrypt not found' }]);
  });
});

describe('what a certificate in a Secret is for', () => {
  it('is told by the Ingress that serves it', async () => {
    const ingress = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { namespace: 'shop', name: 'web' },
      spec: { tls: [{ hosts: ['web.shop.example'], secretName: 'web-tls' }] },
    };
    const { code, rows } = await look([ingress, secret('web-tls', { 'tls.crt': leaf('web', '2026-01-10T00:00:00Z').cert })]);
    expect(code).toBe(4);
    expect(rows[0]).toMatchObject({ role: 'ingress-serving', stage: 'traffic' });
  });

  it('is told by the webhook whose Service it names', async () => {
    const webhook = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'labels' },
      webhooks: [
        {
          name: 'labels.shop.example',
          clientConfig: { caBundle: base64(KUBERNETES.cert), service: { namespace: 'shop', name: 'labels' } },
        },
      ],
    };
    const { rows } = await look([
      webhook,
      secret('labels-tls', { 'tls.crt': leaf('labels', '2026-01-10T00:00:00Z', { names: ['labels.shop.svc'] }).cert }),
    ]);
    expect(rows[0]).toMatchObject({ role: 'mutating-webhook-serving', stage: 'mutating-admission', status: 'EXPIRED' });
  });

  it('may be told by annotations alone where the values were taken out', async () => {
    const annotations = {
      'auth.openshift.io/certificate-not-after': '2026-01-10T00:00:00Z',
      'auth.openshift.io/certificate-not-before': '2025-12-11T00:00:00Z',
    };
    const { rows } = await look([secret('signer', {}, { annotations })]);
    expect(rows).toMatchObject([{ status: 'EXPIRED', rotatedBy: 'operator', places: [{ where: 'Secret/shop/signer' }] }]);
  });

  it('never lets its key or a token through', async () => {
    const web = leaf('web', '2026-01-10T00:00:00Z');
    const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJzaG9wIn0.c2lnbmF0dXJl';
    const items = [
      secret('web-tls', { 'tls.crt': web.cert, 'tls.key': web.key, both: web.key + web.cert, token }),
      configMap('shop', 'mistake', { 'web.pem': web.key + web.cert, token }),
    ];
    for (const format of ['table', 'wide', 'json', 'yaml', 'prometheus', 'markdown']) {
      const { out, err } = await podcheck(['cert-expiry', '--from', '-', '--now', NOW, '-o', format], {
        stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
      });
      expect(out).toContain('web-tls');
      for (const planted of [web.key.split('\n')[1] ?? '?', base64(web.key).slice(40, 80), token]) expect(out + err).not.toContain(planted);
    }
  });
});
