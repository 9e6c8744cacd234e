import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Target } from '../../../src/model/diagnosis.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { ago, collected, eventOn, evidenceOf, factsIn, objectOf, podWith } from '../../support/collected.ts';

const DEPLOYMENT_OWNER = { ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] };

describe('a pod', () => {
  const pods = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('pod', objects);

  it('is waited for by its StatefulSet while it is not ready, in order', async () => {
    const set = (spec: JsonObject = {}): KubeObject =>
      objectOf('StatefulSet', 'db', { spec: { replicas: 1, ...spec }, status: { updateRevision: 'db-2', replicas: 1, readyReplicas: 0 } });
    const held = async (revision: string, ready: string, spec?: JsonObject, metadata: JsonObject = {}): Promise<unknown> => {
      const pod = podWith('db-0', {}, {}, { status: { conditions: [{ type: 'Ready', status: ready }] } });
      const own = {
        ownerReferences: [{ kind: 'StatefulSet', name: 'db', controller: true }],
        labels: { 'controller-revision-hash': revision },
        ...metadata,
      };
      return (await pods({ ...pod, metadata: { ...pod.metadata, ...own } }, set(spec)))[0]?.['held'];
    };
    expect([await held('db-2', 'False'), await held('db-1', 'False'), await held('db-1', 'True')]).toEqual([
      'current',
      'outdated',
      undefined,
    ]);
    expect(await held('db-1', 'False', { podManagementPolicy: 'Parallel' })).toBeUndefined();
    const from = (partition: number, start?: number): JsonObject => ({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } },
      ...(start === undefined ? {} : { ordinals: { start } }),
    });
    expect([await held('db-1', 'False', from(1)), await held('db-2', 'False', from(1)), await held('db-1', 'False', from(0))]).toEqual([
      'partition',
      'partition',
      'outdated',
    ]);
    expect([await held('db-1', 'False', from(0, 1)), await held('db-1', 'True', from(1))]).toEqual(['partition', undefined]);
    expect(await held('db-1', 'False', {}, { deletionTimestamp: ago(5) })).toBeUndefined();
    expect((await pods(podWith('web-1', {}, {})))[0]?.['held']).toBeUndefined();
    const byHand = { podManagementPolicy: 'Parallel', updateStrategy: { type: 'OnDelete' } };
    expect([await held('db-1', 'False', byHand), await held('db-1', 'True', byHand)]).toEqual(['on-delete', undefined]);
  });

  it('of a DaemonSet gets a new template when it is deleted, with OnDelete', async () => {
    const owner = { ownerReferences: [{ kind: 'DaemonSet', name: 'agent', controller: true }] };
    const pod = podWith('agent-x7k2p', {}, {}, { status: { conditions: [{ type: 'Ready', status: 'False' }] } });
    const held = async (type: string): Promise<unknown> =>
      (
        await pods(
          { ...pod, metadata: { ...pod.metadata, ...owner } },
          objectOf('DaemonSet', 'agent', { spec: { updateStrategy: { type } } }),
        )
      )[0]?.['held'];
    expect([await held('OnDelete'), await held('RollingUpdate')]).toEqual(['on-delete', undefined]);
  });

  it('has what its object says', async () => {
    const spec = { serviceAccountName: 'web', schedulerName: 'shop', hostNetwork: true, schedulingGates: [{ name: 'a' }] };
    const status = {
      phase: 'Failed',
      reason: 'UnexpectedAdmissionError',
      message: 'no devices',
      conditions: [{ type: 'Ready', status: 'False' }],
    };
    expect(await pods(podWith('web-1', {}, {}, { spec, status }))).toEqual([
      {
        phase: 'Failed',
        reason: 'UnexpectedAdmissionError',
        message: 'no devices',
        node: 'worker-1',
        scheduled: true,
        ready: false,
        deleting: false,
        pinned: 'worker-1',
        owned: false,
        hostNetwork: true,
        serviceAccount: 'web',
        scheduler: 'shop',
        restartPolicy: 'Always',
        ip: '10.0.0.9',
        ageSeconds: 7200,
        gates: 1,
        hasStatuses: true,
      },
    ]);
    const bare = objectOf('Pod', 'web-1', { spec: {}, status: {} });
    expect(await pods(bare)).toEqual([
      { scheduled: false, ready: false, deleting: false, owned: false, hostNetwork: false, ageSeconds: 7200, gates: 0, hasStatuses: false },
    ]);
  });

  it('says no more than its source shows', async () => {
    const row: KubeObject = {
      ...objectOf('Pod', 'web-1', { status: { phase: 'Running' } }),
      [OBSERVED]: ['metadata.name', 'status.phase'],
    };
    expect(await pods(row)).toEqual([{ phase: 'Running', ageSeconds: 7200 }]);
  });

  it('was evicted as an event says, where it ended well', async () => {
    const pod = podWith('web-1', {}, {}, { status: { phase: 'Succeeded' } });
    expect(await pods(pod, eventOn(pod, 'Evicted', 'over its limit', 5))).toMatchObject([{ reason: 'Evicted', message: 'over its limit' }]);
    expect((await pods(pod))[0]).not.toHaveProperty('reason');
  });

  it('is pinned to a node by its own spec, or by the template of its workload', async () => {
    const of = (metadata: JsonObject): KubeObject => objectOf('Pod', 'web-1', { spec: { nodeName: 'worker-1' } }, metadata);
    const workload = (spec: JsonObject): KubeObject => objectOf('Deployment', 'web', { spec: { template: { spec } } });
    expect(await pods(of(DEPLOYMENT_OWNER), workload({ nodeName: 'worker-7' }))).toMatchObject([{ pinned: 'worker-7', owned: true }]);
    expect((await pods(of(DEPLOYMENT_OWNER), workload({})))[0]).not.toHaveProperty('pinned');
    expect(await pods({ ...of({}), [OBSERVED]: ['spec', 'metadata.ownerReferences'] })).toMatchObject([{ pinned: 'worker-1' }]);
    expect((await pods(of({ ownerReferences: [{ kind: 'Node', name: 'worker-1', controller: true }] })))[0]).not.toHaveProperty('pinned');
  });
});

