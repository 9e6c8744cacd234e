import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/engine/diagnose.ts';
import { scan } from '../../src/engine/scan.ts';
import type { Evidence, Target } from '../../src/model/diagnosis.ts';
import type { Fact, Gap } from '../../src/model/fact.ts';
import { ANY_FACT } from '../../src/model/fact.ts';
import { fact, gap, pod, rule } from '../support/facts.ts';

const web = { kind: 'Deployment', namespace: 'shop', name: 'web' };
const api = { kind: 'Deployment', namespace: 'shop', name: 'api' };
const db = { kind: 'StatefulSet', namespace: 'shop', name: 'db' };
const missing = rule({
  all: [{ fact: 'reference', where: { exists: false, refName: '$name' } }],
  object: 'ConfigMap/{{ name }}',
  what: 'ConfigMap {{ name }} of {{ workload }} is missing.',
});
const crash = rule({ id: 'containers/crash', kind: 'symptom', all: [{ fact: 'container', where: { reason: 'CrashLoopBackOff' } }] });
const unready = rule({ id: 'probes/unready', all: [{ fact: 'condition', where: { type: 'Ready', status: 'False' } }] });

function evidence(
  facts: readonly Fact[],
  gaps: readonly Gap[] = [],
  targets: readonly Target[] = [{ ref: web, state: 'unhealthy', members: [pod('web-1')] }],
): Evidence {
  return { at: 0, facts, gaps, targets };
}

