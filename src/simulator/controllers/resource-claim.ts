import type { Json, JsonObject } from '../../base/json.ts';
import { retryUnlessGone } from '../components/work-queue.ts';
import { asList, asObject, asText, dig } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, controllerOf, refOf } from '../../model/kube-object.ts';
import type { Answer } from '../apiserver/request.ts';
import type { ComponentDefinition, ComponentHost } from '../components/component.ts';
import type { PodDeviceClaim } from '../devices/device-claims.ts';
import { claimTrouble, DEVICE_FINALIZER, deviceClaimsOf, isAllocated, isReservedFor, withoutProtection } from '../devices/device-claims.ts';
import type { Informer, ObjectEvent } from '../components/informer.ts';
import type { Routine } from '../time/routine.ts';
import { keyOf } from '../store/store.ts';
import type { SyncResult } from '../components/work-queue.ts';
import { controllerReference, isDeleted, splitKey } from './ownership.ts';
import { isFinished } from './pod-state.ts';

/**
 * Makes the ResourceClaims that pods have templates for, and takes them from pods that have ended.
 * Source: pkg/controller/resourceclaim/controller.go.
 */
export const RESOURCE_CLAIM_CONTROLLER: ComponentDefinition = {
  name: 'resource-claim-controller',
  process: 'kube-controller-manager',
  eventSource: 'resource_claim',
  start,
};

interface Parts {
  readonly host: ComponentHost;
  readonly pods: Informer;
  readonly claims: Informer;
  readonly templates: Informer;
}

function start(host: ComponentHost): void {
  const parts: Parts = {
    host,
    pods: host.informer({ kind: 'Pod' }).addIndex('device claim', deviceClaimKeys),
    claims: host.informer({ kind: 'ResourceClaim' }).addIndex('pod', (claim) => [owningPod(claim)?.uid ?? '']),
    templates: host.informer({ kind: 'ResourceClaimTemplate' }),
  };
  const queue = host.queue({ name: 'resource_claim', workers: 10 }, (key) =>
    key.startsWith(POD) ? syncPod(parts, key.slice(POD.length)) : syncClaim(parts, key.slice(CLAIM.length)),
  );
  const look = ({ type, object, key }: ObjectEvent): void => {
    if (dig(object, 'spec', 'resourceClaims') === undefined) return;
    if (type === 'DELETED' || isOver(object)) for (const claim of deviceClaimKeys(object)) queue.add(CLAIM + claim);
    if (type !== 'DELETED' && needsWork(object, parts)) queue.add(POD + key);
  };
  parts.pods.onChange(look);
  parts.claims.onChange(({ type, key }) => {
    if (type !== 'DELETED') queue.add(CLAIM + key);
    for (const pod of parts.pods.by('device claim', key))
      look({ type: 'MODIFIED', object: pod, previous: pod, key: keyOf(pod.metadata.namespace, pod.metadata.name) });
  });
}

const POD = 'pod:';
const CLAIM = 'claim:';
const ENTRY = 'resource.kubernetes.io/pod-claim-name';

function deviceClaimKeys(pod: KubeObject): readonly string[] {
  if (dig(pod, 'spec', 'resourceClaims') === undefined) return NONE;
  return deviceClaimsOf(pod).flatMap(({ name }) => (name === undefined ? [] : [keyOf(pod.metadata.namespace, name)]));
}

const NONE: readonly string[] = [];

/** No container of it runs or ever will. */
function isOver(pod: KubeObject): boolean {
  return isFinished(pod) || (isDeleted(pod) && dig(pod, 'spec', 'nodeName') === undefined);
}

function owningPod(claim: KubeObject): { readonly name: string; readonly uid?: string | undefined } | undefined {
  const owner = controllerOf(claim);
  return owner?.kind === 'Pod' ? owner : undefined;
}