describe('a workload', () => {
  const workloads = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('workload', objects);

  it('wants and has what its object says; a status field that is left out is 0', async () => {
    const status = { replicas: 3, readyReplicas: 1, availableReplicas: 1 };
    const template = { spec: { serviceAccountName: 'web' } };
    expect(await workloads(objectOf('Deployment', 'web', { spec: { replicas: 2, paused: true, template }, status }))).toEqual([
      {
        desired: 2,
        current: 3,
        ready: 1,
        available: 1,
        updated: 0,
        paused: true,
        suspended: false,
        serviceAccount: 'web',
        ageSeconds: 7200,
        top: true,
      },
    ]);
    expect(await workloads(objectOf('StatefulSet', 'web', { spec: {}, status: {} }))).toMatchObject([{ desired: 1, current: 0 }]);
    const numbers = { desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, numberAvailable: 2, updatedNumberScheduled: 1 };
    expect(await workloads(objectOf('DaemonSet', 'web', { spec: {}, status: numbers }))).toMatchObject([
      { desired: 5, current: 4, ready: 3, available: 2, updated: 1 },
    ]);
  });

  it('that runs to its end has the pods that were seen', async () => {
    const owned = (name: string, ready: string): KubeObject => {
      const pod = podWith(name, {}, {}, { status: { conditions: [{ type: 'Ready', status: ready }] } });
      return { ...pod, metadata: { ...pod.metadata, ownerReferences: [{ kind: 'Job', name: 'web', controller: true }] } };
    };
    expect(
      await workloads(
        objectOf('Job', 'web', { spec: { parallelism: 3, suspend: true }, status: {} }),
        owned('a', 'True'),
        owned('b', 'False'),
      ),
    ).toMatchObject([{ desired: 3, current: 2, ready: 1, suspended: true }]);
    expect(await workloads(objectOf('Job', 'web', { spec: {}, status: {} }))).toMatchObject([{ desired: 1, current: 0, ready: 0 }]);
    expect(await workloads(objectOf('CronJob', 'web', { spec: {}, status: { active: [{ name: 'a' }, { name: 'b' }] } }))).toMatchObject([
      { current: 2 },
    ]);
  });

  it('may go back to the newest earlier revision that has ready pods', async () => {
    const revision = (name: string, number: string, readyReplicas: number): KubeObject =>
      objectOf(
        'ReplicaSet',
        `web-${name}`,
        { spec: { replicas: 1 }, status: { readyReplicas } },
        { ...DEPLOYMENT_OWNER, annotations: { 'deployment.kubernetes.io/revision': number } },
      );
    const web = objectOf('Deployment', 'web', { spec: {}, status: {} }, { annotations: { 'deployment.kubernetes.io/revision': '9' } });
    const earlier = async (...sets: readonly KubeObject[]): Promise<unknown> =>
      (await workloads(web, ...sets)).find((fields) => fields['top'] === true)?.['earlierRevision'];
    expect(await earlier(revision('a', '7', 1), revision('b', '8', 2), revision('c', '9', 0))).toBe(8);
    expect(await earlier(revision('a', '7', 1), revision('b', '8', 0))).toBe(7);
    expect(await earlier(revision('a', '8', 1), revision('c', '9', 1))).toBeUndefined();
    expect(await earlier(revision('a', '8', 0))).toBeUndefined();
    expect(await earlier()).toBeUndefined();
    const of = (image: string): JsonObject => ({ template: { spec: { containers: [{ name: 'web', image }] } } });
    const restarted = (image: string): Promise<unknown> =>
      workloads({ ...web, spec: of('shop/web:2') }, { ...revision('b', '8', 2), spec: of(image) }).then(
        (all) => all.find((fields) => fields['top'] === true)?.['earlierRevision'],
      );
    expect([await restarted('shop/web:2'), await restarted('shop/web:1')]).toEqual([undefined, 8]);
  });
});

