import { expect, it } from 'vitest';
import { loadScenarios } from '../../src/catalog/load-scenarios.ts';
import { playScenario } from '../../src/simulator/index.ts';
import { play, playbooks } from '../support/runbook-runs.ts';

it('does not wait in a dry run for what a person would have to do first', async () => {
  const scenario = (await loadScenarios('rules')).scenarios.find(({ id }) => id === 'volumes/configmap-not-found');
  const playbook = playbooks.find(({ name }) => name === 'missing-config');
  if (scenario?.expect?.target === undefined || playbook === undefined) throw new Error('the scenario or the playbook is gone');
  const { cluster } = playScenario(scenario);
  const before = cluster.now();
  const { steps, end } = await play(playbook, { cluster, target: scenario.expect.target, mode: 'dry-run' });
  expect(steps.slice(-2)).toEqual(['mend-configmap: skipped', 'ready: not-evaluated']);
  expect(end.status).toBe('completed');
  expect(cluster.now()).toBe(before);
});
