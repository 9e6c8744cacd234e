import type { KubeObject } from '../../model/kube-object.ts';
import { NodeInfo } from './node-info.ts';
import type { PlacedCounts, PodQuery } from './pod-counts.ts';
import { PodCounts } from './pod-counts.ts';
import type { NodeNumbers } from './node-numbers.ts';
import type { ClassNumbers } from './pod-class.ts';
import { PodClasses } from './pod-class.ts';
import type { PodInfo } from './pod-info.ts';
import { TermRegistry } from './term-registry.ts';

/**
 * All nodes with the pods on them, as the scheduler knows them: what informers told, and the pods it has just placed ("assumed")
 * but not yet seen there. Changed pod by pod; nothing is ever counted anew.
 * Source: pkg/scheduler/backend/cache/{cache,node_tree}.go.
 */
export class SchedulerCache {
  readonly terms = new TermRegistry();
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #pods = new Map<string, Placed>();
  readonly #counts = new PodCounts();
  readonly #claims = new Map<string, number>();
  readonly #imageNodes = new Map<string, number>();
  #classes = new PodClasses();
  readonly #domains = new Map<string, Domains>();
  #list: readonly NodeInfo[] | undefined;
  #places = 0;
  #softTainted = 0;

  /** Nodes in the order they are looked at: one of each zone in turn. */
  list(): readonly NodeInfo[] {
    this.#list ??= byZonesInTurn([...this.#nodes.values()].filter(({ node }) => node !== undefined));
    return this.#list;
  }

  node(name: string): NodeInfo | undefined {
    const info = this.#nodes.get(name);
    return info?.node === undefined ? undefined : info;
  }

  setNode(node: KubeObject): void {
    const info = this.#infoOf(node.metadata.name);
    const zone = zoneOf(info);
    const isNew = info.node === undefined;
    const { labels } = info;
    this.#count(info, -1);
    info.setNode(node);
    this.#count(info, 1);
    if (isNew || info.labels !== labels) this.#domains.clear();
    if (isNew || zoneOf(info) !== zone) this.#list = undefined;
  }

  removeNode(name: string): void {
    const info = this.#nodes.get(name);
    if (info === undefined) return;
    this.#count(info, -1);
    info.setNode(undefined);
    this.#domains.clear();
    if (info.pods.size === 0) this.#nodes.delete(name);
    this.#list = undefined;
  }

  /** Puts a pod on a node, or what is now known of it in place of what was. */
  place(pod: PodInfo, node: string, assumed = false): void {
    const known = this.#pods.get(pod.key);
    if (known !== undefined && known.node === node && sameForScheduling(known.pod, pod)) {
      this.#pods.set(pod.key, { pod, node, assumed });
      this.#nodes.get(node)?.pods.set(pod.key, pod);
      return;
    }
    this.remove(pod.key);
    this.#pods.set(pod.key, { pod, node, assumed });
    this.#infoOf(node).add(pod);
    this.#change(node, pod, 1);
  }

  remove(key: string): void {
    const known = this.#pods.get(key);
    if (known === undefined) return;
    this.#pods.delete(key);
    const info = this.#infoOf(known.node);
    info.remove(known.pod);
    this.#change(known.node, known.pod, -1);
    if (info.pods.size === 0 && info.node === undefined) this.#nodes.delete(known.node);
  }

  placed(key: string): Placed | undefined {
    return this.#pods.get(key);
  }

  counts(query: PodQuery): PlacedCounts {
    return this.#counts.of(query, (keys) => this.#placements(keys));
  }

  /** How many pods on nodes use a claim. */
  usersOf(namespace: string, claim: string): number {
    return this.#claims.get(`${namespace}/${claim}`) ?? 0;
  }

  nodesWithImage(image: string): number {
    return this.#imageNodes.get(image) ?? 0;
  }

  /** Whether any node has a taint that pods only prefer to avoid. */
  get hasSoftTaints(): boolean {
    return this.#softTainted > 0;
  }

  /** A number for each node that is the same for all pods of a class. */
  numbers(what: ClassNumbers, pod: PodInfo, work: () => (node: NodeInfo) => number): NodeNumbers {
    return this.#classes.numbers(what, pod, work);
  }

  /** Something else has changed that speaks for or against nodes. */
  forgetClasses(): void {
    this.#classes = new PodClasses();
  }

