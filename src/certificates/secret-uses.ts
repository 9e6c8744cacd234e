import { asList, asText, dig } from '../base/json.ts';
import type { ReadX509, X509 } from '../base/x509/certificate.ts';
import type { ClusterReader, Scope } from '../model/cluster-reader.ts';
import type { CertificateRoleId } from '../model/certificate-roles.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { annotationsOf } from '../model/kube-object.ts';

/** What Secrets with certificates are used for, as far as other objects tell. */
export interface SecretUses {
  /** By `namespace/name`: those an Ingress or a Gateway serves. */
  readonly served: ReadonlyMap<string, CertificateRoleId>;
  /** By `service.namespace.svc`: Services that webhooks and aggregated APIs are asked at. */
  readonly services: ReadonlyMap<string, CertificateRoleId>;
}

/** Reads who uses which Secret; what cannot be read leaves the use unknown. */
export async function readSecretUses(reader: ClusterReader, scope: Scope): Promise<SecretUses> {
  const all = async (kind: string, where: Scope): Promise<readonly KubeObject[]> => {
    const read = await reader.list(kind, where);
    return read.ok ? read.value : [];
  };
  const served = new Map<string, CertificateRoleId>();
  for (const ingress of await all('Ingress', scope)) {
    for (const tls of asList(dig(ingress, 'spec', 'tls')))
      served.set(`${ingress.metadata.namespace ?? ''}/${asText(dig(tls, 'secretName')) ?? ''}`, 'ingress-serving');
  }
  for (const gateway of await all('Gateway', scope)) for (const secret of secretsOfGateway(gateway)) served.set(secret, 'gateway-serving');
  const services = new Map<string, CertificateRoleId>();
  for (const service of await all('APIService', {})) addService(services, dig(service, 'spec'), 'apiservice-serving');
  for (const kind of ['Validating', 'Mutating'] as const) {
    for (const configuration of await all(`${kind}WebhookConfiguration`, {})) {
      for (const webhook of asList(dig(configuration, 'webhooks')))
        addService(services, dig(webhook, 'clientConfig'), kind === 'Mutating' ? 'mutating-webhook-serving' : 'validating-webhook-serving');
    }
  }
  return { served, services };
}

function secretsOfGateway(gateway: KubeObject): readonly string[] {
  const refs = asList(dig(gateway, 'spec', 'listeners')).flatMap((listener) => asList(dig(listener, 'tls', 'certificateRefs')));
  return refs.map((ref) => `${asText(dig(ref, 'namespace')) ?? gateway.metadata.namespace ?? ''}/${asText(dig(ref, 'name')) ?? ''}`);
}

function addService(services: Map<string, CertificateRoleId>, config: ReturnType<typeof dig>, role: CertificateRoleId): void {
  const [name, namespace] = [asText(dig(config, 'service', 'name')), asText(dig(config, 'service', 'namespace'))];
  if (name !== undefined && namespace !== undefined) services.set(`${name}.${namespace}.svc`, role);
}

/** What the certificate in a key of a Secret is for. */
export function roleOfSecret(
  secret: KubeObject,
  key: string,
  found: readonly ReadX509[],
  { served, services }: SecretUses,
): CertificateRoleId {
  const { namespace = '', name } = secret.metadata;
  const [first] = found;
  const certificate = first?.ok === true ? first.value : undefined;
  const component = componentRole(namespace, name);
  if (component !== undefined) return component;
  if (AUTHORITY_KEYS.has(key)) return 'issuer-ca';
  const listed = served.get(`${namespace}/${name}`);
  if (listed !== undefined) return listed;
  const asked = certificate === undefined ? undefined : serviceRole(certificate, services);
  if (asked !== undefined) return asked;
  if (annotationsOf(secret)['service.beta.openshift.io/originating-service-name'] !== undefined) return 'service-serving';
  if (certificate?.isCa === true && !isForServer(secret, certificate)) return 'issuer-ca';
  return certificate === undefined ? 'tls-secret' : (roleOfSubject(certificate) ?? 'tls-secret');
}

