import { describe, expect, it } from 'vitest';
import type { X509 } from '../../src/base/x509/certificate.ts';
import { rotatorOf } from '../../src/certificates/rotator.ts';
import type { CertificateRoleId } from '../../src/model/certificate-roles.ts';
import { certificateRole } from '../../src/model/certificate-roles.ts';

type Words = Partial<Pick<X509, 'dnsNames' | 'isCa' | 'selfIssued'>> & {
  readonly subject?: string;
  readonly of?: readonly string[];
  readonly issuer?: string;
  readonly by?: readonly string[];
};

function rotator(
  role: CertificateRoleId,
  { subject = 'web', of = [], issuer = '', by = [], dnsNames = [], isCa = false, selfIssued = false }: Words,
): string {
  const certificate = {
    subject: { commonName: subject, organizations: of },
    issuer: { commonName: issuer, organizations: by },
    dnsNames,
    isCa,
    selfIssued,
  };
  return rotatorOf(certificateRole(role), certificate as unknown as X509);
}

describe('who renews a certificate', () => {
  it('is a person for the one that a kubelet signed itself, which nothing renews', () => {
    expect(rotator('kubelet-serving', { subject: 'worker-1@1768000000', issuer: 'worker-1-ca@1768000000' })).toBe('manual');
    expect(rotator('kubelet-serving', { subject: 'worker-1@1768000000', issuer: 'worker-1-ca@17' })).toBe('unknown');
    expect(rotator('tls-secret', { issuer: 'worker-1-ca@1768000000' })).toBe('unknown');
  });

  it('is the kubelet for a certificate of a node that the cluster signed', () => {
    expect(rotator('kubelet-client', { subject: 'system:node:worker-1', of: ['system:nodes'], issuer: 'kubernetes' })).toBe('kubelet');
    expect(rotator('kubelet-client', { subject: 'system:node:worker-1', issuer: 'shop' })).toBe('unknown');
  });

  it.each([
    ['kubeadm', 'apiserver-serving', { issuer: 'kubernetes' }],
    ['kubeadm', 'etcd-server', { issuer: 'etcd-ca' }],
    ['unknown', 'tls-secret', { issuer: 'kubernetes' }],
    ['manual', 'cluster-ca', { issuer: 'kubernetes', isCa: true, selfIssued: true }],
    ['unknown', 'trust-bundle-member', { issuer: 'kubernetes', isCa: true, selfIssued: true }],
    ['k3s', 'apiserver-serving', { issuer: 'k3s-server-ca@1768000000' }],
    ['manual', 'cluster-ca', { issuer: 'k3s-server-ca@1768000000', isCa: true, selfIssued: true }],
    ['k3s', 'cluster-ca', { issuer: 'k3s-server-ca@1768000000', isCa: true }],
    ['rke2', 'apiserver-serving', { issuer: 'rke2-server-ca@1768000000' }],
    ['k0s', 'apiserver-serving', { issuer: 'kubernetes-ca' }],
    ['talos', 'apiserver-serving', { by: ['kubernetes'] }],
    ['unknown', 'apiserver-serving', { by: ['kubernetes'], issuer: 'shop' }],
    ['unknown', 'apiserver-serving', { issuer: '' }],
    ['unknown', 'kubelet-client', { subject: 'worker-1', of: ['system:nodes'], issuer: 'shop' }],
    ['kubelet', 'kubelet-client', { issuer: 'kube-csr-signer_@1768000000' }],
    ['kubelet', 'kubelet-client', { issuer: 'kube-csr-signer' }],
    ['manual', 'issuer-ca', { issuer: 'shop', isCa: true }],
    ['operator', 'apiserver-serving', { issuer: 'openshift-kube-apiserver_kube-control-plane-signer@1768000000' }],
    ['operator', 'apiserver-serving', { dnsNames: ['A1B2.gr7.eu-west-1.eks.amazonaws.com'] }],
    ['service-ca', 'tls-secret', { issuer: 'openshift-service-serving-signer@1768000000' }],
  ] as const)('is %s for %s with %o', (expected, role, words) => expect(rotator(role, words)).toBe(expected));
});
