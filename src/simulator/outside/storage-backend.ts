import { assert } from '../../base/assert.ts';
import type { Prng } from '../../base/prng.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Agenda } from '../time/agenda.ts';
import { Network } from '../network/network.ts';
import type { Store } from '../store/store.ts';
import { Behaviours } from '../programs/behaviour.ts';
import { DeviceDrivers } from '../kubelet/devices/device-drivers.ts';
import { Registries } from '../images/registry.ts';
import type { Container } from '../kubelet/runtime/runtime-container.ts';
import { NodeRuntime } from '../kubelet/runtime/runtime.ts';

export interface DatacenterOptions {
  readonly agenda: Agenda;
  readonly prng: Prng;
  readonly store: Store;
  readonly clusterDomain: string;
  readonly serviceNetwork: string;
}

/**
 * `provision` (of the provisioner), `attach` (of the attacher), `stage` and `publish` fail with these words; with `register` the driver
 * does not register on the machines.
 */
export interface StorageFaults {
  readonly provision?: string;
  readonly attach?: string;
  readonly stage?: string;
  readonly publish?: string;
  readonly register?: string;
}

export interface DatacenterMachine {
  readonly name: string;
  readonly address: string;
  readonly podNetwork: string;
  readonly architecture?: string;
}

/** Everything of a cluster that is not in its API: machines with their containers, registries, the network, storage drivers. */
export class Datacenter {
  readonly network: Network;
  readonly registries = new Registries();
  readonly behaviours = new Behaviours();
  /** What the node part of a CSI driver fails with, by driver. */
  readonly storageFaults = new Map<string, StorageFaults>();
  readonly deviceDrivers = new DeviceDrivers();
  readonly #options: DatacenterOptions;
  readonly #growthListeners = new Set<(claim: string) => void>();
  readonly #usageListeners = new Set<(namespace: string) => void>();
  readonly #runtimes = new Map<string, NodeRuntime>();
  readonly #manifests = new Map<string, Map<string, KubeObject>>();
  readonly #manifestListeners = new Map<string, () => void>();

  constructor(options: DatacenterOptions) {
    this.#options = options;
    const { store, prng, clusterDomain, serviceNetwork } = options;
    this.network = new Network({ store, prng: prng.split('network'), clusterDomain, serviceNetwork });
  }

  addMachine(machine: DatacenterMachine): NodeRuntime {
    const { agenda, prng } = this.#options;
    const { registries, behaviours, network } = this;
    const runtime = new NodeRuntime({
      node: machine.name,
      address: machine.address,
      podNetwork: machine.podNetwork,
      architecture: machine.architecture ?? 'amd64',
      agenda,
      prng: prng.split(`runtime ${machine.name}`),
      network,
      registries,
      behaviours,
      usageChanged: (namespace) => this.#usageChanged(namespace),
    });
    this.#runtimes.set(machine.name, runtime);
    return runtime;
  }

  /** Told of namespaces in which containers begin to use more or less, until what is given back is called. */
  onUsage(listener: (namespace: string) => void): () => void {
    this.#usageListeners.add(listener);
    return () => void this.#usageListeners.delete(listener);
  }

  /** The pods of a namespace or of all, as the API has them. */
  podsIn(namespace: string | undefined): readonly KubeObject[] {
    return this.#options.store.list('pods', namespace);
  }

  /** The nodes, as the API has them. */
  nodes(): readonly KubeObject[] {
    return this.#options.store.list('nodes');
  }

  /** Told of claims (`shop/goods`) whose volume grew, so that its file system has to, until what is given back is called. */
  onVolumeGrowth(listener: (claim: string) => void): () => void {
    this.#growthListeners.add(listener);
    return () => void this.#growthListeners.delete(listener);
  }

  volumeGrew(claim: string): void {
    for (const listener of this.#growthListeners) listener(claim);
  }

  #usageChanged(namespace: string): void {
    for (const listener of this.#usageListeners) listener(namespace);
  }

  runtime(node: string): NodeRuntime {
    const runtime = this.#runtimes.get(node);
    assert(runtime !== undefined, `machine ${node} is there`);
    return runtime;
  }

  has(node: string): boolean {
    return this.#runtimes.has(node);
  }

  /** Puts a file into a machine's folder of static pods, or takes it away. */
  setManifest(node: string, file: string, pod: KubeObject | undefined): void {
    const manifests = this.#manifests.get(node) ?? new Map<string, KubeObject>();
    this.#manifests.set(node, manifests);
    if (pod === undefined) manifests.delete(file);
    else manifests.set(file, pod);
    this.#manifestListeners.get(node)?.();
  }

  manifests(node: string): ReadonlyMap<string, KubeObject> {
    return this.#manifests.get(node) ?? new Map();
  }

  onManifestChange(node: string, listener: () => void): void {
    this.#manifestListeners.set(node, listener);
  }

  /** The lines a container has written; undefined when there is no such container any more. */
  logs(
    node: string,
    podUid: string,
    container: string,
    previous: boolean,
  ): readonly { readonly at: number; readonly line: string }[] | undefined {
    const all: readonly Container[] =
      this.#runtimes
        .get(node)
        ?.containersOf(podUid)
        .filter((each) => each.name === container) ?? [];
    return all.at(previous ? -2 : -1)?.logs;
  }
}
