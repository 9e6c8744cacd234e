import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { loadDrills } from '../../src/catalog/load-drills.ts';
import { draftPlaybook } from '../../src/drill/draft-playbook.ts';
import { DrillSession } from '../../src/drill/session.ts';
import type { AuditEntry } from '../../src/model/audit.ts';
import { cureScenario, playScenario } from '../../src/simulator/index.ts';
import { play, playbookOf, playbooks, rules } from '../support/runbook-runs.ts';

const { drills } = await loadDrills('playbooks/drills');
const some = drills.filter((_, index) => index % 3 === 0);

describe('runbooks in a drill', () => {
  it.each(drills.map((drill) => [drill.id, drill] as const))('mend %s', async (_, drill) => {
    const { cluster } = playScenario(drill.scenario);
    const session = await DrillSession.open({ run: 'r1', trainee: 'pat', drill, cluster, rules, wall: 0, broke: [] });
    let cured = false;
    for (const { cause, target } of drill.faults) {
      const playbook = playbooks.find(({ name }) => name === rules.find(({ id }) => id === cause)?.playbook);
      if (playbook === undefined) throw new Error(`${cause} has no playbook`);
      const manual = (): Promise<{ word: 'done' }> => {
        if (!cured) cureScenario(cluster, drill.scenario);
        cured = true;
        return Promise.resolve({ word: 'done' });
      };
      const { end } = await play(playbook, { cluster, target, prompt: { manual } });
      expect([playbook.name, end.status, end.result]).toEqual([playbook.name, 'completed', 'fixed']);
      expect(session.answer(cause, 1000).answered.verdict).toBe('right');
    }
    session.observe(written(cluster.now()));
    expect(await session.check(2000)).toMatchObject({ fixed: true });
  });

  it.each(some.map((drill) => [drill.id, drill] as const))('can be drafted from %s', async (_, drill) => {
    const { cluster } = playScenario(drill.scenario);
    const session = await DrillSession.open({ run: 'r1', trainee: 'pat', drill, cluster, rules, wall: 0, broke: [] });
    session.observe(written(cluster.now()));
    const draft = playbookOf(stringify(draftPlaybook(session.record(1000))), 'draft');
    expect(draft.for.rules).toEqual([...new Set(drill.faults.map(({ cause }) => cause))]);
  });
});

function written(at: number): AuditEntry {
  return {
    at,
    wall: 0,
    user: 'pat',
    userAgent: 'kubectl',
    verb: 'update',
    resource: 'configmaps',
    namespace: 'shop',
    name: 'web-settings',
    path: '/',
    code: 200,
  };
}
