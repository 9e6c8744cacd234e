import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shippedRules } from '../src/catalog/bundled-data.ts';
import { loadScenarios } from '../src/catalog/load-scenarios.ts';
import { formatRef } from '../src/model/kube-object.ts';
import type { Scenario } from '../src/model/scenario.ts';
import { ruleOfScenario } from '../src/model/scenario.ts';
import type { Situation } from './support/idle-clauses.ts';
import { blindSituations, crowdedSituations, idleClauses, ruleSituations } from './support/idle-clauses.ts';
import { RULES_WITHOUT_SCENARIO, SCENARIOS_WITHOUT_CURE } from './support/scenario-gaps.ts';
import type { Job } from './support/scenario-players.ts';
import { ScenarioPlayers } from './support/scenario-players.ts';
import type { Words } from './support/scenario-runs.ts';

const rules = await shippedRules();
const { scenarios, problems } = await loadScenarios('rules');
const OTHER_SEEDS = [2, 3];
/**
 * Clauses of the YAML that no situation needs: of `rules/`, of `test/rules`, the same amid others, and with a fact of another situation
 * next to
 * a match or in its place. A new rule brings situations for each of its own; `npm run idle -- ID` tells which they are in seconds.
 */
const IDLE_CLAUSES = 47;
const PLAYERS = new ScenarioPlayers(
  scenarios.flatMap((_, scenario) => [looked(scenario), ...OTHER_SEEDS.map((seed) => otherwise(scenario, seed)), again(scenario)]),
  { scenarios, rules },
);

beforeAll(() => PLAYERS.start());
afterAll(() => PLAYERS.end());

