import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { smallest } from '../../../base/lists.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { deviceMatches } from '../../apiserver/cel/devices.ts';
import type { NodeInfo } from '../node-info.ts';
import { WORDS } from '../scheduler-messages.ts';
import { allocationResult } from './allocation-result.ts';
import type { Chosen } from './limits.ts';
import { hasCounters, keepsConstraints, toleratesTaints } from './limits.ts';
import type { Device, DevicePools, ReachablePool } from './pools.ts';
import type { DeviceAlternative, DeviceRequest } from './requests.ts';
import { requestsOf } from './requests.ts';

/** What the allocator goes by. */
export interface DeviceSurroundings {
  readonly pools: DevicePools;
  readonly inUse: (id: string) => boolean;
  readonly classNamed: (name: string) => KubeObject | undefined;
}

/** One result for each claim, in their order; or nothing when there is no way; or why there is none on this node, or on any. */
export type Allocation =
  | { readonly results: readonly JsonObject[] }
  | { readonly none: 'no devices' }
  | { readonly onNode: string }
  | { readonly error: string };

/**
 * Chooses devices for claims on a node: of all the ways the first that keeps everything.
 * Source: staging/src/k8s.io/dynamic-resource-allocation/structured/internal/stable/allocator_stable.go (Allocate).
 */
export function allocate(claims: readonly KubeObject[], node: NodeInfo, around: DeviceSurroundings): Allocation {
  const search = new Search(claims, around.pools.reachableFrom(node), around);
  const trouble = search.prepare();
  if (trouble !== undefined) return { error: trouble };
  const found = search.place(0);
  if (typeof found === 'object') return found;
  if (!found) return search.pools.some(({ invalid }) => invalid) ? { onNode: WORDS.invalidPools } : { none: 'no devices' };
  return {
    results: claims.map((claim, index) =>
      allocationResult(
        claim,
        search.chosen.filter((one) => one.claim === index),
        around.classNamed,
      ),
    ),
  };
}

/** As many devices fit into the result of one claim. Source: staging/src/k8s.io/api/resource/v1/types.go (AllocationResultsMaxSize). */
const MOST_DEVICES = 32;

/** The search ends here, found or not: what is beyond would take a real scheduler longer than it has (ten seconds for a node). */
const MOST_STEPS = 50_000;

interface Wanted {
  readonly claim: number;
  readonly request: DeviceRequest;
}

interface Trouble {
  readonly error: string;
}

class Search {
  readonly pools: readonly ReachablePool[];
  readonly chosen: Chosen[] = [];
  readonly #claims: readonly KubeObject[];
  readonly #around: DeviceSurroundings;
  readonly #wanted: readonly Wanted[];
  /** Devices of pools that are whole, in the order in which they are tried. */
  readonly #candidates: readonly Device[];
  readonly #selectable = new Map<string, boolean>();
  #steps = 0;

  constructor(claims: readonly KubeObject[], pools: readonly ReachablePool[], around: DeviceSurroundings) {
    this.#claims = claims;
    this.pools = pools;
    this.#around = around;
    this.#candidates = pools.filter(({ incomplete, invalid }) => !incomplete && !invalid).flatMap(({ devices }) => devices);
    this.#wanted = claims.flatMap((claim, index) => requestsOf(claim).map((request) => ({ claim: index, request })));
  }

  /** What makes it senseless to search: the words of an error. */
  prepare(): string | undefined {
    for (const [index, claim] of this.#claims.entries()) {
      let least = 0;
      for (const { request } of this.#wanted.filter((one) => one.claim === index)) {
        for (const one of request.alternatives) {
          if (one.count !== undefined) continue;
          const pool = this.pools.find(({ incomplete, invalid }) => incomplete || invalid);
          if (pool !== undefined) return WORDS.allOfUnsound(keyOf(claim), one.name, pool.id, pool.incomplete);
        }
        least += smallest(request.alternatives.map(({ count }) => count ?? 1));
      }
      if (least > MOST_DEVICES) return WORDS.tooManyDevices(keyOf(claim), least, MOST_DEVICES);
    }
    return undefined;
  }

