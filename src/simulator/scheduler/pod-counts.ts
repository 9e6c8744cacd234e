import type { JsonObject } from '../../base/json.ts';
import { asTextMap, dig } from '../../base/json.ts';
import type { LabelMatcher } from '../apiserver/selectors.ts';
import { labelSelectorMatcher } from '../apiserver/selectors.ts';
import type { PodInfo } from './pod-info.ts';

/** Which pods are counted. */
export interface PodQuery {
  /** Sorted names; undefined stands for all namespaces. */
  readonly namespaces: readonly string[] | undefined;
  readonly selector: JsonObject | undefined;
  /** Whether pods that are being deleted count. */
  readonly terminating: boolean;
}

/** Pods that fit a query, by node; nodes without any are absent. Kept up to date while it is in use. */
export type NodeCounts = ReadonlyMap<string, number>;

/** The same by the place of the node as well; what is past the end of the list is 0. */
export interface PlacedCounts extends NodeCounts {
  readonly byPlace: readonly number[];
}

/** A node as pods are counted by. */
interface CountedNode {
  readonly name: string;
  readonly place: number;
}

/**
 * How many pods on each node fit a selector. A query that was asked once is kept up to date with every pod that comes or goes,
 * so that scheduling thousands of pods of one Deployment does not look at all pods for each.
 */
export class PodCounts {
  readonly #counters = new Map<string, Counter>();
  /** Counters by a label pair their selector demands, so that a pod finds those that may count it. */
  readonly #byPair = new Map<string, Set<Counter>>();
  readonly #byAnything = new Set<Counter>();
  /** The keys of all pods on nodes by each of their labels, so that a new query looks at none that cannot fit. */
  readonly #labelled = new Map<string, Set<string>>();
  readonly #texts = new WeakMap<JsonObject, string>();

  /** `pods` gives the pods of these keys with their nodes, or all, for a query asked the first time. */
  of(query: PodQuery, pods: (keys: Iterable<string> | undefined) => Iterable<readonly [node: CountedNode, pod: PodInfo]>): PlacedCounts {
    const key = this.#keyOf(query);
    const known = this.#counters.get(key);
    if (known !== undefined) {
      // The least recently used stands first.
      this.#counters.delete(key);
      this.#counters.set(key, known);
      return known.counts;
    }
    const counter = counterOf(query);
    for (const [node, pod] of pods(counter.pair === undefined ? undefined : (this.#labelled.get(counter.pair) ?? [])))
      count(counter, node, pod, 1);
    this.#counters.set(key, counter);
    this.#shelf(counter).add(counter);
    if (this.#counters.size > LIMIT) this.#dropOldest();
    return counter.counts;
  }

  change(node: CountedNode, pod: PodInfo, by: 1 | -1): void {
    for (const counter of this.#byAnything) count(counter, node, pod, by);
    for (const key of Object.keys(pod.labels)) {
      const pair = `${key}=${pod.labels[key] ?? ''}`;
      this.#note(pair, pod.key, by);
      for (const counter of this.#byPair.get(pair) ?? NO_COUNTERS) count(counter, node, pod, by);
    }
  }

  #keyOf({ namespaces, selector, terminating }: PodQuery): string {
    let text = selector === undefined ? '' : this.#texts.get(selector);
    if (selector !== undefined && text === undefined) this.#texts.set(selector, (text = JSON.stringify(selector)));
    return `${namespaces === undefined ? '*' : namespaces.join(' ')}|${String(terminating)}|${text ?? ''}`;
  }

  #note(pair: string, key: string, by: 1 | -1): void {
    const keys = this.#labelled.get(pair);
    if (by === 1 && keys === undefined) this.#labelled.set(pair, new Set([key]));
    else if (by === 1) keys?.add(key);
    else if (keys?.delete(key) === true && keys.size === 0) this.#labelled.delete(pair);
  }

  #dropOldest(): void {
    for (const [key, counter] of this.#counters) {
      this.#counters.delete(key);
      const shelf = this.#shelf(counter);
      shelf.delete(counter);
      if (shelf.size === 0 && counter.pair !== undefined) this.#byPair.delete(counter.pair);
      return;
    }
  }

  #shelf(counter: Counter): Set<Counter> {
    if (counter.pair === undefined) return this.#byAnything;
    const shelf = this.#byPair.get(counter.pair) ?? new Set();
    this.#byPair.set(counter.pair, shelf);
    return shelf;
  }
}

const LIMIT = 4000;
const NO_COUNTERS: readonly Counter[] = [];

interface Counter {
  readonly namespaces: ReadonlySet<string> | undefined;
  readonly matches: LabelMatcher;
  readonly terminating: boolean;
  readonly pair: string | undefined;
  readonly counts: Counts;
}

class Counts extends Map<string, number> implements PlacedCounts {
  readonly byPlace: number[] = [];

  change({ name, place }: CountedNode, by: 1 | -1): void {
    const sum = (this.get(name) ?? 0) + by;
    if (sum === 0) this.delete(name);
    else this.set(name, sum);
    while (this.byPlace.length <= place) this.byPlace.push(0);
    this.byPlace[place] = sum;
  }
}

function counterOf({ namespaces, selector, terminating }: PodQuery): Counter {
  const [pair] = Object.entries(asTextMap(dig(selector, 'matchLabels'))).map(([key, value]) => `${key}=${value}`);
  return {
    namespaces: namespaces === undefined ? undefined : new Set(namespaces),
    matches: labelSelectorMatcher(selector),
    terminating,
    pair,
    counts: new Counts(),
  };
}

function count(counter: Counter, node: CountedNode, pod: PodInfo, by: 1 | -1): void {
  if (counter.namespaces !== undefined && !counter.namespaces.has(pod.namespace)) return;
  if ((pod.terminating && !counter.terminating) || !counter.matches(pod.labels)) return;
  counter.counts.change(node, by);
}
