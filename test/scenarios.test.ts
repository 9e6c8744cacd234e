import { afterAll, describe, expect, it } from 'vitest';
import { loadRules } from '../src/catalog/load-rules.ts';
import { loadScenarios } from '../src/catalog/load-scenarios.ts';
import { diagnose } from '../src/engine/diagnose.ts';
import type { Evidence } from '../src/model/diagnosis.ts';
import { formatRef, sameObject } from '../src/model/kube-object.ts';
import type { Scenario } from '../src/model/scenario.ts';
import type { Cluster } from '../src/simulator/cluster.ts';
import { cureScenario } from '../src/simulator/scenario/play.ts';
import type { Situation } from './support/idle-clauses.ts';
import { idleClauses } from './support/idle-clauses.ts';
import { blindfolded, evidenceOf, ruleCases } from './support/rule-cases.ts';
import { RULES_WITHOUT_SCENARIO, SCENARIOS_WITHOUT_CURE } from './support/scenario-gaps.ts';
import { diagnosed, evidenceFrom, findings, played, targetOf, wordsOf } from './support/scenario-runs.ts';

const { rules } = await loadRules('rules');
const { scenarios, problems } = await loadScenarios('rules');
const OTHER_SEEDS = [2, 3];
/** Clauses that no situation needs. A new rule brings situations for each of its own; PODCHECK_SHOW_IDLE_CLAUSES=1 tells which they are. */
const IDLE_CLAUSES = 741;
/** What was seen of each scenario, kept for the clauses. */
const EVIDENCE = new Map<Scenario, Promise<Evidence>>();

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

  it('show every kind of workload when it is well', () => {
    const kinds = new Set(scenarios.flatMap(({ id, expect: wanted }) => (id.startsWith('healthy/') ? (wanted?.target?.kind ?? []) : [])));
    expect(['CronJob', 'DaemonSet', 'Deployment', 'Job', 'Pod', 'ReplicaSet', 'StatefulSet'].filter((kind) => !kinds.has(kind))).toEqual([]);
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

  it.each(checksOf(scenario).map(({ title, holds }) => [title, holds] as const))('%s', (__, holds) => holds(run));
});

describe('the clauses of the rules', () => {
  it('each change the diagnosis of some situation, but for a number that only ever falls', async () => {
    const situations: Situation[] = [];
    for (const scenario of scenarios) situations.push({ about: scenario.id.replace(/\.near-.*$/, ''), evidence: await (EVIDENCE.get(scenario) ?? runOf(scenario).evidence()) });
    for (const one of ruleCases()) situations.push({ about: one.rule, evidence: await evidenceOf(one) });
    const idle = idleClauses(rules, situations);
    expect(idle.length, `without these nothing would be different:\n${idle.join('\n')}`).toBeLessThanOrEqual(process.env['PODCHECK_SHOW_IDLE_CLAUSES'] === undefined ? IDLE_CLAUSES : 0);
  }, 300_000);
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
  const once = (): Cluster => (first ??= played(scenario));
  return {
    scenario,
    once,
    again: () => (second ??= played(scenario)),
    evidence: () => {
      const known = EVIDENCE.get(scenario) ?? evidenceFrom(once(), targetOf(scenario.expect), scenario.expect?.scan);
      EVIDENCE.set(scenario, known);
      return known;
    },
    forget: () => {
      first = undefined;
      second = undefined;
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
