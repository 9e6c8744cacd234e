import { describe, expect, it } from 'vitest';
import { fileUse, kubeconfigRole } from '../../src/certificates/file-roles.ts';

describe('a certificate file', () => {
  it.each([
    ['/etc/kubernetes/pki/ca.crt', 'cluster-ca', 'manual'],
    ['/etc/kubernetes/pki/apiserver.crt', 'apiserver-serving', 'kubeadm'],
    ['/etc/kubernetes/pki/apiserver-kubelet-client.crt', 'apiserver-kubelet-client', 'kubeadm'],
    ['/etc/kubernetes/pki/apiserver-etcd-client.crt', 'etcd-client', 'kubeadm'],
    ['/etc/kubernetes/pki/front-proxy-client.crt', 'front-proxy-client', 'kubeadm'],
    ['/etc/kubernetes/pki/front-proxy-ca.crt', 'front-proxy-ca', 'manual'],
    ['/etc/kubernetes/pki/etcd/ca.crt', 'etcd-ca', 'manual'],
    ['/etc/kubernetes/pki/etcd/server.crt', 'etcd-server', 'kubeadm'],
    ['/etc/kubernetes/pki/etcd/peer.crt', 'etcd-peer', 'kubeadm'],
    ['/etc/kubernetes/pki/etcd/healthcheck-client.crt', 'etcd-healthcheck-client', 'kubeadm'],
    ['/var/lib/kubelet/pki/kubelet-client-current.pem', 'kubelet-client', 'kubelet'],
    ['/var/lib/kubelet/pki/kubelet-server-current.pem', 'kubelet-serving', 'kubelet'],
    ['/var/lib/kubelet/pki/kubelet.crt', 'kubelet-serving', 'manual'],
    ['/var/lib/k0s/pki/server.crt', 'apiserver-serving', 'k0s'],
    ['/var/lib/rancher/k3s/agent/serving-kubelet.crt', 'kubelet-serving', 'k3s'],
    ['/var/lib/rancher/k3s/agent/client-kubelet.crt', 'kubelet-client', 'k3s'],
    ['/var/lib/rancher/rke2/agent/client-kube-proxy.crt', 'kube-proxy-client', 'rke2'],
    ['/var/lib/rancher/k3s/server/tls/server-ca.crt', 'cluster-ca', 'manual'],
    ['/system/secrets/kubernetes/kube-apiserver/apiserver.crt', 'apiserver-serving', 'talos'],
    ['/system/secrets/etcd/peer.crt', 'etcd-peer', 'talos'],
    ['/etc/ssl/certs/shop.pem', 'trust-bundle-member', undefined],
  ])('%s is of %s, renewed by %s', (path, role, rotatedBy) => {
    expect(fileUse(path)).toEqual({ role, ...(rotatedBy === undefined ? {} : { rotatedBy }) });
  });

  it('elsewhere is not known by its path', () => {
    expect(fileUse('/home/eve/web.crt')).toBeUndefined();
  });
});

describe('a kubeconfig', () => {
  it.each([
    ['/etc/kubernetes/super-admin.conf', 'super-admin-client'],
    ['/etc/kubernetes/admin.conf', 'admin-client'],
    ['/etc/rancher/k3s/k3s.yaml', 'admin-client'],
    ['/etc/kubernetes/controller-manager.conf', 'controller-manager-client'],
    ['/var/lib/rancher/k3s/server/cred/scheduler.kubeconfig', 'scheduler-client'],
    ['/etc/kubernetes/kubelet.conf', 'kubelet-client'],
    ['/var/lib/rancher/k3s/agent/kubeproxy.kubeconfig', 'kube-proxy-client'],
    ['/home/eve/.kube/config', 'kubeconfig-client'],
  ])('%s is of %s', (path, role) => expect(kubeconfigRole(path)).toBe(role));
});
