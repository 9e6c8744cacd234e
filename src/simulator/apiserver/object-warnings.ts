import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asObject, asText, asTextMap, dig } from '../../base/json.ts';
import { decodeBase64 } from '../../base/base64.ts';
import { parseIpAddress } from '../../base/ip-address.ts';
import { append } from '../../base/lists.ts';
import { bigintOf, parseInteger } from '../../base/number.ts';
import { own } from '../../base/own-property.ts';
import { sameJson } from '../../base/json-edit.ts';
import { unknownFormats } from './custom/unknown-formats.ts';
import { checkLabelValue } from './validation/names.ts';

/** What the API server warns of in the kinds that have no pods. */
export const OBJECT_WARNINGS: Readonly<Record<string, (object: JsonObject, isNew: boolean, old?: JsonObject) => readonly string[]>> = {
  services: serviceWarnings,
  persistentvolumes: volumeWarnings,
  'storageclasses.storage.k8s.io': (object) =>
    asList(object['allowedTopologies']).flatMap((term, index) =>
      asList(dig(term, 'matchLabelExpressions')).flatMap((expression, place) =>
        deprecatedLabel(dig(expression, 'key')).map((words) => `allowedTopologies[${index}].matchLabelExpressions[${place}]: ${words}`),
      ),
    ),
  'runtimeclasses.node.k8s.io': (object) =>
    Object.keys(asObject(dig(object, 'scheduling', 'nodeSelector'))).flatMap((key) =>
      deprecatedLabel(key).map((words) => `scheduling.nodeSelector: ${words}`),
    ),
  'ingresses.networking.k8s.io': (object, isNew) =>
    isNew && annotated(object, 'kubernetes.io/ingress.class') && dig(object, 'spec', 'ingressClassName') === undefined
      ? ['annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead']
      : [],
  'networkpolicies.networking.k8s.io': policyWarnings,
  secrets: keyPairWarnings,
  serviceaccounts: (object) =>
    annotated(object, 'kubernetes.io/enforce-mountable-secrets')
      ? [
          'metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets',
        ]
      : [],
  'csidrivers.storage.k8s.io': (object, _, old) =>
    asList(dig(object, 'spec', 'tokenRequests')).length > 0 &&
    !sameJson(dig(object, 'spec', 'tokenRequests'), dig(old, 'spec', 'tokenRequests')) &&
    dig(object, 'spec', 'serviceAccountTokenInSecrets') === undefined
      ? [
          'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
        ]
      : [],
  'customresourcedefinitions.apiextensions.k8s.io': (object, _, old) =>
    unknownFormats(object, old).map((format) => `unrecognized format ${JSON.stringify(format)}`),
  'endpointslices.discovery.k8s.io': (object, isNew) =>
    isNew && object['addressType'] === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : [],
  nodes: (object) => asList(dig(object, 'spec', 'podCIDRs')).flatMap((cidr, index) => networkWarnings(cidr, `spec.podCIDRs[${index}]`)),
};

/** Source: pkg/registry/core/secret/strategy.go (warningsForSecret), crypto/tls (X509KeyPair), as far as its blocks are there. */
function keyPairWarnings(secret: JsonObject): readonly string[] {
  if (secret['type'] !== 'kubernetes.io/tls') return [];
  const missing = (
    [
      ['tls.crt', 'certificate'],
      ['tls.key', 'key'],
    ] as const
  ).find(([key]) => !decodeBase64(asText(dig(secret, 'data', key)) ?? '').includes('-----BEGIN '));
  return missing === undefined ? [] : [`tls: failed to find any PEM data in ${missing[1]} input`];
}

function annotated(object: JsonObject, key: string): boolean {
  return asTextMap(dig(object, 'metadata', 'annotations'))[key] !== undefined;
}

/** Source: pkg/api/service/warnings.go (GetWarningsForService). */
function serviceWarnings(object: JsonObject): readonly string[] {
  const spec = asObject(object['spec']);
  const warnings: string[] = [];
  const [isHeadless, external] = [spec['type'] === 'ClusterIP' && spec['clusterIP'] === 'None', asList(spec['externalIPs'])];
  const isNamed = spec['type'] === 'ExternalName';
  if (annotated(object, 'service.kubernetes.io/topology-aware-hints'))
    warnings.push(
      'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
    );
  if (isHeadless) append(warnings, headlessWarnings(spec));
  if (external.length > 0 && !isHeadless && !isNamed)
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  for (const [index, range] of asList(spec['loadBalancerSourceRanges']).entries())
    append(warnings, networkWarnings(range, `spec.loadBalancerSourceRanges[${index}]`));
  if (isNamed && external.length > 0) warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (!isNamed && (asText(spec['externalName']) ?? '') !== '')
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (spec['trafficDistribution'] === 'PreferClose')
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return warnings;
}

