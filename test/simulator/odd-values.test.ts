import { describe, expect, it } from 'vitest';
import { PodcheckError } from '../../src/base/errors.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { asObject } from '../../src/base/json.ts';
import { shippedScenarios } from '../../src/catalog/bundled-data.ts';
import type { ScenarioStep } from '../../src/model/scenario.ts';
import { playScenario } from '../../src/simulator/scenario/play.ts';
import { one, randomFrom } from '../support/random.ts';

/**
 * What the API's fields for numbers, times and amounts may be sent as. Large counts of pods are left out: they are allowed, and only take
 * long.
 */
const ODD: readonly Json[] = [
  -1,
  -0,
  0.5,
  1e300,
  -1e300,
  2 ** 53,
  '',
  '-',
  '0',
  '-0',
  '1.5',
  '1e999',
  '0x10',
  'NaN',
  'Infinity',
  '99999999999999999999',
  '101%',
  '-1%',
  '1e9%',
  '99999999999%',
  '1e400Gi',
  '-5Gi',
  '1Zi',
  '1e999m',
  '10.0.0.1/1.5',
  '10.0.0.1/-5',
  '10.0.0.1/99',
  '999.1.1.1',
  '99999999999d',
  '-1s',
  '10000-01-01T00:00:00Z',
  '2026-02-30T25:61:61Z',
  '0001-01-01T00:00:00Z',
  '2026-01-15T12:00:00',
  '*/0 * * * *',
  '*/99999999999999999999 * * * *',
  '1-99999999999',
  '0-99999999999999999999',
  '9'.repeat(400),
];
const ROUNDS = 60;

describe('a value that is no time, number, quantity or count', () => {
  it('sent to a simulated cluster is refused or lived with, and breaks nothing', async () => {
    const scenarios = (await shippedScenarios()).filter(({ steps }) => steps.some((step) => step.do === 'apply' || step.do === 'patch'));
    expect(scenarios.length).toBeGreaterThan(100);
    let played = 0;
    for (let seed = 0; seed < ROUNDS; seed++) {
      const random = randomFrom(seed);
      const scenario = one(scenarios, random);
      try {
        playScenario({ ...scenario, steps: scenario.steps.map((step) => spoilt(step, random)) }, { atMilliseconds: 90_000 });
        played++;
      } catch (error) {
        // A step that is wrong in itself is refused in so many words; anything else is a bug.
        if (!(error instanceof PodcheckError)) throw new Error(`seed ${seed}, ${scenario.id}`, { cause: error });
      }
    }
    expect(played).toBeGreaterThan(ROUNDS / 2);
  });
});

function spoilt(step: ScenarioStep, random: () => number): ScenarioStep {
  if (step.do === 'apply') return { ...step, documents: step.documents.map((document) => odd(document, random, '') as JsonObject) };
  return step.do === 'patch' ? { ...step, body: odd(step.body, random, '') as JsonObject } : step;
}

function odd(value: Json | undefined, random: () => number, field: string): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((member) => odd(member, random, field));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(asObject(value)).map(([key, member]) => [key, odd(member, random, key)]));
  const counts = typeof value === 'number' || (typeof value === 'string' && /^[-+*]?\d|^\*\//.test(value));
  return counts && field !== 'apiVersion' && random() < 0.4 ? one(ODD, random) : (value ?? null);
}
