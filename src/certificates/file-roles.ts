import type { CertificateRoleId } from '../model/certificate-roles.ts';
import type { CertificateRotator } from '../model/certificate-rotators.ts';

export interface FileUse {
  readonly role: CertificateRoleId;
  readonly rotatedBy?: CertificateRotator;
}

/** What the certificates of a file are for, by where distributions keep which; undefined where the path does not tell. */
export function fileUse(path: string): FileUse | undefined {
  const distribution = distributionOf(path);
  for (const [pattern, role, rotatedBy] of ROWS) {
    if (!pattern.test(path)) continue;
    const by = rotatedBy ?? (role.endsWith('-ca') ? 'manual' : distribution);
    return { role, ...(by === undefined ? {} : { rotatedBy: by }) };
  }
  return undefined;
}

/** Whose kubeconfig it is, which says what ends with its client certificate. */
export function kubeconfigRole(path: string): CertificateRoleId {
  return KUBECONFIGS.find(([pattern]) => pattern.test(path))?.[1] ?? 'kubeconfig-client';
}

function distributionOf(path: string): CertificateRotator | undefined {
  return DISTRIBUTIONS.find(([pattern]) => pattern.test(path))?.[1];
}

const DISTRIBUTIONS: readonly (readonly [RegExp, CertificateRotator])[] = [
  [/\/k3s\//, 'k3s'],
  [/\/rke2\//, 'rke2'],
  [/\/k0s\//, 'k0s'],
  [/\/system\/secrets\//, 'talos'],
  [/\/static-pod-resources\//, 'operator'],
  [/\/pki\//, 'kubeadm'],
];

const KUBECONFIGS: readonly (readonly [RegExp, CertificateRoleId])[] = [
  [/\/super-admin\.conf$/, 'super-admin-client'],
  [/\/(?:admin\.conf|k3s\.yaml|rke2\.yaml|admin\.kubeconfig)$/, 'admin-client'],
  [/\/(?:kube-)?controller(?:-manager)?(?:\.conf|\.kubeconfig|\/kubeconfig)$/, 'controller-manager-client'],
  [/\/(?:kube-)?scheduler(?:\.conf|\.kubeconfig|\/kubeconfig)$/, 'scheduler-client'],
  [/\/(?:kubelet\.(?:conf|kubeconfig)|kubelet\/kubeconfig)$/, 'kubelet-client'],
  [/\/kubeproxy\.kubeconfig$/, 'kube-proxy-client'],
];

/** The first that fits counts. Sources: file-presets.ts. */
const ROWS: readonly (readonly [RegExp, CertificateRoleId, CertificateRotator?])[] = [
  [/^(?:\/etc\/ssl\/certs|\/usr\/(?:local\/)?share\/ca-certificates|\/etc\/pki\/ca-trust)\//, 'trust-bundle-member'],
  [/\/kubelet-client-[^/]*\.pem$/, 'kubelet-client', 'kubelet'],
  [/\/kubelet-server-[^/]*\.pem$/, 'kubelet-serving', 'kubelet'],
  [/\/kubelet\/pki\/kubelet\.crt$/, 'kubelet-serving', 'manual'],
  // kubeadm, and k0s, which took its names over.
  [/\/pki\/etcd\/ca\.crt$/, 'etcd-ca'],
  [/\/pki\/etcd\/server\.crt$/, 'etcd-server'],
  [/\/pki\/etcd\/peer\.crt$/, 'etcd-peer'],
  [/\/pki\/etcd\/healthcheck-client\.crt$/, 'etcd-healthcheck-client'],
  [/\/pki\/(?:server\/)?apiserver\.crt$/, 'apiserver-serving'],
  [/\/k0s\/pki\/server\.crt$/, 'apiserver-serving'],
  [/\/apiserver-kubelet-client\.crt$/, 'apiserver-kubelet-client'],
  [/\/apiserver-etcd-client\.crt$/, 'etcd-client'],
  [/\/front-proxy-client\.crt$/, 'front-proxy-client'],
  [/\/(?:front-proxy-ca|aggregator-ca|request-header-ca)\.crt$/, 'front-proxy-ca'],
  [/\/k0s\/pki\/admin\.crt$/, 'admin-client'],
  [/\/k0s\/pki\/scheduler\.crt$/, 'scheduler-client'],
  [/\/k0s\/pki\/(?:ccm|controller-manager)\.crt$/, 'controller-manager-client'],
  [/\/konnectivity\.crt$/, 'konnectivity'],
  [/\/pki\/ca\.crt$/, 'cluster-ca'],
  // k3s and rke2.
  [/\/tls\/etcd\/(?:server|peer)-ca\.crt$/, 'etcd-ca'],
  [/\/tls\/etcd\/server-client\.crt$/, 'etcd-server'],
  [/\/tls\/etcd\/peer-server-client\.crt$/, 'etcd-peer'],
  [/\/tls\/etcd\/client\.crt$/, 'etcd-client'],
  [/\/serving-kube-apiserver\.crt$/, 'apiserver-serving'],
  [/\/(?:tls|server)\/client-kube-apiserver\.crt$/, 'apiserver-kubelet-client'],
  [/\/(?:tls|server)\/client-(?:super)?admin\.crt$/, 'admin-client'],
  [/\/(?:tls|server)\/client-controller\.crt$/, 'controller-manager-client'],
  [/\/(?:tls|server)\/client-scheduler\.crt$/, 'scheduler-client'],
  [/\/(?:tls|server)\/client-auth-proxy\.crt$/, 'front-proxy-client'],
  [/\/client-kube-proxy\.crt$/, 'kube-proxy-client'],
  [/\/client-kubelet\.crt$/, 'kubelet-client'],
  [/\/serving-kubelet\.crt$/, 'kubelet-serving'],
  [/\/tls\/kube-scheduler\/kube-scheduler\.crt$/, 'scheduler-serving'],
  [/\/tls\/kube-controller-manager\/kube-controller-manager\.crt$/, 'controller-manager-serving'],
  [/\/(?:tls|agent|server)\/server-ca\.crt$/, 'cluster-ca'],
  [/\/(?:tls|agent|server)\/client-ca\.crt$/, 'client-ca'],
  // Talos.
  [/\/system\/secrets\/kubernetes\/kube-apiserver\/apiserver\.crt$/, 'apiserver-serving'],
  [/\/system\/secrets\/kubernetes\/kube-apiserver\/etcd-client\.crt$/, 'etcd-client'],
  [/\/system\/secrets\/kubernetes\/kube-apiserver\/etcd-client-ca\.crt$/, 'etcd-ca'],
  [/\/system\/secrets\/etcd\/(?:etcd-)?server\.crt$/, 'etcd-server'],
  [/\/system\/secrets\/etcd\/(?:etcd-)?peer\.crt$/, 'etcd-peer'],
  [/\/system\/secrets\/etcd\/ca\.crt$/, 'etcd-ca'],
  [/\/system\/secrets\/kubernetes\/[^/]+\/ca\.crt$/, 'cluster-ca'],
  // OpenShift: secrets and ConfigMaps of the operators, as files.
  [/\/static-pod-resources\/.{0,300}\/etcd-(?:all-)?(?:certs\/)?etcd-peer-[^/]*\.crt$/, 'etcd-peer'],
  [/\/static-pod-resources\/.{0,300}\/etcd-serving-(?!metrics)[^/]*\.crt$/, 'etcd-server'],
  [/\/static-pod-resources\/.{0,300}\/secrets\/[^/]{0,253}-serving-(?:cert-)?certkey[^/]*\/tls\.crt$/, 'apiserver-serving'],
  [/\/static-pod-resources\/.{0,300}\/secrets\/kubelet-client[^/]*\/tls\.crt$/, 'apiserver-kubelet-client'],
  [/\/static-pod-resources\/.{0,300}\/secrets\/aggregator-client[^/]*\/tls\.crt$/, 'front-proxy-client'],
  [/\/static-pod-resources\/.{0,300}\/secrets\/etcd-client[^/]*\/tls\.crt$/, 'etcd-client'],
  [/\/static-pod-resources\/.{0,300}\/secrets\/kube-controller-manager-client-cert-key[^/]*\/tls\.crt$/, 'controller-manager-client'],
  [/\/static-pod-resources\/.{0,300}\/secrets\/kube-scheduler-client-cert-key[^/]*\/tls\.crt$/, 'scheduler-client'],
  [/\/static-pod-resources\/.{0,300}\/configmaps\/client-ca[^/]*\/ca-bundle\.crt$/, 'client-ca', 'operator'],
  [/\/static-pod-resources\/.{0,300}\/configmaps\/aggregator-client-ca[^/]*\/ca-bundle\.crt$/, 'front-proxy-ca', 'operator'],
  [/\/kubelet-ca\.crt$/, 'client-ca'],
  [/\/docker\/certs\.d\/|\/containerd\/certs\.d\/|\/containers\/certs\.d\//, 'registry-ca'],
];
