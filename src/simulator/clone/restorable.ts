import { digestOf } from '../../base/digest.ts';
import type { Instant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { annotationsOf, formatRef, labelsOf, refOf } from '../../model/kube-object.ts';
import { groupOf } from '../../model/resources.ts';
import { toStored } from '../apiserver/convert.ts';
import { applyDefaults } from '../apiserver/defaulting/defaults.ts';
import { qosClassOf } from '../apiserver/qos-class.ts';
import type { Resources, ServedResource } from '../apiserver/resources.ts';
import { apiVersionOf } from '../apiserver/resources.ts';
import { decode } from '../apiserver/schema/decode.ts';
import { validateCreate } from '../apiserver/validation/validate.ts';
import { timeOf } from '../time/api-times.ts';

/** `dropped`: the cluster makes it anew by itself. */
export type Restorable =
  | { readonly is: 'taken'; readonly object: KubeObject }
  | { readonly is: 'left-out'; readonly about: ObjectRef; readonly why: string }
  | { readonly is: 'dropped' };

/** An object in the form in which it can be put into another cluster's store, or why it cannot: nobody saw enough of it. */
export function restorable(object: KubeObject, resources: Resources, now: Instant): Restorable {
  if (isMadeAnew(object)) return { is: 'dropped' };
  const about = refOf(object);
  const resource = resources.ofKind(object.apiVersion, object.kind) ?? otherVersion(object, resources);
  if (resource === undefined)
    return { is: 'left-out', about, why: `the simulated cluster does not serve ${object.apiVersion} ${object.kind}` };
  const decoded = resource.model === undefined ? { ok: true as const, object: plain(object) } : decode(resource.model, plain(object));
  if (!decoded.ok) return { is: 'left-out', about, why: decoded.error };
  const stored = toStored(resource, withFields(decoded.object, { apiVersion: apiVersionOf(resource), kind: resource.kind }) as KubeObject);
  const whole = adapted(withIdentity(applyDefaults(resource.key, stored) as KubeObject, resource, now));
  const [error] = UNCHECKED.has(whole.kind) ? [] : validateCreate(resource, whole);
  if (error !== undefined) return { is: 'left-out', about, why: `not enough of it was seen: ${error.field} is missing or wrong` };
  return { is: 'taken', object: whole };
}

/** Kinds that say nothing that would be wrong later, and Secrets, whose values were taken out. */
const UNCHECKED: ReadonlySet<string> = new Set([
  'Secret',
  'ConfigMap',
  'CustomResourceDefinition',
  'APIService',
  'CertificateSigningRequest',
]);

/** Kinds that are only news of something, or that controllers and kubelets write of their own accord. */
const MADE_ANEW: ReadonlySet<string> = new Set([
  'Event',
  'Lease',
  'VolumeAttachment',
  'ComponentStatus',
  'PodMetrics',
  'NodeMetrics',
  'ClientAnswer',
  'AppliedManifest',
  'NodeService',
]);

/** ConfigMaps that hold the certificates of the cluster's own authorities. */
const OF_THE_AUTHORITY: ReadonlySet<string> = new Set(['kube-root-ca.crt', 'extension-apiserver-authentication', 'cluster-info']);

function isMadeAnew(object: KubeObject): boolean {
  if (MADE_ANEW.has(object.kind)) return true;
  if (object.kind === 'ConfigMap') return OF_THE_AUTHORITY.has(object.metadata.name);
  if (object.kind === 'EndpointSlice')
    return (
      labelsOf(object)['endpointslice.kubernetes.io/managed-by']?.startsWith('endpointslice') === true ||
      object.metadata.name === 'kubernetes'
    );
  return (
    object.kind === 'Endpoints' &&
    (annotationsOf(object)['endpoints.kubernetes.io/last-change-trigger-time'] !== undefined ||
      labelsOf(object)['endpoints.kubernetes.io/managed-by'] !== undefined ||
      object.metadata.name === 'kubernetes')
  );
}

/** A version that is no longer served of a group that is. */
function otherVersion(object: KubeObject, resources: Resources): ServedResource | undefined {
  const named = resources.named(object.kind);
  return named !== undefined && named.group === groupOf(object.apiVersion) ? named : undefined;
}

function plain(object: KubeObject): JsonObject {
  return Object.fromEntries(Object.entries(object));
}

function withIdentity(object: KubeObject, resource: ServedResource, now: Instant): KubeObject {
  const { metadata } = object;
  const place = resource.namespaced ? { namespace: asText(metadata.namespace) ?? 'default' } : { namespace: undefined };
  const uid = asText(metadata.uid) ?? uidOf(formatRef(refOf(object)));
  return withFields(object, {
    metadata: withFields(metadata, {
      ...place,
      uid,
      creationTimestamp: asText(metadata['creationTimestamp']) ?? timeOf(now),
      resourceVersion: undefined,
      managedFields: undefined,
      selfLink: undefined,
    }),
  });
}

/** A uid for what was seen without one: the same name gets the same. */
export function uidOf(name: string): string {
  const digits = digestOf(name);
  return [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `a${digits.slice(17, 20)}`, digits.slice(20, 32)].join('-');
}

function adapted(object: KubeObject): KubeObject {
  if (object.kind === 'Pod') return adaptedPod(object);
  if (object.kind === 'Namespace' && object.metadata['deletionTimestamp'] === undefined)
    return withFields(object, { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } });
  return object;
}

/**
 * A pod that is over stays as it is. Of one that is not its node's kubelet tells the status again, and all that is kept is what
 * others said of it. A static pod becomes an ordinary one, which takes the same room on the same node.
 */
function adaptedPod(pod: KubeObject): KubeObject {
  const { metadata } = pod;
  const annotations = Object.fromEntries(Object.entries(annotationsOf(pod)).filter(([name]) => !name.startsWith('kubernetes.io/config.')));
  const owners = asList(metadata['ownerReferences']).filter((owner) => dig(owner, 'kind') !== 'Node');
  const bare = withFields(pod, {
    metadata: withFields(metadata, {
      annotations: Object.keys(annotations).length === 0 ? undefined : annotations,
      ownerReferences: owners.length === 0 ? undefined : owners,
    }),
  });
  const status = asObject(pod['status']);
  if (['Succeeded', 'Failed'].includes(asText(status['phase']) ?? '')) return bare;
  const bound = asText(dig(pod, 'spec', 'nodeName')) !== undefined;
  const conditions = asList(status['conditions'])
    .filter(isJsonObject)
    .filter(({ type }) => !OF_THE_KUBELET.has(asText(type) ?? '') && (bound || type !== 'PodScheduled'));
  return withFields(bare, {
    status: withFields(
      { phase: 'Pending', qosClass: asText(status['qosClass']) ?? qosClassOf(pod) },
      { conditions: conditions.length === 0 ? undefined : conditions, nominatedNodeName: status['nominatedNodeName'] },
    ),
  });
}

const OF_THE_KUBELET: ReadonlySet<string> = new Set([
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodReadyToStartContainers',
  'PodResizePending',
  'PodResizeInProgress',
]);
