import { assert } from '../../base/assert.ts';
import type { Agenda, TaskOptions } from '../time/agenda.ts';
import type { Routine } from '../time/routine.ts';
import { runRoutine } from '../time/routine.ts';
import type { Answer } from '../apiserver/request.ts';
import { TokenBucket } from '../time/token-bucket.ts';

/** What a sync says at its end: nothing when all is done; else the error it should be tried again for, or when to look again. */
export type SyncResult = void | { readonly retry: string } | { readonly againAfter: number };

/** The end of a sync after its last request: an object that is gone by then needs nothing more. */
export function retryUnlessGone(answer: Answer): SyncResult {
  return answer.ok || answer.code === 404 ? undefined : { retry: answer.message };
}

export interface WorkQueueOptions {
  readonly name: string;
  /** How many keys are worked on at the same time; client-go controllers have 5, some 1 or 10. */
  readonly workers?: number;
  /** Waits of a key that failed: first, and at most, in milliseconds; doubled each time. */
  readonly retryFrom?: number;
  readonly retryTo?: number;
  /** After so many failures in a row a key is dropped until it is added again. */
  readonly maxRetries?: number;
  readonly owner?: object;
}

/**
 * client-go's rate-limiting work queue: a key waits once however often it is added, is not worked on twice at a time, and comes
 * back after growing waits when its sync failed.
 * Source: staging/src/k8s.io/client-go/util/workqueue/{queue,delaying_queue,default_rate_limiters}.go.
 */
export class WorkQueue {
  readonly #agenda: Agenda;
  readonly #options: Required<Omit<WorkQueueOptions, 'owner'>>;
  readonly #sync: (key: string) => Routine<SyncResult>;
  readonly #overall: TokenBucket;
  readonly #waiting = new Set<string>();
  readonly #processing = new Set<string>();
  readonly #dirty = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #later = new Map<string, number>();
  readonly #foreground: TaskOptions;
  readonly #background: TaskOptions;
  #workers = 0;
  #scheduled = false;

  constructor(agenda: Agenda, options: WorkQueueOptions, sync: (key: string) => Routine<SyncResult>) {
    this.#agenda = agenda;
    this.#sync = sync;
    this.#options = { workers: 5, retryFrom: 5, retryTo: 1_000_000, maxRetries: Number.POSITIVE_INFINITY, ...options };
    this.#foreground = options.owner === undefined ? {} : { owner: options.owner };
    this.#background = { ...this.#foreground, background: true };
    this.#overall = new TokenBucket(10, 100, agenda.now);
  }

  /** As soon as a worker is free. */
  add(key: string): void {
    if (this.#processing.has(key)) {
      this.#dirty.add(key);
      return;
    }
    this.#waiting.add(key);
    this.#wake();
  }

  /**
   * After some milliseconds; the sooner of two waits of a key counts. A deadline that will pass unnoticed when all goes well (a
   * roll-out's, a resync) is `background`, or else a settled cluster is waited for until then.
   */
  addAfter(key: string, milliseconds: number, options: { readonly background?: boolean } = {}): void {
    if (milliseconds <= 0) {
      this.add(key);
      return;
    }
    const due = this.#agenda.now + milliseconds;
    if ((this.#later.get(key) ?? Number.POSITIVE_INFINITY) <= due) return;
    this.#later.set(key, due);
    this.#agenda.at(
      due,
      `${this.#options.name} ${key}`,
      () => this.#dueLater(key, due),
      options.background === true ? this.#background : this.#foreground,
    );
  }

  /** After the wait its failures so far have earned it. */
  addRateLimited(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const own = Math.min(this.#options.retryTo, this.#options.retryFrom * 2 ** Math.min(failures, 60));
    this.addAfter(key, Math.max(own, this.#overall.reserve(this.#agenda.now)));
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  failuresOf(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  #dueLater(key: string, due: number): void {
    if (this.#later.get(key) !== due) return;
    this.#later.delete(key);
    this.add(key);
  }

  #wake(): void {
    if (this.#scheduled || this.#workers >= this.#options.workers) return;
    this.#scheduled = true;
    this.#agenda.after(0, this.#options.name, () => this.#work(), this.#foreground);
  }

  #work(): void {
    this.#scheduled = false;
    for (const key of this.#waiting) {
      if (this.#workers >= this.#options.workers) return;
      this.#waiting.delete(key);
      this.#processing.add(key);
      this.#workers++;
      runRoutine(this.#sync(key), (result) => this.#finish(key, result));
    }
  }

  #finish(key: string, result: SyncResult): void {
    this.#workers--;
    assert(this.#processing.delete(key), `${key} was being worked on`);
    const dirty = this.#dirty.delete(key);
    if (result !== undefined && 'retry' in result && this.failuresOf(key) < this.#options.maxRetries) this.addRateLimited(key);
    else this.forget(key);
    if (result !== undefined && 'againAfter' in result) this.addAfter(key, result.againAfter);
    if (dirty) this.add(key);
    if (this.#waiting.size > 0) this.#wake();
  }
}
