import { describe, expect, it } from 'vitest';
import { shippedRules, shippedScenarios } from '../src/catalog/bundled-data.ts';
import { examine } from '../src/library/examine.ts';
import { played, targetOf } from './support/scenario-runs.ts';
import { amidCrowd } from './support/healthy-crowd.ts';

const [rules, scenarios] = [await shippedRules(), await shippedScenarios()];

describe('a scan that looks at one of the pods that are alike', () => {
  let sampled = 0;

  it.each(scenarios.map((scenario) => [scenario.id, scenario] as const))('finds what a scan of all pods finds: %s', async (_, scenario) => {
    const { namespace = 'shop' } = targetOf(scenario.expect);
    const original = played(scenario).reader();
    const nodes = await original.list('Node', {});
    const names = nodes.ok ? nodes.value.map(({ metadata }) => metadata.name) : [];
    const reader = amidCrowd(original, [namespace, 'market'], names);
    const [all, sample] = [await examine(reader, rules, {}), await examine(reader, rules, { sampledFrom: 1 })];
    expect(sample.scan()).toEqual(all.scan());
    expect(sample.evidence.targets).toEqual(all.evidence.targets);
    if (sample.evidence.facts.length < all.evidence.facts.length) sampled++;
  });

  it('leaves out facts of most', () => {
    expect(sampled).toBeGreaterThan(scenarios.length / 2);
  });
});