function headlessWarnings(spec: JsonObject): readonly string[] {
  const warnings: string[] = [];
  if ((asText(spec['loadBalancerIP']) ?? '') !== '') warnings.push('spec.loadBalancerIP is ignored for headless services');
  if (asList(spec['externalIPs']).length > 0) warnings.push('spec.externalIPs is ignored for headless services');
  if ((asText(spec['sessionAffinity']) ?? 'None') !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services');
  return warnings;
}

/**
 * A network whose address has more bits than it counts. Source: staging/src/k8s.io/apimachinery/pkg/util/validation/ip.go
 * (GetWarningsForCIDR).
 */
function networkWarnings(network: Json | undefined, path: string): readonly string[] {
  const [address = '', length = ''] = (asText(network) ?? '').split('/');
  const parsed = parseIpAddress(address);
  const bits = parseInteger(length) ?? 32;
  if (parsed?.family !== 4 || bits < 0 || bits > 32) return [];
  const rest = bigintOf(32 - bits);
  const first = (parsed.value >> rest) << rest;
  if (first === parsed.value) return [];
  const dotted = [24n, 16n, 8n, 0n].map((shift) => (first >> shift) & 255n).join('.');
  return [
    `${path}: CIDR value ${JSON.stringify(network)} is ambiguous in this context (should be "${dotted}/${bits}" or "${address}/32"?)`,
  ];
}

/** Source: pkg/registry/networking/networkpolicy/strategy.go (networkPolicyWarnings). */
function policyWarnings(object: JsonObject): readonly string[] {
  const blocks = [
    ['ingress', 'from'],
    ['egress', 'to'],
  ].flatMap(([direction = '', side = '']) =>
    asList(dig(object, 'spec', direction)).flatMap((rule, index) =>
      asList(dig(rule, side)).map((peer, place) => ({
        block: dig(peer, 'ipBlock'),
        path: `spec.${direction}[${index}].${side}[${place}].ipBlock`,
      })),
    ),
  );
  return blocks.flatMap(({ block, path }) => [
    ...networkWarnings(dig(block, 'cidr'), `${path}.cidr`),
    ...asList(dig(block, 'except')).flatMap((except, index) => networkWarnings(except, `${path}.except[${index}]`)),
  ]);
}

/** Volumes of plugins that went. Source: pkg/api/persistentvolume/util.go, pkg/api/pod/warnings.go. */
export const GONE_VOLUMES: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

function volumeWarnings(object: JsonObject): readonly string[] {
  const spec = asObject(object['spec']);
  const warnings: string[] = [];
  if (annotated(object, 'volume.beta.kubernetes.io/storage-class'))
    warnings.push(
      'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
    );
  if (annotated(object, 'volume.beta.kubernetes.io/mount-options'))
    warnings.push(
      'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
    );
  if (spec['persistentVolumeReclaimPolicy'] === 'Recycle')
    warnings.push(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    );
  for (const [index, term] of asList(dig(spec, 'nodeAffinity', 'required', 'nodeSelectorTerms')).entries())
    append(warnings, nodeTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, false));
  for (const [source, words] of Object.entries(GONE_VOLUMES))
    if (spec[source] !== undefined) warnings.push(`spec.${source === 'storageos' ? 'storageOS' : source}: ${words}`);
  return warnings;
}

const DEPRECATED_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

/** What is said of a label of nodes that had its time. Source: pkg/api/node/util.go. */
export function deprecatedLabel(key: Json | undefined): readonly string[] {
  const words = own(DEPRECATED_LABELS, asText(key) ?? '');
  return words === undefined ? [] : [words];
}

/** Source: the same (GetWarningsForNodeSelectorTerm). Values that no label can have are warned of where they are not refused. */
export function nodeTermWarnings(term: Json | undefined, path: string, withValues: boolean): readonly string[] {
  return asList(dig(term, 'matchExpressions')).flatMap((expression, index) => [
    ...deprecatedLabel(dig(expression, 'key')).map(
      (words) => `${path}.matchExpressions[${index}].key: ${asText(dig(expression, 'key')) ?? ''} is ${words}`,
    ),
    ...(withValues
      ? asList(dig(expression, 'values')).flatMap((value, place) =>
          checkLabelValue(asText(value) ?? '').map(
            (words) => `${path}.matchExpressions[${index}].values[${place}]: ${asText(value) ?? ''} is invalid, ${words}`,
          ),
        )
      : []),
  ]);
}
