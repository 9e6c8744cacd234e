import type { Instant } from '../../base/instant.ts';

/** golang.org/x/time/rate in virtual time: so many a second, so many at once; who comes too early is told how long to wait. */
export class TokenBucket {
  readonly #perMillisecond: number;
  readonly #burst: number;
  #tokens: number;
  #at: Instant;

  constructor(perSecond: number, burst: number, now: Instant) {
    this.#perMillisecond = perSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = now;
  }

  /** Takes one token, if need be from the future: milliseconds until it may be used. */
  reserve(now: Instant): number {
    this.#refill(now);
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMillisecond;
  }

  /** Takes one token if there is one. */
  take(now: Instant): boolean {
    this.#refill(now);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #refill(now: Instant): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#at) * this.#perMillisecond);
    this.#at = now;
  }
}
