import type { CertificateRequest } from '../../x509/certificate-request.ts';

/**
 * What each signer of kube-controller-manager demands of a request; undefined when it may be signed.
 * Source: pkg/controller/certificates/signer/signer.go, pkg/apis/certificates/helpers.go.
 */
export function signingTrouble(signer: string, request: CertificateRequest, usages: readonly string[]): string | undefined {
  switch (signer) {
    case 'kubernetes.io/kube-apiserver-client-kubelet':
      return kubeletClientTrouble(request, usages);
    case 'kubernetes.io/kubelet-serving':
      return kubeletServingTrouble(request, usages);
    case 'kubernetes.io/kube-apiserver-client':
      return clientTrouble(usages);
    default:
      return undefined;
  }
}

export const SIGNERS: ReadonlySet<string> = new Set([
  'kubernetes.io/kube-apiserver-client-kubelet',
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client',
  'kubernetes.io/legacy-unknown',
]);

export function kubeletClientTrouble(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isOnlyNodes(request)) return 'subject organization is not system:nodes';
  if (request.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (request.ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (request.otherNames) return 'Email subjectAltNames are not allowed';
  if (!request.commonName.startsWith('system:node:')) return 'subject common name does not begin with system:node:';
  return allowed(usages, ['key encipherment', 'digital signature', 'client auth']) && hasAll(usages, ['digital signature', 'client auth'])
    ? undefined
    : 'usages did not match [client auth digital signature] or [client auth digital signature key encipherment]';
}

function kubeletServingTrouble(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isOnlyNodes(request)) return 'subject organization is not system:nodes';
  if (request.dnsNames.length < 1 && request.ipAddresses.length < 1) return 'DNS or IP subjectAltName is required';
  if (request.otherNames) return 'Email subjectAltNames are not allowed';
  if (!allowed(usages, ['key encipherment', 'digital signature', 'server auth']) || !hasAll(usages, ['digital signature', 'server auth']))
    return 'usages did not match [digital signature server auth] or [digital signature key encipherment server auth]';
  return request.commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

function clientTrouble(usages: readonly string[]): string | undefined {
  if (!usages.includes('client auth')) return 'missing required usage for client certificate: client auth';
  return allowed(usages, ['digital signature', 'key encipherment', 'client auth'])
    ? undefined
    : `invalid usage for client certificate: ${usages.find((usage) => !['digital signature', 'key encipherment', 'client auth'].includes(usage)) ?? ''}`;
}

function isOnlyNodes(request: CertificateRequest): boolean {
  return request.organizations.length === 1 && request.organizations[0] === 'system:nodes';
}

function allowed(usages: readonly string[], permitted: readonly string[]): boolean {
  return usages.every((usage) => permitted.includes(usage));
}

function hasAll(usages: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((usage) => usages.includes(usage));
}
