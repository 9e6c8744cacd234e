import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { NodeInfo } from '../node-info.ts';
import { nodeTermsMatcher } from '../node-terms.ts';

/** A device of a slice that is offered, by its name `driver/pool/device`. */
export interface Device {
  readonly id: string;
  readonly driver: string;
  readonly pool: string;
  readonly name: string;
  readonly spec: Json;
  readonly slice: KubeObject;
}

/** All slices of the newest generation of what a driver offers under one name. */
export interface Pool {
  readonly id: string;
  readonly slices: readonly KubeObject[];
  /** Slices are missing: it is being written. */
  readonly incomplete: boolean;
  /** Two devices have one name. */
  readonly invalid: boolean;
}

/** A pool as it is seen from a node: with the devices that can be reached from there. */
export interface ReachablePool extends Pool {
  readonly devices: readonly Device[];
}

/**
 * What drivers offer, in the order of the pools' names. Slices of one node are filed by its name, so that a node is not asked about those
 * of others.
 * Source: staging/src/k8s.io/dynamic-resource-allocation/structured/internal/stable/pools_stable.go (GatherPools).
 */
export class DevicePools {
  readonly #pools: ReadonlyMap<string, Pool>;
  readonly #ofNode = new Map<string, Set<string>>();
  readonly #ofMany: readonly string[];

  constructor(slices: Iterable<KubeObject>) {
    this.#pools = gather(slices);
    const many = new Set<string>();
    for (const [id, pool] of this.#pools) {
      for (const slice of pool.slices) {
        const node = asText(dig(slice, 'spec', 'nodeName')) ?? '';
        if (node === '') many.add(id);
        else this.#ofNode.set(node, (this.#ofNode.get(node) ?? new Set()).add(id));
      }
    }
    this.#ofMany = [...many];
  }

  /** The pools with at least one slice that can be reached from the node. */
  reachableFrom(node: NodeInfo): readonly ReachablePool[] {
    const ids = new Set([...(this.#ofNode.get(node.name) ?? []), ...this.#ofMany]);
    return [...ids].toSorted().flatMap((id) => {
      const pool = this.#pools.get(id);
      const reached = pool?.slices.filter((slice) => reaches(slice, node)) ?? [];
      return pool === undefined || reached.length === 0 ? [] : [{ ...pool, devices: reached.flatMap((slice) => devicesOf(slice, node)) }];
    });
  }

  /** All slices of a pool, whatever node they are for. */
  slicesOf(id: string): readonly KubeObject[] {
    return this.#pools.get(id)?.slices ?? [];
  }
}

export function deviceId(driver: string, pool: string, device: string): string {
  return `${driver}/${pool}/${device}`;
}

function gather(slices: Iterable<KubeObject>): ReadonlyMap<string, Pool> {
  const generations = new Map<string, { generation: number; slices: KubeObject[] }>();
  for (const slice of slices) {
    const id = `${asText(dig(slice, 'spec', 'driver')) ?? ''}/${asText(dig(slice, 'spec', 'pool', 'name')) ?? ''}`;
    const generation = asNumber(dig(slice, 'spec', 'pool', 'generation')) ?? 0;
    const known = generations.get(id);
    if (known === undefined || generation > known.generation) generations.set(id, { generation, slices: [slice] });
    else if (generation === known.generation) known.slices.push(slice);
  }
  const pools = new Map<string, Pool>();
  for (const [id, { slices: own }] of generations) {
    const sorted = own.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    const wanted = asNumber(dig(sorted[0], 'spec', 'pool', 'resourceSliceCount')) ?? 1;
    pools.set(id, { id, slices: sorted, incomplete: sorted.length !== wanted, invalid: hasTwins(sorted) });
  }
  return pools;
}

function hasTwins(slices: readonly KubeObject[]): boolean {
  const names = slices.flatMap((slice) => asList(dig(slice, 'spec', 'devices')).map((device) => asText(dig(device, 'name')) ?? ''));
  return new Set(names).size < names.length;
}

function reaches(slice: KubeObject, node: NodeInfo): boolean {
  const spec = dig(slice, 'spec');
  if (dig(spec, 'perDeviceNodeSelection') === true) return asList(dig(spec, 'devices')).some((device) => isFor(device, node));
  return isFor(spec, node);
}

/** What has no word on nodes is for none. */
function isFor(given: Json | undefined, { name, labels }: NodeInfo): boolean {
  const own = asText(dig(given, 'nodeName')) ?? '';
  if (own !== '') return own === name;
  if (dig(given, 'allNodes') === true) return true;
  const selector = dig(given, 'nodeSelector');
  return selector !== undefined && nodeTermsMatcher(dig(selector, 'nodeSelectorTerms'))(labels, name);
}

function devicesOf(slice: KubeObject, node: NodeInfo): readonly Device[] {
  const spec = dig(slice, 'spec');
  const each = dig(spec, 'perDeviceNodeSelection') === true;
  const [driver, pool] = [asText(dig(spec, 'driver')) ?? '', asText(dig(spec, 'pool', 'name')) ?? ''];
  return asList(dig(spec, 'devices')).flatMap((device) => {
    const name = asText(dig(device, 'name')) ?? '';
    return each && !isFor(device, node) ? [] : [{ id: deviceId(driver, pool, name), driver, pool, name, spec: device, slice }];
  });
}
