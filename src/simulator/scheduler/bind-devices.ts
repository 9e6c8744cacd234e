import type { JsonObject } from '../../base/json.ts';
import { asList, asObject, dig } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { refOf } from '../../model/kube-object.ts';
import type { Answer } from '../apiserver/request.ts';
import type { ComponentHost } from '../components/component.ts';
import { sleep } from '../components/component.ts';
import { DEVICE_FINALIZER, isAllocated, isReservedFor, withoutProtection } from '../devices/device-claims.ts';
import type { Routine } from '../time/routine.ts';
import { timeOf } from '../time/api-times.ts';
import { allocate } from './devices/allocator.ts';
import { extendedClaim, extendedClasses, toBeMade } from './devices/extended.ts';
import type { DeviceLedger } from './devices/ledger.ts';
import { bindingStateOf, conditional } from './devices/readiness.ts';
import { deviceSurroundings, usableClaims } from './filters/dynamic-resources.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { SchedulerView } from './view.ts';
import { WORDS } from './scheduler-messages.ts';

/** A claim the pod will have, and what it is to be allocated where it is not yet. */
export interface DevicePlan {
  readonly claim: KubeObject;
  readonly allocation: JsonObject | undefined;
  /** For extended resources it has yet to be made. */
  readonly extended?: { readonly mappings: readonly JsonObject[]; made: KubeObject | undefined };
}

/** Chooses the devices on the node and keeps them, so that nobody else does. Source: dynamicresources.go (Reserve). */
export function reserveDevices(pod: PodInfo, node: NodeInfo, view: SchedulerView): readonly DevicePlan[] {
  const classes = extendedClasses(pod, view.devices);
  if (!pod.spec.claimsDevices && classes === undefined) return NONE;
  const claims = usableClaims(pod, view);
  if (typeof claims === 'string') return NONE;
  const extended = extendedClaim(pod, node, classes);
  const open = [...claims.filter((claim) => !isAllocated(claim)), ...(extended === undefined ? [] : [extended.claim])];
  const allocation = open.length === 0 ? undefined : allocate(open, node, deviceSurroundings(view));
  const results = allocation !== undefined && 'results' in allocation ? allocation.results : [];
  const planned = [...claims.filter((claim) => !isReservedFor(claim, pod.uid)), ...(extended === undefined ? [] : [extended.claim])];
  return planned.map((claim): DevicePlan => {
    const result = results[open.indexOf(claim)];
    if (result !== undefined) view.devices.reserve(claim.metadata.uid ?? '', result);
    return {
      claim,
      allocation: result,
      ...(claim === extended?.claim ? { extended: { mappings: extended.mappings, made: undefined } } : {}),
    };
  });
}

const NONE: readonly DevicePlan[] = [];

/**
 * Writes allocations and reservations into the claims, and waits for devices that have to be attached; gives the words of what went wrong.
 * Source: dynamicresources.go (PreBind, bindClaim).
 */
export function* bindDevices(
  host: ComponentHost,
  pod: PodInfo,
  node: string,
  plans: readonly DevicePlan[],
  ledger: DeviceLedger,
): Routine<string | undefined> {
  for (const plan of plans) {
    const trouble =
      plan.extended === undefined ? yield* bindClaim(host, pod, plan, ledger) : yield* bindExtended(host, pod, plan, plan.extended, ledger);
    if (trouble !== undefined) return trouble;
  }
  const names = plans.map(({ claim, extended }) => (extended?.made ?? claim).metadata.name);
  const claims = (): readonly KubeObject[] => names.flatMap((name) => ledger.claim(pod.namespace, name) ?? []);
  return claims().some((claim) => conditional(claim).length > 0) ? yield* attach(host, pod, node, claims) : undefined;
}

/**
 * Makes the claim for extended resources, writes it, and tells the pod of it. Source: extendeddynamicresources.go
 * (createExtendedResourceClaimInAPI, patchPodExtendedResourceClaimStatus).
 */
function* bindExtended(
  host: ComponentHost,
  pod: PodInfo,
  plan: DevicePlan,
  extended: NonNullable<DevicePlan['extended']>,
  ledger: DeviceLedger,
): Routine<string | undefined> {
  const made: Answer = yield* host.client.create(toBeMade(plan.claim));
  if (!made.ok) return `create claim for extended resources ${pod.namespace}/: ${made.message}`;
  extended.made = made.object;
  const trouble = yield* bindClaim(host, pod, { claim: made.object, allocation: plan.allocation }, ledger);
  if (trouble !== undefined) return trouble;
  const extendedResourceClaimStatus = { requestMappings: extended.mappings, resourceClaimName: made.object.metadata.name };
  const told = yield* host.client.patch(
    refOf(pod.pod),
    'strategic',
    { status: { extendedResourceClaimStatus } },
    { subresource: 'status' },
  );
  return told.ok ? undefined : `update pod ${pod.key} ExtendedResourceClaimStatus: ${told.message}`;
}

