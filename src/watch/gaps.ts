import type { Instant } from '../base/instant.ts';
import type { WatchGap } from '../model/followed.ts';
import type { Change } from '../model/watch-change.ts';

/** After an outage kinds are listed again one by one, each after a wait of up to 45 s, or of the 300 s a server asks for. Milliseconds. */
const RETURNING = 600_000;

/** What cannot be looked at, each told when it begins and when it is over. */
export class Gaps {
  readonly #open = new Map<string, { readonly gap: WatchGap; readonly since: Instant; readonly triedAt: Instant }>();
  #closedAt: Instant | undefined;

  /** `scope` names what is followed; undefined ends its gap. */
  set(scope: string, gap: WatchGap | undefined, now: Instant): readonly Change[] {
    const known = this.#open.get(scope);
    if (gap === undefined) {
      this.#open.delete(scope);
      if (known !== undefined) this.#closedAt = now;
      return known === undefined ? [] : [{ type: 'gap-closed', at: now, gap: known.gap, since: known.since }];
    }
    this.#open.set(scope, { gap, since: known?.since ?? now, triedAt: now });
    // The words may differ from try to try; who is told once knows.
    return known !== undefined && known.gap.needs === gap.needs ? [] : [{ type: 'gap', at: now, gap }];
  }

  /**
   * Whether what was away is coming back and is not all there: a pod may be seen without its owner. Over when each kind that was away has
   * been tried again. A missing right does not count.
   */
  isReturning(now: Instant): boolean {
    const closedAt = this.#closedAt;
    if (closedAt === undefined || now - closedAt >= RETURNING) return false;
    return [...this.#open.values()].some(({ gap, triedAt }) => gap.needs === undefined && triedAt < closedAt);
  }

  open(): readonly { readonly gap: WatchGap; readonly since: Instant }[] {
    return Array.from(this.#open.values(), ({ gap, since }) => ({ gap, since }));
  }
}
