import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';

/** Something a document names and cannot do without. */
export interface Need {
  readonly ref: ObjectRef;
  /** The key of a ConfigMap or Secret. */
  readonly key: string | undefined;
}

/**
 * What the pods of a document name: pods themselves, whatever makes pods, and claims for storage and devices. Optional references are no
 * needs.
 */
export function needsOf(document: KubeObject, namespace: string): readonly Need[] {
  const spec = podSpecOf(document);
  const classes = claimSpecsOf(document).flatMap((claim) => clusterNeed('StorageClass', dig(claim, 'storageClassName')));
  const devices =
    document.kind === 'ResourceClaim'
      ? document['spec']
      : document.kind === 'ResourceClaimTemplate'
        ? dig(document, 'spec', 'spec')
        : undefined;
  if (devices !== undefined) return deviceNeeds(devices);
  return spec === undefined ? classes : [...classes, ...podNeeds(spec, namespace)];
}

/** The specs of claims that a document is or brings: of a StatefulSet, of ephemeral volumes. */
export function claimSpecsOf(document: JsonObject): readonly Json[] {
  const claim = document['kind'] === 'PersistentVolumeClaim' ? [document['spec']] : [];
  const templates = asList(dig(document, 'spec', 'volumeClaimTemplates')).map((template) => dig(template, 'spec'));
  const ephemeral = asList(podSpecOf(document)?.['volumes']).map((volume) => dig(volume, 'ephemeral', 'volumeClaimTemplate', 'spec'));
  return [...claim, ...templates, ...ephemeral].filter((spec) => spec !== undefined);
}

/** Whether its volume may come from a StorageClass: a claim of one volume, or of those with labels, waits for these. */
export function isProvisioned(claim: Json): boolean {
  return dig(claim, 'volumeName') === undefined && dig(claim, 'selector') === undefined;
}

function podSpecOf(document: JsonObject): JsonObject | undefined {
  const spec =
    document['kind'] === 'Pod'
      ? document['spec']
      : document['kind'] === 'CronJob'
        ? dig(document, 'spec', 'jobTemplate', 'spec', 'template', 'spec')
        : dig(document, 'spec', 'template', 'spec');
  return isJsonObject(spec) && Array.isArray(spec['containers']) ? spec : undefined;
}

function podNeeds(spec: JsonObject, namespace: string): readonly Need[] {
  const account = asText(spec['serviceAccountName']) ?? 'default';
  return [
    ...asList(spec['volumes']).flatMap((volume) => volumeNeeds(volume, namespace)),
    ...['initContainers', 'containers']
      .flatMap((field) => asList(spec[field]))
      .flatMap((container) => environmentNeeds(container, namespace)),
    ...asList(spec['imagePullSecrets']).flatMap((secret) => need('Secret', namespace, dig(secret, 'name'))),
    ...(account === 'default' ? [] : need('ServiceAccount', namespace, account)),
    ...clusterNeed('PriorityClass', spec['priorityClassName']),
    ...clusterNeed('RuntimeClass', spec['runtimeClassName']),
    ...asList(spec['resourceClaims']).flatMap((claim) => [
      ...need('ResourceClaim', namespace, dig(claim, 'resourceClaimName')),
      ...need('ResourceClaimTemplate', namespace, dig(claim, 'resourceClaimTemplateName')),
    ]),
  ];
}

function deviceNeeds(spec: Json): readonly Need[] {
  return asList(dig(spec, 'devices', 'requests'))
    .flatMap((request) => [dig(request, 'exactly') ?? null, ...asList(dig(request, 'firstAvailable'))])
    .flatMap((one) => clusterNeed('DeviceClass', dig(one, 'deviceClassName')));
}

function volumeNeeds(volume: Json, namespace: string): readonly Need[] {
  const sources = [volume, ...asList(dig(volume, 'projected', 'sources'))];
  return [
    ...sources.flatMap((source) => keyedNeeds('ConfigMap', namespace, dig(source, 'configMap'), dig(source, 'configMap', 'name'))),
    ...sources.flatMap((source) =>
      keyedNeeds('Secret', namespace, dig(source, 'secret'), dig(source, 'secret', 'secretName') ?? dig(source, 'secret', 'name')),
    ),
    ...need('PersistentVolumeClaim', namespace, dig(volume, 'persistentVolumeClaim', 'claimName')),
  ];
}

function keyedNeeds(kind: string, namespace: string, source: Json | undefined, name: Json | undefined): readonly Need[] {
  if (source === undefined || asObject(source)['optional'] === true) return [];
  const items = asList(asObject(source)['items']);
  return items.length === 0 ? need(kind, namespace, name) : items.flatMap((item) => need(kind, namespace, name, dig(item, 'key')));
}

function environmentNeeds(container: Json, namespace: string): readonly Need[] {
  const one = (kind: string, source: Json | undefined): readonly Need[] =>
    source === undefined || dig(source, 'optional') === true ? [] : need(kind, namespace, dig(source, 'name'), dig(source, 'key'));
  return [
    ...asList(dig(container, 'env')).flatMap((entry) => [
      ...one('ConfigMap', dig(entry, 'valueFrom', 'configMapKeyRef')),
      ...one('Secret', dig(entry, 'valueFrom', 'secretKeyRef')),
    ]),
    ...asList(dig(container, 'envFrom')).flatMap((entry) => [
      ...one('ConfigMap', dig(entry, 'configMapRef')),
      ...one('Secret', dig(entry, 'secretRef')),
    ]),
  ];
}

function need(kind: string, namespace: string, name: Json | undefined, key?: Json): readonly Need[] {
  const given = asText(name) ?? '';
  return given === '' || MADE_BY_THE_CLUSTER.has(given) ? [] : [{ ref: { kind, namespace, name: given }, key: asText(key) }];
}

function clusterNeed(kind: string, name: Json | undefined): readonly Need[] {
  const given = asText(name) ?? '';
  return given === '' || BUILT_IN.has(given) ? [] : [{ ref: { kind, name: given }, key: undefined }];
}

/** What controllers put into every namespace. */
const MADE_BY_THE_CLUSTER: ReadonlySet<string> = new Set(['kube-root-ca.crt']);

/** Priority classes every cluster has. */
const BUILT_IN: ReadonlySet<string> = new Set(['system-node-critical', 'system-cluster-critical']);
