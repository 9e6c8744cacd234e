import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { ComponentHost } from '../component.ts';
import type { PodDeviceClaim } from '../device-claims.ts';
import { claimTrouble, allDeviceClaimsOf, isReservedFor } from '../device-claims.ts';
import type { Routine } from '../routine.ts';
import { sleep } from '../component.ts';
import { DRIVER_CALL_FAILED, DRIVER_NOT_REGISTERED, PREPARE_DEVICES } from './words.ts';

/** What is wrong with the node part of a driver for devices: where it does not run, and the words with which it refuses. */
export interface DeviceDriverFaults {
  readonly unregisteredOn: readonly string[];
  readonly prepare: string | undefined;
  readonly unprepare: string | undefined;
}

/** The node parts of drivers for devices, on all machines: each is registered everywhere unless it is said not to be. */
export class DeviceDrivers {
  readonly #faults = new Map<string, DeviceDriverFaults>();
  readonly #listeners = new Set<(driver: string) => void>();
  /** By machine and driver: slices that the kubelet took away. */
  readonly #withdrawn = new Map<string, KubeObject[]>();
  /** By machine and pod: the drivers that prepared devices for it. */
  readonly #prepared = new Map<string, readonly string[]>();

  /** Drivers of which something was said. */
  known(): readonly string[] {
    return [...this.#faults.keys()];
  }

  faultsOf(driver: string): DeviceDriverFaults | undefined {
    return this.#faults.get(driver);
  }

  breakWith(driver: string, faults: DeviceDriverFaults): void {
    this.#faults.set(driver, faults);
    for (const told of this.#listeners) told(driver);
  }

  /** Told of drivers that are broken or healed, until what is given back is called. */
  onChange(told: (driver: string) => void): () => void {
    this.#listeners.add(told);
    return () => void this.#listeners.delete(told);
  }

  withdrawn(node: string, driver: string, slice: KubeObject): void {
    const key = `${node}/${driver}`;
    this.#withdrawn.set(key, [...(this.#withdrawn.get(key) ?? []), slice]);
  }

  takeWithdrawn(node: string, driver: string): readonly KubeObject[] {
    const slices = this.#withdrawn.get(`${node}/${driver}`) ?? [];
    this.#withdrawn.delete(`${node}/${driver}`);
    return slices;
  }

  isRegistered(driver: string, node: string): boolean {
    return this.#faults.get(driver)?.unregisteredOn.includes(node) !== true;
  }

  prepared(node: string, podUid: string): readonly string[] {
    return this.#prepared.get(`${node}/${podUid}`) ?? [];
  }

  remember(node: string, podUid: string, drivers: readonly string[]): void {
    if (drivers.length === 0) this.#prepared.delete(`${node}/${podUid}`);
    else this.#prepared.set(`${node}/${podUid}`, drivers);
  }
}

/** Has the devices of a pod prepared before it gets its sandbox; gives the words of what went wrong. Source: pkg/kubelet/cm/dra/manager.go (PrepareResources). */
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

/** Has what was prepared for a pod put away once its containers have ended; false while the driver is not there to do it. Source: manager.go (UnprepareResources). */
export function devicesPutAway(host: ComponentHost, pod: KubeObject): boolean {
  const known = host.world.datacenter.deviceDrivers;
  const uid = pod.metadata.uid ?? '';
  const stuck = known.prepared(host.node, uid).some((driver) => !known.isRegistered(driver, host.node) || known.faultsOf(driver)?.unprepare !== undefined);
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
  if (!isReservedFor(claim, uid)) return `pod ${name} (${uid}) is not allowed to use ResourceClaim ${use.name} (${claim.metadata.uid ?? ''})`;
  const results = asList(dig(claim, 'status', 'allocation', 'devices', 'results'));
  if (results.length === 0) return `ResourceClaim ${use.name}: not allocated`;
  for (const result of results) {
    const driver = asText(dig(result, 'driver')) ?? '';
    if (!host.world.datacenter.deviceDrivers.isRegistered(driver, host.node)) return DRIVER_NOT_REGISTERED(driver);
    drivers.set(driver, use.name);
  }
  return undefined;
}
