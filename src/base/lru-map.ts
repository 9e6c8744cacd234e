import type { Used } from './use-order.ts';
import { UseOrder } from './use-order.ts';

/** A map that forgets what was used longest ago when it has more than `limit` entries. */
export class LruMap<V> {
  readonly #limit: number;
  readonly #entries = new Map<string, Entry<V>>();
  readonly #order = new UseOrder<Entry<V>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#order.use(entry);
    return entry.value;
  }

  set(key: string, value: V): void {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      known.value = value;
      this.#order.use(known);
      return;
    }
    const entry: Entry<V> = { key, value, newer: undefined, older: undefined };
    this.#entries.set(key, entry);
    this.#order.add(entry);
    const { oldest } = this.#order;
    if (this.#entries.size > this.#limit && oldest !== undefined) this.delete(oldest.key);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#order.remove(entry);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** What was used longest ago first. */
  *entries(): Iterable<readonly [string, V]> {
    for (let entry = this.#order.oldest; entry !== undefined; entry = entry.newer) yield [entry.key, entry.value];
  }
}

interface Entry<V> extends Used<Entry<V>> {
  readonly key: string;
  value: V;
}