describe('a readiness gate', () => {
  const gated = (conditions: readonly JsonObject[], gates: readonly string[] = ['shop.example/open', 'shop.example/paid']): KubeObject =>
    podWith(
      'web-1',
      {},
      { ready: true },
      {
        spec: { readinessGates: gates.map((conditionType) => ({ conditionType })) },
        status: { conditions: [{ type: 'ContainersReady', status: 'True' }, { type: 'Ready', status: 'False' }, ...conditions] },
      },
    );
  const gates = (pod: KubeObject): ReturnType<typeof collected> => collected('readiness-gate', [pod]);

  it('keeps a pod whose containers are ready', async () => {
    expect(
      await gates(
        gated([
          { type: 'shop.example/open', status: 'True' },
          { type: 'shop.example/paid', status: 'False' },
        ]),
      ),
    ).toEqual([{ gate: 'shop.example/paid', status: 'False' }]);
    expect(await gates(gated([]))).toEqual([{ gate: 'shop.example/open' }, { gate: 'shop.example/paid' }]);
  });

  it('does not keep a pod that is ready, is deleted, or whose containers are not ready', async () => {
    const pod = gated([]);
    expect(await gates({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: ago(5) } })).toEqual([]);
    const states = (containersReady: string, ready: string): KubeObject =>
      podWith(
        'web-1',
        {},
        {},
        {
          spec: { readinessGates: [{ conditionType: 'shop.example/open' }] },
          status: {
            conditions: [
              { type: 'ContainersReady', status: containersReady },
              { type: 'Ready', status: ready },
            ],
          },
        },
      );
    expect(await gates(states('False', 'False'))).toEqual([]);
    expect(await gates(states('True', 'True'))).toEqual([]);
    expect(await gates(states('True', 'False'))).toHaveLength(1);
  });
});