describe('a diagnosis', () => {
  it('fills the words of the rule and quotes the evidence', () => {
    const { outcome, causes } = diagnose(
      evidence([fact('reference', pod('web-1'), { exists: false, refName: 'settings' }, web)]),
      [missing],
      web,
    );
    expect(outcome).toBe('explained');
    expect(causes[0]).toMatchObject({
      rank: 1,
      what: 'ConfigMap settings of Deployment/web is missing.',
      object: { kind: 'ConfigMap', namespace: 'shop', name: 'settings' },
      workload: web,
    });
    expect(causes[0]?.evidence[0]?.quote).toContain('settings');
  });

  it('never lets a value from the cluster become part of a command', () => {
    const fetch = rule({
      all: [{ fact: 'reference', where: { exists: false, refName: '$name' } }],
      run: 'kubectl get configmap {{ name }}',
    });
    const run = (name: string): string | undefined =>
      diagnose(evidence([fact('reference', pod('web-1'), { exists: false, refName: name }, web)]), [fetch], web).causes[0]?.fix[0]?.run;
    expect(run('app-config_1.2')).toBe('kubectl get configmap app-config_1.2');
    for (const hostile of ['x; rm -rf /', '$(id)', '`id`', "a'b", 'a|b', 'a\nb', 'a b', '--all', '*'])
      expect(run(hostile)).toBe('kubectl get configmap <name>');
  });

  it('tells what is around the target, if anything is', () => {
    const around = (members: Target['members']): unknown =>
      diagnose(evidence([], [], [{ ref: web, state: 'unhealthy', members }]), [missing], web).around;
    expect(around([pod('web-1')])).toEqual([{ from: web, to: pod('web-1'), how: 'owns' }]);
    expect(around([])).toBeUndefined();
  });

  it('tells one cause once, whatever number of replicas shows it', () => {
    const facts = ['web-1', 'web-2', 'web-3'].map((name) => fact('reference', pod(name), { exists: false, refName: 'settings' }, web));
    const { causes } = diagnose(evidence(facts), [missing], web);
    expect(causes).toHaveLength(1);
    expect(causes[0]?.affected.map(({ name }) => name)).toEqual(['web', 'web-1', 'web-2', 'web-3']);
  });

  it('lets a cause account for the symptoms of the same workload, and names the earlier stage first', () => {
    const facts = [
      fact('condition', pod('web-1'), { type: 'Ready', status: 'False' }, web),
      fact('container', pod('web-1'), { reason: 'CrashLoopBackOff' }, web),
      fact('reference', pod('web-1'), { exists: false, refName: 'settings' }, web),
    ];
    const { causes } = diagnose(evidence(facts), [unready, crash, missing], web);
    expect(causes.map(({ rule: id }) => id)).toEqual(['volumes/missing', 'probes/unready']);
    expect(causes[0]?.explains).toEqual(['containers/crash']);
  });

  it('is inconclusive where a gap could hide the cause, and unexplained where nothing is hidden', () => {
    expect(diagnose(evidence([], [gap('reference', 'web-1')]), [missing], web).outcome).toBe('inconclusive');
    expect(diagnose(evidence([]), [missing], web).outcome).toBe('unexplained');
    expect(diagnose(evidence([], [], [{ ref: web, state: 'healthy', members: [] }]), [missing], web).outcome).toBe('healthy');
  });

  it('tells first what could not be seen of the target itself, then of others, each in their order', () => {
    const unread = (name: string): Gap => ({ kind: ANY_FACT, about: { kind: 'Pod', namespace: 'shop', name }, reason: 'forbidden' });
    const names = ['till-1', 'web-1', 'till-2', 'web-2'];
    const targets = [{ ref: web, state: 'unhealthy', members: [pod('web-1'), pod('web-2')] } as const];
    for (const order of [names, names.toReversed()]) {
      const { gaps } = diagnose(evidence([], order.map(unread), targets), [missing], web);
      const own = (name: string): boolean => name.startsWith('web');
      expect(gaps.map(({ about }) => about.name)).toEqual([...order.filter(own), ...order.filter((name) => !own(name))]);
    }
  });

  it('waits for what started a short time ago, unless an event warns or something failed', () => {
    const start = Date.parse('2026-01-14T09:00:00Z');
    const at = (seconds: number, ...more: readonly Fact[]): Evidence => {
      const passed = { ...fact('milestone', pod('web-1'), { stage: 'scheduling', state: 'passed' }, web), at: start };
      const waits = fact('milestone', pod('web-1'), { stage: 'volumes', state: 'waiting', reason: 'ContainerCreating' }, web);
      return { ...evidence([passed, waits, ...more]), at: start + seconds * 1000 };
    };
    const warning = fact('event', pod('web-1'), { type: 'Warning', reason: 'FailedMount' }, web);
    const failed = fact('milestone', pod('web-1'), { stage: 'kubelet', state: 'failed', reason: 'NodeAffinity' }, web);
    expect([at(20), at(3000), at(20, warning), at(20, failed)].map((seen) => diagnose(seen, [missing], web).outcome)).toEqual([
      'waiting',
      'unexplained',
      'unexplained',
      'unexplained',
    ]);
    const calm = fact('event', pod('web-1'), { type: 'Normal', reason: 'Pulling' }, web);
    const elsewhere = fact('event', pod('cart-1'), { type: 'Warning', reason: 'FailedMount' }, web);
    const ofOwner = fact('event', web, { type: 'Warning', reason: 'FailedCreate' }, web);
    expect(
      [at(60), at(61), at(20, calm), at(20, elsewhere), at(20, ofOwner)].map((seen) => diagnose(seen, [missing], web).outcome),
    ).toEqual(['waiting', 'unexplained', 'waiting', 'waiting', 'unexplained']);
    const unheard = evidence([fact('milestone', pod('web-1'), { stage: 'volumes', state: 'waiting' }, web)]);
    expect(diagnose(unheard, [missing], web).outcome).toBe('unexplained');
    expect([at(20), at(3000)].map((seen) => scan(seen, [missing], {}).unexplained.length)).toEqual([0, 1]);
  });

  it('waits for an application that has just started, though its probes fail, and for a scheduler that is busy', () => {
    const start = Date.parse('2026-01-14T09:00:00Z');
    const outcome = (stage: string, seconds: number, ...reasons: readonly string[]): string => {
      const passed = { ...fact('milestone', pod('web-1'), { stage: 'persistence', state: 'passed' }, web), at: start };
      const waits = fact('milestone', pod('web-1'), { stage, state: 'waiting' }, web);
      const warnings = reasons.map((reason) => fact('event', pod('web-1'), { type: 'Warning', reason }, web));
      return diagnose({ ...evidence([passed, waits, ...warnings]), at: start + seconds * 1000 }, [missing], web).outcome;
    };
    expect([outcome('probes', 60, 'Unhealthy'), outcome('probes', 61, 'Unhealthy')]).toEqual(['waiting', 'unexplained']);
    expect([outcome('probes', 60, 'Unhealthy', 'BackOff'), outcome('containers', 20, 'Unhealthy')]).toEqual(['unexplained', 'waiting']);
    expect([outcome('scheduling', 15), outcome('scheduling', 16)]).toEqual(['waiting', 'unexplained']);
    expect(outcome('scheduling', 5, 'FailedScheduling')).toBe('unexplained');
  });

  it('waits for startup probes that may still fail, whatever is said of probes', () => {
    const waits = (name: string, patienceSeconds?: number): Fact =>
      fact(
        'milestone',
        pod(name),
        { stage: 'probes', state: 'waiting', ...(patienceSeconds === undefined ? {} : { patienceSeconds }) },
        web,
      );
    const warning = (reason: string): Fact => fact('event', pod('web-1'), { type: 'Warning', reason }, web);
    const members = [pod('web-1'), pod('web-2')];
    const outcome = (...facts: readonly Fact[]): string =>
      diagnose(evidence(facts, [], [{ ref: web, state: 'unhealthy', members }]), [missing], web).outcome;
    expect(outcome(waits('web-1', 90))).toBe('waiting');
    expect(outcome(waits('web-1', 90), warning('Unhealthy'))).toBe('waiting');
    expect(outcome(waits('web-1', 90), warning('Unhealthy'), warning('FailedMount'))).toBe('unexplained');
    expect(outcome(waits('web-1', 90), waits('web-2', 30))).toBe('waiting');
    expect(outcome(waits('web-1', 90), waits('web-2'))).toBe('unexplained');
    const behind = fact('milestone', pod('web-1'), { stage: 'endpoints', state: 'waiting' }, web);
    expect(outcome(waits('web-1', 90), behind)).toBe('waiting');
    expect(outcome(behind)).toBe('unexplained');
    expect(outcome(waits('web-1'), warning('Unhealthy'))).toBe('unexplained');
  });

  it('of a node is not what is the matter with the pods on it', () => {
    const node = { kind: 'Node', name: 'worker-1' };
    const targets = [{ ref: node, state: 'healthy' as const, members: [] }];
    const of = (...facts: readonly Fact[]): ReturnType<typeof diagnose> => diagnose(evidence(facts, [], targets), [unready, missing], node);
    const sick = fact('reference', pod('web-1'), { exists: false, refName: 'settings' }, web);
    expect(of(sick)).toMatchObject({ outcome: 'healthy', causes: [] });
    const own = fact('condition', node, { type: 'Ready', status: 'False' });
    expect(of(sick, own).causes.map(({ object }) => object)).toEqual([node]);
  });

  it('calls nothing healthy while a read of it got no answer', () => {
    const unread: Gap = { kind: ANY_FACT, about: pod('web-1'), reason: 'forbidden' };
    expect(diagnose(evidence([], [unread], [{ ref: web, state: 'healthy', members: [] }]), [missing], web).outcome).toBe('inconclusive');
  });

  it('publishes all that a rule has bound, or only what the rule names', () => {
    const facts = [fact('reference', pod('web-1'), { exists: false, refName: 'settings', volume: 'data' }, web)];
    const both = rule({ all: [{ fact: 'reference', where: { exists: false, refName: '$name', volume: '$volume' } }] });
    expect(diagnose(evidence(facts), [both], web).causes[0]?.params).toMatchObject({ name: 'settings', volume: 'data' });
    expect(diagnose(evidence(facts), [{ ...both, params: ['volume'] }], web).causes[0]?.params).toEqual({ volume: 'data' });
  });

  it('quotes each piece of evidence once, with its time and count, and not without an end', () => {
    const at = Date.parse('2026-01-14T09:00:00Z');
    const facts = Array.from({ length: 40 }, (_, index) => ({
      ...fact('reference', pod(`web-${String(index)}`), { exists: false, refName: 'settings' }, web),
      at,
      count: 3,
    }));
    const [cause] = diagnose(evidence(facts), [missing], web).causes;
    expect(cause?.evidence).toHaveLength(24);
    expect(cause?.evidence[0]).toMatchObject({ about: { kind: 'Pod', namespace: 'shop' }, at, count: 3 });
    const [first] = facts;
    const once = diagnose(evidence([first, first].filter((one) => one !== undefined)), [missing], web).causes[0]?.evidence;
    expect(once).toHaveLength(1);
    const plain = diagnose(evidence([fact('reference', pod('web-1'), { exists: false, refName: 'settings' }, web)]), [missing], web)
      .causes[0]?.evidence[0];
    expect([plain?.at, plain?.count]).toEqual([undefined, undefined]);
  });

  it('is inconclusive about an object that was not looked at', () => {
    expect(diagnose(evidence([]), [missing], api)).toMatchObject({ outcome: 'inconclusive', state: 'unknown' });
  });

  it('says how its target is doing, as far as that was seen', () => {
    const seen = diagnose(
      evidence([], [], [{ ref: web, state: 'unhealthy', reason: '1/3 ready', pods: { ready: 1, desired: 3 }, members: [] }]),
      [missing],
      web,
    );
    expect(seen).toMatchObject({ target: web, state: 'unhealthy', reason: '1/3 ready', pods: { ready: 1, desired: 3 } });
    const unseen = diagnose(evidence([]), [missing], web);
    expect(['reason' in unseen, 'pods' in unseen]).toEqual([false, false]);
  });

  it('gives every stage a verdict in order', () => {
    const facts = [
      fact('milestone', pod('web-1'), { stage: 'scheduling', state: 'passed' }, web),
      fact('milestone', pod('web-1'), { stage: 'volumes', state: 'waiting', reason: 'ContainerCreating' }, web),
      fact('reference', pod('web-1'), { exists: false, refName: 'settings' }, web),
    ];
    const { stages } = diagnose(evidence(facts), [missing], web);
    const verdicts = Object.fromEntries(stages.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts).toMatchObject({
      apply: 'passed',
      scheduling: 'passed',
      kubelet: 'unknown',
      volumes: 'blocked',
      sandbox: 'not-reached',
      traffic: 'not-reached',
    });
  });

  it('knows that a request refused at one stage has passed those before it', () => {
    const denied = rule({ id: 'validating-admission/denied', all: [{ fact: 'refusal', where: { reason: 'policy-denied' } }] });
    const { stages } = diagnose(evidence([fact('refusal', web, { reason: 'policy-denied' })]), [denied], web);
    expect(stages.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id)).toEqual([
      'apply',
      'authentication',
      'authorization',
      'mutating-admission',
      'schema-validation',
    ]);
    expect(stages.find(({ id }) => id === 'persistence')?.verdict).toBe('not-reached');
  });

  it('takes the least advanced replica for the workload', () => {
    const facts = [
      fact('milestone', pod('web-1'), { stage: 'scheduling', state: 'passed' }, web),
      fact('milestone', pod('web-1'), { stage: 'probes', state: 'passed' }, web),
      fact('milestone', pod('web-2'), { stage: 'controllers', state: 'passed' }, web),
      fact('milestone', pod('web-2'), { stage: 'scheduling', state: 'waiting' }, web),
    ];
    const target = { ref: web, state: 'unhealthy' as const, members: [pod('web-1'), pod('web-2')] };
    const { stages } = diagnose(evidence(facts, [], [target]), [], web);
    const verdicts = Object.fromEntries(stages.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts).toMatchObject({ controllers: 'passed', scheduling: 'waiting', probes: 'not-reached' });
  });
});

