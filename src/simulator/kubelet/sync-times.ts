import type { Instant } from '../../base/instant.ts';
import type { Prng } from '../../base/prng.ts';
import { toMicrosecond } from '../time/agenda.ts';

/** The moments at which a kubelet looks: computed when something waits for one, so that looking costs nothing. */
export class Ticks {
  readonly #relistPhase: number;
  readonly #syncPhase: number;
  readonly #evictionPhase: number;

  constructor(start: Instant, prng: Prng) {
    this.#relistPhase = start + prng.between(0, 1000);
    this.#syncPhase = start + prng.between(0, 1000);
    this.#evictionPhase = start + prng.between(0, 10_000);
  }

  /**
   * The next relist of the runtime's containers: each second, and the few milliseconds it takes itself. Source:
   * pkg/kubelet/pleg/generic.go.
   */
  relistAfter(instant: Instant): Instant {
    return next(this.#relistPhase, 1007, instant);
  }

  /** When the sync loop next takes pods whose wait is over: each second. Source: pkg/kubelet/kubelet.go (syncLoop). */
  syncFrom(instant: Instant): Instant {
    return next(this.#syncPhase, 1000, instant - 1);
  }

  /** When the eviction manager next looks. Source: pkg/kubelet/kubelet.go (evictionMonitoringPeriod). */
  evictionAfter(instant: Instant): Instant {
    return next(this.#evictionPhase, 10_000, instant);
  }
}

/**
 * When a pod whose container waits until `expires` is looked at again. Source: pkg/kubelet/pod_workers.go (completeWork), with the wait
 * capped at a minute; `factor` is what it is stretched by, where that is not left to chance.
 */
export function lookAfter(now: Instant, expires: Instant, chance: Prng, ticks: Ticks, factor: number | undefined): Instant {
  const drawn = chance.between(1, 1.5);
  const due = toMicrosecond(ticks.syncFrom(now + Math.min(60_000, Math.max(0, expires - now)) * (factor ?? drawn)));
  return Math.max(due, toMicrosecond(ticks.relistAfter(now)));
}

/** The agenda knows microseconds only: a tick less than two ahead is the one that is just being run, and would be run for ever. */
function next(phase: Instant, period: number, after: Instant): Instant {
  const tick = phase + (Math.floor((after - phase) / period) + 1) * period;
  return tick - after > 0.002 ? tick : tick + period;
}
