import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shippedRules, shippedScenarios } from '../src/catalog/bundled-data.ts';
import type { Job } from './support/scenario-players.ts';
import { ScenarioPlayers } from './support/scenario-players.ts';

/** PODCHECK_ALL_READS=1 lets also each single read fail, pairs of them, and all that somebody with few rights may not see: minutes. */
const SWEEP = process.env['PODCHECK_ALL_READS'] === undefined ? 'thin' : 'whole';
const rules = await shippedRules();
const scenarios = await shippedScenarios();
const PLAYERS = new ScenarioPlayers(
  scenarios.map((_, scenario) => failing(scenario)),
  { scenarios, rules, sweep: SWEEP },
);

beforeAll(() => PLAYERS.start());
afterAll(() => PLAYERS.end());

describe('a diagnosis of which a read is refused, fails or breaks off', () => {
  let looks = 0;

  it.each(scenarios.map(({ id }, index) => [id, index] as const))(
    'names the same cause, or none and what it could not read: %s',
    async (_, index) => {
      const told = await PLAYERS.told(failing(index));
      looks += told.looks;
      expect(told.wrong).toEqual([]);
    },
    600_000,
  );

  it('was made for every kind of read of every scenario', () => {
    expect(looks).toBeGreaterThan(scenarios.length * 15);
  });
});

function failing(scenario: number): Job & { readonly play: 'failedReads' } {
  return { scenario, play: 'failedReads', seed: 1 };
}
