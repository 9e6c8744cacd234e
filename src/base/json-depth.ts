import type { Json, JsonObject } from './json.ts';

/** Whether objects and lists stand in one another deeper than that: what walks through a value step by step would not come back. */
export function isDeeperThan(value: Json | undefined, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit <= 0) return true;
  if (Array.isArray(value)) return (value as readonly Json[]).some((member) => isDeeperThan(member, limit - 1));
  // Without a list of the members, which takes longer than the walk where there are a hundred thousand.
  const object = value as JsonObject;
  for (const field in object) if (isDeeperThan(object[field], limit - 1)) return true;
  return false;
}
