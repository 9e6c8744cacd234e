import type { Instant } from '../base/instant.ts';
import type { WatchGap } from '../model/followed.ts';
import type { Change } from '../model/watch-change.ts';

/** What cannot be looked at, each told when it begins and when it is over. */
export class Gaps {
  readonly #open = new Map<string, { readonly gap: WatchGap; readonly since: Instant }>();

  /** `scope` names what is followed; undefined ends its gap. */
  set(scope: string, gap: WatchGap | undefined, now: Instant): readonly Change[] {
    const known = this.#open.get(scope);
    if (gap === undefined) {
      this.#open.delete(scope);
      return known === undefined ? [] : [{ type: 'gap-closed', at: now, gap: known.gap, since: known.since }];
    }
    this.#open.set(scope, { gap, since: known?.since ?? now });
    // The words may differ from try to try; who is told once knows.
    return known !== undefined && known.gap.needs === gap.needs ? [] : [{ type: 'gap', at: now, gap }];
  }

  open(): readonly { readonly gap: WatchGap; readonly since: Instant }[] {
    return [...this.#open.values()];
  }
}