/** Whether a claim has to be made for it, or one to be kept that is allocated already (podNeedsWork). */
function needsWork(pod: KubeObject, { claims }: Parts): boolean {
  if (isDeleted(pod)) return false;
  for (const use of deviceClaimsOf(pod)) {
    if (use.name === undefined) return true;
    const claim = claims.get(pod.metadata.namespace, use.name);
    if (claim === undefined) return use.template !== undefined;
    if (claimTrouble(pod, use, claim) !== undefined) return false;
    if (dig(pod, 'spec', 'nodeName') !== undefined && isAllocated(claim) && !isReservedFor(claim, pod.metadata.uid ?? '')) return true;
  }
  return false;
}

function* syncPod(parts: Parts, key: string): Routine<SyncResult> {
  const { host, pods } = parts;
  const pod = pods.get(...splitKey(key));
  if (pod === undefined || isDeleted(pod)) return;
  const made = new Map<string, string>();
  for (const use of deviceClaimsOf(pod)) {
    const outcome = yield* ensureClaim(parts, pod, use);
    if (outcome === undefined) continue;
    if ('name' in outcome) made.set(use.entry, outcome.name);
    else {
      host.events.event(pod, {
        type: 'Warning',
        reason: 'FailedResourceClaimCreation',
        message: `PodResourceClaim ${use.entry}: ${outcome.trouble}`,
      });
      return { retry: outcome.trouble };
    }
  }
  if (made.size > 0) {
    const resourceClaimStatuses = [...made].map(([name, resourceClaimName]): JsonObject => ({ name, resourceClaimName }));
    const answer = yield* host.client.patch(refOf(pod), 'strategic', { status: { resourceClaimStatuses } }, { subresource: 'status' });
    if (!answer.ok) return { retry: answer.message };
  }
  if (dig(pod, 'spec', 'nodeName') === undefined) return;
  return yield* reserveClaims(parts, pod);
}

/** Keeps the allocated claims of a pod that was bound without the scheduler for it. */
function* reserveClaims({ host, claims }: Parts, pod: KubeObject): Routine<SyncResult> {
  for (const use of deviceClaimsOf(pod)) {
    const claim = use.name === undefined ? undefined : claims.get(pod.metadata.namespace, use.name);
    if (claim === undefined) return;
    if (isAllocated(claim) && !isReservedFor(claim, pod.metadata.uid ?? '')) {
      const answer = yield* host.client.updateStatus(
        withStatus(claim, {
          reservedFor: [
            ...asList(dig(claim, 'status', 'reservedFor')),
            { resource: 'pods', name: pod.metadata.name, uid: pod.metadata.uid ?? '' },
          ],
        }),
      );
      if (!answer.ok) return { retry: answer.message };
    }
  }
}

/** The name of the claim that was made or found again, or why there is none; nothing where all is well. */
function* ensureClaim(
  { host, claims, templates }: Parts,
  pod: KubeObject,
  use: PodDeviceClaim,
): Routine<{ readonly name: string } | { readonly trouble: string } | undefined> {
  const { namespace, uid = '' } = pod.metadata;
  const known = use.name === undefined ? undefined : claims.get(namespace, use.name);
  if (use.template === undefined || (known !== undefined && claimTrouble(pod, use, known) === undefined)) return undefined;
  const orphan = claims.by('pod', uid).find((claim) => annotationsOf(claim)[ENTRY] === use.entry);
  if (orphan !== undefined) return { name: orphan.metadata.name };
  const template = templates.get(namespace, use.template);
  if (template === undefined)
    return {
      trouble: `resource claim template ${JSON.stringify(use.template)}: resourceclaimtemplate.resource.k8s.io ${JSON.stringify(use.template)} not found`,
    };
  const metadata = asObject(dig(template, 'spec', 'metadata'));
  const answer = yield* host.client.create({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {
      generateName: generateName(pod.metadata.name, use.entry),
      ...(namespace === undefined ? {} : { namespace }),
      ...(metadata['labels'] === undefined ? {} : { labels: metadata['labels'] }),
      annotations: { ...asObject(metadata['annotations']), [ENTRY]: use.entry },
      ownerReferences: [controllerReference(pod)],
    },
    spec: asObject(dig(template, 'spec', 'spec')),
  });
  return answer.ok ? { name: answer.object.metadata.name } : { trouble: `create ResourceClaim : ${answer.message}` };
}