describe('the scenarios', () => {
  it('are all readable', () => {
    expect(problems).toEqual([]);
    expect(scenarios.length).toBeGreaterThan(20);
  });

  it('are about rules there are, and say what is expected of them', () => {
    const ids = new Set(rules.map(({ id }) => id));
    const strange = scenarios.filter(
      ({ id, expect: expected }) =>
        expected === undefined ||
        !(id.startsWith('healthy/') || ids.has(ruleOfScenario(id))) ||
        [expected.cause ?? '', ...expected.also].some((rule) => rule !== '' && !ids.has(rule)),
    );
    expect(strange.map(({ id }) => id)).toEqual([]);
  });

  it('show every kind of workload when it is well', () => {
    const kinds = new Set(scenarios.flatMap(({ id, expect: wanted }) => (id.startsWith('healthy/') ? (wanted?.target?.kind ?? []) : [])));
    expect(['CronJob', 'DaemonSet', 'Deployment', 'Job', 'Pod', 'ReplicaSet', 'StatefulSet'].filter((kind) => !kinds.has(kind))).toEqual(
      [],
    );
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

describe.each(scenarios.map((scenario, index) => [`${scenario.id}: ${scenario.title}`, scenario, index] as const))(
  '%s',
  (_, scenario, index) => {
    it('is diagnosed as it should be', async () => {
      const { words } = await PLAYERS.told(looked(index));
      expect(words).toEqual(expected(scenario));
    });

    it('is told alike by a scan and by a diagnosis of each object', async () => {
      expect((await PLAYERS.told(looked(index))).disagreements).toEqual([]);
    });

    it.each(OTHER_SEEDS)('is diagnosed so with seed %i, too', async (seed) => {
      expect(await PLAYERS.told(otherwise(index, seed))).toEqual(expected(scenario));
    });

    it('plays out the same twice', async () => {
      const [once, twice] = [await PLAYERS.told(looked(index)), await PLAYERS.told(again(index))];
      expect(twice.digest).toMatch(/^[0-9a-f]{32}$/);
      expect(twice.digest).toBe(once.digest);
    });

    it.each(checksOf(scenario).map(({ title, holds }) => [title, holds] as const))('%s', (__, holds) => holds(scenario, index));
  },
);

describe('the reports', () => {
  it('fit on a screen of 24 lines in most cases, and on one of 32 in nearly all', async () => {
    const lines: (readonly [number, string])[] = [];
    for (const [index, { id, expect: wanted }] of scenarios.entries())
      if (wanted?.outcome === 'explained') lines.push([(await PLAYERS.told(looked(index))).lines, id]);
    const sorted = lines.toSorted(([one], [other]) => one - other);
    const longest = sorted
      .slice(-20)
      .map(([count, id]) => `${count} ${id}`)
      .join('\n');
    expect(sorted[Math.floor(sorted.length / 2)]?.[0], longest).toBeLessThanOrEqual(24);
    expect(sorted[Math.floor(sorted.length * 0.95)]?.[0], longest).toBeLessThanOrEqual(32);
  }, 300_000);
});

describe('the clauses of the rules', () => {
  it('each change the diagnosis of some situation, but for a number that only ever falls', async () => {
    const situations: Situation[] = [];
    for (const [index, scenario] of scenarios.entries())
      situations.push({ about: ruleOfScenario(scenario.id), evidence: (await PLAYERS.told(looked(index))).evidence });
    situations.push(...(await ruleSituations(rules)));
    const idle = idleClauses(rules, [
      ...situations,
      ...situations.flatMap((situation) => blindSituations(situation, rules)),
      ...crowdedSituations(situations),
    ]);
    expect(idle.length, `without these nothing would be different:\n${idle.join('\n')}`).toBeLessThanOrEqual(
      process.env['PODCHECK_SHOW_IDLE_CLAUSES'] === undefined ? IDLE_CLAUSES : 0,
    );
  }, 300_000);
});

interface Check {
  readonly title: string;
  readonly holds: (scenario: Scenario, index: number) => Promise<void>;
}

/** What only some scenarios can show: those that are explained, those that have a cure. */
function checksOf(scenario: Scenario): readonly Check[] {
  return [
    ...(scenario.expect?.outcome === 'explained'
      ? [
          { title: 'is explained by nothing else when its rule is gone', holds: explainedByNothingElse },
          { title: 'is not taken for something else when a kind of fact is hidden', holds: knowsWhatItDoesNotKnow },
        ]
      : []),
    ...(scenario.cure.length > 0 ? [{ title: 'is well after its cure', holds: wellAfterItsCure }] : []),
  ];
}

async function explainedByNothingElse(scenario: Scenario, index: number): Promise<void> {
  const { also = [] } = scenario.expect ?? {};
  const { doubted, silent } = await PLAYERS.told(looked(index));
  const { outcome, causes = ['not tried'] } = doubted?.unruled ?? {};
  expect(causes.filter((rule) => !also.includes(rule) && !isSymptom(rule))).toEqual([]);
  if (causes.length === 0) expect(outcome).toBe(silent ? 'healthy' : ENDS.has(scenario.id) ? 'waiting' : 'unexplained');
}

/** Its pods end within their grace period: a wait that says how long it may take. */
const ENDS: ReadonlySet<string> = new Set(['controllers/recreate-waits-for-old-pods']);

async function knowsWhatItDoesNotKnow(scenario: Scenario, index: number): Promise<void> {
  const { doubted: { blind = {} } = {}, silent } = await PLAYERS.told(looked(index));
  expect(Object.keys(blind)).not.toEqual([]);
  const others = Object.entries(blind).filter(([, { outcome, cause }]) =>
    cause === undefined ? outcome !== 'inconclusive' && !silent : cause !== scenario.expect?.cause && !isSymptom(cause),
  );
  expect(Object.fromEntries(others)).toEqual({});
}

async function wellAfterItsCure({ cured: wanted }: Scenario, index: number): Promise<void> {
  const { cured } = await PLAYERS.told(again(index));
  expect(cured?.words).toEqual(
    wanted === 'gone' ? 'absent' : wanted === 'there' ? 'there' : { outcome: 'healthy', cause: '', object: '', also: [] },
  );
  expect(cured?.findings).toEqual([]);
}

/** Looking changes nothing, so one play serves all that only look; the second one, which must be the same, is then cured. */
function looked(scenario: number): Job & { readonly play: 'looked' } {
  return { scenario, play: 'looked', seed: 1 };
}

function again(scenario: number): Job & { readonly play: 'again' } {
  return { scenario, play: 'again', seed: 1 };
}

function otherwise(scenario: number, seed: number): Job & { readonly play: 'otherwise' } {
  return { scenario, play: 'otherwise', seed };
}

function isSymptom(rule: string): boolean {
  return rules.find(({ id }) => id === rule)?.kind === 'symptom';
}

function expected({ expect: wanted }: Scenario): Words {
  const object = wanted?.object === undefined ? (expect.any(String) as unknown as string) : formatRef(wanted.object);
  return { outcome: wanted?.outcome ?? '', cause: wanted?.cause ?? '', object, also: [...(wanted?.also ?? [])].toSorted() };
}
