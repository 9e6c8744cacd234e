import type { Json } from './json.ts';

/** Whether objects and lists stand in one another deeper than that: what walks through a value step by step would not come back. */
export function isDeeperThan(value: Json, limit: number): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? (Object.values(one) as readonly Json[]) : []));
  }
  return false;
}
