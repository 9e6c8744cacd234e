import { describe, expect, it } from 'vitest';
import { probeTargets } from '../../src/certificates/probe-targets.ts';
import type { ProbeTarget } from '../../src/certificates/probe-targets.ts';
import type { Sighting } from '../../src/certificates/seen-certificate.ts';
import { sightingsOfText } from '../../src/certificates/seen-certificate.ts';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { issueCertificate } from '../support/certificates.ts';
import { AUTHORITY, LEAF, base64, objectOf } from './objects.ts';

const KINDS = [
  'Service',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'APIService',
  'CustomResourceDefinition',
  'Node',
  'Ingress',
  'Gateway',
];
const CA = base64(AUTHORITY.cert);

async function targetsOf(objects: readonly KubeObject[], stored: readonly Sighting[] = [], kinds = KINDS): ReturnType<typeof probeTargets> {
  const collected = kinds.map((kind) => ({ kind, complete: true }));
  return probeTargets(memoryReader({ objects, collected, absent: [], refused: [], logs: [], now: 0 }), {}, stored);
}

function short({ where, role, addresses, port, host, ca, stored }: ProbeTarget): readonly unknown[] {
  return [where, role, addresses.join(' '), port, host, ca === undefined ? undefined : ca === AUTHORITY.cert, stored?.serial];
}

function webhook(clientConfig: object): object {
  return { webhooks: [{ name: 'x', clientConfig }] };
}

const SERVICE = objectOf('Service', 'web', { spec: { clusterIP: '10.0.0.9' } }, { namespace: 'shop' });

