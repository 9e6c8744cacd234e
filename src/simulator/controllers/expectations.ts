import type { Instant } from '../../base/instant.ts';

/**
 * What a controller has asked for and not seen yet: while something is outstanding it does not count anew, for its cache is
 * older than its own deeds. After five minutes it stops waiting. Source: pkg/controller/controller_utils.go.
 */
export class Expectations {
  readonly #open = new Map<string, { creations: number; readonly deletions: Set<string>; readonly since: Instant }>();

  satisfied(key: string, now: Instant): boolean {
    const open = this.#open.get(key);
    return open === undefined || (open.creations <= 0 && open.deletions.size === 0) || now - open.since > TIMEOUT_MILLISECONDS;
  }

  expectCreations(key: string, count: number, now: Instant): void {
    this.#open.set(key, { creations: count, deletions: new Set(), since: now });
  }

  /** Deletions by the uid of what is deleted: a deletion is seen twice, as a mark and as an end. */
  expectDeletions(key: string, uids: readonly string[], now: Instant): void {
    this.#open.set(key, { creations: 0, deletions: new Set(uids), since: now });
  }

  created(key: string, count = 1): void {
    const open = this.#open.get(key);
    if (open !== undefined) open.creations -= count;
  }

  deleted(key: string, uid: string): void {
    this.#open.get(key)?.deletions.delete(uid);
  }

  forget(key: string): void {
    this.#open.delete(key);
  }
}

const TIMEOUT_MILLISECONDS = 300_000;
