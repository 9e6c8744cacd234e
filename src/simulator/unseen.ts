import type { Instant } from '../base/instant.ts';
import type { Change } from './store.ts';

/**
 * Stretches of time that pass in one go, with nobody outside to look. A kubelet whose containers crash and crash works out when
 * they did, instead of living through every restart and writing of each (kubelet/crash-leap.ts); everything else goes its way.
 *
 * What others make of a pod that is ready for a blink is known from the last crash that was seen: where it led to more than counts
 * of ready replicas, it led to a change of what there is, and only crashes after the last such change are taken for repetitions.
 * That several pods happen to be ready in the same blink is not played in such a stretch.
 */
export class Unseen {
  #until: Instant = Number.NEGATIVE_INFINITY;
  #changed: Instant = Number.NEGATIVE_INFINITY;
  readonly #ready = new Map<string, Instant>();
  readonly #hidden = new Set<string>();
  readonly #shown: ((uid: string) => void)[] = [];

  /** The end of the stretch; in the past when there is none. */
  get until(): Instant {
    return this.#until;
  }

  begin(until: Instant): void {
    this.#until = until;
  }

  end(): void {
    this.#until = Number.NEGATIVE_INFINITY;
  }

  /** Remembers when something came, went, or was given another specification. */
  changed({ resource, type, object: { metadata }, previous }: Change, moment: Instant): void {
    if (FLEETING.has(resource)) return;
    const before = previous?.metadata;
    if (type !== 'MODIFIED' || SPECIFIED.some((field) => metadata[field] !== before?.[field])) this.#changed = moment;
  }

  /** Whether all that has changed since is how things are doing. */
  isSteadySince(moment: Instant): boolean {
    return this.#changed < moment;
  }

  /** What becomes of a pod (its uid) is not written for now. */
  hide(uid: string): void {
    this.#hidden.add(uid);
  }

  show(uid: string): void {
    if (this.#hidden.delete(uid)) for (const run of this.#shown) run(uid);
  }

  isHidden(uid: string): boolean {
    return this.#hidden.has(uid);
  }

  onShow(run: (uid: string) => void): void {
    this.#shown.push(run);
  }

  /** A pod of that owner (its uid) is ready now and then, the last time at that moment, and nobody is told. */
  readyUntil(owner: string, moment: Instant): void {
    this.#ready.set(owner, moment);
  }

  /** When one of its pods was last ready without anybody being told. */
  lastReady(owner: string, now: Instant): Instant | undefined {
    const last = this.#ready.get(owner);
    return last === undefined ? undefined : Math.min(last, now);
  }
}

/** What changes with every pod that is ready for a blink, and leads to nothing else. */
const FLEETING: ReadonlySet<string> = new Set(['events', 'endpoints', 'endpointslices.discovery.k8s.io', 'leases.coordination.k8s.io']);
/** Fields of metadata that change with more than a status. */
const SPECIFIED: readonly string[] = ['generation', 'deletionTimestamp', 'labels'];

/** Shorter stretches are not worth it. */
export const LONG_MILLISECONDS = 1_800_000;

/**
 * How long before somebody may look everything is lived through again, down to a container that was started just before: until
 * its wait is noticed takes 90 s at most. Its last restart is lived through in any case (kubelet/crash-leap.ts).
 */
export const SEEN_MILLISECONDS = 120_000;
