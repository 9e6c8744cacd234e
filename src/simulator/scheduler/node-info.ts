import { asList, asNumber, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf } from '../../model/kube-object.ts';
import type { Amounts } from './amounts.ts';
import { addAmounts, amountsOf, noAmounts } from './amounts.ts';
import type { PodInfo } from './pod-info.ts';
import type { Taint } from './tolerations.ts';
import { taintsOf } from './tolerations.ts';

/**
 * A node with the pods on it, kept up to date pod by pod. It may have pods before the node itself is known.
 * Source: pkg/scheduler/framework/types.go (NodeInfo).
 */
export class NodeInfo {
  readonly name: string;
  /** Its number among all nodes there ever were, from 1 on; what is not in the scheduler's cache has none of its own. */
  readonly place: number;
  /** Another after every change of what a pod may find on it. */
  version = 1;
  readonly pods = new Map<string, PodInfo>();
  readonly requested: Amounts = noAmounts();
  readonly assumed = { cpu: 0, memory: 0 };
  node: KubeObject | undefined;
  labels: Readonly<Record<string, string>> = {};
  taints: readonly Taint[] = [];
  unschedulable = false;
  allocatable: Amounts = noAmounts();
  images: ReadonlyMap<string, number> = new Map();

  constructor(name: string, place = 0) {
    this.name = name;
    this.place = place;
  }

  setNode(node: KubeObject | undefined): void {
    this.node = node;
    this.labels = node === undefined ? {} : labelsOf(node);
    this.taints = taintsOf(dig(node, 'spec', 'taints'));
    this.unschedulable = dig(node, 'spec', 'unschedulable') === true;
    this.allocatable = amountsOf(dig(node, 'status', 'allocatable'));
    this.images = imagesOf(node);
    this.version++;
  }

  add(pod: PodInfo): void {
    this.pods.set(pod.key, pod);
    this.#count(pod, 1);
  }

  remove(pod: PodInfo): void {
    const known = this.pods.get(pod.key);
    if (known === undefined) return;
    this.pods.delete(pod.key);
    this.#count(known, -1);
  }

  #count({ spec }: PodInfo, sign: 1 | -1): void {
    addAmounts(this.requested, spec.requests, sign);
    this.assumed.cpu += sign * spec.assumed.cpu;
    this.assumed.memory += sign * spec.assumed.memory;
    this.version++;
  }
}

function imagesOf(node: KubeObject | undefined): ReadonlyMap<string, number> {
  const images = new Map<string, number>();
  for (const image of asList(dig(node, 'status', 'images'))) {
    const size = asNumber(dig(image, 'sizeBytes')) ?? 0;
    for (const name of asList(dig(image, 'names'))) images.set(asText(name) ?? '', size);
  }
  return images;
}
