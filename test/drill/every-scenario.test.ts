import { describe, expect, it } from 'vitest';
import { shippedRules, shippedScenarios } from '../../src/catalog/bundled-data.ts';
import { drillOfScenario } from '../../src/drill/drill-of-scenario.ts';
import { DrillSession } from '../../src/drill/session.ts';
import type { Drill } from '../../src/model/drill.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { playScenario } from '../../src/simulator/index.ts';
import { mend, request, TRAINEE } from '../support/trainee.ts';

const rules = await shippedRules();
const scenarios = await shippedScenarios();
const BY_COMMAND = /^(apply|authentication|authorization|schema-validation|persistence)\//;
const drills = scenarios.flatMap((scenario) => drillOfScenario(scenario) ?? []);
/** Those that are judged in another way than by looking at their target, and some of the others, for there are many of these. */
const special = drills.filter(
  ({ scenario, faults }) =>
    faults.some(({ scan, cured }) => scan !== undefined || cured !== undefined) || hasLook(scenario) || BY_COMMAND.test(scenario.id),
);
const some = drills.filter((drill, index) => index % 6 === 0 && !special.includes(drill));

describe.each([...special, ...some].map((drill) => [drill.id, drill] as const))('the drill %s', (_, drill) => {
  it('is not mended by doing nothing, and is by what cures it', async () => {
    const { cluster, session } = await opened(drill);
    expect((await session.check(1)).fixed).toBe(false);
    for (const { cause } of drill.faults) expect(session.answer(cause, 2).answered.verdict).toBe('right');
    mend(drill, cluster, session);
    const { faults, fixed, shortcuts } = await session.check(3);
    expect({
      fixed,
      shortcuts,
      states: faults.map(({ state, says }) => (state === 'mended' || state === 'coming' ? 'well' : says)),
    }).toEqual({ fixed: true, shortcuts: [], states: drill.faults.map(() => 'well') });
  });
});

describe('a drill whose kubeconfig does not work', () => {
  it('is not mended by somebody else who does the work, nor in the name of the trainee', async () => {
    const { cluster, session, drill } = await opened(named('authentication/client-certificate-expired'));
    mend(drill, cluster, quiet(session));
    session.observe(request(cluster, { user: 'break-glass', verb: 'update' }));
    session.observe(request(cluster, { user: TRAINEE, impersonator: 'break-glass' }));
    session.observe(request(cluster, { user: TRAINEE, code: 401 }));
    expect((await session.check(1)).faults.map(({ state, says }) => [state, says])).toEqual([
      ['failing', 'is healthy, but another user created it: your kubeconfig does not work yet'],
    ]);
    session.observe(request(cluster, {}));
    expect((await session.check(2)).fixed).toBe(true);
  });

  it('is no real fix where the kubeconfig looks away', async () => {
    const { cluster, session, drill } = await opened(
      named('apply/server-certificate-untrusted'),
      'clusters: [{ cluster: { insecure-skip-tls-verify: true } }]',
    );
    mend(drill, cluster, session);
    expect(await session.check(1)).toMatchObject({ fixed: false, shortcuts: [{ how: 'unchecked' }] });
  });

  it('takes any identity for mended where a token was at fault, but not the one of another way in', async () => {
    const { cluster, session, drill } = await opened(named('authentication/token-invalid'), undefined, true);
    mend(drill, cluster, quiet(session));
    for (const user of ['break-glass', 'system:anonymous']) session.observe(request(cluster, { user, verb: 'update' }));
    expect((await session.check(1)).fixed).toBe(false);
    session.observe(request(cluster, { user: 'system:serviceaccount:shop:deployer' }));
    expect((await session.check(2)).fixed).toBe(true);
  });

  it('gets new credentials from those who give them out, when it is named', async () => {
    const { session } = await opened(named('authentication/token-invalid'));
    expect(session.answer('authentication/token-invalid', 1).handedOver).toContain('renewed.yaml');
  });
});

it('says where what is there is not as it was meant', async () => {
  const { cluster, session } = await opened(named('apply/server-unreachable'));
  session.observe(request(cluster, { verb: 'update' }));
  expect((await session.check(1)).faults[0]?.says).toBe('exists, but spec.template.spec.containers[web].image is not as intended');
});

function hasLook({ cure }: Scenario): boolean {
  return cure.some((step) => step.do === 'look' || step.do === 'drain');
}

function named(id: string): Drill {
  const drill = drills.find((candidate) => candidate.id === id);
  if (drill === undefined) throw new Error(`there is no drill ${id}`);
  return drill;
}

async function opened(
  drill: Drill,
  kubeconfig?: string,
  anybody = false,
): Promise<{ readonly drill: Drill; readonly cluster: ReturnType<typeof playScenario>['cluster']; readonly session: DrillSession }> {
  const { cluster } = playScenario(drill.scenario);
  const session = await DrillSession.open({ run: 'r1', trainee: 'pat', drill, cluster, rules, wall: 0, broke: [] });
  session.layOut({
    folder: '/trainee',
    files: [],
    user: TRAINEE,
    anybody,
    kubeconfig: () => kubeconfig,
    renew: () => (drill.id.startsWith('authentication/') ? 'renewed.yaml' : undefined),
  });
  return { drill, cluster, session };
}

/** A session that hears of nothing that is done. */
function quiet(session: DrillSession): DrillSession {
  return Object.assign(Object.create(session) as DrillSession, { observe: () => undefined });
}

describe('a node that is to be emptied', () => {
  it('is mended when the budget lets its pods go, before and after it was drained', async () => {
    const { cluster, session } = await opened(named('controllers/pdb-blocks-eviction'));
    cluster.request({
      verb: 'patch',
      group: 'policy',
      version: 'v1',
      resource: 'poddisruptionbudgets',
      namespace: 'shop',
      name: 'web',
      patch: { type: 'merge', body: { spec: { minAvailable: null, maxUnavailable: 1 } } },
    });
    cluster.advance(5000);
    cluster.run({ command: 'drain', node: 'worker-1' });
    cluster.runUntilSettled({ milliseconds: 60_000 });
    session.observe(request(cluster, { verb: 'patch', resource: 'poddisruptionbudgets', name: 'web' }));
    expect((await session.check(1)).faults).toEqual([
      { target: { kind: 'Node', name: 'worker-1' }, state: 'mended', says: 'can be drained' },
    ]);
  });
});

it('does not call damage what the cure takes away, too', async () => {
  const { cluster, session, drill } = await opened(named('controllers/deployment-name-reuse'));
  mend(drill, cluster, session);
  expect(await session.check(1)).toMatchObject({ fixed: true, damage: [] });
});
