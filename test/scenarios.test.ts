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
import { RULES_WITHOUT_SCENARIO, SCENARIOS_WITHOUT_CURE } from './support/scenario-gaps.ts';
import { diagnosed, evidenceFrom, findings, played, targetOf, wordsOf } from './support/scenario-runs.ts';

const { rules } = await loadRules('rules');
const { scenarios, problems } = await loadScenarios('rules');
const OTHER_SEEDS = [2, 3];

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

  it('show every rule at work, but for those whose reason is told', () => {
    const shown = new Set(scenarios.map(({ id }) => id));
    expect(rules.filter(({ id }) => !shown.has(id)).map(({ id }) => id)).toEqual(Object.keys(RULES_WITHOUT_SCENARIO).toSorted());
    expect(Object.keys(RULES_WITHOUT_SCENARIO).length, 'only ever fewer').toBeLessThanOrEqual(2);
  });

  it('are all cured, but for those whose reason is told', () => {
    const uncured = scenarios.filter(({ cure, expect: wanted }) => wanted?.outcome === 'explained' && cure.length === 0);
    expect(uncured.map(({ id }) => id)).toEqual(Object.keys(SCENARIOS_WITHOUT_CURE).toSorted());
    expect(uncured.length, 'only ever fewer').toBeLessThanOrEqual(0);
  });
});

describe.each(scenarios.map((scenario) => [`${scenario.id}: ${scenario.title}`, scenario] as const))('%s', (_, scenario) => {
  const run = runOf(scenario);
  afterAll(() => run.forget());

  it('is diagnosed as it should be', async () => {
    expect(wordsOf(diagnose(await run.evidence(), rules, targetOf(scenario.expect)))).toEqual(expected(scenario));
  });

  it.each(OTHER_SEEDS)('is diagnosed so with seed %i, too', async (seed) => {
    expect(wordsOf(await diagnosed(played(scenario, seed), scenario, rules))).toEqual(expected(scenario));
  });

  it('plays out the same twice', () => {
    expect(run.again().digest()).toBe(run.once().digest());
  });

  it.each(checksOf(scenario))('$title', ({ holds }) => holds(run));
});

interface Check {
  readonly title: string;
  readonly holds: (run: Run) => Promise<void>;
}

/** What only some scenarios can show: those that are explained, those that have a cure. */
function checksOf(scenario: Scenario): readonly Check[] {
  return [
    ...(scenario.expect?.outcome === 'explained' ? [
      { title: 'is explained by nothing else when its rule is gone', holds: explainedByNothingElse },
      { title: 'is not taken for something else when a kind of fact is hidden', holds: knowsWhatItDoesNotKnow },
    ] : []),
    ...(scenario.cure.length > 0 ? [{ title: 'is well after its cure', holds: wellAfterItsCure }] : []),
  ];
}

async function explainedByNothingElse({ scenario, evidence }: Run): Promise<void> {
  const { cause = '', also = [] } = scenario.expect ?? {};
  const seen = await evidence();
  const { outcome, causes } = diagnose(seen, rules.filter(({ id }) => id !== cause), targetOf(scenario.expect));
  expect(causes.filter(({ rule }) => !also.includes(rule) && !isSymptom(rule)).map(({ rule }) => rule)).toEqual([]);
  if (causes.length === 0) expect(outcome).toBe(looksWell(seen, scenario) ? 'healthy' : 'unexplained');
}

async function knowsWhatItDoesNotKnow({ scenario, evidence }: Run): Promise<void> {
  const seen = await evidence();
  const silent = looksWell(seen, scenario);
  const others = new Map<string, string>();
  for (const kind of new Set(seen.facts.map((fact) => fact.kind))) {
    const { outcome, causes } = diagnose(blindfolded(seen, kind), rules, targetOf(scenario.expect));
    const [named] = causes;
    if (named === undefined ? outcome !== 'inconclusive' && !silent : named.rule !== scenario.expect?.cause && !isSymptom(named.rule)) others.set(kind, named?.rule ?? outcome);
  }
  expect(Object.fromEntries(others)).toEqual({});
}

async function wellAfterItsCure({ scenario, again }: Run): Promise<void> {
  const cluster = again();
  cureScenario(cluster, scenario);
  await expectCured(cluster, scenario);
  expect(await findings(cluster, rules)).toEqual([]);
}

async function expectCured(cluster: Cluster, { cured, expect: wanted }: Scenario): Promise<void> {
  const asked = targetOf(wanted);
  if (cured === 'gone' || cured === 'there') {
    expect(await cluster.reader().get(asked)).toMatchObject(cured === 'gone' ? { ok: false, why: 'absent' } : { ok: true });
    return;
  }
  const target = cured ?? asked;
  expect(wordsOf(diagnose(await evidenceFrom(cluster, target), rules, target))).toEqual({ outcome: 'healthy', cause: '', object: '', also: [] });
}

/** Looking changes nothing, so one play serves all that only look; the second one, which must be the same, is then cured. */
interface Run {
  readonly scenario: Scenario;
  readonly once: () => Cluster;
  readonly again: () => Cluster;
  readonly evidence: () => Promise<Evidence>;
  readonly forget: () => void;
}

function runOf(scenario: Scenario): Run {
  let first: Cluster | undefined;
  let second: Cluster | undefined;
  let evidence: Promise<Evidence> | undefined;
  const once = (): Cluster => (first ??= played(scenario));
  return {
    scenario,
    once,
    again: () => (second ??= played(scenario)),
    evidence: () => (evidence ??= evidenceFrom(once(), targetOf(scenario.expect), scenario.expect?.scan)),
    forget: () => {
      first = undefined;
      second = undefined;
      evidence = undefined;
    },
  };
}

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
