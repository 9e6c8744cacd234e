import { describe, expect, it } from 'vitest';
import type { X509 } from '../../src/base/x509/certificate.ts';
import { readSecretUses, roleOfCommonName, roleOfSecret } from '../../src/certificates/secret-uses.ts';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';

function object(kind: string, name: string, more: object, namespace?: string): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) }, ...more };
}

const OBJECTS = [
  object('Ingress', 'web', { spec: { tls: [{ secretName: 'web-tls' }] } }, 'shop'),
  object(
    'Gateway',
    'front',
    { spec: { listeners: [{ tls: { certificateRefs: [{ name: 'front-tls' }, { namespace: 'edge', name: 'other-tls' }] } }] } },
    'shop',
  ),
  object('APIService', 'v1beta1.metrics.k8s.io', { spec: { service: { namespace: 'kube-system', name: 'metrics-server' } } }),
  object('APIService', 'v1.apps', { spec: {} }),
  object('MutatingWebhookConfiguration', 'inject', {
    webhooks: [{ clientConfig: { service: { namespace: 'mesh', name: 'injector' } } }, { clientConfig: { url: 'https://inject.example' } }],
  }),
  object('ValidatingWebhookConfiguration', 'guard', { webhooks: [{ clientConfig: { service: { namespace: 'guard', name: 'policy' } } }] }),
];
const KINDS = [...new Set(OBJECTS.map(({ kind }) => kind))];
const USES = await readSecretUses(
  memoryReader({ objects: OBJECTS, collected: KINDS.map((kind) => ({ kind, complete: true })), absent: [], refused: [], logs: [], now: 0 }),
  {},
);

function role(
  name: string,
  {
    namespace = 'shop',
    key = 'tls.crt',
    certificate,
    annotations,
  }: {
    readonly namespace?: string;
    readonly key?: string;
    readonly certificate?: Partial<X509>;
    readonly annotations?: Readonly<Record<string, string>>;
  } = {},
): string {
  const secret: KubeObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, ...(annotations === undefined ? {} : { annotations }) },
  };
  const read = { dnsNames: [], ipAddresses: [], isCa: false, subject: { organizations: [] }, ...certificate } as unknown as X509;
  return roleOfSecret(secret, key, certificate === undefined ? [] : [{ ok: true, value: read }], USES);
}

describe('the certificate in a Secret', () => {
  it('is what an Ingress or a Gateway serves, in its own namespace or in the one it names', () => {
    expect([
      role('web-tls'),
      role('front-tls'),
      role('other-tls', { namespace: 'edge' }),
      role('other-tls'),
      role('web-tls', { namespace: 'bank' }),
    ]).toEqual(['ingress-serving', 'gateway-serving', 'gateway-serving', 'tls-secret', 'tls-secret']);
  });

  it.each([
    ['metrics-server.kube-system.svc', 'apiservice-serving'],
    ['injector.mesh.svc.cluster.local', 'mutating-webhook-serving'],
    ['policy.guard.svc', 'validating-webhook-serving'],
    ['cart.shop.svc', 'tls-secret'],
  ])('that names %s is %s', (name, expected) =>
    expect(role('any', { certificate: { dnsNames: ['other.shop.svc', name] } })).toBe(expected),
  );

  it.each(['ca.crt', 'ca-bundle.crt', 'service-ca.crt'])('under %s is of an issuer, whatever the Secret is for', (key) => {
    expect(role('web-tls', { key })).toBe('issuer-ca');
  });

  it('is of a server, though it says that it is a CA, where it vouches for itself and has a host name', () => {
    const own = { isCa: true, selfIssued: true, dnsNames: ['cart.example'], ipAddresses: [] };
    const managed = { 'cert-manager.io/certificate-name': 'cart' };
    expect([
      role('any', { certificate: own }),
      role('any', { certificate: { ...own, selfIssued: false } }),
      role('any', { certificate: { ...own, dnsNames: [] } }),
      role('any', { certificate: own, annotations: managed }),
    ]).toEqual(['tls-secret', 'issuer-ca', 'issuer-ca', 'issuer-ca']);
  });

  it('is told by the Service it was made for, by being a CA, or by its subject', () => {
    expect(role('any', { annotations: { 'service.beta.openshift.io/originating-service-name': 'cart' } })).toBe('service-serving');
    expect(role('any', { certificate: { isCa: true } })).toBe('issuer-ca');
    expect(
      role('any', { certificate: { subject: { commonName: 'system:kube-scheduler', organizations: [] } as unknown as X509['subject'] } }),
    ).toBe('scheduler-client');
  });

  it.each([
    ['openshift-machine-config-operator', 'machine-config-server-tls', 'machine-config-serving'],
    ['openshift-kube-apiserver-operator', 'loadbalancer-serving-signer', 'issuer-ca'],
    // What signs them is named after them.
    ['openshift-kube-apiserver', 'aggregator-client-signer', 'issuer-ca'],
    ['openshift-kube-apiserver', 'internal-loadbalancer-serving-certkey', 'apiserver-serving'],
    ['openshift-kube-apiserver', 'kubelet-client', 'apiserver-kubelet-client'],
    ['openshift-kube-apiserver', 'aggregator-client', 'front-proxy-client'],
    ['openshift-etcd', 'etcd-client', 'etcd-client'],
    ['openshift-etcd', 'etcd-peer-master-0', 'etcd-peer'],
    ['openshift-etcd', 'etcd-serving-master-0', 'etcd-server'],
    ['openshift-kube-controller-manager', 'kube-controller-manager-client-cert-key', 'controller-manager-client'],
    ['openshift-kube-scheduler', 'kube-scheduler-client-cert-key', 'scheduler-client'],
    ['shop', 'kubelet-client', 'tls-secret'],
  ])('of %s/%s is %s', (namespace, name, expected) => expect(role(name, { namespace })).toBe(expected));
});

describe('a common name', () => {
  it.each([
    ['system:node:worker-1', 'kubelet-client'],
    ['system:kube-controller-manager', 'controller-manager-client'],
    ['system:kube-proxy', 'kube-proxy-client'],
    ['kube-apiserver-kubelet-client', 'apiserver-kubelet-client'],
    ['kube-apiserver-etcd-client', 'etcd-client'],
    ['kube-etcd-healthcheck-client', 'etcd-healthcheck-client'],
    ['front-proxy-client', 'front-proxy-client'],
    ['kube-apiserver', 'apiserver-serving'],
    ['kubernetes-admin', 'admin-client'],
    ['kubernetes-super-admin', 'super-admin-client'],
    ['web.shop.example', undefined],
  ])('%s is of %s', (name, expected) => expect(roleOfCommonName(name)).toBe(expected));
});