/** `openssl req -x509` makes every certificate a CA, also that of a single server. cert-manager does only what it is told. */
function isForServer(secret: KubeObject, { selfIssued, dnsNames, ipAddresses }: X509): boolean {
  if (annotationsOf(secret)['cert-manager.io/certificate-name'] !== undefined) return false;
  return selfIssued && dnsNames.length + ipAddresses.length > 0;
}

const AUTHORITY_KEYS: ReadonlySet<string> = new Set(['ca.crt', 'ca-bundle.crt', 'service-ca.crt']);

function serviceRole({ dnsNames }: X509, services: SecretUses['services']): CertificateRoleId | undefined {
  return dnsNames.map((name) => services.get(name.replace(/\.cluster\.local$/, ''))).find((role) => role !== undefined);
}

/** Components are told by the name they have for the API server. Source: pkg/apis/… user names, kubeadm's certlist.go. */
export function roleOfSubject({ subject }: X509): CertificateRoleId | undefined {
  return roleOfCommonName(subject.commonName ?? '');
}

export function roleOfCommonName(name: string): CertificateRoleId | undefined {
  if (name.startsWith('system:node:')) return 'kubelet-client';
  return COMPONENTS.get(name);
}

const COMPONENTS: ReadonlyMap<string, CertificateRoleId> = new Map<string, CertificateRoleId>([
  ['system:kube-controller-manager', 'controller-manager-client'],
  ['system:kube-scheduler', 'scheduler-client'],
  ['system:kube-proxy', 'kube-proxy-client'],
  ['kube-apiserver-kubelet-client', 'apiserver-kubelet-client'],
  ['kube-apiserver-etcd-client', 'etcd-client'],
  ['kube-etcd-healthcheck-client', 'etcd-healthcheck-client'],
  ['front-proxy-client', 'front-proxy-client'],
  ['kube-apiserver', 'apiserver-serving'],
  ['kubernetes-admin', 'admin-client'],
  ['kubernetes-super-admin', 'super-admin-client'],
]);

function componentRole(namespace: string, name: string): CertificateRoleId | undefined {
  if (!namespace.startsWith('openshift-')) return undefined;
  return OPENSHIFT.find(([place, pattern]) => place.test(namespace) && pattern.test(name))?.[2];
}

/** Source: cluster-kube-apiserver-operator's certrotationcontroller.go, cluster-etcd-operator, machine-config-operator. */
const OPENSHIFT: readonly (readonly [RegExp, RegExp, CertificateRoleId])[] = [
  [/^openshift-machine-config-operator$/, /^machine-config-server-tls$/, 'machine-config-serving'],
  [/^openshift-kube-apiserver(?:-operator)?$/, /-signer$/, 'issuer-ca'],
  [
    /^openshift-kube-apiserver$/,
    /^(?:external-loadbalancer|internal-loadbalancer|localhost|service-network|localhost-recovery)-serving-(?:cert-)?certkey/,
    'apiserver-serving',
  ],
  [/^openshift-kube-apiserver$/, /^kubelet-client/, 'apiserver-kubelet-client'],
  [/^openshift-kube-apiserver$/, /^aggregator-client/, 'front-proxy-client'],
  [/^openshift-(?:kube-apiserver|etcd)/, /^etcd-client/, 'etcd-client'],
  [/^openshift-etcd$/, /^etcd-peer-/, 'etcd-peer'],
  [/^openshift-etcd$/, /^etcd-serving-/, 'etcd-server'],
  [/^openshift-kube-controller-manager$/, /^kube-controller-manager-client-cert-key/, 'controller-manager-client'],
  [/^openshift-kube-scheduler$/, /^kube-scheduler-client-cert-key/, 'scheduler-client'],
];
