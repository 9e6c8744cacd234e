import { dig } from '../../../base/json.ts';
import { numberOf } from '../../../base/number.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { Nano } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { viewOf } from './pod-view.ts';
import type { Amounts } from './requests.ts';
import { add, amountsOf, podRequests } from './requests.ts';
import type { PlacementView } from './placement-view.ts';

/** What a node has to give, and what its pods have asked for. */
export interface Capacity {
  readonly allocatable: Amounts;
  readonly used: Amounts;
  readonly pods: { readonly used: number; readonly limit: number | undefined };
  /** Every pod of the node was reckoned with; otherwise `used` is the least it can be. */
  readonly exact: boolean;
}

const PIECES: Nano = 1_000_000_000n;

/** What each node has and has given away, added up once; undefined for a node whose source does not show it. */
export function nodeCapacities(world: PlacementView): (node: KubeObject) => Capacity | undefined {
  const known = new Map(world.nodes.map((node) => [node.metadata.name, capacityOf(node, world)] as const));
  return (node) => known.get(node.metadata.name);
}

function capacityOf(node: KubeObject, world: PlacementView): Capacity | undefined {
  const allocatable = amountsOf(dig(node, 'status', 'allocatable') ?? dig(node, 'status', 'capacity'));
  if (allocatable.size === 0) return undefined;
  const pods = world.podsOn(node.metadata.name);
  const used = new Map<string, Nano>();
  let exact = world.allPodsOn(node.metadata.name);
  for (const pod of pods) {
    const requests = podRequests(viewOf(pod));
    if (requests === undefined) exact = false;
    else add(used, requests);
  }
  const limit = parseQuantity(dig(node, 'status', 'allocatable', 'pods'));
  return { allocatable, used, pods: { used: pods.length, limit: limit === undefined ? undefined : numberOf(limit / PIECES) }, exact };
}
