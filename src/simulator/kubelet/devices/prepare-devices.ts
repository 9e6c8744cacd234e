import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { ComponentHost } from '../../components/component.ts';
import { sleep } from '../../components/component.ts';
import { allDeviceClaimsOf, claimTrouble, isReservedFor } from '../../devices/device-claims.ts';
import type { PodDeviceClaim } from '../../devices/device-claims.ts';
import type { Routine } from '../../time/routine.ts';
import { DRIVER_CALL_FAILED, DRIVER_NOT_REGISTERED, PREPARE_DEVICES } from '../kubelet-messages.ts';

/**
 * Has the devices of a pod prepared before it gets its sandbox; gives the words of what went wrong. Source: pkg/kubelet/cm/dra/manager.go
 * (PrepareResources).
 */
export function* prepareDevices(host: ComponentHost, pod: KubeObject): Routine<string | undefined> {
  const uses = allDeviceClaimsOf(pod);
  if (uses.length === 0) return undefined;
  const drivers = new Map<string, string>();
  for (const use of uses) {
    const trouble = yield* addDrivers(host, pod, use, drivers);
    if (trouble !== undefined) return PREPARE_DEVICES(trouble);
  }
  const known = host.world.datacenter.deviceDrivers;
  yield* sleep(host, CALL_MILLISECONDS * host.prng.between(0.75, 1.25), 'prepare devices');
  for (const [driver, claim] of drivers) {
    const words = known.faultsOf(driver)?.prepare;
    if (words !== undefined) return PREPARE_DEVICES(DRIVER_CALL_FAILED(claim, words));
  }
  known.remember(host.node, pod.metadata.uid ?? '', [...drivers.keys()]);
  return undefined;
}

/**
 * Has what was prepared for a pod put away once its containers have ended; false while the driver is not there to do it. Source: manager.go
 * (UnprepareResources).
 */
export function devicesPutAway(host: ComponentHost, pod: KubeObject): boolean {
  const known = host.world.datacenter.deviceDrivers;
  const uid = pod.metadata.uid ?? '';
  const stuck = known
    .prepared(host.node, uid)
    .some((driver) => !known.isRegistered(driver, host.node) || known.faultsOf(driver)?.unprepare !== undefined);
  if (!stuck) known.remember(host.node, uid, []);
  return !stuck;
}

/** As long as a driver takes to answer. */
const CALL_MILLISECONDS = 40;

/** Adds the drivers of a claim, each with the claim it is asked for. */
function* addDrivers(host: ComponentHost, pod: KubeObject, use: PodDeviceClaim, drivers: Map<string, string>): Routine<string | undefined> {
  const { name, namespace, uid = '' } = pod.metadata;
  if (use.name === undefined) return claimTrouble(pod, use, undefined);
  const answer = yield* host.client.get({ kind: 'ResourceClaim', ...(namespace === undefined ? {} : { namespace }), name: use.name });
  if (!answer.ok) return `fetch ResourceClaim ${use.name}: ${answer.message}`;
  const claim = answer.object;
  const trouble = claimTrouble(pod, use, claim);
  if (trouble !== undefined) return trouble;
  if (!isReservedFor(claim, uid))
    return `pod ${name} (${uid}) is not allowed to use ResourceClaim ${use.name} (${claim.metadata.uid ?? ''})`;
  const results = asList(dig(claim, 'status', 'allocation', 'devices', 'results'));
  if (results.length === 0) return `ResourceClaim ${use.name}: not allocated`;
  for (const result of results) {
    const driver = asText(dig(result, 'driver')) ?? '';
    if (!host.world.datacenter.deviceDrivers.isRegistered(driver, host.node)) return DRIVER_NOT_REGISTERED(driver);
    drivers.set(driver, use.name);
  }
  return undefined;
}
