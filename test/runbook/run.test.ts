import { describe, expect, it } from 'vitest';
import { PLAYBOOK_TEMPLATE } from '../../src/commands/playbook-template.ts';
import { shippedScenarios } from '../../src/catalog/shipped.ts';
import type { Cluster } from '../../src/simulator/cluster.ts';
import { playScenario } from '../../src/simulator/scenario/play.ts';
import { play, playbookOf } from '../support/runbook-runs.ts';

const scenarios = await shippedScenarios();
const WEB = { kind: 'Deployment', namespace: 'shop', name: 'web' };

function played(id: string): Cluster {
  const scenario = scenarios.find((one) => one.id === id);
  if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
  return playScenario(scenario).cluster;
}

describe('a run', () => {
  it('makes what is missing, proves it and ends fixed', async () => {
    const { end, steps } = await play(playbookOf(PLAYBOOK_TEMPLATE), { cluster: played('volumes/configmap-not-found'), target: WEB, params: { mine: 'yes' } });
    expect(end).toMatchObject({ status: 'completed', result: 'fixed' });
    expect(steps.slice(0, 9)).toEqual(['look: done', 'which: done', 'seen: passed', 'show-4: done', 'run-5: not-evaluated', 'whose: done', 'decide-7: done', 'create: passed', 'ready: passed']);
  });
});