describe('servers that can be asked for their certificate', () => {
  it('are those of webhooks, APIs and conversions, at their Service or address', async () => {
    const { targets, unseen } = await targetsOf([
      SERVICE,
      objectOf('Service', 'pods', { spec: { clusterIP: 'None' } }, { namespace: 'shop' }),
      objectOf('MutatingWebhookConfiguration', 'a', webhook({ caBundle: CA, service: { name: 'web', namespace: 'shop', port: 8443 } })),
      objectOf('MutatingWebhookConfiguration', 'again', webhook({ service: { name: 'web', namespace: 'shop', port: 8443 } })),
      objectOf('ValidatingWebhookConfiguration', 'b', webhook({ url: 'https://hooks.example/validate' })),
      objectOf('ValidatingWebhookConfiguration', 'c', webhook({ url: 'https://hooks.example:9443/validate' })),
      objectOf('ValidatingWebhookConfiguration', 'd', webhook({ url: 'nowhere', service: { name: 'web' } })),
      objectOf('APIService', 'v1.a', { spec: { caBundle: CA, service: { name: 'pods', namespace: 'shop' } } }),
      objectOf('APIService', 'v1.b', { spec: { caBundle: CA, insecureSkipTLSVerify: true, service: { name: 'x', namespace: 'shop' } } }),
      objectOf('APIService', 'v1.apps', { spec: {} }),
      objectOf('CustomResourceDefinition', 'c', {
        spec: { conversion: { strategy: 'Webhook', webhook: { clientConfig: { service: { name: 'y', namespace: 'shop' } } } } },
      }),
      objectOf('CustomResourceDefinition', 'd', {
        spec: { conversion: { strategy: 'None', webhook: { clientConfig: { service: { name: 'z', namespace: 'shop' } } } } },
      }),
    ]);
    expect(unseen).toEqual([]);
    expect(targets.map(short)).toEqual([
      ['https://web.shop.svc:8443', 'mutating-webhook-serving', 'web.shop.svc 10.0.0.9', 8443, 'web.shop.svc', true, undefined],
      ['https://hooks.example:443', 'validating-webhook-serving', 'hooks.example', 443, 'hooks.example', undefined, undefined],
      ['https://hooks.example:9443', 'validating-webhook-serving', 'hooks.example', 9443, 'hooks.example', undefined, undefined],
      ['https://pods.shop.svc:443', 'apiservice-serving', 'pods.shop.svc', 443, 'pods.shop.svc', true, undefined],
      ['https://x.shop.svc:443', 'apiservice-serving', 'x.shop.svc', 443, undefined, undefined, undefined],
      ['https://y.shop.svc:443', 'conversion-webhook-serving', 'y.shop.svc', 443, 'y.shop.svc', undefined, undefined],
    ]);
  });

  it('are compared with the newest certificate stored for their name, authorities aside', async () => {
    const renewed = issueCertificate({ commonName: 'web', names: ['web.shop.svc'], notBefore: '2021-01-01T00:00:00Z', issuer: AUTHORITY });
    const authority = issueCertificate({ commonName: 'ca', names: ['web.shop.svc'], notBefore: '2022-01-01T00:00:00Z', isAuthority: true });
    const stored = [LEAF, renewed, authority].flatMap(({ cert }, index) =>
      sightingsOfText(cert, { tier: 'secrets', where: `Secret/shop/s${String(index)} tls.crt`, role: 'tls-secret' }),
    );
    const unreadable: Sighting = {
      tier: 'secrets',
      where: 'Secret/shop/x tls.crt',
      role: 'tls-secret',
      seen: { kind: 'unreadable', reason: 'cut' },
    };
    const { targets } = await targetsOf(
      [objectOf('MutatingWebhookConfiguration', 'a', webhook({ service: { name: 'web', namespace: 'shop' } }))],
      [unreadable, ...stored],
    );
    const seen = stored[1]?.seen;
    expect(targets[0]?.stored?.fingerprint).toBe(seen?.kind === 'certificate' ? seen.value.fingerprint : 'none');
  });

  it('are kubelets, where any certificate will do', async () => {
    const node = (name: string, status: object): KubeObject => objectOf('Node', name, { status });
    const addresses = [
      { type: 'Hostname', address: 'n1' },
      { type: 'InternalIP', address: '192.0.2.1' },
    ];
    const { targets } = await targetsOf([
      node('n1', { addresses, daemonEndpoints: { kubeletEndpoint: { Port: 10_255 } } }),
      node('n2', { addresses }),
      node('n3', { addresses: [{ type: 'Hostname', address: 'n3' }] }),
    ]);
    expect(targets.map(short)).toEqual([
      ['kubelet of n1 (192.0.2.1:10255)', 'kubelet-serving', '192.0.2.1', 10_255, undefined, undefined, undefined],
      ['kubelet of n2 (192.0.2.1:10250)', 'kubelet-serving', '192.0.2.1', 10_250, undefined, undefined, undefined],
    ]);
  });

  it('are the hosts of Ingresses and Gateways, at their balancers first, with what their Secret holds', async () => {
    const stored = [
      ...sightingsOfText(LEAF.cert, { tier: 'secrets', where: 'Secret/shop/web-tls tls.crt', role: 'ingress-serving' }),
      ...sightingsOfText(LEAF.cert, { tier: 'secrets', where: 'Secret/edge/front-tls tls.crt', role: 'gateway-serving' }),
    ];
    const { targets } = await targetsOf(
      [
        objectOf(
          'Ingress',
          'web',
          {
            spec: { tls: [{ secretName: 'web-tls', hosts: ['web.example', '*.example'] }, { hosts: ['bare.example'] }] },
            status: { loadBalancer: { ingress: [{ ip: '192.0.2.9', hostname: 'unused.example' }, { hostname: 'lb.example' }] } },
          },
          { namespace: 'shop' },
        ),
        objectOf(
          'Gateway',
          'front',
          {
            spec: {
              listeners: [
                { hostname: 'front.example', port: 8443, tls: { certificateRefs: [{ namespace: 'edge', name: 'front-tls' }] } },
                { hostname: 'own.example', tls: { certificateRefs: [{ name: 'web-tls' }] } },
                { hostname: 'plain.example', port: 80 },
                { tls: { certificateRefs: [{ name: 'web-tls' }] } },
              ],
            },
            status: { addresses: [{ value: '192.0.2.8' }] },
          },
          { namespace: 'shop' },
        ),
      ],
      stored,
    );
    expect(targets.map((target) => [...short(target).slice(0, 5), target.stored !== undefined])).toEqual([
      ['https://web.example:443', 'ingress-serving', '192.0.2.9 lb.example web.example', 443, 'web.example', true],
      ['https://bare.example:443', 'ingress-serving', '192.0.2.9 lb.example bare.example', 443, 'bare.example', false],
      ['https://front.example:8443', 'gateway-serving', '192.0.2.8 front.example', 8443, 'front.example', true],
      ['https://own.example:443', 'gateway-serving', '192.0.2.8 own.example', 443, 'own.example', true],
    ]);
  });

  it('are not known where their kinds were not read; Ingresses and Gateways need not be there', async () => {
    const { targets, unseen } = await targetsOf([], [], []);
    expect([targets, unseen.map(({ what }) => what)]).toEqual([[], KINDS.slice(0, 6)]);
  });
});
