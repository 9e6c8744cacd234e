import type { Instant } from '../../../base/instant.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { parseInteger } from '../../../base/number.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { keyOf, keyOfObject } from '../../store/store.ts';
import { classesByResource } from './classes-by-resource.ts';
import { deviceId, DevicePools } from './pools.ts';
import { bindingStateOf } from './readiness.ts';

/** Where claims and slices are read: informers. */
export interface DeviceObjects {
  readonly claim: (namespace: string, name: string) => KubeObject | undefined;
  readonly slices: () => Iterable<KubeObject>;
  readonly classes: () => Iterable<KubeObject>;
  readonly now: () => Instant;
}

/**
 * Which devices there are and which are taken: by claims as they were last seen, by those just written and not yet seen so
 * ("assumed"), and by those that are being written ("pending"). Kept up to date claim by claim.
 * Source: pkg/scheduler/framework/plugins/dynamicresources/{dra_manager,allocateddevices}.go.
 */
export class DeviceLedger {
  readonly #objects: DeviceObjects;
  readonly #assumed = new Map<string, KubeObject>();
  readonly #pending = new Map<string, readonly string[]>();
  readonly #taken = new Map<string, readonly string[]>();
  readonly #uses = new Map<string, number>();
  #pools: DevicePools | undefined;
  #classes: ReadonlyMap<string, string> | undefined;

  constructor(objects: DeviceObjects) {
    this.#objects = objects;
  }

  get pools(): DevicePools {
    this.#pools ??= new DevicePools(this.#objects.slices());
    return this.#pools;
  }

  claim(namespace: string, name: string): KubeObject | undefined {
    return this.#assumed.get(keyOf(namespace, name)) ?? this.#objects.claim(namespace, name);
  }

  /** Whether devices of the claim could not be attached to their node: others may do. */
  isLost(claim: KubeObject): boolean {
    return typeof bindingStateOf(claim, this.#objects.now()) === 'object';
  }

  /** Whether somebody has the device already. */
  readonly inUse = (id: string): boolean => (this.#uses.get(id) ?? 0) > 0;

  get hasClasses(): boolean {
    return this.#byResource.size > 0;
  }

  /** The device class that stands for an extended resource. */
  classFor(resource: string): string | undefined {
    return this.#byResource.get(resource);
  }

  classesChanged(): void {
    this.#classes = undefined;
  }

  get #byResource(): ReadonlyMap<string, string> {
    this.#classes ??= classesByResource(this.#objects.classes());
    return this.#classes;
  }

  slicesChanged(): void {
    this.#pools = undefined;
  }

  /** An informer tells of a claim; undefined when it is gone. */
  claimChanged(key: string, claim: KubeObject | undefined): void {
    const assumed = this.#assumed.get(key);
    if (assumed !== undefined && (claim === undefined || versionOf(claim) >= versionOf(assumed))) this.#assumed.delete(key);
    this.#take(key, this.#assumed.get(key) ?? claim);
  }

  /** A claim as the API server answered it, before informers tell. */
  assume(claim: KubeObject): void {
    const key = keyOfObject(claim);
    const known = this.#objects.claim(claim.metadata.namespace ?? '', claim.metadata.name);
    if (known !== undefined && versionOf(known) >= versionOf(claim)) return;
    this.#assumed.set(key, claim);
    this.#take(key, claim);
  }

  isPending(uid: string): boolean {
    return this.#pending.has(uid);
  }

  /** Devices are kept for a claim until its allocation is written, or given up. */
  reserve(uid: string, allocation: KubeObject['spec']): void {
    this.release(uid);
    const devices = devicesIn(allocation);
    this.#pending.set(uid, devices);
    this.#count(devices, 1);
  }

  release(uid: string): void {
    this.#count(this.#pending.get(uid) ?? [], -1);
    this.#pending.delete(uid);
  }

  #take(key: string, claim: KubeObject | undefined): void {
    this.#count(this.#taken.get(key) ?? [], -1);
    const devices = devicesIn(dig(claim, 'status', 'allocation'));
    if (devices.length === 0) this.#taken.delete(key);
    else this.#taken.set(key, devices);
    this.#count(devices, 1);
  }

  #count(devices: readonly string[], by: 1 | -1): void {
    for (const id of devices) {
      const uses = (this.#uses.get(id) ?? 0) + by;
      if (uses > 0) this.#uses.set(id, uses);
      else this.#uses.delete(id);
    }
  }
}

/** With admin access a device is used, and not taken. */
function devicesIn(allocation: KubeObject['spec']): readonly string[] {
  return asList(dig(allocation, 'devices', 'results'))
    .filter((result) => dig(result, 'adminAccess') !== true)
    .map((result) => deviceId(asText(dig(result, 'driver')) ?? '', asText(dig(result, 'pool')) ?? '', asText(dig(result, 'device')) ?? ''));
}

function versionOf({ metadata }: KubeObject): number {
  return parseInteger(asText(metadata['resourceVersion'])) ?? 0;
}
