import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { shippedScenarios } from '../src/catalog/bundled-data.ts';
import { PodcheckError } from '../src/base/errors.ts';
import type { Playbook } from '../src/model/playbook.ts';
import type { Scenario } from '../src/model/scenario.ts';
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
/**
 * Playbooks that tell of at least one scenario of their rules, simulated without a person, whether their changes would fix it; and such
 * scenarios. The numbers may only rise.
 */
const TELLING_PLAYBOOKS = 20;
const TOLD_SCENARIOS = 50;
/** The number of playbooks that are not proved yet may only fall. */
const UNPROVED = 0;

const proved = playbooks.filter(({ name }) => !unproved.includes(name));
const troubled = scenarios.flatMap((scenario) => {
  const name = rules.find(({ id }) => id === scenario.expect?.cause)?.playbook;
  const playbook = proved.find((one) => one.name === name);
  return playbook === undefined ? [] : [{ scenario, playbook }];
});
const lookAlikes = scenarios.filter(({ id }) => id.includes('.near-'));
const healthy = scenarios.filter(({ id }) => /^healthy\/(deployment|statefulset|daemonset|job)\b/.test(id) && !id.includes('.near-'));

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

const told = new Map<string, string[]>();

describe.each(
  troubled
    .filter(({ playbook }) => playbook.steps.some(({ action }) => action.kind === 'change'))
    .map(({ scenario, playbook }) => [`${playbook.name} on ${scenario.id}`, scenario, playbook] as const),
)('simulated, %s', (_, scenario, playbook) => {
  it('never says that its changes would fix what they do not', async () => {
    const { cluster } = playScenario(scenario);
    const params = ends[scenario.id]?.params ?? {};
    const { end, entries } = await play(playbook, { cluster, target: scenario.expect?.target ?? FALLBACK, mode: 'simulate', params });
    if (end.result === 'unknown' || !entries.some(({ type }) => type === 'changed')) return;
    told.set(playbook.name, [...(told.get(playbook.name) ?? []), scenario.id]);
    expect(end.result, end.words).toBe('fixed');
    expect(end.diagnosis?.outcome).toBe('healthy');
  });
});

describe('simulated without a person', () => {
  it('as many playbooks as before tell whether their changes would fix it', () => {
    const lines = [...told].map(([name, ids]) => `${name}: ${ids.join(' ')}`);
    expect(told.size, lines.join('\n')).toBeGreaterThanOrEqual(TELLING_PLAYBOOKS);
    expect([...told.values()].flat().length, lines.join('\n')).toBeGreaterThanOrEqual(TOLD_SCENARIOS);
  });
});

describe.each([...lookAlikes, ...healthy].map((scenario) => [scenario.id, scenario] as const))('on %s', (id, scenario) => {
  const own = rules.find((rule) => rule.id === id.replace(/\.near-.*$/, ''))?.playbook;
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
