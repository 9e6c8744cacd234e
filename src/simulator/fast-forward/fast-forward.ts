import type { Instant } from '../../base/instant.ts';
import type { UnwrittenPods } from '../outside/unwritten.ts';
import type { Change, Store } from '../store/store.ts';
import type { Agenda } from '../time/agenda.ts';
import type { Certificate } from '../x509/simulated-certificate.ts';
import type { Certificates } from '../x509/certificates.ts';

/**
 * Stretches of time that pass in one go, with nobody outside to look. A kubelet whose containers crash and crash works out when
 * they did, instead of living through every restart and writing of each (crash-loop.ts); everything else goes its way.
 *
 * What others make of a pod that is ready for a blink is known from the last crash that was seen: where it led to more than counts
 * of ready replicas, it led to a change of what there is, and only crashes after the last such change are taken for repetitions.
 * That several pods happen to be ready in the same blink is not played in such a stretch.
 */
export class FastForward implements UnwrittenPods {
  #until: Instant = Number.NEGATIVE_INFINITY;
  #nodeOf: (certificate: string) => string | undefined = () => undefined;
  readonly #moments: { readonly at: Instant; readonly certificate: string }[] = [];
  #changed: Instant = Number.NEGATIVE_INFINITY;
  readonly #ready = new Map<string, Instant>();
  readonly #hidden = new Set<string>();
  readonly #shown: ((uid: string) => void)[] = [];

  constructor(agenda: Agenda, store: Store, certificates: Certificates) {
    store.subscribeAll((change) => this.#follow(change, agenda.now));
    certificates.onPut((certificate) => this.#turns(certificate, agenda.now));
  }

  /** Lets time pass by `run` up to then, while nobody looks. `nodeOf` says whose kubelet's certificate one is, if it is a kubelet's. */
  pass(until: Instant, nodeOf: (certificate: string) => string | undefined, run: () => void): void {
    this.#until = until;
    this.#nodeOf = nodeOf;
    run();
    this.#until = Number.NEGATIVE_INFINITY;
  }

  untilOf(node: string, now: Instant): Instant {
    let until = this.#until;
    if (now >= until) return until;
    for (const { at, certificate } of this.#moments) if (at > now && at < until && (this.#nodeOf(certificate) ?? node) === node) until = at;
    return until - SEEN_MILLISECONDS;
  }

  isSteadySince(moment: Instant): boolean {
    return this.#changed < moment;
  }

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

  readyUntil(owner: string, moment: Instant): void {
    this.#ready.set(owner, Math.max(moment, this.#ready.get(owner) ?? moment));
  }

  isLastReady(owner: string, moment: Instant): boolean {
    return moment >= (this.#ready.get(owner) ?? moment);
  }

  lastReady(owner: string, now: Instant): Instant | undefined {
    const last = this.#ready.get(owner);
    return last === undefined ? undefined : Math.min(last, now);
  }

  /** Remembers when something came, went, or was given another specification. */
  #follow({ resource, type, object: { metadata }, previous }: Change, moment: Instant): void {
    if (FLEETING.has(resource)) return;
    const before = previous?.metadata;
    if (type !== 'MODIFIED' || SPECIFIED.some((field) => metadata[field] !== before?.[field])) this.#changed = moment;
  }

  /** At the moments when a certificate begins or ends somebody may not be heard any more. */
  #turns({ name, notBefore, notAfter }: Certificate, now: Instant): void {
    for (const at of [notBefore, notAfter + 1]) if (at > now) this.#moments.push({ at, certificate: name });
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
