/** Where a distribution keeps certificates on a node. Folders are read whole. */
export const FILE_PRESETS: Readonly<Record<string, readonly string[]>> = {
  // Source: kubeadm's cmd/kubeadm/app/constants/constants.go; the kubelet's --cert-dir.
  kubeadm: ['/etc/kubernetes', '/var/lib/kubelet/pki'],
  // Source: k3s-io/k3s pkg/daemons/config/types.go, pkg/daemons/control/deps.
  k3s: ['/var/lib/rancher/k3s/server/tls', '/var/lib/rancher/k3s/server/cred', '/var/lib/rancher/k3s/agent', '/etc/rancher/k3s/k3s.yaml'],
  rke2: [
    '/var/lib/rancher/rke2/server/tls',
    '/var/lib/rancher/rke2/server/cred',
    '/var/lib/rancher/rke2/agent',
    '/etc/rancher/rke2/rke2.yaml',
  ],
  // Source: k0sproject/k0s pkg/constant/constant_shared.go.
  k0s: ['/var/lib/k0s/pki', '/var/lib/k0s/kubelet/pki', '/var/lib/k0s/kubelet.conf'],
  // Source: siderolabs/talos pkg/machinery/constants/constants.go.
  talos: ['/system/secrets', '/etc/kubernetes', '/var/lib/kubelet/pki'],
  // Source: openshift/cluster-kube-apiserver-operator bindata, machine-config-operator templates.
  openshift: ['/etc/kubernetes', '/var/lib/kubelet/pki', '/var/lib/kubelet/kubeconfig'],
};

/** What a control plane node of kubeadm has to have, below /etc/kubernetes: all that `kubeadm certs check-expiration` lists. */
export const KUBEADM_FILES: readonly string[] = [
  'admin.conf',
  'controller-manager.conf',
  'scheduler.conf',
  'pki/ca.crt',
  'pki/apiserver.crt',
  'pki/apiserver-kubelet-client.crt',
  'pki/front-proxy-ca.crt',
  'pki/front-proxy-client.crt',
];

/** The same for a node with an etcd of its own; an external one is looked after elsewhere. */
export const KUBEADM_ETCD_FILES: readonly string[] = [
  'pki/apiserver-etcd-client.crt',
  'pki/etcd/ca.crt',
  'pki/etcd/server.crt',
  'pki/etcd/peer.crt',
  'pki/etcd/healthcheck-client.crt',
];
