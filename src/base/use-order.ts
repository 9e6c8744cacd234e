/** What stands in an order of use: from each leads a way to those used just before and just after it. */
export interface Used<T> {
  newer: T | undefined;
  older: T | undefined;
}

/** Who was used when: the newest last. */
export class UseOrder<T extends Used<T>> {
  #newest: T | undefined;
  #oldest: T | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** What was used longest ago. */
  get oldest(): T | undefined {
    return this.#oldest;
  }

  add(one: T): void {
    this.#size++;
    one.newer = undefined;
    one.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = one;
    else this.#newest.newer = one;
    this.#newest = one;
  }

  /** Makes one that stands in it the newest. */
  use(one: T): void {
    if (one === this.#newest) return;
    this.remove(one);
    this.add(one);
  }

  remove({ newer, older }: T): void {
    this.#size--;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
  }
}
