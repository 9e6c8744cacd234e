import type { Instant } from '../base/instant.ts';
import type { WatchGap } from '../model/followed.ts';
import type { Change } from '../model/watch-change.ts';

/** After an outage kinds are listed again one by one, each with a back-off of up to 30 s. Milliseconds. */
const RETURNING = 120_000;

/** What cannot be looked at, each told when it begins and when it is over. */
export class Gaps {
  readonly #open = new Map<string, { readonly gap: WatchGap; readonly since: Instant }>();
  #closedAt: Instant | undefined;

  /** `scope` names what is followed; undefined ends its gap. */
  set(scope: string, gap: WatchGap | undefined, now: Instant): readonly Change[] {
    const known = this.#open.get(scope);
    if (gap === undefined) {
      this.#open.delete(scope);
      if (known !== undefined) this.#closedAt = now;
      return known === undefined ? [] : [{ type: 'gap-closed', at: now, gap: known.gap, since: known.since }];
    }
    this.#open.set(scope, { gap, since: known?.since ?? now });
    // The words may differ from try to try; who is told once knows.
    return known !== undefined && known.gap.needs === gap.needs ? [] : [{ type: 'gap', at: now, gap }];
  }

  /** Whether what was away is coming back and is not all there: a pod may be seen without its owner. A missing right does not count. */
  isReturning(now: Instant): boolean {
    const isRecent = this.#closedAt !== undefined && now - this.#closedAt < RETURNING;
    return isRecent && [...this.#open.values()].some(({ gap }) => gap.needs === undefined);
  }

  open(): readonly { readonly gap: WatchGap; readonly since: Instant }[] {
    return [...this.#open.values()];
  }
}
