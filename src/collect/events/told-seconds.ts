import type { Instant } from '../../base/instant.ts';
import { smallest } from '../../base/lists.ts';
import type { SeenEvent } from './events.ts';

/** How long ago the first event about an object was: it is at least as old, which a description does not print. */
export function toldSeconds(events: readonly SeenEvent[], now: Instant): number | undefined {
  const first = smallest(events.flatMap(({ since, at }) => since ?? at ?? []));
  return Number.isFinite(first) ? Math.max(0, Math.round((now - first) / 1000)) : undefined;
}
