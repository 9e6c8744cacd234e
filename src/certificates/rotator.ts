import type { X509 } from '../base/x509/certificate.ts';
import type { CertificateRole } from '../model/certificate-roles.ts';
import type { CertificateRotator } from '../model/certificate-rotators.ts';

/** Who renews a certificate, told by whom it names and who signed it; `unknown` where neither tells. */
export function rotatorOf(role: CertificateRole, { subject, issuer, dnsNames, isCa, selfIssued }: X509): CertificateRotator {
  const signer = issuer.commonName ?? '';
  const known = SIGNERS.find(([pattern]) => pattern.test(signer))?.[1];
  if (known === 'k3s' || known === 'rke2') return ofDistribution(known, isCa && selfIssued);
  if (known !== undefined) return known;
  if (subject.commonName?.startsWith('system:node:') === true && subject.organizations.includes('system:nodes')) return 'kubelet';
  if (dnsNames.some((name) => MANAGED.test(name))) return 'operator';
  if (isCa) return role.id === 'trust-bundle-member' ? 'unknown' : 'manual';
  return ofSigner(role, signer, issuer.organizations);
}

function ofSigner(role: CertificateRole, signer: string, organizations: readonly string[]): CertificateRotator {
  if (organizations.includes('kubernetes') && signer === '') return 'talos';
  if (signer === 'kubernetes-ca') return 'k0s';
  if (KUBEADM_SIGNERS.has(signer) && KUBEADM_ROLES.test(role.id)) return 'kubeadm';
  // Source: pkg/kubelet/certificate/kubelet.go: without a bootstrap the kubelet signs itself, as <node>-ca@<seconds>.
  if (/^[a-z0-9.-]+-ca@\d{9,11}$/.test(signer) && role.id === 'kubelet-serving') return 'manual';
  return 'unknown';
}

function ofDistribution(rotator: CertificateRotator, isRoot: boolean): CertificateRotator {
  return isRoot ? 'manual' : rotator;
}

/** Source: library-go's pkg/operator/certrotation (`<namespace>_<name>@<seconds>`), service-ca-operator, k3s's pkg/daemons/control/deps. */
const SIGNERS: readonly (readonly [RegExp, CertificateRotator])[] = [
  [/^k3s-[a-z-]+@\d+$/, 'k3s'],
  [/^rke2-[a-z-]+@\d+$/, 'rke2'],
  [/^openshift-service-serving-signer@\d+$/, 'service-ca'],
  [/^kube-csr-signer_@?\d+$|^kube-csr-signer$/, 'kubelet'],
  [/^[a-z0-9-]+_[a-z0-9-]+@\d+$/, 'operator'],
];

/** Names of API servers that a provider runs. */
const MANAGED = /\.(?:eks\.amazonaws\.com|azmk8s\.io|gke\.goog|ondigitalocean\.com)$/;
/** Source: kubeadm's cmd/kubeadm/app/phases/certs/certlist.go. */
const KUBEADM_SIGNERS: ReadonlySet<string> = new Set(['kubernetes', 'etcd-ca', 'front-proxy-ca']);
const KUBEADM_ROLES =
  /^(?:kubeconfig-client|apiserver-serving|apiserver-kubelet-client|etcd-|front-proxy-client|admin-client|super-admin-client|controller-manager-client|scheduler-client)/;