describe('a scan', () => {
  it('accounts for callers by what they call', () => {
    const readOnly = rule({ id: 'containers/read-only', all: [{ fact: 'condition', where: { type: 'ReadOnly' } }] });
    const facts = [
      fact('condition', pod('db-0'), { type: 'ReadOnly', status: 'True' }, db),
      fact('backend', pod('db-0'), { service: 'db' }, db),
      fact('dependency', api, { on: 'Service/shop/db' }, api),
      fact('container', pod('api-1'), { reason: 'CrashLoopBackOff' }, api),
    ];
    const targets: readonly Target[] = [
      { ref: api, state: 'unhealthy', members: [pod('api-1')] },
      { ref: db, state: 'healthy', members: [pod('db-0')] },
    ];
    const { causes, unexplained } = scan(evidence(facts, [], targets), [crash, readOnly], {});
    expect(causes.map(({ rule: id, explains }) => [id, explains])).toEqual([['containers/read-only', ['containers/crash']]]);
    expect(unexplained).toEqual([]);
  });

  it('counts what is healthy, what is not, and what was not seen', () => {
    const targets: readonly Target[] = [
      { ref: api, state: 'healthy', members: [] },
      { ref: db, state: 'unknown', members: [] },
      { ref: web, state: 'progressing', members: [] },
      { ref: { ...web, name: 'cart' }, state: 'unhealthy', members: [] },
    ];
    expect(scan(evidence([], [], targets), [missing], {}).counts).toEqual({
      targets: 4,
      healthy: 1,
      unhealthy: 2,
      unknown: 1,
      unexplained: 1,
    });
  });

  it('tells of what is on its way, unless a cause names it', () => {
    const going: Target = { ref: web, state: 'progressing', reason: 'Terminating', members: [] };
    const starting = (facts: readonly Fact[]): unknown => scan(evidence(facts, [], [going]), [missing], {}).starting;
    expect(starting([])).toEqual([going]);
    expect(starting([fact('reference', web, { exists: false, refName: 'settings' }, web)])).toBeUndefined();
  });

  it('tells of what rests for a reason, unless a cause names it', () => {
    const resting: Target = { ref: web, state: 'healthy', reason: 'scaled to 0', members: [] };
    const others: readonly Target[] = [
      { ref: db, state: 'unhealthy', reason: '0/1 ready', members: [] },
      { ref: api, state: 'healthy', members: [] },
    ];
    const inactive = (facts: readonly Fact[]): unknown => scan(evidence(facts, [], [resting, ...others]), [missing], {}).inactive;
    expect(inactive([])).toEqual([resting]);
    expect(inactive([fact('reference', web, { exists: false, refName: 'settings' }, web)])).toBeUndefined();
    expect(scan(evidence([], [], others), [missing], {})).not.toHaveProperty('inactive');
  });

  it('names what is sick without a known cause', () => {
    const { counts, unexplained } = scan(evidence([]), [missing], {});
    expect(counts).toEqual({ targets: 1, healthy: 0, unhealthy: 1, unknown: 0, unexplained: 1 });
    expect(unexplained.map(({ ref }) => ref)).toEqual([web]);
  });
});
