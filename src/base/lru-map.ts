/** A map that forgets what was used longest ago when it has more than `limit` entries. */
export class LruMap<V> {
  readonly #limit: number;
  readonly #entries = new Map<string, Entry<V>>();
  /** Used last; from each entry leads a way to the one used just before it. */
  #newest: Entry<V> | undefined;
  #oldest: Entry<V> | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#use(entry);
    return entry.value;
  }

  set(key: string, value: V): void {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      known.value = value;
      this.#use(known);
      return;
    }
    const entry: Entry<V> = { key, value, newer: undefined, older: undefined };
    this.#entries.set(key, entry);
    this.#append(entry);
    if (this.#entries.size > this.#limit && this.#oldest !== undefined) this.delete(this.#oldest.key);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#unlink(entry);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** What was used longest ago first. */
  *entries(): Iterable<readonly [string, V]> {
    for (let entry = this.#oldest; entry !== undefined; entry = entry.newer) yield [entry.key, entry.value];
  }

  #use(entry: Entry<V>): void {
    if (entry === this.#newest) return;
    this.#unlink(entry);
    this.#append(entry);
  }

  #append(entry: Entry<V>): void {
    entry.newer = undefined;
    entry.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  #unlink({ newer, older }: Entry<V>): void {
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
  }
}

interface Entry<V> {
  readonly key: string;
  value: V;
  newer: Entry<V> | undefined;
  older: Entry<V> | undefined;
}
