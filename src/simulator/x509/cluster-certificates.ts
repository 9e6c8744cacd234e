import type { Instant } from '../../base/instant.ts';
import { parseInteger } from '../../base/number.ts';
import { CLUSTER_CA, ETCD_CA, FRONT_PROXY_CA } from './certificates.ts';
import type { MachineSpec } from '../outside/machine.ts';
import type { ClusterConfiguration } from '../outside/outside-world.ts';
import type { Certificate, CertificateUsage } from './simulated-certificate.ts';

/**
 * Every certificate of a cluster that kubeadm has made, and what its kubelets have: leaves are good for a year, authorities for ten.
 * Source: cmd/kubeadm/app/constants/constants.go, cmd/kubeadm/app/phases/{certs/certlist,kubeconfig/kubeconfig}.go, pkg/kubelet/kubelet.go.
 */
export function clusterCertificates(
  configuration: ClusterConfiguration,
  machines: readonly MachineSpec[],
  start: Instant,
): readonly Certificate[] {
  const { serverAddress, serviceNetwork, clusterDomain } = configuration;
  const leaf = (name: string, wish: Wish): Certificate => leafOf(name, wish, start);
  const service = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', `kubernetes.default.svc.${clusterDomain}`];
  const etcd = {
    commonName: CONTROL_PLANE,
    issuer: ETCD_CA,
    usages: ['server', 'client'],
    dnsNames: [CONTROL_PLANE, 'localhost'],
    ipAddresses: [serverAddress, '127.0.0.1'],
  } as const;
  return [
    { ...authorityOf(CLUSTER_CA, 'kubernetes', start), dnsNames: ['kubernetes'] },
    { ...authorityOf(ETCD_CA, 'etcd-ca', start), dnsNames: ['etcd-ca'] },
    { ...authorityOf(FRONT_PROXY_CA, 'front-proxy-ca', start), dnsNames: ['front-proxy-ca'] },
    leaf('apiserver', {
      commonName: 'kube-apiserver',
      usages: ['server'],
      dnsNames: [CONTROL_PLANE, ...service],
      ipAddresses: [firstAddress(serviceNetwork), serverAddress],
    }),
    leaf('apiserver-kubelet-client', { commonName: 'kube-apiserver-kubelet-client', organizations: ['kubeadm:cluster-admins'] }),
    leaf('apiserver-etcd-client', { commonName: 'kube-apiserver-etcd-client', issuer: ETCD_CA }),
    leaf('front-proxy-client', { commonName: 'front-proxy-client', issuer: FRONT_PROXY_CA }),
    leaf('etcd-server', etcd),
    leaf('etcd-peer', etcd),
    leaf('etcd-healthcheck-client', { commonName: 'kube-etcd-healthcheck-client', issuer: ETCD_CA }),
    leaf('admin', { commonName: 'kubernetes-admin', organizations: ['kubeadm:cluster-admins'] }),
    leaf('super-admin', { commonName: 'kubernetes-super-admin', organizations: ['system:masters'] }),
    leaf('kube-controller-manager', { commonName: 'system:kube-controller-manager' }),
    leaf('kube-scheduler', { commonName: 'system:kube-scheduler' }),
    ...machines.flatMap((machine) => machineCertificates(machine, configuration, start)),
  ];
}

/** What the kubelet of a machine has from the moment it joins. */
export function machineCertificates(
  { name, address }: MachineSpec,
  { signingSeconds, serverTlsBootstrap }: ClusterConfiguration,
  start: Instant,
): readonly Certificate[] {
  const second = Math.floor(start / 1000);
  const client = {
    ...leafOf(`kubelet-${name}`, { commonName: `system:node:${name}`, organizations: ['system:nodes'] }, start),
    notAfter: start + signingSeconds * 1000,
  };
  return serverTlsBootstrap
    ? [client]
    : [
        client,
        leafOf(
          `kubelet-serving-${name}`,
          { commonName: `${name}@${second}`, issuer: `${name}-ca@${second}`, usages: ['server'], dnsNames: [name], ipAddresses: [address] },
          start,
        ),
      ];
}

function leafOf(name: string, wish: Wish, start: Instant): Certificate {
  return { ...certificateOf(wish.commonName, wish.organizations ?? [], start), name, ...wish };
}

/** The machine the control plane runs on, which is no node of the cluster. */
export const CONTROL_PLANE = 'control-plane';

const YEAR_MILLISECONDS = 31_536_000_000;
const BACKDATE_MILLISECONDS = 300_000;

/** A client certificate of the cluster's authority. */
export function certificateOf(commonName: string, organizations: readonly string[], start: Instant): Certificate {
  return {
    name: commonName,
    commonName,
    organizations,
    issuer: CLUSTER_CA,
    notBefore: start - BACKDATE_MILLISECONDS,
    notAfter: start + YEAR_MILLISECONDS,
    dnsNames: [],
    ipAddresses: [],
    usages: ['client'],
  };
}

interface Wish {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly issuer?: string;
  readonly usages?: readonly CertificateUsage[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
}

/** An authority that signed itself. */
export function authorityOf(name: string, commonName: string, start: Instant): Certificate {
  return { ...certificateOf(commonName, [], start), name, issuer: name, notAfter: start + 10 * YEAR_MILLISECONDS, usages: ['authority'] };
}

/** The address of the API server's own Service. */
export function firstAddress(network: string): string {
  const [base = ''] = network.split('/');
  const parts = base.split('.').map((part) => parseInteger(part) ?? 0);
  return [...parts.slice(0, 3), (parts[3] ?? 0) + 1].join('.');
}
