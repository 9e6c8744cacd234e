import { describe, expect, it } from 'vitest';
import { loadRules } from '../src/catalog/load-rules.ts';
import { loadScenarios } from '../src/catalog/load-scenarios.ts';
import { diagnose } from '../src/engine/diagnose.ts';
import { formatRef, sameObject } from '../src/model/kube-object.ts';
import type { Scenario } from '../src/model/scenario.ts';
import type { Cluster } from '../src/simulator/cluster.ts';
import { cureScenario } from '../src/simulator/scenario/play.ts';
import { blindfolded } from './support/rule-cases.ts';
import { diagnosed, evidenceFrom, findings, played, wordsOf } from './support/scenario-runs.ts';

const { rules } = await loadRules('rules');
const { scenarios, problems } = await loadScenarios('rules');
const SEEDS = [1, 2, 3];

describe('the scenarios', () => {
  it('are all readable', () => {
    expect(problems).toEqual([]);
    expect(scenarios.length).toBeGreaterThan(20);
  });

  it('are about rules there are, and say what is expected of them', () => {
    const ids = new Set(rules.map(({ id }) => id));
    const strange = scenarios.filter(({ id, expect: expected }) => expected === undefined || !(id.startsWith('healthy/') || ids.has(id.replace(/\.near-.*$/, ''))) || [expected.cause ?? '', ...expected.also].some((rule) => rule !== '' && !ids.has(rule)));
    expect(strange.map(({ id }) => id)).toEqual([]);
  });
});

describe.each(scenarios.map((scenario) => [`${scenario.id}: ${scenario.title}`, scenario] as const))('%s', (_, scenario) => {
  it.each(SEEDS)('is diagnosed as it should be, with seed %i', async (seed) => {
    expect(wordsOf(await diagnosed(played(scenario, seed), scenario, rules))).toEqual(expected(scenario));
  });

  it('plays out the same twice', () => {
    expect(played(scenario, 7).digest()).toBe(played(scenario, 7).digest());
  });
});

describe.each(scenarios.filter(({ cure }) => cure.length > 0).map((scenario) => [scenario.id, scenario] as const))('%s', (_, scenario) => {
  it('is well after its cure', async () => {
    const cluster = played(scenario);
    cureScenario(cluster, scenario);
    expect(wordsOf(await diagnosed(cluster, scenario, rules))).toEqual({ outcome: 'healthy', cause: '', object: '', also: [] });
    expect(await findings(cluster, rules)).toEqual([]);
  });
});

describe.each(scenarios.filter(({ expect: wanted }) => wanted?.outcome === 'explained').map((scenario) => [scenario.id, scenario] as const))('%s', (_, scenario) => {
  const cause = scenario.expect?.cause ?? '';

  it('is explained by nothing else when its rule is gone', async () => {
    const without = rules.filter(({ id }) => id !== cause);
    const cluster = played(scenario);
    const { outcome, causes } = await diagnosed(cluster, scenario, without);
    const also = new Set(scenario.expect?.also);
    expect(causes.filter(({ rule }) => !also.has(rule) && rules.find(({ id }) => id === rule)?.kind !== 'symptom').map(({ rule }) => rule)).toEqual([]);
    if (causes.length === 0) expect(outcome).toBe((await looksWell(cluster, scenario)) ? 'healthy' : 'unexplained');
  });

  it('is not taken for something else when a kind of fact is hidden', async () => {
    const cluster = played(scenario);
    const target = scenario.expect?.target;
    const evidence = await evidenceFrom(cluster, target);
    const silent = await looksWell(cluster, scenario);
    const others = new Map<string, string>();
    for (const kind of new Set(evidence.facts.map((fact) => fact.kind))) {
      if (target === undefined) continue;
      const { outcome, causes } = diagnose(blindfolded(evidence, kind), rules, target);
      const [first] = causes;
      if (first === undefined ? outcome !== 'inconclusive' && !silent : first.rule !== cause && rules.find(({ id }) => id === first.rule)?.kind !== 'symptom') others.set(kind, first?.rule ?? outcome);
    }
    expect(Object.fromEntries(others)).toEqual({});
  });
});

/** Some trouble no state shows (a roll-out that is paused, a Service whose port nobody has): only its own fact tells of it. */
async function looksWell(cluster: Cluster, { expect: wanted }: Scenario): Promise<boolean> {
  const { target } = wanted ?? {};
  const evidence = await evidenceFrom(cluster, target);
  return evidence.targets.some(({ ref, state }) => target !== undefined && sameObject(ref, target) && state === 'healthy');
}

function expected({ expect: wanted }: Scenario): ReturnType<typeof wordsOf> {
  const object = wanted?.object === undefined ? (expect.any(String) as unknown as string) : formatRef(wanted.object);
  return { outcome: wanted?.outcome ?? '', cause: wanted?.cause ?? '', object, also: [...(wanted?.also ?? [])].toSorted() };
}
