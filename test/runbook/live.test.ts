import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { openLive } from '../../src/clusters/live/open-live.ts';
import type { JournalEntry } from '../../src/model/journal.ts';
import { startServing } from '../../src/server/serve.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { folderWith } from '../support/folder.ts';
import type { Played } from '../support/runbook-runs.ts';
import { play, playbookOf } from '../support/runbook-runs.ts';
import { shop, steps, WEB } from './shop.ts';

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const PLAYBOOK = playbookOf(
  steps(`- { id: look, diagnose: target }
- { id: pods, say: See the pods., show: { list: Pod, namespace: "{{ namespace }}" } }
- { id: settings, say: Is the ConfigMap missing?, check: { all: [{ fact: reference, where: { refKind: ConfigMap, exists: false, refName: $settings } }] } }
- id: make
  say: Make it.
  change: { create: { apiVersion: v1, kind: ConfigMap, metadata: { name: "{{ settings }}" }, data: { theme: dark } } }
  verify: { until: { outcome: healthy }, every: 10s, limit: 5m }
  undo: restore
- { id: grow, say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, verify: { until: { all: [{ fact: workload, where: { top: true, ready: 3 } }] }, limit: 2m }, undo: restore }
- { id: shrink, say: Send one away., change: { evict: "{{ pod }}" }, verify: { until: { outcome: healthy }, limit: 2m }, undo: { none: the pod is gone } }
- { id: again, say: Restart., change: { restart: "{{ target }}" }, verify: { until: { outcome: healthy }, limit: 3m }, undo: restore }`),
);
const troubled = (): Cluster =>
  shop(
    { volumes: [{ name: 'settings', configMap: { name: 'web-settings' } }] },
    { volumeMounts: [{ name: 'settings', mountPath: '/etc/web' }] },
  );

/** The same run against the cluster as it is served over HTTPS: time passes only when the run waits. */
async function playServed(cluster: Cluster): Promise<Played> {
  const serving = await startServing({ cluster });
  ends.push(() => serving.close());
  serving.clock.pause();
  const file = join(folderWith({}), 'kubeconfig');
  writeFileSync(file, serving.kubeconfig);
  const live = await openLive({
    kubeconfig: file,
    around: { env: {}, homeFolder: '/nonexistent', workingFolder: '/' },
    clock: () => Date.now(),
    interactive: false,
  });
  ends.push(() => live.close());
  const { reader, changer } = live;
  return play(PLAYBOOK, {
    cluster,
    target: WEB,
    ports: { reader, changer, pause: (milliseconds) => serving.clock.advance(milliseconds).then(() => undefined) },
  });
}

describe('a run against a cluster that is served', () => {
  it('writes the same journal as in the simulated cluster itself', async () => {
    const simulated = await play(PLAYBOOK, { cluster: troubled(), target: WEB });
    const served = await playServed(troubled());
    expect(simulated.end, simulated.end.words).toMatchObject({ status: 'completed', result: 'fixed' });
    expect(simulated.steps).toEqual([
      'look: done',
      'pods: done',
      'settings: passed',
      'make: passed',
      'grow: passed',
      'shrink: passed',
      'again: passed',
    ]);
    expect(served.entries.map(withoutTimes)).toEqual(simulated.entries.map(withoutTimes));
  });
});

/** Ages, durations and the moment of a restart. */
function withoutTimes(entry: JournalEntry): unknown {
  return JSON.parse(
    JSON.stringify(entry, (key, value: unknown) => (key === 'milliseconds' || key === 'uid' || key === 'digest' ? 0 : value))
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
      .replaceAll(/\b\d+[smh](\d+s)?\b/g, 'D'),
  );
}