  /** Goes on with the request at this place and all after it. */
  place(at: number): boolean | Trouble {
    const wanted = this.#wanted[at];
    if (wanted === undefined) return true;
    for (const one of wanted.request.alternatives) {
      const placed = one.count === undefined ? this.#placeAll(at, wanted, one) : this.#placeSome(at, wanted, one, one.count, 0);
      if (placed !== false) return placed;
    }
    return false;
  }

  #placeSome(at: number, wanted: Wanted, one: DeviceAlternative, left: number, from: number): boolean | Trouble {
    if (left === 0) return this.place(at + 1);
    if (++this.#steps > MOST_STEPS || this.#countOf(wanted.claim) + left > MOST_DEVICES) return false;
    // Devices of one request are alike to it: each set of them is tried once, in their order.
    for (let index = from; index < this.#candidates.length; index++) {
      const device = this.#candidates[index] as Device;
      const took = this.#take(wanted, one, device);
      if (typeof took === 'object') return took;
      if (!took) continue;
      const placed = this.#placeSome(at, wanted, one, left - 1, index + 1);
      if (placed !== false) return placed;
      this.chosen.pop();
    }
    return false;
  }

  /** All that match must be free, and there must be one. */
  #placeAll(at: number, wanted: Wanted, one: DeviceAlternative): boolean | Trouble {
    const before = this.chosen.length;
    for (const device of this.pools.flatMap(({ devices }) => devices)) {
      const matches = this.#isSelectable(wanted.claim, one, device);
      if (typeof matches === 'object') return matches;
      if (!matches) continue;
      const took = this.#take(wanted, one, device);
      if (took !== true || this.#countOf(wanted.claim) > MOST_DEVICES) {
        this.chosen.length = before;
        return took === true ? false : took;
      }
    }
    const placed = this.chosen.length === before ? false : this.place(at + 1);
    if (placed === false) this.chosen.length = before;
    return placed;
  }

  #take(wanted: Wanted, one: DeviceAlternative, device: Device): boolean | Trouble {
    const taken = this.chosen.some((other) => other.device.id === device.id && (!one.adminAccess || other.claim === wanted.claim));
    if (taken || (!one.adminAccess && this.#around.inUse(device.id))) return false;
    const matches = this.#isSelectable(wanted.claim, one, device);
    if (matches !== true) return matches;
    if (!toleratesTaints(device, one)) return false;
    const claim = this.#claims[wanted.claim];
    this.chosen.push({ claim: wanted.claim, request: one, device });
    const fits =
      claim !== undefined &&
      keepsConstraints(
        claim,
        this.chosen.filter((other) => other.claim === wanted.claim),
      ) &&
      this.#hasCounters(device);
    if (!fits) this.chosen.pop();
    return fits;
  }

  #hasCounters({ spec, driver, pool }: Device): boolean {
    if (dig(spec, 'consumesCounters') === undefined) return true;
    const own = this.chosen.filter(({ device }) => device.driver === driver && device.pool === pool).map(({ device }) => device);
    return hasCounters(this.#around.pools.slicesOf(`${driver}/${pool}`), this.#around.inUse, own);
  }

  #countOf(claim: number): number {
    return this.chosen.filter((one) => one.claim === claim).length;
  }

  /** Whether the class and the request mean such a device, asked once for each. */
  #isSelectable(claim: number, one: DeviceAlternative, device: Device): boolean | Trouble {
    const key = `${claim} ${one.name} ${device.id}`;
    const known = this.#selectable.get(key);
    if (known !== undefined) return known;
    const ofClass = this.#around.classNamed(one.className);
    const owner = this.#claims[claim];
    const matches = allMatch(asList(dig(ofClass, 'spec', 'selectors')), device, `class ${one.className}`);
    const both = matches === true ? allMatch(one.selectors, device, `claim ${owner === undefined ? '' : keyOf(owner)}`) : matches;
    if (typeof both === 'boolean') this.#selectable.set(key, both);
    return both;
  }
}

function allMatch(selectors: readonly Json[], device: Device, of: string): boolean | Trouble {
  for (const [index, selector] of selectors.entries()) {
    const outcome = deviceMatches(asText(dig(selector, 'cel', 'expression')) ?? '', device.driver, device.spec);
    if (typeof outcome === 'object') return { error: WORDS.selectorError(of, index, device.id, outcome.error) };
    if (!outcome) return false;
  }
  return true;
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
