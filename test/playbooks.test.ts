import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { shippedScenarios } from '../src/catalog/bundled-data.ts';
import { PodcheckError } from '../src/base/errors.ts';
import type { Playbook } from '../src/model/playbook.ts';
import type { Scenario } from '../src/model/scenario.ts';
import { isNearMiss, ruleOfScenario } from '../src/model/scenario.ts';
import { Looker } from '../src/runbook/look-at-target.ts';
import type { Prompt } from '../src/runbook/ports.ts';
import type { Cluster } from '../src/simulator/index.ts';
import { cureScenario, playScenario } from '../src/simulator/index.ts';
import type { Played } from './support/runbook-runs.ts';
import { play, playbooks, rules } from './support/runbook-runs.ts';

/** test/playbooks/expected.yaml says at its head what its fields mean. */
interface Expected {
  readonly unproved: readonly string[];
  readonly ends: Readonly<Record<string, { readonly escalated?: string; readonly params?: Readonly<Record<string, string>> }>>;
}

const { unproved, ends } = parse(readFileSync('test/playbooks/expected.yaml', 'utf8')) as Expected;
const scenarios = await shippedScenarios();
const FALLBACK = { kind: 'Deployment', namespace: 'shop', name: 'web' };
/** Playbooks whose own changes, simulated without a person, fix at least one scenario of their rules; and such scenarios. May only rise. */
const FIXING_PLAYBOOKS = 21;
const FIXED_SCENARIOS = 57;
/** Playbooks that tell of every scenario of their rules, simulated without a person, whether they would fix it. May only rise. */
const TELLING_PLAYBOOKS = 27;
/** What is fixed must still be so a while later. */
const LATER_MILLISECONDS = 5 * 60_000;
/** The number of playbooks that are not proved yet may only fall. */
const UNPROVED = 0;

const proved = playbooks.filter(({ name }) => !unproved.includes(name));
const troubled = scenarios.flatMap((scenario) => {
  const name = rules.find(({ id }) => id === scenario.expect?.cause)?.playbook;
  const playbook = proved.find((one) => one.name === name);
  return playbook === undefined ? [] : [{ scenario, playbook }];
});
const lookAlikes = scenarios.filter(({ id }) => isNearMiss(id));
const healthy = scenarios.filter(({ id }) => /^healthy\/(deployment|statefulset|daemonset|job)\b/.test(id) && !isNearMiss(id));

describe('the expectations', () => {
  it('are about scenarios and playbooks that are there', () => {
    expect(Object.keys(ends).filter((id) => !scenarios.some((scenario) => scenario.id === id))).toEqual([]);
    expect(unproved.filter((name) => !playbooks.some((playbook) => playbook.name === name))).toEqual([]);
    expect(healthy.length).toBeGreaterThan(2);
  });

  it('leave no more playbooks unproved than there were', () => {
    expect(unproved.length).toBeLessThanOrEqual(UNPROVED);
  });
});

describe.each(troubled.map(({ scenario, playbook }) => [`${playbook.name} on ${scenario.id}`, scenario, playbook] as const))(
  '%s',
  (_, scenario, playbook) => {
    const { escalated, params } = ends[scenario.id] ?? {};
    it('ends with the target well, or hands it on where it should', async () => {
      const { end, steps } = await run(playbook, scenario, playScenario(scenario).cluster, params);
      const came = { status: end.status, result: end.result, escalated: end.escalated?.step };
      // What nothing cures, the playbook must hand on.
      const handed = escalated ?? (scenario.cure.length === 0 ? (expect.any(String) as string) : undefined);
      const wanted =
        handed === undefined
          ? { status: 'completed', result: 'fixed', escalated: undefined }
          : { status: 'completed', result: expect.any(String) as string, escalated: handed };
      expect(came, `${end.words}\n${steps.join('\n')}`).toEqual(wanted);
    });
  },
);

const [fixed, told, silent] = [new Map<string, string[]>(), new Set<string>(), new Set<string>()];

