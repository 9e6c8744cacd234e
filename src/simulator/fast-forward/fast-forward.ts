import type { Instant } from '../../base/instant.ts';
import type { Change } from '../store/store.ts';

/**
 * Stretches of time that pass in one go, with nobody outside to look. A kubelet whose containers crash and crash works out when
 * they did, instead of living through every restart and writing of each (crash-loop.ts); everything else goes its way.
 *
 * What others make of a pod that is ready for a blink is known from the last crash that was seen: where it led to more than counts
 * of ready replicas, it led to a change of what there is, and only crashes after the last such change are taken for repetitions.
 * That several pods happen to be ready in the same blink is not played in such a stretch.
 */
export class Unseen {
  #until: Instant = Number.NEGATIVE_INFINITY;
  #nodeOf: (certificate: string) => string | undefined = () => undefined;
  readonly #turns: { readonly at: Instant; readonly certificate: string }[] = [];
  #changed: Instant = Number.NEGATIVE_INFINITY;
  readonly #ready = new Map<string, Instant>();
  readonly #hidden = new Set<string>();
  readonly #shown: ((uid: string) => void)[] = [];

  /** Nobody looks until then. `nodeOf` says whose kubelet's certificate one is, if it is a kubelet's. */
  begin(until: Instant, nodeOf: (certificate: string) => string | undefined): void {
    this.#until = until;
    this.#nodeOf = nodeOf;
  }

  end(): void {
    this.#until = Number.NEGATIVE_INFINITY;
  }

  /** A certificate begins or ends at that moment: somebody may not be heard any more. */
  turns(at: Instant, certificate: string): void {
    this.#turns.push({ at, certificate });
  }

  /** Until when a node's kubelet need not write what is only repeated; in the past when somebody looks. */
  untilOf(node: string, now: Instant): Instant {
    let until = this.#until;
    if (now >= until) return until;
    for (const { at, certificate } of this.#turns) if (at > now && at < until && (this.#nodeOf(certificate) ?? node) === node) until = at;
    return until - SEEN_MILLISECONDS;
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
    this.#ready.set(owner, Math.max(moment, this.#ready.get(owner) ?? moment));
  }

  /** Whether none of its pods will have been ready later than at that moment. */
  isLastReady(owner: string, moment: Instant): boolean {
    return moment >= (this.#ready.get(owner) ?? moment);
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
 * its wait is noticed takes 90 s at most. The last restart of an owner's pods is lived through in any case (skipped-crashes.ts).
 */
export const SEEN_MILLISECONDS = 120_000;