  /** In which domain of a topology each node is, by its place; undefined when none is in any. */
  domains(topologyKey: string): Domains {
    const known = this.#domains.get(topologyKey);
    if (known !== undefined) return known;
    const numbers = new Map<string, number>();
    const of = new Int32Array(this.#places + 1).fill(NO_DOMAIN);
    for (const { labels, place } of this.list()) {
      const label = labels[topologyKey];
      if (label === undefined) continue;
      if (!numbers.has(label)) numbers.set(label, numbers.size);
      of[place] = numbers.get(label) ?? NO_DOMAIN;
    }
    const domains: Domains = { of, size: numbers.size };
    this.#domains.set(topologyKey, domains);
    return domains;
  }

  /** Every pod on a node. */
  pods(): Iterable<Placed> {
    return this.#pods.values();
  }

  *#placements(keys: Iterable<string> = this.#pods.keys()): Iterable<readonly [NodeInfo, PodInfo]> {
    for (const key of keys) {
      const placed = this.#pods.get(key);
      if (placed !== undefined) yield [this.#infoOf(placed.node), placed.pod];
    }
  }

  #infoOf(name: string): NodeInfo {
    let info = this.#nodes.get(name);
    if (info === undefined) {
      info = new NodeInfo(name, ++this.#places);
      this.#nodes.set(name, info);
    }
    return info;
  }

  #change(node: string, pod: PodInfo, by: 1 | -1): void {
    this.#counts.change(this.#infoOf(node), pod, by);
    this.terms.change(node, pod, by);
    for (const { claim } of pod.spec.claims) {
      const key = `${pod.namespace}/${claim}`;
      const users = (this.#claims.get(key) ?? 0) + by;
      if (users > 0) this.#claims.set(key, users);
      else this.#claims.delete(key);
    }
  }

  #count(info: NodeInfo, by: 1 | -1): void {
    for (const image of info.images.keys()) this.#countImage(image, by);
    if (info.taints.some(({ effect }) => effect === 'PreferNoSchedule')) this.#softTainted += by;
  }

  #countImage(image: string, by: 1 | -1): void {
    const count = (this.#imageNodes.get(image) ?? 0) + by;
    if (count > 0) this.#imageNodes.set(image, count);
    else this.#imageNodes.delete(image);
  }
}

export interface Placed {
  readonly pod: PodInfo;
  readonly node: string;
  /** Placed by the scheduler, but not yet seen there. */
  readonly assumed: boolean;
}

/** Domains by the place of the node. */
export interface Domains {
  /** Numbers of domains, from 0 on, or NO_DOMAIN. */
  readonly of: Int32Array;
  /** How many domains there are. */
  readonly size: number;
}

export const NO_DOMAIN = -1;

const ZONE = 'topology.kubernetes.io/zone';
const REGION = 'topology.kubernetes.io/region';

function zoneOf({ labels }: NodeInfo): string {
  return `${labels[REGION] ?? ''}:${labels[ZONE] ?? ''}`;
}

function byZonesInTurn(nodes: readonly NodeInfo[]): readonly NodeInfo[] {
  const zones = new Map<string, NodeInfo[]>();
  for (const node of nodes) {
    const zone = zones.get(zoneOf(node));
    if (zone === undefined) zones.set(zoneOf(node), [node]);
    else zone.push(node);
  }
  const lists = [...zones.values()];
  const order: NodeInfo[] = [];
  for (let turn = 0; order.length < nodes.length; turn++)
    for (const list of lists) if (list[turn] !== undefined) order.push(list[turn] as NodeInfo);
  return order;
}

function sameForScheduling(known: PodInfo, pod: PodInfo): boolean {
  return (
    known.uid === pod.uid &&
    known.terminating === pod.terminating &&
    known.pod.metadata['labels'] === pod.pod.metadata['labels'] &&
    sameNeeds(known, pod)
  );
}

/** Binding makes another spec object of the same content: what was worked out of it is compared where it can change (resize). */
function sameNeeds({ spec: a }: PodInfo, { spec: b }: PodInfo): boolean {
  if (a === b) return true;
  const [x, y] = [a.requests, b.requests];
  if (x.cpu !== y.cpu || x.memory !== y.memory || x.ephemeral !== y.ephemeral || x.scalar.size !== y.scalar.size) return false;
  for (const [name, amount] of x.scalar) if (y.scalar.get(name) !== amount) return false;
  return true;
}
