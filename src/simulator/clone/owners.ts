import type { Instant } from '../../base/instant.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asObject, asText, dig } from '../../base/json.ts';
import { withFields, withPath } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, formatRef, labelsOf, refOf } from '../../model/kube-object.ts';
import { controllerReference } from '../controllers/ownership.ts';
import { revisionData } from '../controllers/revisions.ts';
import { timeOf } from '../time/api-times.ts';
import { uidOf } from './restorable.ts';

/**
 * The objects with every owner reference leading to an object that is among them, so that controllers know their own again and
 * nothing is collected as garbage. A ReplicaSet that was not read is made from its Deployment; other owners that are not there
 * are forgotten. Sets of pods get the revision their pods were made from.
 */
export function reunited(objects: readonly KubeObject[], now: Instant): readonly KubeObject[] {
  const replicaSets = missingReplicaSets(objects, now);
  const all = [...objects, ...replicaSets];
  const byRef = new Map(all.map((object) => [formatRef(refOf(object)), object]));
  const owned = all.map((object) => withKnownOwners(object, byRef));
  return withRevisions(owned, now);
}

function withKnownOwners(object: KubeObject, byRef: ReadonlyMap<string, KubeObject>): KubeObject {
  const references = asList(object.metadata['ownerReferences']);
  if (references.length === 0) return object;
  const { namespace } = object.metadata;
  const known = references.flatMap((reference): readonly Json[] => {
    const [kind, name] = [asText(dig(reference, 'kind')) ?? '', asText(dig(reference, 'name')) ?? ''];
    const owner =
      (namespace === undefined ? undefined : byRef.get(formatRef({ kind, namespace, name }))) ?? byRef.get(formatRef({ kind, name }));
    return owner === undefined ? [] : [{ apiVersion: owner.apiVersion, ...asObject(reference), uid: owner.metadata.uid ?? '' }];
  });
  return withFields(object, { metadata: withFields(object.metadata, { ownerReferences: known.length === 0 ? undefined : known }) });
}

function missingReplicaSets(objects: readonly KubeObject[], now: Instant): readonly KubeObject[] {
  const there = new Set(objects.filter(({ kind }) => kind === 'ReplicaSet').map((object) => formatRef(refOf(object))));
  const pods = new Map<string, KubeObject[]>();
  for (const pod of objects) {
    const owner =
      pod.kind === 'Pod' ? asList(pod.metadata['ownerReferences']).find((reference) => dig(reference, 'kind') === 'ReplicaSet') : undefined;
    const name = asText(dig(owner, 'name'));
    if (name === undefined) continue;
    const ref = formatRef({ kind: 'ReplicaSet', namespace: pod.metadata.namespace ?? '', name });
    if (!there.has(ref)) pods.set(ref, [...(pods.get(ref) ?? []), pod]);
  }
  return [...pods].flatMap(([ref, own]) => {
    const [, namespace = '', name = ''] = ref.split('/');
    const deployment = objects.find(
      (object) =>
        object.kind === 'Deployment' &&
        object.metadata.namespace === namespace &&
        name.startsWith(`${object.metadata.name}-`) &&
        !name.slice(object.metadata.name.length + 1).includes('-'),
    );
    return deployment === undefined ? [] : [replicaSetOf(deployment, name, own, now)];
  });
}

function replicaSetOf(deployment: KubeObject, name: string, pods: readonly KubeObject[], now: Instant): KubeObject {
  const hash = name.slice(deployment.metadata.name.length + 1);
  const template = withPath(asObject(dig(deployment, 'spec', 'template')), ['metadata', 'labels', 'pod-template-hash'], hash);
  const selector = withPath(asObject(dig(deployment, 'spec', 'selector')), ['matchLabels', 'pod-template-hash'], hash);
  const revision = annotationsOf(deployment)['deployment.kubernetes.io/revision'] ?? '1';
  const { namespace = '' } = deployment.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace,
      uid: uidOf(`ReplicaSet/${namespace}/${name}`),
      creationTimestamp: timeOf(now),
      generation: 1,
      labels: asObject(dig(template, 'metadata', 'labels')),
      annotations: { 'deployment.kubernetes.io/revision': revision, 'deployment.kubernetes.io/desired-replicas': String(pods.length) },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: { replicas: pods.length, selector, template },
    status: { replicas: 0 },
  };
}

/** The revision a StatefulSet's or DaemonSet's pods say they were made from holds the set's template, unless it says otherwise itself. */
function withRevisions(objects: readonly KubeObject[], now: Instant): readonly KubeObject[] {
  const made = new Map<string, KubeObject>();
  for (const set of objects) {
    const name =
      set.kind === 'StatefulSet'
        ? asText(dig(set, 'status', 'updateRevision'))
        : set.kind === 'DaemonSet'
          ? newestRevision(set, objects)
          : undefined;
    if (name === undefined) continue;
    const { namespace = '' } = set.metadata;
    const ref = formatRef({ kind: 'ControllerRevision', namespace, name });
    const known = objects.find((object) => formatRef(refOf(object)) === ref);
    made.set(ref, known === undefined ? revisionOf(set, name, now) : withFields(known, { data: revisionData(set) }));
  }
  return [...objects.filter((object) => !made.has(formatRef(refOf(object)))), ...made.values()];
}

function revisionOf(set: KubeObject, name: string, now: Instant): KubeObject {
  const { namespace = '' } = set.metadata;
  const labels: JsonObject = {
    ...asObject(dig(set, 'spec', 'template', 'metadata', 'labels')),
    'controller-revision-hash': set.kind === 'StatefulSet' ? name : name.slice(set.metadata.name.length + 1),
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name,
      namespace,
      uid: uidOf(`ControllerRevision/${namespace}/${name}`),
      creationTimestamp: timeOf(now),
      labels,
      ownerReferences: [controllerReference(set)],
    },
    data: revisionData(set),
    revision: 1,
  };
}

/** A DaemonSet's status does not name its revision; its pods made last do. */
function newestRevision(set: KubeObject, objects: readonly KubeObject[]): string | undefined {
  const pods = objects.filter(
    (object) =>
      object.kind === 'Pod' &&
      object.metadata.namespace === set.metadata.namespace &&
      asList(object.metadata['ownerReferences']).some((owner) => dig(owner, 'uid') === set.metadata.uid),
  );
  const generation = asText(dig(set, 'metadata', 'annotations', 'deprecated.daemonset.template.generation'));
  const current = pods.filter((pod) => labelsOf(pod)['pod-template-generation'] === generation);
  let newest = set;
  for (const pod of current.length > 0 ? current : pods) if (createdOf(pod) >= createdOf(newest)) newest = pod;
  const hash = labelsOf(newest)['controller-revision-hash'];
  return hash === undefined ? undefined : `${set.metadata.name}-${hash}`;
}

function createdOf(object: KubeObject): string {
  return asText(object.metadata['creationTimestamp']) ?? '';
}
