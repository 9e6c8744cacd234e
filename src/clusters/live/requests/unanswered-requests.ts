import type { Instant } from '../../../base/instant.ts';
import { isRecent } from '../../../base/instant.ts';
import { ConnectionFailure } from '../connection/connection-error.ts';

/** Requests of one kind that may go without an answer before that kind is not asked for any more for a while. */
const PER_GROUP = 2;
/** Requests in a row without an answer after which nothing is asked for a moment. */
const IN_A_ROW = 3;
/** Requests without an answer, however many had one in between, after which the others get less time. */
const IN_ALL = 4;
const GROUP_MILLISECONDS = 60_000;
const MOMENT_MILLISECONDS = 5000;
const MEMORY_MILLISECONDS = 300_000;
/** Seconds for an answer of a server that has often given none. */
const SHORT_SECONDS = 5;

/**
 * How long a server is waited for, by what it did before: a look at a cluster is made of dozens of requests, and one that is half dead
 * must not take the longest time for each of them.
 */
export class Patience {
  readonly #clock: () => Instant;
  readonly #groups = new Map<string, { count: number; at: Instant }>();
  #inARow = 0;
  #silences: Instant[] = [];

  constructor(clock: () => Instant) {
    this.#clock = clock;
  }

  /** Why a request is not made at all; `group` is what it asks for (`events`, `pods/log`). */
  refusal(group: string | undefined, host: string): ConnectionFailure | undefined {
    const silent = group === undefined ? undefined : this.#groups.get(group);
    if (silent !== undefined && silent.count >= PER_GROUP && isRecent(silent.at, this.#clock(), GROUP_MILLISECONDS)) {
      return new ConnectionFailure(
        'timeout',
        `${host} has not answered ${silent.count} requests for ${group ?? ''}; it was not asked again.`,
      );
    }
    const last = this.#silences.at(-1);
    if (this.#inARow < IN_A_ROW || last === undefined || !isRecent(last, this.#clock(), MOMENT_MILLISECONDS)) return undefined;
    return new ConnectionFailure('timeout', `${host} has not answered ${this.#inARow} requests in a row; it was not asked again.`);
  }

  /** Seconds without a byte after which an answer is given up, at most the usual ones. */
  idleSeconds(usual: number): number {
    this.#silences = this.#silences.filter((at) => isRecent(at, this.#clock(), MEMORY_MILLISECONDS));
    return this.#silences.length >= IN_ALL ? Math.min(usual, SHORT_SECONDS) : usual;
  }

  answered(group: string | undefined): void {
    this.#inARow = 0;
    if (group !== undefined) this.#groups.delete(group);
  }

  timedOut(group: string | undefined): void {
    const at = this.#clock();
    this.#inARow += 1;
    this.#silences.push(at);
    if (group !== undefined) this.#groups.set(group, { count: (this.#groups.get(group)?.count ?? 0) + 1, at });
  }
}
