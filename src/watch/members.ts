import type { Instant } from '../base/instant.ts';
import type { Share } from './share.ts';
import { shareOf } from './share.ts';

/**
 * Milliseconds. Source: client-go's leader election has 15 s, 10 s and 2 s (component-base/config/options/leaderelectionconfig.go). Two
 * seconds less here, so that with the time to notice it a share is taken over within 15 s.
 */
export const LEASE_TIMES = {
  /** A Lease that was not renewed for this long is anybody's. */
  duration: 13_000,
  /** Who could not renew its own for this long tells nothing any more. */
  deadline: 10_000,
  retry: 2000,
  /** By then all others have seen a newcomer, or have stopped. */
  settle: 12_000,
};

/** What a Lease says. Source: staging/src/k8s.io/api/coordination/v1/types.go (LeaseSpec). */
export interface LeaseRecord {
  readonly holder: string;
  readonly acquiredAt: Instant | undefined;
  readonly renewedAt: Instant | undefined;
}

interface Slot {
  readonly record: LeaseRecord;
  /** When this record was first seen, by the clock of who looks: the clocks of others do not matter. */
  readonly seenAt: number;
}

/** Who holds which of the Leases, as far as one replica has seen. All times come in, by a clock that never jumps. */
export class Members {
  readonly #identity: string;
  readonly #slots = new Map<number, Slot>();
  #own: { readonly slot: number; readonly since: number; renewedAt: number; isSettled: boolean } | undefined;

  constructor(identity: string) {
    this.#identity = identity;
  }

  /** The Lease that it holds; undefined where it has none, or could not renew it in time. */
  own(now: number): number | undefined {
    return this.#own !== undefined && now - this.#own.renewedAt < LEASE_TIMES.deadline ? this.#own.slot : undefined;
  }

  /** Takes what was read of another's Lease. */
  saw(slot: number, record: LeaseRecord, now: number): void {
    const known = this.#slots.get(slot)?.record;
    const isSame = known?.holder === record.holder && known.renewedAt === record.renewedAt;
    if (!isSame) this.#slots.set(slot, { record, seenAt: now });
  }

  /** Whether a Lease can be taken: nobody holds it, or nobody has renewed it for long. */
  isFree(slot: number, now: number): boolean {
    const seen = this.#slots.get(slot);
    return seen !== undefined && (seen.record.holder === '' || now - seen.seenAt >= LEASE_TIMES.duration);
  }

  /** The Lease was taken, or renewed by a request that began at `now`. */
  renewed(slot: number, now: number): void {
    if (this.#own?.slot === slot) this.#own.renewedAt = now;
    else this.#own = { slot, since: now, renewedAt: now, isSettled: false };
  }

  /** Another has its Lease. */
  lost(): void {
    this.#own = undefined;
  }

  /** All Leases were read since it got its own. */
  looked(now: number): void {
    const own = this.#own;
    if (own === undefined) return;
    const isAlone = this.#live(now).length === 1;
    own.isSettled ||= isAlone || now - own.since >= LEASE_TIMES.settle;
  }

  /** What it answers for at the moment; undefined where it has no Lease. */
  share(now: number): Share | undefined {
    const own = this.own(now);
    if (own === undefined) return undefined;
    const live = this.#live(now);
    return shareOf(own, { live, settled: live.filter((slot) => (slot === own ? this.#own?.isSettled : this.#hasSettled(slot))) });
  }

  /** How many replicas there are. */
  size(now: number): number {
    return this.#live(now).length;
  }

  #live(now: number): readonly number[] {
    const own = this.own(now);
    const others = Array.from(this.#slots.keys()).filter(
      (slot) => slot !== own && !this.isFree(slot, now) && this.#slots.get(slot)?.record.holder !== this.#identity,
    );
    return (own === undefined ? others : [...others, own]).toSorted((a, b) => a - b);
  }

  /** Both times are by the other's clock. */
  #hasSettled(slot: number): boolean {
    const { renewedAt, acquiredAt } = this.#slots.get(slot)?.record ?? {};
    return renewedAt !== undefined && acquiredAt !== undefined && renewedAt - acquiredAt >= LEASE_TIMES.settle;
  }
}
