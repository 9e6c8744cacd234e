import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { shippedScenarios } from '../../src/catalog/bundled-data.ts';
import { packedScenario, unpackedScenario } from '../../src/page/packed-scenarios.ts';

test('the scenarios of the page are those of the program, but for the places of their steps', async () => {
  const scenarios = JSON.parse(JSON.stringify(await shippedScenarios())) as readonly JsonObject[];
  expect(scenarios.length).toBeGreaterThan(300);
  const carried = JSON.stringify(scenarios.map(packedScenario));
  expect(carried.length).toBeLessThan(500_000);
  expect(carried).not.toContain('"kind":');
  const steps = (field: Json | undefined, place: Json | undefined): Json =>
    (field as readonly JsonObject[]).map((step) => ({ ...step, place: place ?? '' }));
  expect((JSON.parse(carried) as readonly JsonObject[]).map(unpackedScenario)).toEqual(
    scenarios.map(({ setup, steps: done, cure, ...rest }) => ({
      ...rest,
      setup: steps(setup, rest['id']),
      steps: steps(done, rest['id']),
      cure: steps(cure, rest['id']),
    })),
  );
});
