import type { NodeInfo } from './node-info.ts';

/** A number for each node, worked out anew only when the node has changed since. */
export class NodeNumbers {
  readonly #work: (node: NodeInfo) => number;
  #versions = new Float64Array(64);
  #numbers = new Float64Array(64);

  constructor(work: (node: NodeInfo) => number) {
    this.#work = work;
  }

  of(node: NodeInfo): number {
    const { place, version } = node;
    if (this.#versions[place] === version) return this.#numbers[place] ?? 0;
    const number = this.#work(node);
    // A copy of a node that is in no cache: it has no place of its own.
    if (place === 0) return number;
    if (place >= this.#versions.length) this.#grow(place);
    this.#versions[place] = version;
    this.#numbers[place] = number;
    return number;
  }

  #grow(place: number): void {
    const [versions, numbers] = [new Float64Array(place * 2), new Float64Array(place * 2)];
    versions.set(this.#versions);
    numbers.set(this.#numbers);
    [this.#versions, this.#numbers] = [versions, numbers];
  }
}