describe('the conditions of an object', () => {
  const state = async (object: KubeObject): Promise<Pick<Target, 'state' | 'reason'> | undefined> => {
    const { targets } = await evidenceOf([object], {
      target: {
        kind: object.kind,
        name: object.metadata.name,
        ...(object.metadata.namespace === undefined ? {} : { namespace: object.metadata.namespace }),
      },
    });
    const [target] = targets;
    return target === undefined ? undefined : { state: target.state, ...(target.reason === undefined ? {} : { reason: target.reason }) };
  };
  const gateway = (status: JsonObject, kind = 'Gateway'): KubeObject => ({
    ...objectOf(kind, 'front', { status }),
    apiVersion: 'gateway.networking.k8s.io/v1',
  });
  const condition = (type: string, status: string, reason = `${type}Reason`): JsonObject => ({ type, status, reason });

  it('tell how a Gateway is, also those of its parts', async () => {
    expect(await state(gateway({ conditions: [condition('Accepted', 'True'), condition('Programmed', 'True')] }))).toEqual({
      state: 'healthy',
    });
    expect(await state(gateway({ conditions: [condition('Accepted', 'True'), condition('Programmed', 'False')] }))).toEqual({
      state: 'unhealthy',
      reason: 'ProgrammedReason',
    });
    const part = (list: string, name: JsonObject, one: JsonObject): KubeObject =>
      gateway({ conditions: [condition('Accepted', 'True')], [list]: [{ ...name, conditions: [one] }] });
    expect(await state(part('listeners', { name: 'http' }, condition('Conflicted', 'True')))).toMatchObject({ state: 'unhealthy' });
    expect(await state(part('listeners', { name: 'http' }, condition('Conflicted', 'False')))).toEqual({ state: 'healthy' });
    expect(await state(part('parents', { parentRef: { name: 'a' } }, condition('ResolvedRefs', 'False')))).toMatchObject({
      reason: 'ResolvedRefsReason',
    });
    expect(await state(part('ancestors', { ancestorRef: { name: 'a' } }, condition('Accepted', 'False')))).toMatchObject({
      state: 'unhealthy',
    });
    expect(await state(gateway({ conditions: [condition('Other', 'False')] }))).toBeUndefined();
  });

  it('sum up in Ready for what makes nodes and addresses', async () => {
    for (const kind of ['ServiceCIDR', 'NodePool', 'NodeClaim']) {
      const of = (...conditions: readonly JsonObject[]): KubeObject =>
        objectOf(kind, 'one', { status: { conditions: [...conditions] } }, { namespace: null });
      expect(await state(of(condition('Ready', 'True'))), kind).toEqual({ state: 'healthy' });
      expect(await state(of(condition('Launched', 'True'), condition('Ready', 'False'))), kind).toEqual({
        state: 'unhealthy',
        reason: 'ReadyReason',
      });
      expect(await state(of(condition('Launched', 'False'))), kind).toBeUndefined();
    }
  });

  it('are told with the part that they are of, and since when', async () => {
    const one = { ...condition('Programmed', 'False'), message: 'no', lastTransitionTime: ago(30) };
    const object = gateway({
      listeners: [{ name: 'http', conditions: [one] }],
      parents: [{ parentRef: {}, conditions: [condition('Accepted', 'True')] }],
    });
    const evidence = await evidenceOf([object], { target: { kind: 'Gateway', namespace: 'shop', name: 'front' } });
    expect(factsIn(evidence, 'condition')).toEqual([
      { type: 'Programmed', status: 'False', reason: 'ProgrammedReason', message: 'no', part: 'http', sinceSeconds: 30 },
      { type: 'Accepted', status: 'True', reason: 'AcceptedReason', part: '?' },
    ]);
  });
});

describe('lines that somebody pasted by themselves', () => {
  const text = objectOf('LooseText', 'line-1', { spec: { text: 'something went wrong', line: 1 } }, { namespace: null });
  const about = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
    (await evidenceOf([text, ...objects])).facts
      .filter(({ kind }) => kind === 'text')
      .map((fact) => [fact.about.kind, fact.about.name, fact.fields['alone']]);
  const unready = (name: string): KubeObject => podWith(name, {}, {}, { status: { conditions: [{ type: 'Ready', status: 'False' }] } });

  it('are about the only pod, where that is not ready', async () => {
    expect(await about()).toEqual([['Text', 'line-1', true]]);
    expect(await about(unready('web-1'))).toEqual([['Pod', 'web-1', false]]);
    expect(await about(unready('web-1'), unready('web-2'))).toEqual([['Text', 'line-1', false]]);
    expect(await about(podWith('web-1', {}, {}, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }))).toEqual([
      ['Text', 'line-1', false],
    ]);
  });
});

