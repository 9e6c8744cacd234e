import type { JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { timeOf } from '../../time/api-times.ts';
import { mutate, validate } from '../admission/chain.ts';
import { conflict, notFound } from '../failures.ts';
import { asItems } from '../lists.ts';
import { present } from '../present.ts';
import type { Answer, DeleteOptions, Failure } from '../request.ts';
import type { Call } from '../server-state.ts';
import { asEmptied, asJustDeleted, DEFINITIONS } from './definition-answers.ts';
import { list } from './read.ts';
import { clusterViewOf } from './cluster-view.ts';

/**
 * DELETE: pods get their time to end, whatever has finalizers waits for them, everything else is gone at once. Dependents are
 * the garbage collector's, or left alone (Orphan), or waited for (Foreground), which finalizers say.
 * Source: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go (Delete), pkg/registry/rest/delete.go.
 */
export function remove(call: Call): Answer {
  const { state, request, resource } = call;
  const name = request.name ?? '';
  warnOfJobs(call);
  const object = state.store.get(resource.key, request.namespace, name);
  if (object === undefined) return notFound({ group: resource.group, resource: resource.plural }, name);
  return removeObject(call, object, request.delete ?? {});
}

/** DELETE of a collection: each object that fits, one by one; the first failure ends it. */
export function removeCollection(call: Call): Answer {
  warnOfJobs(call);
  const found = list(call);
  if (!found.ok) return found;
  for (const { metadata } of asItems(found.object)) {
    const stored = call.state.store.get(call.resource.key, metadata.namespace, metadata.name);
    if (stored === undefined) continue;
    const answer = removeObject(
      {
        ...call,
        request: { ...call.request, ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }), name: metadata.name },
      },
      stored,
      call.request.delete ?? {},
    );
    if (!answer.ok) return answer;
  }
  return found;
}

export function removeObject(call: Call, object: KubeObject, options: DeleteOptions): Answer {
  const { request, resource, user } = call;
  const refused = checkPreconditions(call, object, options);
  if (refused !== undefined) return refused;
  const admission = {
    operation: 'DELETE' as const,
    resource,
    subresource: undefined,
    namespace: request.namespace,
    name: object.metadata.name,
    object,
    old: object,
    user,
    dryRun: request.dryRun === true,
  };
  const around = clusterViewOf(call);
  const denied = mutate(admission, around) ?? validate(admission, around);
  if (denied !== undefined) return denied;
  if (resource.key === DEFINITIONS && object.metadata['deletionTimestamp'] === undefined) return removeDefinition(call, object);
  return removeAdmitted(call, object, options);
}

function removeAdmitted(call: Call, object: KubeObject, options: DeleteOptions): Answer {
  const { state, request, resource } = call;
  const grace = graceOf(object, options);
  const marked = markDeleted(call, object, grace, options);
  const waits =
    grace > 0 ||
    asList(marked.metadata['finalizers']).length > 0 ||
    (object.kind === 'Namespace' && asList(dig(object, 'spec', 'finalizers')).length > 0);
  // What gets time to end is marked before it goes, even when it has none.
  const told = waits || object.kind === 'Pod' ? marked : object;
  if (request.dryRun === true) return deleted(call, told, waits);
  if (!waits) {
    state.store.delete(resource.key, request.namespace, object.metadata.name);
    return deleted(call, told, false);
  }
  return deleted(call, marked === object ? object : state.store.update(resource.key, marked), true);
}

/** The first time its objects are deleted, whatever else is asked for; then it waits for whoever else wants to see it first. */
function removeDefinition({ state, request, resource, warnings }: Call, object: KubeObject): Answer {
  const now = timeOf(state.now());
  if (request.dryRun !== true) {
    if (asList(object.metadata['finalizers']).length === 0) state.store.delete(resource.key, undefined, object.metadata.name);
    else state.store.update(resource.key, asEmptied(object, now));
  }
  return { ok: true, code: 200, object: present(state, resource, asJustDeleted(object, now)), warnings };
}

/** Before it is known whether there is one. Source: pkg/registry/batch/job/storage/storage.go (Delete, DeleteCollection). */
function warnOfJobs({ resource, request, warnings }: Call): void {
  if (resource.key === 'jobs.batch' && request.delete?.propagationPolicy === undefined) warnings.push(JOB_WARNING);
}

const JOB_WARNING =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/**
 * Seconds a pod has left: what was asked for, or its own; none if it never ran. Source: pkg/registry/core/pod/strategy.go
 * (CheckGracefulDelete).
 */
