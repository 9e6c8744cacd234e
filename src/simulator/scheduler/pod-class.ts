import { LruMap } from '../../base/lru-map.ts';
import type { NodeInfo } from './node-info.ts';
import { NodeNumbers } from './node-numbers.ts';
import type { PodInfo, SpecInfo } from './pod-info.ts';

/** What is worked out for pods of a class: whether a node takes them, and its points. */
export type ClassNumbers = 'fits' | 'points';

/**
 * Pods that ask for the same and tolerate the same are of one class: what speaks for or against a node by itself is the same for
 * all of them, and it is worked out again only for the nodes that have changed since the last one of the class was scheduled.
 */
export class PodClasses {
  readonly #numbers: Readonly<Record<ClassNumbers, LruMap<NodeNumbers>>> = { fits: new LruMap(CLASSES), points: new LruMap(CLASSES) };
  readonly #names = new WeakMap<SpecInfo, string>();

  numbers(what: ClassNumbers, { spec }: PodInfo, work: () => (node: NodeInfo) => number): NodeNumbers {
    const key = this.#nameOf(spec);
    const known = this.#numbers[what].get(key);
    if (known !== undefined) return known;
    const numbers = new NodeNumbers(work());
    this.#numbers[what].set(key, numbers);
    return numbers;
  }

  #nameOf(spec: SpecInfo): string {
    const known = this.#names.get(spec);
    if (known !== undefined) return known;
    const { requests, assumed, tolerations } = spec;
    const name = JSON.stringify([
      requests.cpu,
      requests.memory,
      requests.ephemeral,
      [...requests.scalar],
      assumed.cpu,
      assumed.memory,
      tolerations,
    ]);
    this.#names.set(spec, name);
    return name;
  }
}

const CLASSES = 100;