/** Both names are cut in proportion when they are too long together. */
function generateName(pod: string, entry: string): string {
  const whole = `${pod}-${entry}-`;
  const cut = (part: string): string => part.slice(0, Math.floor((part.length * LONGEST_BASE) / whole.length));
  return whole.length <= LONGEST_BASE ? whole : `${cut(pod)}-${cut(entry)}`;
}

const LONGEST_BASE = 57;

function* syncClaim(parts: Parts, key: string): Routine<SyncResult> {
  const { host, pods, claims } = parts;
  const claim = claims.get(...splitKey(key));
  if (claim === undefined) return;
  const consumers = asList(dig(claim, 'status', 'reservedFor'));
  const valid: Json[] = [];
  for (const consumer of consumers) if (yield* keepsReservation(parts, claim, consumer)) valid.push(consumer);
  const isUnused = valid.length === 0;
  const isReleased = isUnused && isDeleted(claim);
  const isOutdated = valid.length < consumers.length || (isReleased && holdsDevices(claim));
  const answer = isOutdated ? yield* writeReservations(host, claim, valid) : { ok: true as const, object: claim };
  if (!answer.ok) return retryUnlessGone(answer);
  const current = answer.object;
  const again = current !== claim || isReleased ? yield* unprotect(parts, current) : undefined;
  if (again !== undefined) return again;
  if (!isUnused || !isForDeletion(current, pods)) return;
  return retryUnlessGone(yield* host.client.delete(refOf(claim)));
}

function holdsDevices(claim: KubeObject): boolean {
  return isAllocated(claim) && isProtected(claim);
}

function isForDeletion(claim: KubeObject, pods: Informer): boolean {
  return !isDeleted(claim) && isLeftBehind(claim, pods);
}

/** Of a claim that nobody uses any more the devices are given back. */
function* writeReservations(host: ComponentHost, claim: KubeObject, reservedFor: readonly Json[]): Routine<Answer> {
  const isUnused = reservedFor.length === 0;
  const freed = isUnused && isProtected(claim) ? { allocation: undefined, devices: undefined } : {};
  return yield* host.client.updateStatus(withStatus(claim, { reservedFor: isUnused ? undefined : reservedFor, ...freed }));
}

/** Lets a claim go that nobody uses any more. */
function* unprotect({ host }: Parts, claim: KubeObject): Routine<SyncResult> {
  if (!isProtected(claim) || isAllocated(claim)) return;
  const answer = yield* host.client.update(withoutProtection(claim));
  return answer.ok ? undefined : retryUnlessGone(answer);
}

/** The pod the claim was made for is over, or another pod has its name. */
function isLeftBehind(claim: KubeObject, pods: Informer): boolean {
  const owner = owningPod(claim);
  const pod = owner === undefined ? undefined : pods.get(claim.metadata.namespace, owner.name);
  return pod !== undefined && (pod.metadata.uid !== owner?.uid || isOver(pod));
}

function isProtected(claim: KubeObject): boolean {
  return asList(claim.metadata['finalizers']).includes(DEVICE_FINALIZER);
}

/** A pod that is not known yet may have been made a moment ago: the API server is asked. */
function* keepsReservation({ host, pods }: Parts, claim: KubeObject, consumer: Json): Routine<boolean> {
  if (dig(consumer, 'resource') !== 'pods') return true;
  const [namespace, name, uid] = [claim.metadata.namespace, asText(dig(consumer, 'name')) ?? '', dig(consumer, 'uid')];
  const known = pods.get(namespace, name);
  if (known !== undefined) return known.metadata.uid === uid && !isOver(known);
  const answer = yield* host.client.get({ kind: 'Pod', ...(namespace === undefined ? {} : { namespace }), name });
  return answer.ok ? answer.object.metadata.uid === uid : answer.code !== 404;
}

function withStatus(claim: KubeObject, fields: JsonObject): KubeObject {
  return withFields(claim, { status: withFields(asObject(claim['status']), fields) });
}
