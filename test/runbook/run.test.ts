import { describe, expect, it } from 'vitest';
import { PLAYBOOK_TEMPLATE } from '../../src/commands/runbook/playbook-template.ts';
import { shippedScenarios } from '../../src/catalog/bundled-data.ts';
import { journalText, summaryOf } from '../../src/report/playbooks/journal-text.ts';
import { PLAIN } from '../../src/report/format/text-style.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { playScenario } from '../../src/simulator/index.ts';
import { play, playbookOf } from '../support/runbook-runs.ts';
import { RUN_HEAD, shop, steps as playbookText } from './shop.ts';

const scenarios = await shippedScenarios();
const WEB = { kind: 'Deployment', namespace: 'shop', name: 'web' };

function played(id: string): Cluster {
  const scenario = scenarios.find((one) => one.id === id);
  if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
  return playScenario(scenario).cluster;
}

describe('a run', () => {
  it('makes what is missing, proves it and ends fixed', async () => {
    const { end, steps } = await play(playbookOf(PLAYBOOK_TEMPLATE), {
      cluster: played('volumes/configmap-not-found'),
      target: WEB,
      params: { mine: 'yes' },
    });
    expect(end).toMatchObject({ status: 'completed', result: 'fixed' });
    expect(steps.slice(0, 9)).toEqual([
      'look: done',
      'which: done',
      'seen: passed',
      'show-4: done',
      'run-5: not-evaluated',
      'whose: done',
      'decide-7: done',
      'create: passed',
      'ready: passed',
    ]);
  });
});

describe('a clock that is set back', () => {
  it('makes no wait longer, and no time of the journal negative', async () => {
    const cluster = shop();
    let hours = 0;
    // Each look at the clock finds it an hour further back.
    const clock = (): number => cluster.now() - ++hours * 3_600_000;
    const { steps: taken, entries } = await play(
      playbookOf(
        playbookText('- { id: wait, say: Wait., wait: { outcome: unexplained }, every: 5s, limit: 20s }\n- { id: last, note: Done. }'),
      ),
      { cluster, target: WEB, ports: { clock } },
    );
    expect(taken).toEqual(['wait: failed', 'last: done']);
    for (const entry of entries) if (entry.type === 'done') expect(entry.milliseconds).toBeGreaterThanOrEqual(0);
    const records = [RUN_HEAD, ...entries].map((entry, seq) => ({
      seq,
      at: new Date(Date.UTC(2026, 10, 20, 12 - seq)).toISOString(),
      entry,
      hash: '',
    }));
    expect(summaryOf(records)?.seconds).toBe(0);
    expect(journalText(records, PLAIN)).not.toMatch(/-\d+[smh]/);
  });
});
