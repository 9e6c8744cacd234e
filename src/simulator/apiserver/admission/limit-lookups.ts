import type { Instant } from '../../../base/instant.ts';
import type { Store } from '../../store/store.ts';
import { TIMING } from '../../time/timing.ts';
import type { UnsignedRequest } from '../request.ts';

/**
 * Before it makes a pod or a claim the API server looks for limits of the namespace. When its cache holds none there it lists them from
 * the store, and remembers for half a minute that it did. Source: plugin/pkg/admission/limitranger/admission.go (GetLimitRanges).
 */
export class LimitLookups {
  readonly #store: Store;
  readonly #now: () => Instant;
  readonly #asked = new Map<string, Instant>();

  constructor(store: Store, now: () => Instant) {
    this.#store = store;
    this.#now = now;
  }

  /** Milliseconds that a request takes longer for it. */
  before({ verb, resource, subresource, namespace }: UnsignedRequest): number {
    if (verb !== 'create' || subresource !== undefined || namespace === undefined) return 0;
    if (resource !== 'pods' && resource !== 'persistentvolumeclaims') return 0;
    if (this.#store.count('limitranges', namespace) > 0) return 0;
    const now = this.#now();
    const asked = this.#asked.get(namespace) ?? Number.NEGATIVE_INFINITY;
    // Who comes while it is being listed waits for the same answer.
    if (now < asked + REMEMBERED_MILLISECONDS) return Math.max(0, asked + TIMING.limitLookupMilliseconds - now);
    this.#asked.set(namespace, now);
    return TIMING.limitLookupMilliseconds;
  }
}

const REMEMBERED_MILLISECONDS = 30_000;
