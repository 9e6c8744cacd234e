import { describe, expect, it } from 'vitest';
import { shippedRules, shippedScenarios } from '../src/catalog/bundled-data.ts';
import { collect } from '../src/collect/collect.ts';
import { diagnose } from '../src/engine/diagnose.ts';
import { formatRef } from '../src/model/kube-object.ts';
import { podcheck } from './support/command-line.ts';
import { targetOf, wordsOf } from './support/scenario-runs.ts';
import { readerOf, situationsOf, wantedOf } from './support/situations.ts';

const [rules, scenarios] = [await shippedRules(), await shippedScenarios()];
const situations = await situationsOf(scenarios, rules, process.env['PODCHECK_TEST_SITUATIONS']);

it('the rules pass on their own situations, as `podcheck rules test rules` tells', async () => {
  expect(await podcheck(['rules', 'test', 'rules'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+ rules are valid, (\d+) of \1 situations pass\n$/) as string,
  });
}, 300_000);

/** The quick half of test/scenarios.test.ts, which has other seeds, cures and hidden facts besides. */
describe('what was read of a scenario', () => {
  it('is there for each', () => {
    expect(situations.length).toBe(scenarios.length);
    expect(situations.length).toBeGreaterThan(300);
  });

  it.each(scenarios.map((scenario, index) => [scenario.id, scenario, index] as const))(
    'is diagnosed as it should be: %s',
    async (_, scenario, index) => {
      const situation = situations[index];
      if (situation === undefined || scenario.expect === undefined) throw new Error('it is not recorded');
      const { outcome, cause = '', object, also } = scenario.expect;
      const found = wordsOf(diagnose(await collect(readerOf(situation), wantedOf(scenario), rules), rules, targetOf(scenario.expect)));
      expect(found).toEqual({
        outcome,
        cause,
        object: object === undefined ? found.object : formatRef(object),
        also: [...also].toSorted(),
      });
    },
  );
});
