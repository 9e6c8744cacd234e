import { describe, expect, it } from 'vitest';
import { loadDrills } from '../../src/catalog/load-drills.ts';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { registryListing } from '../../src/drill/registry-listing.ts';
import { DrillSession } from '../../src/drill/session.ts';
import { diagnoseTarget } from '../../src/library/diagnose-target.ts';
import type { Drill } from '../../src/model/drill.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import { planFix } from '../../src/runbook/change-plan.ts';
import { simulatedChanger } from '../../src/runbook/simulated-changer.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { cureScenario, playScenario } from '../../src/simulator/index.ts';
import { firstAlternative } from '../support/first-alternative.ts';
import { mend, request } from '../support/trainee.ts';

const rules = await shippedRules();
const { drills } = await loadDrills('playbooks/drills');
const WORKLOADS = ['Deployment', 'StatefulSet'];
const byCommand = new Set<string>();

/** The third way, the runbook of each cause, is in runbooks.test.ts. */
describe.each(drills.map((drill) => [drill.id, drill] as const))('the drill %s', (id, drill) => {
  it('is solved by what was intended', async () => {
    const { cluster, session } = await opened(drill);
    mend(drill, cluster, session);
    // What somebody else does, and no request can.
    if (drill.scenario.cure.some(({ do: action }) => action === 'fault')) cureScenario(cluster, drill.scenario);
    expect(await session.check(1)).toMatchObject({ fixed: true, shortcuts: [], damage: [] });
  });

  it('is solved by the fixes that a diagnosis prints', async () => {
    const { cluster, session } = await opened(drill);
    // Faults may hide behind one another: those that are left are diagnosed again.
    for (let round = 0; round < drill.faults.length + 1; round++)
      for (const { target } of drill.faults) if (await fixAsPrinted(cluster, target)) byCommand.add(id);
    const left = (await session.check(1)).faults.filter(({ state }) => state !== 'mended' && state !== 'coming');
    // What no command can do is left to a person, and so are the values that nobody but them knows.
    if (left.length > 0) cureScenario(cluster, drill.scenario);
    session.observe(request(cluster, { verb: 'update' }));
    expect(await session.check(2)).toMatchObject({ fixed: true, shortcuts: [] });
  });

  it('is solved by nothing that only hides it', async () => {
    const targets = drill.faults.map(({ target }) => target).filter(({ kind }) => WORKLOADS.includes(kind));
    for (const target of targets) {
      for (const [name, hide] of HIDING) {
        const { cluster, session } = await opened(drill);
        hide(cluster, target);
        session.observe(request(cluster, { verb: 'patch', ...addressOf(target) }));
        expect([name, (await session.check(1)).fixed]).toEqual([name, false]);
      }
    }
  });

  it('shows each image that its cure needs, in the cluster or in the list of the registries', async () => {
    const { cluster } = await opened(drill);
    const listed = registryListing(cluster)?.content;
    const tags = listed !== undefined && 'text' in listed ? listed.text : '';
    const seen = JSON.stringify([...cluster.store.resources()].map((resource) => cluster.store.list(resource)));
    const images = [...new Set([...JSON.stringify(drill.scenario.cure).matchAll(/"image":"([^"]+)"/g)].map(([, image]) => image ?? ''))];
    const hidden = images.filter((image) => {
      const at = image.lastIndexOf(':');
      return (
        !seen.includes(`"${image}"`) && !tagsOf(tags, image.slice(0, at)).some((tag) => tag === image.slice(at + 1) || tag === '(any tag)')
      );
    });
    expect(hidden).toEqual([]);
  });

  it('is not told by the alerts', async () => {
    const { session } = await opened(drill);
    const told = session.alerts.map(({ name, summary }) => `${name} ${summary}`).join('\n');
    for (const { cause } of drill.faults) expect(told).not.toContain(cause.split('/')[1]);
    expect(session.alerts.every(({ since }) => since !== undefined)).toBe(true);
  });
});

it('commands that a diagnosis prints solve something in as many drills as before', () => {
  expect(byCommand.size, [...byCommand].join(' ')).toBeGreaterThanOrEqual(12);
});

const HIDING: readonly (readonly [name: string, hide: (cluster: Cluster, target: ObjectRef) => void])[] = [
  ['scaled to zero', (cluster, target) => patch(cluster, target, { spec: { replicas: 0 } })],
  ['deleted', (cluster, target) => void cluster.request({ verb: 'delete', ...addressOf(target) })],
  [
    'restarted',
    (cluster, target) =>
      patch(cluster, target, {
        spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-20T09:30:00Z' } } } },
      }),
  ],
];

function patch(cluster: Cluster, target: ObjectRef, body: JsonObject): void {
  cluster.request({ verb: 'patch', ...addressOf(target), patch: { type: 'strategic', body } });
}

function addressOf({ kind, namespace, name }: ObjectRef): {
  group: string;
  version: string;
  resource: string;
  namespace: string;
  name: string;
} {
  return { group: 'apps', version: 'v1', resource: `${kind.toLowerCase()}s`, namespace: namespace ?? '', name };
}

/** Tags of a repository in a list of registries. */
function tagsOf(listing: string, repository: string): readonly string[] {
  const lines = listing.split('\n');
  const from = lines.indexOf(repository) + 1;
  const to = lines.findIndex((line, index) => index >= from && !line.startsWith('  '));
  return from === 0 ? [] : lines.slice(from, to).map((line) => line.trim());
}

/** Runs the first alternative of the fix, as far as its commands each make one change; whether they did any. */
async function fixAsPrinted(cluster: Cluster, target: ObjectRef): Promise<boolean> {
  const [cause] = (await diagnoseTarget(cluster.reader(), rules, target)).causes;
  let isDone = false;
  for (const { run } of firstAlternative(cause?.fix ?? [])) {
    const plan = run === undefined ? undefined : await planFix(run, cluster.reader(), cluster.now());
    if (plan?.ok !== true) continue;
    for (const { request: write } of plan.writes) isDone = (await simulatedChanger(cluster).send(write, false)).ok || isDone;
  }
  cluster.advance(60_000);
  return isDone;
}

async function opened(drill: Drill): Promise<{ readonly cluster: Cluster; readonly session: DrillSession }> {
  const broke: { at: number; what: string }[] = [];
  const { cluster } = playScenario(drill.scenario, { onStep: (_, played) => void broke.push({ at: played.now(), what: '' }) });
  const session = await DrillSession.open({ run: 'r1', trainee: 'pat', drill, cluster, rules, wall: 0, broke });
  return { cluster, session };
}
