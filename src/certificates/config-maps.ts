import { bytesOfBase64 } from '../base/base64.ts';
import { latin1 } from '../base/x509/der.ts';
import { asText, asTextMap, dig } from '../base/json.ts';
import { parseKubeYaml } from '../base/yaml/kube-yaml.ts';
import type { CertificateRoleId } from '../model/certificate-roles.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { annotationsOf, labelsOf } from '../model/kube-object.ts';
import { kubeconfigParts } from './kubeconfig.ts';
import { certificateReader } from './read-once.ts';
import type { Sighting } from './seen-certificate.ts';
import { sightingsOf } from './seen-certificate.ts';

/** Certificates in ConfigMaps: authorities the cluster trusts, and bundles of public ones, which are no findings. */
export function configMapSightings(configMaps: readonly KubeObject[]): readonly Sighting[] {
  const trusted = commonTrust(configMaps);
  const read = certificateReader();
  return configMaps.flatMap((configMap) => {
    const { namespace = '', name } = configMap.metadata;
    return valuesOf(configMap).flatMap(([key, text]) => {
      const where = `ConfigMap/${namespace}/${name} ${key}`;
      const found = read(namespace === 'kube-public' && name === 'cluster-info' ? embeddedAuthority(text) : text);
      const role = roleOf(configMap, key, found.length);
      const mismatch =
        name === ROOT_CA && trusted !== undefined && text.trim() !== trusted
          ? 'it differs from the other namespaces: pods here may not trust the API server'
          : undefined;
      return sightingsOf(found, { tier: 'api', where, role, ...(mismatch === undefined ? {} : { mismatch }) }, { required: false });
    });
  });
}

const ROOT_CA = 'kube-root-ca.crt';
/** From this many on a bundle is one of public authorities: a cluster has a dozen of its own at most. */
const PUBLIC_BUNDLE = 30;

function valuesOf(configMap: KubeObject): readonly (readonly [string, string])[] {
  const binary = Object.entries(asTextMap(dig(configMap, 'binaryData'))).flatMap(([key, value]): readonly (readonly [string, string])[] => {
    const bytes = bytesOfBase64(value);
    return bytes === undefined ? [] : [[key, latin1(bytes)]];
  });
  return [...Object.entries(asTextMap(dig(configMap, 'data'))), ...binary];
}

/** Of the ConfigMaps that tell pods whom to trust, what most of them say. */
function commonTrust(configMaps: readonly KubeObject[]): string | undefined {
  const counts = new Map<string, number>();
  for (const configMap of configMaps) {
    const text = configMap.metadata.name === ROOT_CA ? asText(dig(configMap, 'data', 'ca.crt'))?.trim() : undefined;
    if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** Source: kubeadm's cluster-info (cmd/kubeadm/app/phases/bootstraptoken/clusterinfo): a kubeconfig without users. */
function embeddedAuthority(text: string): string {
  if (!text.includes('certificate-authority-data')) return text;
  const parts = kubeconfigParts(parseKubeYaml(text, 'cluster-info').documents[0]?.value, 'cluster-info');
  return (parts?.clusters ?? []).map(({ caData }) => latin1(bytesOfBase64(caData ?? '') ?? new Uint8Array())).join('\n');
}

function roleOf(configMap: KubeObject, key: string, members: number): CertificateRoleId {
  const { namespace = '', name } = configMap.metadata;
  const known = KNOWN.find((row) => (row.namespace ?? namespace) === namespace && row.name.test(name) && (row.key ?? key) === key);
  if (known !== undefined) return known.role;
  if (labelsOf(configMap)['config.openshift.io/inject-trusted-cabundle'] === 'true' || members >= PUBLIC_BUNDLE)
    return 'trust-bundle-member';
  if (Object.keys(annotationsOf(configMap)).some((annotation) => annotation.endsWith('openshift.io/inject-cabundle'))) return 'service-ca';
  return 'configmap-certificate';
}

interface Known {
  readonly namespace?: string;
  readonly name: RegExp;
  readonly key?: string;
  readonly role: CertificateRoleId;
}

/**
 * Source: kube-controller-manager's rootcacertpublisher, pkg/controlplane/controller/clusterauthenticationtrust, service-ca-operator,
 * image-registry-operator.
 */
const KNOWN: readonly Known[] = [
  { name: /^kube-root-ca\.crt$/, role: 'pod-trust-ca' },
  { name: /^openshift-service-ca\.crt$/, role: 'service-ca' },
  { namespace: 'kube-system', name: /^extension-apiserver-authentication$/, key: 'client-ca-file', role: 'client-ca' },
  { namespace: 'kube-system', name: /^extension-apiserver-authentication$/, key: 'requestheader-client-ca-file', role: 'front-proxy-ca' },
  { namespace: 'kube-public', name: /^cluster-info$/, role: 'cluster-ca' },
  { namespace: 'openshift-image-registry', name: /^image-registry-certificates$/, role: 'registry-ca' },
  { name: /^(?:kubelet-|csr-controller-|kube-apiserver-)?(?:client-ca|kubelet-client-ca)$/, role: 'client-ca' },
  { name: /^(?:aggregator-client-ca|front-proxy-ca)$/, role: 'front-proxy-ca' },
  { name: /^etcd-(?:peer-|metrics-proxy-|ca-|metric-|all-)*(?:client-ca|serving-ca|ca|ca-bundle|bundles)$/, role: 'etcd-ca' },
];
