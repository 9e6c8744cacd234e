import type { Instant } from '../../../base/instant.ts';

/** How long is waited, and when that was found. */
export interface Wait {
  readonly wait: number;
  readonly updated: Instant;
}

/**
 * flowcontrol.Backoff: waits that double from one failure to the next and are forgotten after twice the longest.
 * Source: staging/src/k8s.io/client-go/util/flowcontrol/backoff.go.
 */
export class BackOff {
  readonly #initial: number;
  readonly #limit: number;
  readonly #entries = new Map<string, Wait>();

  constructor(initialMilliseconds: number, limitMilliseconds: number) {
    this.#initial = initialMilliseconds;
    this.#limit = limitMilliseconds;
  }

  /** The wait that is running, counted from that moment on; undefined when it is over or there is none. */
  waitSince(key: string, since: Instant, now: Instant): number | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || this.isOver(entry, since, now) ? undefined : entry.wait;
  }

  isOver(entry: Wait, since: Instant, now: Instant): boolean {
    return since - entry.updated > 2 * this.#limit || now - since >= entry.wait;
  }

  waitSinceUpdate(key: string, now: Instant): number | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined ? undefined : this.waitSince(key, entry.updated, now);
  }

  /** One more failure. */
  next(key: string, at: Instant, now: Instant): void {
    this.#entries.set(key, this.after(this.#entries.get(key), at, now));
  }

  /** What another failure makes of a wait. */
  after(entry: Wait | undefined, at: Instant, now: Instant): Wait {
    return {
      wait: entry === undefined || at - entry.updated > 2 * this.#limit ? this.#initial : Math.min(this.#limit, entry.wait * 2),
      updated: now,
    };
  }

  entry(key: string): Wait | undefined {
    return this.#entries.get(key);
  }

  /** Failures came that were worked out elsewhere. */
  set(key: string, entry: Wait): void {
    this.#entries.set(key, entry);
  }

  forget(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }
}
