import type { CertificateRole } from './certificate-roles.ts';
import { commandWord, namespaceFlag } from './placeholders.ts';

/** What replaces a certificate before it expires; `unknown` where the evidence does not show it. */
export const CERTIFICATE_ROTATORS = [
  'kubelet',
  'kubeadm',
  'k3s',
  'rke2',
  'k0s',
  'talos',
  'cert-manager',
  'service-ca',
  'operator',
  'pod',
  'manual',
  'unknown',
] as const;
export type CertificateRotator = (typeof CERTIFICATE_ROTATORS)[number];

/** Rotators that work without an administrator, as long as they run. */
const BY_THEMSELVES: ReadonlySet<CertificateRotator> = new Set(['kubelet', 'cert-manager', 'service-ca', 'operator', 'pod', 'talos']);

/** Whether a certificate is replaced without a manual restart. */
export function rotatesByItself(rotator: CertificateRotator): boolean {
  return BY_THEMSELVES.has(rotator);
}

/** Where a certificate is stored, as far as known, for a command that renews it. */
export interface RenewalPlace {
  readonly namespace?: string | undefined;
  /** Of the Certificate, Secret or configuration. */
  readonly name?: string | undefined;
}

/** A command (or, where there is none, a sentence) that renews a certificate of this role. */
export function renewal(role: CertificateRole, rotator: CertificateRotator, place: RenewalPlace = {}): string {
  const namespace = namespaceFlag(place.namespace);
  if (role.id === 'kubeconfig-token' || role.id === 'service-account-token')
    return `kubectl${namespace} create token <service account> --duration 24h`;
  if (role.id === 'bootstrap-token') return 'kubeadm token create --print-join-command';
  return RENEWALS[rotator](role, place, namespace);
}

type Renewal = (role: CertificateRole, place: RenewalPlace, namespace: string) => string;

const RENEWALS: Readonly<Record<CertificateRotator, Renewal>> = {
  kubelet: (role) =>
    role.id === 'kubelet-serving'
      ? 'kubectl get csr; kubectl certificate approve <request>; else restart the kubelet'
      : 'sudo systemctl restart kubelet; then approve the Pending request in kubectl get csr',
  kubeadm: kubeadmRenewal,
  k3s: (role) => renewedByDistribution(role, 'k3s', 'k3s'),
  rke2: (role) => renewedByDistribution(role, 'rke2', 'rke2-server'),
  k0s: () => 'sudo systemctl restart k0scontroller',
  talos: (role) => (role.authority ? 'talosctl rotate-ca' : 'talosctl reboot --nodes <node>'),
  'cert-manager': (_role, { name }, namespace) => `cmctl renew${namespace} ${commandWord(name ?? '', 'certificate')}`,
  'service-ca': (role, { name }, namespace) =>
    role.authority
      ? 'restart the pods in namespace openshift-service-ca; check: oc get clusteroperator service-ca'
      : `oc delete secret${namespace} ${commandWord(name ?? '', 'secret')}`,
  operator: (role) =>
    role.id === 'kubelet-client' || role.id === 'kubelet-serving'
      ? 'oc get csr; oc adm certificate approve <request>'
      : 'oc get clusteroperators; find out why the operator that owns it does not renew it',
  pod: () => 'restart the pod that uses it',
  manual: renewedByHand,
  unknown: renewedByHand,
};

function renewedByDistribution(role: CertificateRole, program: string, unit: string): string {
  return role.authority
    ? `${program} certificate rotate-ca --path <folder of the new CAs>`
    : `sudo ${program} certificate rotate && sudo systemctl restart ${unit}`;
}

/** Source: kubeadm's own advice after `kubeadm certs renew` (cmd/kubeadm/app/cmd/certs.go). */
function kubeadmRenewal(role: CertificateRole): string {
  if (role.kubeadm !== undefined)
    return `sudo kubeadm certs renew ${role.kubeadm}; then restart kube-apiserver, kube-controller-manager, kube-scheduler and etcd`;
  if (role.id === 'kubeconfig-client') return 'sudo kubeadm certs renew admin.conf && sudo cp /etc/kubernetes/admin.conf ~/.kube/config';
  if (role.authority) return 'kubeadm does not renew CAs: follow kubernetes.io, "Manual Rotation of CA Certificates"';
  return 'sudo kubeadm certs renew all';
}

function renewedByHand(role: CertificateRole, { namespace, name }: RenewalPlace): string {
  const where = namespaceFlag(namespace);
  switch (role.id) {
    case 'kubeconfig-client':
      return 'ask the cluster administrator for a new kubeconfig (kubeadm: sudo kubeadm kubeconfig user --client-name <name>)';
    case 'kubeconfig-ca':
      return 'download the kubeconfig again: it must contain the CA that now signs the API server certificate';
    case 'mutating-webhook-ca':
    case 'validating-webhook-ca':
      return `renew the webhook's certificate and put its CA into caBundle of ${role.id.startsWith('mutating') ? 'mutatingwebhookconfiguration' : 'validatingwebhookconfiguration'} ${name ?? '<name>'}`;
    case 'tls-secret':
    case 'ingress-serving':
    case 'gateway-serving':
      return `kubectl create secret tls${where} ${commandWord(name ?? '')} --cert <file> --key <file> --dry-run=client -o yaml | kubectl replace -f -`;
    case 'cluster-ca':
    case 'client-ca':
    case 'pod-trust-ca':
    case 'etcd-ca':
    case 'front-proxy-ca':
      return 'follow kubernetes.io, "Manual Rotation of CA Certificates"';
    default:
      return 'issue a new certificate and restart the server that uses it';
  }
}
