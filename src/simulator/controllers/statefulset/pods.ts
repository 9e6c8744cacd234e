import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, asTextMap, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import { parseInteger } from '../../../base/number.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import type { NewObject } from '../../components/client.ts';
import { podOfTemplate } from '../pod-control.ts';

/** Pods with names, and the claims that go with them. Source: pkg/controller/statefulset/stateful_set_utils.go. */
export const REVISION_LABEL = 'controller-revision-hash';
const POD_NAME_LABEL = 'statefulset.kubernetes.io/pod-name';
const POD_INDEX_LABEL = 'apps.kubernetes.io/pod-index';

/** The number at the end of a pod's name, when it is one of this set's. */
export function ordinalOf(set: KubeObject, pod: KubeObject): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const { name } = pod.metadata;
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d+$/.test(rest) ? parseInteger(rest) : undefined;
}

export function podName(set: KubeObject, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}

export function revisionOfPod(pod: KubeObject): string {
  return labelsOf(pod)[REVISION_LABEL] ?? '';
}

/** The pod of an ordinal by a revision's template. */
export function newPod(set: KubeObject, revision: KubeObject, ordinal: number): NewObject {
  const name = podName(set, ordinal);
  const template = asObject(dig(revision, 'data', 'spec', 'template'));
  const pod = podOfTemplate(set, template, { generateName: undefined, name });
  const labels = {
    ...asTextMap(pod.metadata['labels']),
    [POD_NAME_LABEL]: name,
    [POD_INDEX_LABEL]: String(ordinal),
    [REVISION_LABEL]: revision.metadata.name,
  };
  const spec = asObject(pod['spec']);
  const claims = claimTemplates(set);
  const own = claims.map((claim): JsonObject => ({
    name: templateName(claim),
    persistentVolumeClaim: { claimName: claimName(set, claim, ordinal) },
  }));
  const others = asList(spec['volumes']).filter((volume) => !claims.some((claim) => templateName(claim) === dig(volume, 'name')));
  const volumes = [...own, ...others];
  const subdomain = asText(dig(set, 'spec', 'serviceName')) ?? '';
  const identity = { hostname: name, ...(subdomain === '' ? {} : { subdomain }), ...(volumes.length === 0 ? {} : { volumes }) };
  return { ...pod, metadata: { ...pod.metadata, labels }, spec: withFields(spec, identity) };
}

/** The claims of an ordinal, as they are made when they are missing. */
export function newClaims(set: KubeObject, ordinal: number): readonly NewObject[] {
  return claimTemplates(set).map((claim) => {
    const { creationTimestamp: _, ...metadata } = asObject(dig(claim, 'metadata'));
    const labels = { ...asTextMap(metadata['labels']), ...asTextMap(dig(set, 'spec', 'selector', 'matchLabels')) };
    const own = { name: claimName(set, claim, ordinal), namespace: set.metadata.namespace ?? '', labels };
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { ...metadata, ...own },
      spec: dig(claim, 'spec') ?? {},
    };
  });
}

function claimTemplates(set: KubeObject): readonly Json[] {
  return asList(dig(set, 'spec', 'volumeClaimTemplates'));
}

function templateName(claim: Json): string {
  return asText(dig(claim, 'metadata', 'name')) ?? '';
}

function claimName(set: KubeObject, claim: Json, ordinal: number): string {
  return `${templateName(claim)}-${podName(set, ordinal)}`;
}