function graceOf(object: KubeObject, options: DeleteOptions): number {
  if (object.kind !== 'Pod') return 0;
  const wanted = options.gracePeriodSeconds ?? asNumber(dig(object, 'spec', 'terminationGracePeriodSeconds')) ?? 30;
  const phase = asText(dig(object, 'status', 'phase'));
  const bound = (asText(dig(object, 'spec', 'nodeName')) ?? '') !== '';
  return !bound || phase === 'Failed' || phase === 'Succeeded' ? 0 : wanted;
}

function markDeleted(call: Call, object: KubeObject, grace: number, options: DeleteOptions): KubeObject {
  const { metadata } = object;
  const finalizers = withPropagation(call.resource.key, asList(metadata['finalizers']).map(String), options);
  const already = metadata['deletionTimestamp'] !== undefined;
  const remaining = asNumber(metadata['deletionGracePeriodSeconds']) ?? 0;
  if (already && grace >= remaining) return withFields(object, { metadata: withFinalizers(metadata, finalizers) });
  const generation = asNumber(metadata['generation']);
  const deletion = {
    deletionTimestamp: timeOf(call.state.now() + grace * 1000),
    deletionGracePeriodSeconds: grace,
    ...(generation === undefined || already ? {} : { generation: generation + 1 }),
  };
  const marked = withFields(object, { metadata: withFields(withFinalizers(metadata, finalizers), deletion) });
  if (object.kind !== 'Namespace') return marked;
  return withFields(marked, {
    metadata: withFields(marked.metadata, { deletionGracePeriodSeconds: undefined }),
    status: { ...(marked['status'] as JsonObject | undefined), phase: 'Terminating' },
  });
}

function withFinalizers(metadata: KubeObject['metadata'], finalizers: readonly string[]): KubeObject['metadata'] {
  const same = finalizers.length === asList(metadata['finalizers']).length;
  return same ? metadata : withFields(metadata, { finalizers: finalizers.length === 0 ? undefined : finalizers });
}

/** Kinds whose dependents stay when nothing is said. Source: the strategies' DefaultGarbageCollectionPolicy. */
const ORPHANING: ReadonlySet<string> = new Set(['replicationcontrollers', 'jobs.batch']);

function withPropagation(
  key: string,
  finalizers: readonly string[],
  { propagationPolicy = ORPHANING.has(key) ? 'Orphan' : undefined }: DeleteOptions,
): readonly string[] {
  if (propagationPolicy === undefined) return finalizers;
  const others = finalizers.filter((finalizer) => finalizer !== 'foregroundDeletion' && finalizer !== 'orphan');
  if (propagationPolicy === 'Foreground') return [...others, 'foregroundDeletion'];
  return propagationPolicy === 'Orphan' ? [...others, 'orphan'] : others;
}

/** Source: staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go (BeforeDelete). */
export function checkPreconditions({ resource }: Call, { metadata }: KubeObject, { preconditions }: DeleteOptions): Failure | undefined {
  if (preconditions === undefined) return undefined;
  const isOwn = resource.key === 'namespaces' || resource.key === DEFINITIONS;
  const of = { group: resource.group, resource: isOwn ? resource.plural : resource.kind };
  const { uid, resourceVersion } = preconditions;
  const differs = (what: string, wanted: string, found: string, end: string): Failure =>
    conflict(
      of,
      metadata.name,
      isOwn
        ? `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`
        : `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). The object might have been ${end}`,
    );
  if (uid !== undefined && uid !== metadata.uid) return differs('UID', uid, metadata.uid ?? '', 'deleted and then recreated');
  const version = asText(metadata['resourceVersion']) ?? '';
  return resourceVersion === undefined || resourceVersion === version
    ? undefined
    : differs('ResourceVersion', resourceVersion, version, 'modified');
}

/** What is gone is answered with a Status, but for pods and what still waits. */
function deleted(call: Call, object: KubeObject, waits: boolean): Answer {
  const { state, resource, warnings } = call;
  if (waits || WHOLE.has(resource.key)) return { ok: true, code: 200, object: present(state, resource, object), warnings };
  const { name, uid } = object.metadata;
  const details = { name, ...(resource.group === '' ? {} : { group: resource.group }), kind: resource.plural, uid: uid ?? '' };
  return {
    ok: true,
    code: 200,
    object: { kind: 'Status', apiVersion: 'v1', metadata: {} as KubeObject['metadata'], status: 'Success', details },
    warnings,
  };
}

/** Kinds whose deletion answers the object itself (ReturnDeletedObject). */
const WHOLE: ReadonlySet<string> = new Set([
  'pods',
  'services',
  'persistentvolumes',
  'persistentvolumeclaims',
  'serviceaccounts',
  'resourcequotas',
  'podtemplates',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'storageclasses.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'deviceclasses.resource.k8s.io',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
  'resourceslices.resource.k8s.io',
]);
