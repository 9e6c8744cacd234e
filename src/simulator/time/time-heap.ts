import type { Instant } from '../../base/instant.ts';

/**
 * What waits for its time, the soonest first and, of the same time, in the order of its number. Times and numbers lie beside
 * what waits, in arrays of their own: tens of thousands of tasks are put in and taken out without looking at any of them. They are
 * read `as number`: with `?? 0` each was put into an object of its own, a tenth of all that was allocated.
 */
export class TimeHeap<T> {
  #times = new Float64Array(64);
  #numbers = new Float64Array(64);
  #waiting: T[] = [];

  get length(): number {
    return this.#waiting.length;
  }

  get first(): T | undefined {
    return this.#waiting[0];
  }

  push(time: Instant, number: number, what: T): void {
    const waiting = this.#waiting;
    let place = waiting.length;
    waiting.push(what);
    if (place === this.#times.length) this.#grow();
    const [times, numbers] = [this.#times, this.#numbers];
    while (place > 0) {
      const above = (place - 1) >> 2;
      const then = times[above] as number;
      if (then < time || (then === time && (numbers[above] as number) < number)) break;
      times[place] = then;
      numbers[place] = numbers[above] as number;
      waiting[place] = waiting[above] as T;
      place = above;
    }
    times[place] = time;
    numbers[place] = number;
    waiting[place] = what;
  }

  removeFirst(): void {
    const waiting = this.#waiting;
    const what = waiting.pop();
    const { length } = waiting;
    if (what === undefined || length === 0) return;
    const [times, numbers] = [this.#times, this.#numbers];
    const time = times[length] as number;
    const number = numbers[length] as number;
    let place = 0;
    for (;;) {
      const child = this.#soonestBelow(place, length);
      const then = times[child] as number;
      if (child === 0 || then > time || (then === time && (numbers[child] as number) > number)) break;
      times[place] = then;
      numbers[place] = numbers[child] as number;
      waiting[place] = waiting[child] as T;
      place = child;
    }
    times[place] = time;
    numbers[place] = number;
    waiting[place] = what;
  }

  /** All that waits, soonest first. */
  inOrder(): readonly T[] {
    return this.#places().map((place) => this.#waiting[place] as T);
  }

  /** Forgets all that does not pass. What is in order is a heap. */
  keep(passes: (what: T) => boolean): void {
    const places = this.#places().filter((place) => passes(this.#waiting[place] as T));
    const [times, numbers] = [new Float64Array(this.#times.length), new Float64Array(this.#times.length)];
    for (const [index, place] of places.entries()) {
      times[index] = this.#times[place] ?? 0;
      numbers[index] = this.#numbers[place] ?? 0;
    }
    this.#waiting = places.map((place) => this.#waiting[place] as T);
    [this.#times, this.#numbers] = [times, numbers];
  }

  /** The soonest of the four below a place; 0 when there is none. */
  #soonestBelow(place: number, length: number): number {
    const times = this.#times;
    const numbers = this.#numbers;
    const from = place * 4 + 1;
    if (from >= length) return 0;
    const to = Math.min(from + 4, length);
    let soonest = from;
    for (let other = from + 1; other < to; other++) {
      const time = times[other] as number;
      const best = times[soonest] as number;
      if (time < best || (time === best && (numbers[other] as number) < (numbers[soonest] as number))) soonest = other;
    }
    return soonest;
  }

  #places(): readonly number[] {
    const [times, numbers] = [this.#times, this.#numbers];
    return Array.from(this.#waiting.keys()).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || (numbers[a] ?? 0) - (numbers[b] ?? 0));
  }

  #grow(): void {
    const [times, numbers] = [new Float64Array(this.#times.length * 2), new Float64Array(this.#times.length * 2)];
    times.set(this.#times);
    numbers.set(this.#numbers);
    [this.#times, this.#numbers] = [times, numbers];
  }
}
