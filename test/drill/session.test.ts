import { describe, expect, it } from 'vitest';
import { shippedRules, shippedScenarios } from '../../src/catalog/bundled-data.ts';
import { drillOfScenario } from '../../src/drill/drill-of-scenario.ts';
import { DrillSession } from '../../src/drill/session.ts';
import { checkText } from '../../src/drill/session-text.ts';
import type { AuditEntry } from '../../src/model/audit.ts';
import { PLAIN } from '../../src/report/format/text-style.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { cureScenario, playScenario } from '../../src/simulator/index.ts';

const rules = await shippedRules();
const scenarios = await shippedScenarios();
const START = Date.UTC(2026, 10, 20, 3, 0, 0);

describe('a run of a drill', () => {
  it('is fixed, with nearly all points, when the cause is named and the cure applied', async () => {
    const { session, cluster, drill } = await open('volumes/configmap-not-found');
    session.observe(entry(cluster, { verb: 'list', resource: 'events', namespace: 'shop' }));
    expect(session.answer('volumes/configmap-not-found', START + 60_000).answered.verdict).toBe('right');
    expect((await session.check(START + 61_000)).fixed).toBe(false);
    cureScenario(cluster, drill.scenario);
    session.observe(entry(cluster, { verb: 'create', resource: 'configmaps', namespace: 'shop', name: 'web-settings' }));
    expect(await session.check(START + 120_000)).toMatchObject({ fixed: true, shortcuts: [], damage: [], unnamed: 0 });
    const record = session.record(START + 120_000);
    expect(record.ending).toBe('fixed');
    expect(record.score.points).toBe(100);
    expect(record.faults[0]?.looked).toBeDefined();
  });

  it('looks a few minutes ahead, so that nobody has to wait for a back-off', async () => {
    const { session, cluster, drill } = await open('volumes/configmap-not-found');
    for (const step of drill.scenario.cure) if (step.do === 'apply') cluster.apply(step.documents);
    session.observe(entry(cluster, { verb: 'create', resource: 'configmaps', namespace: 'shop', name: 'web-settings' }));
    const checked = await session.check(START + 1000);
    expect(checked.faults.map(({ state }) => state)).toEqual(['coming']);
    expect(checkText(checked, PLAIN)).toContain('You can still name the cause');
  });

  it('does not take a workload scaled to nothing, or deleted, for a fix', async () => {
    const scaled = await open('volumes/configmap-not-found');
    scaled.cluster.request({
      verb: 'patch',
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
      namespace: 'shop',
      name: 'web',
      patch: { type: 'merge', body: { spec: { replicas: 0 } } },
    });
    scaled.session.observe(entry(scaled.cluster, { verb: 'patch', resource: 'deployments', namespace: 'shop', name: 'web' }));
    const checked = await scaled.session.check(START + 1000);
    expect(checked.fixed).toBe(false);
    expect(checked.shortcuts.map(({ how }) => how)).toEqual(['scaled-down']);
    const deleted = await open('volumes/configmap-not-found');
    deleted.cluster.request({ verb: 'delete', group: 'apps', version: 'v1', resource: 'deployments', namespace: 'shop', name: 'web' });
    deleted.session.observe(entry(deleted.cluster, { verb: 'delete', resource: 'deployments', namespace: 'shop', name: 'web' }));
    expect((await deleted.session.check(START + 1000)).faults.map(({ state }) => state)).toEqual(['symptom']);
  });

  it('tells that all was only made anew, by whichever way', async () => {
    const { session, cluster } = await open('probes/readiness-wrong-port');
    const body = { spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-20T09:30:00Z' } } } } };
    cluster.request({
      verb: 'patch',
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
      namespace: 'shop',
      name: 'web',
      patch: { type: 'strategic', body },
    });
    session.observe(entry(cluster, { verb: 'patch', resource: 'deployments', namespace: 'shop', name: 'web' }));
    expect((await session.check(START)).shortcuts.map(({ how }) => how)).toEqual(['only-restarted']);
    session.observe(entry(cluster, { verb: 'delete', resource: 'pods', namespace: 'shop', name: 'web-1' }));
    expect((await session.check(START)).shortcuts.map(({ how }) => how)).toEqual(['only-restarted']);
    cluster.request({
      verb: 'patch',
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
      namespace: 'shop',
      name: 'web',
      patch: { type: 'strategic', body: { spec: { minReadySeconds: 3 } } },
    });
    session.observe(entry(cluster, { verb: 'patch', resource: 'deployments', namespace: 'shop', name: 'web' }));
    expect((await session.check(START)).shortcuts).toEqual([]);
  });

  it.each([
    ['scaled to nothing', { spec: { replicas: 0 } }, 'scaled-down'],
    ['left without its probe', { spec: { template: { spec: { containers: [{ name: 'web', readinessProbe: null }] } } } }, 'probe-removed'],
  ])('calls a workload that was %s no fix, and nothing else', async (_, body, how) => {
    const { session, cluster } = await open('probes/readiness-wrong-port');
    cluster.request({
      verb: 'patch',
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
      namespace: 'shop',
      name: 'web',
      patch: { type: 'strategic', body },
    });
    session.observe(entry(cluster, { verb: 'patch', resource: 'deployments', namespace: 'shop', name: 'web' }));
    const checked = await session.check(START);
    expect([checked.fixed, checked.faults.map(({ state }) => state), checked.shortcuts.map((shortcut) => shortcut.how)]).toEqual([
      false,
      ['symptom'],
      [how],
    ]);
  });

  it('gives hints from gentle to explicit, and none that was seen already', async () => {
    const { session, cluster } = await open('volumes/configmap-not-found');
    session.observe(entry(cluster, { verb: 'list', resource: 'pods', namespace: 'shop' }));
    session.observe(entry(cluster, { verb: 'list', resource: 'events', namespace: 'shop' }));
    const levels: string[] = [];
    for (let hint = session.hint(START); hint !== undefined; hint = session.hint(START)) levels.push(hint.level);
    expect(levels).toEqual(['stage', 'evidence', 'cause', 'fix']);
    expect(session.record(START).hints.cost).toBe(38);
  });

  it('understands free words, and tells a symptom from a cause', async () => {
    const { session } = await open('volumes/configmap-not-found');
    expect(session.answer('the configmap of a volume does not exist', START).answered).toMatchObject({ verdict: 'right' });
    expect(session.answer('images/not-found', START).answered.verdict).toBe('unclear');
    expect(session.answer('scheduling/insufficient-resources', START).answered.verdict).not.toBe('right');
  });
});

async function open(
  id: string,
): Promise<{ session: DrillSession; cluster: Cluster; drill: NonNullable<ReturnType<typeof drillOfScenario>> }> {
  const scenario = scenarios.find((candidate) => candidate.id === id);
  const drill = scenario === undefined ? undefined : drillOfScenario(scenario);
  if (drill === undefined) throw new Error(`${id} is no drill`);
  const { cluster } = playScenario(drill.scenario);
  return { cluster, drill, session: await DrillSession.open({ run: 'r1', trainee: 'pat', drill, cluster, rules, wall: START, broke: [] }) };
}

function entry(cluster: Cluster, fields: Partial<AuditEntry>): AuditEntry {
  return {
    at: cluster.now(),
    wall: START,
    user: 'trainee',
    userAgent: 'kubectl',
    verb: 'get',
    resource: 'pods',
    path: '/',
    code: 200,
    ...fields,
  };
}
