import { describe, expect, it } from 'vitest';
import { shippedRules, shippedScenarios } from '../src/catalog/bundled-data.ts';
import type { Scenario } from '../src/model/scenario.ts';
import type { Cluster } from '../src/simulator/index.ts';
import { playInSlices } from '../src/simulator/index.ts';
import { findings } from './support/scenario-runs.ts';

const rules = await shippedRules();
const scenarios = await shippedScenarios();
const HEALTHY = scenarios.filter(({ id }) => id.startsWith('healthy/'));

/** Seconds after the start at which somebody looks: often at first, when most happens. */
const MOMENTS = [1, 2, 3, ...Array.from({ length: 24 }, (_, index) => (index + 1) * 5)];

/** The cluster at each of the moments, as far as the scenario goes and beyond its end. */
function* lookedAt(scenario: Scenario): Generator<readonly [seconds: number, cluster: Cluster]> {
  const playing = playInSlices(scenario);
  const moments = [...MOMENTS];
  let start: number | undefined;
  for (;;) {
    const { done, value } = playing.next();
    const cluster = done === true ? value.cluster : value;
    start ??= cluster.now();
    for (
      let seconds = moments[0];
      seconds !== undefined && (done === true || cluster.now() >= start + seconds * 1000);
      seconds = moments[0]
    ) {
      if (cluster.now() < start + seconds * 1000) cluster.advanceTo(start + seconds * 1000);
      yield [seconds, cluster];
      moments.shift();
    }
    if (done === true) return;
  }
}

describe('while it starts, nothing is blamed', () => {
  it('is tried on every healthy scenario', () => expect(HEALTHY.length).toBeGreaterThan(9));

  it.each(HEALTHY.map((scenario) => [scenario.id, scenario] as const))('of %s', async (_, scenario) => {
    const blamed: string[] = [];
    for (const [seconds, cluster] of lookedAt(scenario)) {
      for (const finding of await findings(cluster, rules)) blamed.push(`${String(seconds)} s: ${finding}`);
    }
    expect(blamed).toEqual([]);
  });
});
