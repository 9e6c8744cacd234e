import { asList, asText, dig } from '../../base/json.ts';
import { own } from '../../base/own-property.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { CertificateRoleId } from '../../model/certificate-roles.ts';
import { CERTIFICATE_RECORD, RECORD_API_VERSION } from '../../model/record-kinds.ts';
import { CONTROL_PLANE } from './cluster-certificates.ts';
import type { Store } from '../store/store.ts';
import type { World } from '../outside/outside-world.ts';
import type { Certificate } from './simulated-certificate.ts';

/** Every certificate that lies outside the API, as a record of its own: where someone with a shell on each machine would find it. */
export function certificateRecords(world: World, store: Store): readonly KubeObject[] {
  const records: KubeObject[] = [];
  const add = (found: Sighting, certificate: Certificate): void => {
    const rotatedBy = certificate.unattended === true && found.role.startsWith('kubelet') ? { rotatedBy: 'manual' } : {};
    records.push({
      apiVersion: RECORD_API_VERSION,
      kind: CERTIFICATE_RECORD,
      metadata: { name: `${records.length}` },
      spec: { ...found, ...rotatedBy, pem: world.certificates.pem(certificate) },
    });
  };
  for (const certificate of world.certificates.all()) for (const found of sightingsOf(certificate.name, world)) add(found, certificate);
  for (const { address, certificate } of world.webhookServers.all()) {
    if (certificate !== undefined)
      add({ tier: 'probe', place: `https://${hostOf(address)}`, role: `${webhookType(address, store)}-webhook-serving` }, certificate);
  }
  for (const [host, { certificate }] of world.datacenter.registries.all()) {
    if (certificate !== undefined) add({ tier: 'probe', place: `https://${host}`, role: 'registry-serving' }, certificate);
  }
  return records;
}

interface Sighting {
  readonly tier: 'kubeconfig' | 'served' | 'node' | 'probe';
  readonly place: string;
  readonly role: CertificateRoleId;
}

const PKI = `${CONTROL_PLANE}:/etc/kubernetes/pki`;
const CONF = `${CONTROL_PLANE}:/etc/kubernetes`;

/** Source: cmd/kubeadm/app/constants/constants.go. */
const FILES: Readonly<Record<string, { readonly place: string; readonly role: CertificateRoleId }>> = {
  'kubernetes-ca': { place: `${PKI}/ca.crt`, role: 'cluster-ca' },
  'etcd-ca': { place: `${PKI}/etcd/ca.crt`, role: 'etcd-ca' },
  'front-proxy-ca': { place: `${PKI}/front-proxy-ca.crt`, role: 'front-proxy-ca' },
  apiserver: { place: `${PKI}/apiserver.crt`, role: 'apiserver-serving' },
  'apiserver-kubelet-client': { place: `${PKI}/apiserver-kubelet-client.crt`, role: 'apiserver-kubelet-client' },
  'apiserver-etcd-client': { place: `${PKI}/apiserver-etcd-client.crt`, role: 'etcd-client' },
  'front-proxy-client': { place: `${PKI}/front-proxy-client.crt`, role: 'front-proxy-client' },
  'etcd-server': { place: `${PKI}/etcd/server.crt`, role: 'etcd-server' },
  'etcd-peer': { place: `${PKI}/etcd/peer.crt`, role: 'etcd-peer' },
  'etcd-healthcheck-client': { place: `${PKI}/etcd/healthcheck-client.crt`, role: 'etcd-healthcheck-client' },
  admin: { place: `${CONF}/admin.conf`, role: 'admin-client' },
  'super-admin': { place: `${CONF}/super-admin.conf`, role: 'super-admin-client' },
  'kube-controller-manager': { place: `${CONF}/controller-manager.conf`, role: 'controller-manager-client' },
  'kube-scheduler': { place: `${CONF}/scheduler.conf`, role: 'scheduler-client' },
};

function sightingsOf(name: string, { machines, configuration }: World): readonly Sighting[] {
  const file = own(FILES, name);
  const server = `https://${configuration.serverAddress}:6443`;
  const others: readonly Sighting[] =
    name === 'admin'
      ? [{ tier: 'kubeconfig', place: 'kubeconfig: user kubernetes-admin', role: 'kubeconfig-client' }]
      : name === 'kubernetes-ca'
        ? [{ tier: 'kubeconfig', place: 'kubeconfig: cluster kubernetes', role: 'kubeconfig-ca' }]
        : name === 'apiserver'
          ? [{ tier: 'served', place: server, role: 'apiserver-serving' }]
          : [];
  if (file !== undefined) return [...others, { tier: 'node', ...file }];
  const [, serving, node = ''] = /^kubelet-(serving-)?(.+)$/.exec(name) ?? [];
  if (!machines.has(node)) return others;
  const pki = `${node}:/var/lib/kubelet/pki`;
  if (serving === undefined) return [{ tier: 'node', place: `${pki}/kubelet-client-current.pem`, role: 'kubelet-client' }];
  return [
    {
      tier: 'node',
      place: `${pki}/${configuration.serverTlsBootstrap ? 'kubelet-server-current.pem' : 'kubelet.crt'}`,
      role: 'kubelet-serving',
    },
  ];
}

/** `shop/hooks` is called at the name of its Service. */
function hostOf(address: string): string {
  const [namespace = '', service] = address.split('/');
  return service === undefined ? address : `${service}.${namespace}.svc:443`;
}

/** Of which type the webhooks are that the server answers for: mutating where any is. */
function webhookType(address: string, store: Store): 'mutating' | 'validating' {
  const mutating = store.list('mutatingwebhookconfigurations.admissionregistration.k8s.io');
  return mutating.some((configuration) =>
    asList(configuration['webhooks']).some((webhook) => isCalledAt(dig(webhook, 'clientConfig'), address)),
  )
    ? 'mutating'
    : 'validating';
}

function isCalledAt(config: ReturnType<typeof dig>, address: string): boolean {
  const service = dig(config, 'service');
  if (service !== undefined) return `${asText(dig(service, 'namespace')) ?? ''}/${asText(dig(service, 'name')) ?? ''}` === address;
  const [, host = '', port = '443'] = /^https:\/\/([^/:]+)(?::(\d+))?/.exec(asText(dig(config, 'url')) ?? '') ?? [];
  return `${host}:${port}` === address;
}