describe('what was not seen of a pod that is not well', () => {
  const row = (ready: string): KubeObject => ({
    ...objectOf('Pod', 'web-1', { status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] } }),
    [OBSERVED]: ['metadata.name', 'status.phase', 'status.conditions'],
  });
  const kinds = async (objects: readonly KubeObject[], around: Parameters<typeof evidenceOf>[1] = {}): Promise<readonly string[]> =>
    (await evidenceOf(objects, around)).gaps.filter(({ about }) => about.name === 'web-1').map(({ kind }) => kind);

  it('are its containers, where a table shows none', async () => {
    expect(await kinds([row('False')])).toEqual(expect.arrayContaining(['image', 'start-failure', 'exit', 'probe']));
    expect(await kinds([row('True')])).toEqual([]);
    expect((await evidenceOf([row('False')])).gaps.find(({ kind }) => kind === 'image')?.needs).toBe('kubectl -n shop describe pod web-1');
    expect(await kinds([podWith('web-1', {}, {}, { status: { conditions: [{ type: 'Ready', status: 'False' }] } })])).toEqual([]);
  });

  it('are its events, where they may not be read', async () => {
    const pod = podWith('web-1', {}, {}, { status: { conditions: [{ type: 'Ready', status: 'False' }] } });
    const target = { kind: 'Pod', namespace: 'shop', name: 'web-1' };
    expect(await kinds([pod], { refused: ['Event'], target })).toEqual(expect.arrayContaining(['image', 'probe']));
    const { gaps } = await evidenceOf([pod], { refused: ['Event'] });
    expect(gaps.filter(({ about }) => about.kind === 'Event').map(({ kind }) => kind)).toEqual(expect.arrayContaining(['image', 'probe']));
  });
});

describe('a pod of which only a row was seen', () => {
  const stages = async (status: JsonObject): Promise<readonly unknown[]> => {
    const row: KubeObject = {
      ...objectOf('Pod', 'web-1', { status }),
      [OBSERVED]: ['metadata.name', 'status.phase', 'status.reason', 'status.conditions'],
    };
    return (await collected('milestone', [row])).map(({ stage, state }) => `${String(stage)} ${String(state)}`).slice(3);
  };
  const ready = (status: string): JsonObject => ({ conditions: [{ type: 'Ready', status }] });

  it('waits for its probes where it runs and is not ready', async () => {
    expect((await stages({ phase: 'Running', ...ready('False') })).at(-1)).toBe('probes waiting');
    expect(await stages({ phase: 'Running', ...ready('True') })).toContain('probes passed');
    expect(await stages({ phase: 'Pending', ...ready('False') })).toEqual([]);
    expect((await stages({ phase: 'Running', reason: 'CrashLoopBackOff', ...ready('False') })).at(-1)).toBe('containers failed');
  });
});

describe('a name in a template that was not seen whole', () => {
  const optional = async (...shown: readonly string[]): Promise<unknown> => {
    const template = { spec: { containers: [{ name: 'web', envFrom: [{ configMapRef: { name: 'web' } }] }] } };
    const workload: KubeObject = {
      ...objectOf('Deployment', 'web', { spec: { replicas: 1, template }, status: {} }),
      [OBSERVED]: ['metadata', 'status', ...shown],
    };
    return (await collected('reference', [workload])).find(({ via }) => via === 'envFrom')?.['optional'];
  };

  it('must be there, where the source would have shown that it need not', async () => {
    expect(await optional('spec.template.spec.containers.envFrom')).toBe(false);
    expect(await optional()).toBeUndefined();
  });
});

describe('the runs of a CronJob', () => {
  const cron = (spec: JsonObject, status: JsonObject): KubeObject =>
    objectOf('CronJob', 'till', { spec: { schedule: '0 0 1 1 *', ...spec }, status });
  const reason = async (object: KubeObject, ...more: readonly KubeObject[]): Promise<unknown> =>
    (await collected('milestone', [object, ...more])).find((fields) => fields['stage'] === 'controllers')?.['reason'];
  const LAST = { lastScheduleTime: ago(900) };

  it('are not there between two of them', async () => {
    expect(await reason(cron({ suspend: true }, LAST))).toBe('it is suspended');
    expect(await reason(cron({}, {}))).toBe('it has not run yet');
    expect(await reason(cron({}, LAST))).toBe('none of its runs is there any more');
    const job = objectOf(
      'Job',
      'till-1',
      { spec: {}, status: {} },
      { ownerReferences: [{ kind: 'CronJob', name: 'till', controller: true }] },
    );
    expect(await reason(cron({}, LAST), job)).toBeUndefined();
  });
});