describe.each(troubled.map(({ scenario, playbook }) => [`${playbook.name} on ${scenario.id}`, scenario, playbook] as const))(
  'simulated, %s',
  (_, scenario, playbook) => {
    it('says that it would fix it, or would not, and is right', async () => {
      const { cluster } = playScenario(scenario);
      const params = ends[scenario.id]?.params ?? {};
      const { end, entries } = await play(playbook, { cluster, target: scenario.expect?.target ?? FALLBACK, mode: 'simulate', params });
      (end.result === 'unknown' ? silent : told).add(playbook.name);
      if (end.result === 'unknown') return;
      const isLeft = entries.some((entry) => entry.type === 'done' && entry.result === 'skipped') || end.escalated !== undefined;
      const isChanged = entries.some(({ type }) => type === 'changed');
      if (isChanged && end.result === 'fixed') fixed.set(playbook.name, [...(fixed.get(playbook.name) ?? []), scenario.id]);
      // What changes did not fix, a person has to: the run must have come to that.
      expect([end.result === 'fixed', isLeft], end.words).toEqual([end.diagnosis?.outcome === 'healthy', end.result !== 'fixed']);
      if (end.result !== 'fixed') return;
      cluster.advance(LATER_MILLISECONDS);
      const later = await new Looker(cluster.reader(), rules).look(scenario.expect?.target ?? FALLBACK);
      expect(later.diagnosis.outcome, 'a while later').toBe('healthy');
    });
  },
);

describe('simulated without a person', () => {
  it('as many playbooks as before tell of every scenario whether they would fix it', () => {
    expect([...told].filter((name) => !silent.has(name)).length, [...silent].join(' ')).toBeGreaterThanOrEqual(TELLING_PLAYBOOKS);
  });

  it('as many playbooks as before fix something by their changes alone', () => {
    const lines = [...fixed].map(([name, ids]) => `${name}: ${ids.join(' ')}`);
    expect(fixed.size, lines.join('\n')).toBeGreaterThanOrEqual(FIXING_PLAYBOOKS);
    expect([...fixed.values()].flat().length, lines.join('\n')).toBeGreaterThanOrEqual(FIXED_SCENARIOS);
  });
});

describe.each([...lookAlikes, ...healthy].map((scenario) => [scenario.id, scenario] as const))('on %s', (id, scenario) => {
  const own = rules.find((rule) => rule.id === ruleOfScenario(id))?.playbook;
  const concerned = proved.filter(({ name }) => id.startsWith('healthy/') || name === own);

  it('no playbook that leads there changes anything', async () => {
    // A run that changes nothing leaves the cluster as it was: one play serves them all.
    const { cluster } = playScenario(scenario);
    for (const playbook of concerned) {
      const changed = await changesOf(playbook, scenario, cluster);
      expect(changed, playbook.name).toEqual([]);
    }
  });
});

async function changesOf(playbook: Playbook, scenario: Scenario, cluster: Cluster): Promise<readonly string[]> {
  try {
    const { entries } = await play(playbook, { cluster, target: scenario.expect?.target ?? FALLBACK });
    return entries.flatMap((entry) => (entry.type === 'changed' ? [`${entry.step}: ${entry.object}`] : []));
  } catch (error) {
    // Refused before the first step: a parameter that only a cause could give.
    if (error instanceof PodcheckError && error.message.includes('the playbook needs')) return [];
    throw error;
  }
}

/** Somebody who says yes, and at the first thing to be done by hand does what makes the scenario well. */
function run(playbook: Playbook, scenario: Scenario, cluster: Cluster, params: Readonly<Record<string, string>> = {}): Promise<Played> {
  let cured = scenario.cure.length === 0;
  const manual: Prompt['manual'] = () => {
    if (!cured) cureScenario(cluster, scenario);
    cured = true;
    return Promise.resolve({ word: 'done' });
  };
  return play(playbook, { cluster, target: scenario.expect?.target ?? FALLBACK, params, prompt: { manual } });
}
