import { asList, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { claimTrouble, deviceClaimsOf, isAllocated } from '../../devices/device-claims.ts';
import type { DeviceSurroundings } from '../devices/allocator.ts';
import { allocate } from '../devices/allocator.ts';
import { extendedClaim, extendedClasses } from '../devices/extended.ts';
import type { DeviceLedger } from '../devices/ledger.ts';
import { requestsOf } from '../devices/requests.ts';
import type { NodeInfo } from '../node-info.ts';
import { nodeTermsMatcher } from '../node-terms.ts';
import type { PodInfo } from '../pod-info.ts';
import type { FilterPlugin, Prepared, Rejection, SchedulerView } from '../view.ts';
import { WORDS } from '../scheduler-messages.ts';

/** Source: pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go (PreFilter, Filter). */
export const DYNAMIC_RESOURCES: FilterPlugin = { name: 'DynamicResources', prepare };

/** The claims of a pod, or why it cannot be scheduled while they are as they are (PreEnqueue). */
export function usableClaims(pod: PodInfo, view: SchedulerView): readonly KubeObject[] | string {
  const claims: KubeObject[] = [];
  for (const use of deviceClaimsOf(pod.pod)) {
    const claim = use.name === undefined ? undefined : view.devices.claim(pod.namespace, use.name);
    const trouble = claimTrouble(pod.pod, use, claim);
    if (trouble !== undefined) return trouble;
    if (claim === undefined) return WORDS.deviceClaimNotFound(`${pod.namespace}/${use.name ?? ''}`);
    if (claim.metadata['deletionTimestamp'] !== undefined) return WORDS.deviceClaimDeleting(claim.metadata.name);
    claims.push(claim);
  }
  return claims;
}

export function deviceSurroundings(view: SchedulerView): DeviceSurroundings {
  return { pools: view.devices.pools, inUse: view.devices.inUse, classNamed: (name) => view.find('DeviceClass', undefined, name) };
}

/** Whether an allocated claim can be used from a node. */
function isAvailableOn(claim: KubeObject, { labels, name }: NodeInfo, ledger: DeviceLedger): boolean {
  if (ledger.isLost(claim)) return false;
  const terms = dig(claim, 'status', 'allocation', 'nodeSelector', 'nodeSelectorTerms');
  return terms === undefined || nodeTermsMatcher(terms)(labels, name);
}

function prepare(pod: PodInfo, view: SchedulerView): Prepared {
  const classes = extendedClasses(pod, view.devices);
  if (!pod.spec.claimsDevices && classes === undefined) return undefined;
  const claims = usableClaims(pod, view);
  if (typeof claims === 'string') return { rejection: rejected(claims) };
  if (claims.length === 0 && classes === undefined) return undefined;
  const open = claims.filter((claim) => !isAllocated(claim));
  for (const claim of open) {
    const trouble = obstacle(claim, view);
    if (trouble !== undefined) return { rejection: rejected(trouble) };
  }
  const allocated = claims.filter(isAllocated);
  const around = deviceSurroundings(view);
  return {
    filter: (node) => {
      const extended = extendedClaim(pod, node, classes);
      return filter(node, allocated, extended === undefined ? open : [...open, extended.claim], around, view.devices);
    },
  };
}

function obstacle(claim: KubeObject, view: SchedulerView): string | undefined {
  if (view.devices.isPending(claim.metadata.uid ?? ''))
    return WORDS.deviceClaimPending(`${claim.metadata.namespace ?? ''}/${claim.metadata.name}`);
  for (const { alternatives } of requestsOf(claim)) {
    for (const { name, className } of alternatives)
      if (view.find('DeviceClass', undefined, className) === undefined) return WORDS.deviceClassMissing(name, className);
  }
  return undefined;
}

function filter(
  node: NodeInfo,
  allocated: readonly KubeObject[],
  open: readonly KubeObject[],
  around: DeviceSurroundings,
  ledger: DeviceLedger,
): Rejection | undefined {
  if (open.length > 0) {
    const allocation = allocate(open, node, around);
    if ('error' in allocation) return { ...rejected(allocation.error), error: WORDS.filterError('DynamicResources', allocation.error) };
    if ('onNode' in allocation) return rejected(allocation.onNode);
    if ('none' in allocation) return rejected(WORDS.cannotAllocate);
  }
  return allocated.every((claim) => isAvailableOn(claim, node, ledger)) ? undefined : rejected(WORDS.deviceClaimElsewhere);
}

function rejected(reason: string): Rejection {
  return { plugin: 'DynamicResources', resolvable: false, reasons: [reason] };
}

/** A claim of the pod that is on no good node, and that nobody else uses: without its allocation another node may do (PostFilter). */
export function deallocatable(pod: PodInfo, nodes: readonly NodeInfo[], view: SchedulerView): KubeObject | undefined {
  const claims = usableClaims(pod, view);
  if (typeof claims === 'string') return undefined;
  return claims.find((claim) => {
    const users = asList(dig(claim, 'status', 'reservedFor'));
    return (
      isAllocated(claim) &&
      users.every((user) => dig(user, 'uid') === pod.uid) &&
      nodes.some((node) => !isAvailableOn(claim, node, view.devices))
    );
  });
}
