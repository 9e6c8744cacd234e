import type { Instant } from '../../base/instant.ts';

/**
 * flowcontrol.Backoff: waits that double from one failure to the next and are forgotten after twice the longest.
 * Source: staging/src/k8s.io/client-go/util/flowcontrol/backoff.go.
 */
export class BackOff {
  readonly #initial: number;
  readonly #limit: number;
  readonly #entries = new Map<string, { wait: number; updated: Instant }>();

  constructor(initialMilliseconds: number, limitMilliseconds: number) {
    this.#initial = initialMilliseconds;
    this.#limit = limitMilliseconds;
  }

  /** The wait that is running, counted from that moment on; undefined when it is over or there is none. */
  waitSince(key: string, since: Instant, now: Instant): number | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || since - entry.updated > 2 * this.#limit) return undefined;
    return now - since < entry.wait ? entry.wait : undefined;
  }

  waitSinceUpdate(key: string, now: Instant): number | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined ? undefined : this.waitSince(key, entry.updated, now);
  }

  /** One more failure. */
  next(key: string, at: Instant, now: Instant): void {
    const entry = this.#entries.get(key);
    const wait = entry === undefined || at - entry.updated > 2 * this.#limit ? this.#initial : Math.min(this.#limit, entry.wait * 2);
    this.#entries.set(key, { wait, updated: now });
  }

  forget(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }
}
