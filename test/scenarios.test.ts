import { afterAll, describe, expect, it } from 'vitest';
import { loadRules } from '../src/catalog/load-rules.ts';
import { loadScenarios } from '../src/catalog/load-scenarios.ts';
import { diagnose } from '../src/engine/diagnose.ts';
import type { Evidence } from '../src/model/diagnosis.ts';
import { formatRef, sameObject } from '../src/model/kube-object.ts';
import type { Scenario } from '../src/model/scenario.ts';
import type { Cluster } from '../src/simulator/cluster.ts';
import { cureScenario } from '../src/simulator/scenario/play.ts';
import { blindfolded } from './support/rule-cases.ts';
import { diagnosed, evidenceFrom, findings, played, wordsOf } from './support/scenario-runs.ts';

const { rules } = await loadRules('rules');
const { scenarios, problems } = await loadScenarios('rules');
const OTHER_SEEDS = [2, 3];
/** Looked at when a scenario names no target. */
const FALLBACK = { kind: 'Deployment', namespace: 'shop', name: 'web' };

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
  const { target, cause = '', also = [], outcome: wanted } = scenario.expect ?? {};
  // Looking changes nothing, so one play serves all that only look; the second one, which must be the same, is then cured.
  let first: { readonly cluster: Cluster; readonly evidence: Promise<Evidence> } | undefined;
  let second: Cluster | undefined;
  const once = (): { readonly cluster: Cluster; readonly evidence: Promise<Evidence> } => {
    if (first === undefined) {
      const cluster = played(scenario);
      first = { cluster, evidence: evidenceFrom(cluster, target ?? FALLBACK) };
    }
    return first;
  };
  const again = (): Cluster => (second ??= played(scenario));
  afterAll(() => {
    first = undefined;
    second = undefined;
  });

  it('is diagnosed as it should be', async () => {
    expect(wordsOf(diagnose(await once().evidence, rules, target ?? FALLBACK))).toEqual(expected(scenario));
  });

  it.each(OTHER_SEEDS)('is diagnosed so with seed %i, too', async (seed) => {
    expect(wordsOf(await diagnosed(played(scenario, seed), scenario, rules))).toEqual(expected(scenario));
  });

  it('plays out the same twice', () => {
    expect(again().digest()).toBe(once().cluster.digest());
  });

  it.runIf(wanted === 'explained')('is explained by nothing else when its rule is gone', async () => {
    const evidence = await once().evidence;
    const { outcome, causes } = diagnose(evidence, rules.filter(({ id }) => id !== cause), target ?? FALLBACK);
    expect(causes.filter(({ rule }) => !also.includes(rule) && !isSymptom(rule)).map(({ rule }) => rule)).toEqual([]);
    if (causes.length === 0) expect(outcome).toBe(looksWell(evidence, scenario) ? 'healthy' : 'unexplained');
  });

  it.runIf(wanted === 'explained' && target !== undefined)('is not taken for something else when a kind of fact is hidden', async () => {
    const evidence = await once().evidence;
    const silent = looksWell(evidence, scenario);
    const others = new Map<string, string>();
    for (const kind of new Set(evidence.facts.map((fact) => fact.kind))) {
      const { outcome, causes } = diagnose(blindfolded(evidence, kind), rules, target ?? FALLBACK);
      const [named] = causes;
      if (named === undefined ? outcome !== 'inconclusive' && !silent : named.rule !== cause && !isSymptom(named.rule)) others.set(kind, named?.rule ?? outcome);
    }
    expect(Object.fromEntries(others)).toEqual({});
  });

  it.runIf(scenario.cure.length > 0)('is well after its cure', async () => {
    const cluster = again();
    cureScenario(cluster, scenario);
    expect(wordsOf(await diagnosed(cluster, scenario, rules))).toEqual({ outcome: 'healthy', cause: '', object: '', also: [] });
    expect(await findings(cluster, rules)).toEqual([]);
  });
});

function isSymptom(rule: string): boolean {
  return rules.find(({ id }) => id === rule)?.kind === 'symptom';
}

/** Some trouble no state shows (a roll-out that is paused, a Service whose port nobody has): only its own fact tells of it. */
function looksWell(evidence: Evidence, { expect: wanted }: Scenario): boolean {
  const { target } = wanted ?? {};
  return evidence.targets.some(({ ref, state }) => target !== undefined && sameObject(ref, target) && state === 'healthy');
}

function expected({ expect: wanted }: Scenario): ReturnType<typeof wordsOf> {
  const object = wanted?.object === undefined ? (expect.any(String) as unknown as string) : formatRef(wanted.object);
  return { outcome: wanted?.outcome ?? '', cause: wanted?.cause ?? '', object, also: [...(wanted?.also ?? [])].toSorted() };
}
