import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { isDeeperThan } from '../../src/base/json-depth.ts';

describe('how deep a value goes', () => {
  it('counts objects and lists that stand in one another', () => {
    const value: Json = { spec: { containers: [{ name: 'web' }] }, status: {} };
    expect([isDeeperThan(value, 3), isDeeperThan(value, 4), isDeeperThan('web', 0), isDeeperThan(null, 0)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('comes back from any depth', () => {
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as Json;
    expect(isDeeperThan(deep, 500)).toBe(true);
  });
});