/** Asks every five seconds whether the devices are there. */
function* attach(host: ComponentHost, pod: PodInfo, node: string, claims: () => readonly KubeObject[]): Routine<string | undefined> {
  host.series.event(pod.pod, {
    type: 'Normal',
    reason: 'BindingConditionsPending',
    action: 'Scheduling',
    note: WORDS.bindingPending(node),
  });
  for (;;) {
    const states = claims().map((claim) => bindingStateOf(claim, host.now()));
    const trouble = states.find((state) => typeof state === 'object');
    if (trouble !== undefined) return trouble.trouble;
    if (!states.includes('pending')) return undefined;
    yield* sleep(host, ASK_MILLISECONDS, 'binding conditions');
  }
}

const ASK_MILLISECONDS = 5000;

/** Gives devices back that were kept and not written. */
export function releaseDevices(plans: readonly DevicePlan[], ledger: DeviceLedger): void {
  for (const { claim, allocation } of plans) if (allocation !== undefined) ledger.release(claim.metadata.uid ?? '');
}

/** Takes the pod out of claims it was written into when it could not be bound. Source: dynamicresources.go (Unreserve). */
export function* unreserve(host: ComponentHost, pod: PodInfo, plans: readonly DevicePlan[], ledger: DeviceLedger): Routine {
  for (const { claim, extended } of plans) {
    if (extended?.made !== undefined) yield* discard(host, ledger.claim(pod.namespace, extended.made.metadata.name) ?? extended.made);
    if (extended !== undefined) continue;
    const { namespace = '', name, uid = '' } = claim.metadata;
    const known = ledger.claim(namespace, name);
    if (known === undefined || !isReservedFor(known, pod.uid)) continue;
    const answer = yield* host.client.patch(
      refOf(claim),
      'strategic',
      { metadata: { uid }, status: { reservedFor: [{ $patch: 'delete', uid: pod.uid }] } },
      { subresource: 'status' },
    );
    if (answer.ok) ledger.assume(answer.object);
  }
}

/** Source: extendeddynamicresources.go (deleteClaim). */
function* discard(host: ComponentHost, claim: KubeObject): Routine {
  yield* host.client.update(withoutProtection(claim));
  yield* host.client.delete(refOf(claim));
}

/** Takes its devices from a claim that nobody uses, so that it can be had elsewhere. Source: dynamicresources.go (PostFilter). */
export function* deallocate(host: ComponentHost, claim: KubeObject): Routine {
  yield* host.client.updateStatus(
    withFields(claim, {
      status: withFields(asObject(claim['status']), { allocation: undefined, reservedFor: undefined, devices: undefined }),
    }),
  );
}

/** How often a claim that somebody else wrote meanwhile is read again. Source: k8s.io/client-go/util/retry (DefaultRetry). */
const TRIES = 5;

function* bindClaim(host: ComponentHost, pod: PodInfo, plan: DevicePlan, ledger: DeviceLedger): Routine<string | undefined> {
  const key = `${plan.claim.metadata.namespace ?? ''}/${plan.claim.metadata.name}`;
  let { claim } = plan;
  let trouble = '';
  for (let turn = 0; turn < TRIES; turn++) {
    if (turn > 0) {
      const again: Answer = yield* host.client.get(refOf(claim));
      if (!again.ok) return `get updated claim ${key} after conflict: ${again.message}`;
      claim = again.object;
    }
    const written: Written = yield* writeClaim(host, pod, claim, plan.allocation, key);
    if (written.claim !== undefined) {
      ledger.assume(written.claim);
      return undefined;
    }
    if (!written.conflict) return written.trouble;
    trouble = written.trouble;
  }
  return trouble;
}

type Written = { readonly claim: KubeObject } | { readonly claim?: never; readonly trouble: string; readonly conflict: boolean };

function* writeClaim(
  host: ComponentHost,
  pod: PodInfo,
  given: KubeObject,
  allocation: JsonObject | undefined,
  key: string,
): Routine<Written> {
  if (given.metadata['deletionTimestamp'] !== undefined) return { trouble: WORDS.deletedMeanwhile(key), conflict: false };
  if (allocation !== undefined && isAllocated(given)) return { trouble: WORDS.allocatedMeanwhile(key), conflict: false };
  let claim = given;
  const finalizers = asList(claim.metadata['finalizers']);
  if (allocation !== undefined && !finalizers.includes(DEVICE_FINALIZER)) {
    const answer = yield* host.client.update(
      withFields(claim, { metadata: withFields(claim.metadata, { finalizers: [...finalizers, DEVICE_FINALIZER] }) }),
    );
    if (!answer.ok) return { trouble: WORDS.writeFailed('finalizer', key, answer.message), conflict: answer.code === 409 };
    claim = answer.object;
  }
  const consumers = [...asList(dig(claim, 'status', 'reservedFor')), { resource: 'pods', name: pod.pod.metadata.name, uid: pod.uid }];
  const status = withFields(asObject(claim['status']), {
    ...(allocation === undefined ? {} : { allocation: { ...allocation, allocationTimestamp: timeOf(host.now()) } }),
    reservedFor: consumers,
  });
  const answer = yield* host.client.updateStatus(withFields(claim, { status }));
  if (answer.ok) return { claim: answer.object };
  return {
    trouble: WORDS.writeFailed(allocation === undefined ? 'reservation' : 'allocation and reservation', key, answer.message),
    conflict: answer.code === 409,
  };
}
