import type { KubeObject } from '../../../model/kube-object.ts';

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
