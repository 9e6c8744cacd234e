import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { ago, collected, evidenceOf, factsIn, objectOf, podWith } from '../../support/collected.ts';

async function stateOf(stage: string, ...pod: Parameters<typeof podWith>): Promise<readonly unknown[]> {
  return (await collected('milestone', [podWith(...pod)]))
    .filter((fields) => fields['stage'] === stage)
    .map(({ state, reason }) => [state, reason]);
}

describe('the images of a pod', () => {
  const creating = { state: { waiting: { reason: 'ContainerCreating' } } };
  const event = (reason: string, seconds: number, container = 'web'): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: 'shop', name: `${reason}-${seconds}` },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1', fieldPath: `spec.containers{${container}}` },
    type: 'Normal',
    reason,
    message: `${reason} image`,
    lastTimestamp: ago(seconds),
  });
  const images = async (...events: readonly KubeObject[]): Promise<unknown> => {
    const facts = await collected('milestone', [podWith('web-1', {}, creating), ...events]);
    return facts.find(({ stage }) => stage === 'images')?.['state'];
  };

  it('are waited for from the begin of a pull until its end', async () => {
    expect(await images(event('Pulling', 9))).toBe('waiting');
    expect(await images(event('Pulling', 9), event('Pulled', 3))).toBe('passed');
    expect(await images(event('Pulling', 9, 'other'))).toBe('passed');
    expect(await images()).toBe('passed');
  });
});

describe('the containers of a pod', () => {
  it('have failed when one exited with another code than 0, with the reason it gave', async () => {
    const exited = (exitCode: number, reason: string): object => ({ state: { terminated: { exitCode, reason, finishedAt: ago(10) } } });
    expect(await stateOf('containers', 'web-1', {}, { ...exited(1, 'Error') })).toEqual([['failed', 'Error']]);
    expect(await stateOf('containers', 'web-1', {}, { ...exited(137, 'OOMKilled') })).toEqual([['failed', 'OOMKilled']]);
    expect(await stateOf('containers', 'web-1', {}, { ...exited(0, 'Completed') })).toEqual([['passed', undefined]]);
  });

  it('have failed when one waits for another reason than its turn', async () => {
    const waits = (reason: string): object => ({ state: { waiting: { reason } } });
    expect(await stateOf('containers', 'web-1', {}, { ...waits('CrashLoopBackOff') })).toEqual([['failed', 'CrashLoopBackOff']]);
    expect(await stateOf('containers', 'web-1', {}, { ...waits('PodInitializing') })).toEqual([['waiting', 'PodInitializing']]);
    expect(await stateOf('images', 'web-1', {}, { ...waits('ErrImagePull') })).toEqual([['failed', 'ErrImagePull']]);
    expect(await stateOf('containers', 'web-1', {}, { ...waits('ErrImagePull') })).toEqual([]);
  });

  it('need no probes when the pod has succeeded', async () => {
    const done = { state: { terminated: { exitCode: 0, reason: 'Completed', finishedAt: ago(10) } } };
    expect(await stateOf('probes', 'web-1', {}, done, { status: { phase: 'Succeeded' } })).toEqual([
      ['not-needed', 'its containers have ended'],
    ]);
    expect(await stateOf('probes', 'web-1', {}, { state: { running: { startedAt: ago(10) } } })).toEqual([['waiting', 'not ready']]);
  });
});

describe('a pod that was told to end', () => {
  const waits = async (metadata: JsonObject, status: JsonObject): Promise<unknown> => {
    const pod = podWith('web-1', {}, status);
    return (await collected('milestone', [{ ...pod, metadata: { ...pod.metadata, ...metadata } }]))
      .filter(({ reason }) => String(reason).startsWith('Terminating'))
      .map(({ stage, reason, patienceSeconds }) => [stage, reason, patienceSeconds]);
  };
  const running = { state: { running: { startedAt: ago(500) } }, ready: true };
  const done = { state: { terminated: { exitCode: 0, reason: 'Completed', finishedAt: ago(10) } } };
  const told = (seconds: number, finalizers: readonly string[] = []): JsonObject => ({
    deletionTimestamp: ago(seconds),
    deletionGracePeriodSeconds: 300,
    finalizers: [...finalizers],
  });

  it('has until its grace period is over', async () => {
    expect(await waits(told(-90), running)).toEqual([['containers', 'Terminating, with 90s of its grace period left', 90]]);
    expect(await waits(told(-90, ['shop.example/till']), running)).toMatchObject([['containers', expect.stringContaining('90s'), 90]]);
    expect(await waits(told(1), running)).toEqual([]);
    expect(await waits({}, running)).toEqual([]);
  });

  it('waits a moment for its finalizers behind that', async () => {
    const left = 'Terminating, with only finalizer shop.example/till left';
    expect(await waits(told(20, ['shop.example/till']), done)).toEqual([['containers', left, 40]]);
    expect(await waits(told(61, ['shop.example/till']), done)).toEqual([]);
    expect(await waits(told(20), done)).toEqual([]);
  });
});

describe('a startup probe that may still fail', () => {
  const probe = { periodSeconds: 5, failureThreshold: 24, httpGet: { port: 8080 } };
  const runs = (seconds: number, more: JsonObject = {}): JsonObject => ({
    state: { running: { startedAt: ago(seconds) } },
    started: false,
    ...more,
  });
  const left = async (...pod: Parameters<typeof podWith>): Promise<unknown> =>
    (await collected('milestone', [podWith(...pod)]))
      .filter(({ state }) => state === 'waiting')
      .map(({ stage, patienceSeconds }) => [stage, patienceSeconds]);

  it('is waited for until its time is over', async () => {
    expect(await left('web-1', { startupProbe: probe }, runs(50))).toEqual([['probes', 70]]);
    expect(await left('web-1', { startupProbe: probe }, runs(120))).toEqual([['probes', 0]]);
    expect(await left('web-1', { startupProbe: probe }, runs(121))).toEqual([['probes', undefined]]);
    expect(await stateOf('probes', 'web-1', { startupProbe: probe }, runs(50))).toEqual([
      ['waiting', 'startup probe of container web has 70s left'],
    ]);
  });

  it('is not what a pod waits for that was restarted, has passed it, or has none', async () => {
    expect(await left('web-1', { startupProbe: probe }, runs(50, { restartCount: 1 }))).toEqual([['probes', undefined]]);
    expect(await left('web-1', { startupProbe: probe }, runs(50, { started: true }))).toEqual([['probes', undefined]]);
    expect(await left('web-1', { readinessProbe: probe }, runs(50))).toEqual([['probes', undefined]]);
  });

  it('of a sidecar is what the containers behind it wait for', async () => {
    const sidecar = { name: 'proxy', image: 'proxy:1.0', restartPolicy: 'Always', startupProbe: probe };
    const status = { name: 'proxy', image: '', imageID: '', ready: false, restartCount: 0, ...runs(20) };
    const waiting = { state: { waiting: { reason: 'PodInitializing' } } };
    expect(await left('web-1', {}, waiting, { spec: { initContainers: [sidecar] }, status: { initContainerStatuses: [status] } })).toEqual([
      ['containers', 100],
    ]);
  });
});

/** `stage: state (reason)` of all that is told of these objects; other pods stand for what is not asked of one that is well. */
async function wayOf(...objects: readonly KubeObject[]): Promise<readonly string[]> {
  return (await collected('milestone', objects)).map(
    ({ stage, state, reason }) => `${String(stage)}: ${String(state)}${reason === undefined ? '' : ` (${String(reason)})`}`,
  );
}

describe('the way of a pod', () => {
  const BEGIN = ['persistence: passed', 'controllers: passed'];
  const PLACED = [...BEGIN, 'scheduling: passed'];
  const ON_NODE = [...PLACED, 'kubelet: passed'];
  const MADE = [...ON_NODE, 'volumes: passed', 'sandbox: passed', 'network: passed'];
  const condition = (type: string, status: string, more: JsonObject = {}): JsonObject => ({ type, status, ...more });
  const pod = (spec: JsonObject, status: JsonObject): KubeObject =>
    objectOf('Pod', 'web-1', { spec: { containers: [{ name: 'web', image: 'nginx' }], ...spec }, status });
  const NODE = { nodeName: 'worker-1' };
  const PENDING = { phase: 'Pending', startTime: ago(60) };
  const creating = {
    name: 'web',
    image: '',
    imageID: '',
    ready: false,
    restartCount: 0,
    state: { waiting: { reason: 'ContainerCreating' } },
  };

  it.each<readonly [string, KubeObject, readonly string[]]>([
    ['without a node', pod({}, { phase: 'Pending' }), [...BEGIN, 'scheduling: waiting (not scheduled yet)']],
    [
      'that no node takes',
      pod({}, { phase: 'Pending', conditions: [condition('PodScheduled', 'False', { reason: 'Unschedulable' })] }),
      [...BEGIN, 'scheduling: waiting (Unschedulable)'],
    ],
    ['that no kubelet has reported', pod(NODE, { phase: 'Pending' }), [...PLACED, 'kubelet: waiting (no word from the kubelet yet)']],
    ['that its kubelet refused', pod(NODE, { phase: 'Failed', reason: 'NodeAffinity' }), [...PLACED, 'kubelet: failed (NodeAffinity)']],
    [
      'whose volumes are not mounted',
      pod(NODE, { ...PENDING, containerStatuses: [creating] }),
      [...ON_NODE, 'volumes: waiting (ContainerCreating)'],
    ],
    [
      'that has a sandbox, and its address not yet',
      pod(NODE, { ...PENDING, containerStatuses: [creating], conditions: [condition('PodReadyToStartContainers', 'True')] }),
      [...MADE, 'images: passed', 'containers: waiting (ContainerCreating)'],
    ],
    [
      'whose image is not there',
      pod(NODE, { ...PENDING, podIP: '10.0.0.9', containerStatuses: [{ ...creating, state: { waiting: { reason: 'ErrImagePull' } } }] }),
      [...MADE, 'images: failed (ErrImagePull)'],
    ],
    [
      'whose init container runs',
      pod(
        { ...NODE, initContainers: [{ name: 'first', image: 'nginx' }] },
        {
          ...PENDING,
          podIP: '10.0.0.9',
          initContainerStatuses: [{ ...creating, name: 'first', state: { running: { startedAt: ago(5) } } }],
          containerStatuses: [{ ...creating, state: { waiting: { reason: 'PodInitializing' } } }],
        },
      ),
      [...MADE, 'images: passed', 'containers: waiting (an init container is still running)'],
    ],
    [
      'that runs and is not ready, by its condition',
      pod(NODE, {
        phase: 'Running',
        startTime: ago(60),
        podIP: '10.0.0.9',
        containerStatuses: [{ ...creating, ready: true, state: { running: { startedAt: ago(5) } } }],
        conditions: [condition('Ready', 'False')],
      }),
      [...MADE, 'images: passed', 'containers: passed', 'probes: waiting (not ready)'],
    ],
  ])('%s is told up to where it is', async (_, object, expected) => {
    expect(await wayOf(object)).toEqual(expected);
  });
});

describe('the way of a workload', () => {
  const deployment = (replicas: number, current: number): KubeObject =>
    objectOf('Deployment', 'web', {
      spec: {
        replicas,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
      },
      status: { replicas: current },
    });
  const cronJob = (spec: JsonObject, status: JsonObject): KubeObject =>
    objectOf('CronJob', 'report', { spec: { schedule: '0 * * * *', jobTemplate: { spec: {} }, ...spec }, status });

  it.each<readonly [string, KubeObject, string]>([
    ['that lacks pods', deployment(3, 1), 'controllers: waiting (1 of 3 pods exist)'],
    ['that has all of them', deployment(3, 3), 'controllers: passed'],
    ['that wants none', deployment(0, 0), 'controllers: not-needed (scaled to zero)'],
    ['that is suspended', cronJob({ suspend: true }, { lastScheduleTime: ago(60) }), 'controllers: not-needed (it is suspended)'],
    ['that never ran', cronJob({}, {}), 'controllers: not-needed (it has not run yet)'],
    ['whose runs are gone', cronJob({}, { lastScheduleTime: ago(60) }), 'controllers: not-needed (none of its runs is there any more)'],
  ])('%s is told by its pods', async (_, object, expected) => {
    expect(await wayOf(object)).toEqual(['persistence: passed', expected]);
  });
});

describe('where a stage is quoted from', () => {
  it('is the status of its object, with its reason', async () => {
    const pod = podWith('web-1', {}, { state: { waiting: { reason: 'ErrImagePull' } } });
    const { facts } = await evidenceOf([pod]);
    const told = facts.filter(({ kind, fields }) => kind === 'milestone' && ['images', 'kubelet'].includes(String(fields['stage'])));
    expect(told.map(({ source, quote }) => [source, quote])).toEqual([
      ['Pod/shop/web-1 status', 'kubelet passed'],
      ['Pod/shop/web-1 status', 'images failed: ErrImagePull'],
    ]);
  });
});

describe('a pod of which a source shows little', () => {
  const row = (status: JsonObject, shown: readonly string[], spec: JsonObject = {}): KubeObject => ({
    ...objectOf('Pod', 'web-1', { spec: { containers: [], ...spec }, status }),
    [OBSERVED]: ['metadata', ...shown],
  });
  const stages = async (pod: KubeObject): Promise<readonly string[]> =>
    (await collected('milestone', [pod]))
      .map(({ stage, state, reason }) => [stage, state, ...(reason === undefined ? [] : [reason])].join(' '))
      .filter((line) => !['persistence', 'controllers', 'endpoints'].some((stage) => line.startsWith(stage)));
  const NODE = { nodeName: 'worker-1' };
  const PASSED = ['scheduling', 'kubelet', 'volumes', 'sandbox', 'network', 'images', 'containers', 'probes'].map(
    (stage) => `${stage} passed`,
  );
  const READY = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

  it('has passed all stages where it is ready', async () => {
    expect(await stages(row(READY, ['status.phase', 'status.conditions'], NODE))).toEqual(PASSED);
  });

  it('is not told further than its kubelet where its containers were left out', async () => {
    const begun = { phase: 'Running', startTime: ago(60) };
    expect(await stages(row(begun, ['status.phase', 'status.startTime'], NODE))).toEqual(['scheduling passed', 'kubelet passed']);
    expect(await stages(row({ phase: 'Pending' }, ['status.phase', 'spec.nodeName'], NODE))).toEqual(['scheduling passed']);
  });

  it('may have a node that was not seen', async () => {
    expect(await stages(row({ phase: 'Unknown' }, ['status.phase']))).toEqual([]);
    expect(await stages(row({ phase: 'Pending' }, ['status.phase']))).toEqual(['scheduling waiting not scheduled yet']);
    expect(await stages(row({ phase: 'Unknown' }, ['status.phase', 'spec.nodeName']))).toEqual(['scheduling waiting not scheduled yet']);
    expect(await stages(row({ phase: 'Running' }, ['status.phase']))).toEqual(['scheduling passed']);
    const bound = { phase: 'Unknown', conditions: [{ type: 'PodScheduled', status: 'True' }] };
    expect(await stages(row(bound, ['status.phase', 'status.conditions']))).toEqual(['scheduling passed']);
  });

  it('is told to its sandbox where a container waits for nothing that is shown', async () => {
    const alert = podWith('web-1', {}, { state: { waiting: {} } });
    expect(await stages(alert)).toEqual(['scheduling passed', 'kubelet passed']);
    const empty = podWith('web-1', {}, { ready: false, state: {} });
    expect((await stages(empty)).at(-1)).toBe('images passed');
  });

  it('is rejected only where it has no statuses of containers', async () => {
    const failed = podWith(
      'web-1',
      {},
      { state: { terminated: { exitCode: 1, reason: 'Error' } } },
      { status: { phase: 'Failed', reason: 'Evicted' } },
    );
    expect(await stages(failed)).toContain('containers failed Error');
    const bare = objectOf('Pod', 'web-1', {
      spec: { containers: [{ name: 'web' }], ...NODE },
      status: { phase: 'Failed', startTime: ago(9) },
    });
    expect(await stages(bare)).not.toContain('kubelet failed');
  });

  it('is not ready as long as one of its containers is not, init containers aside', async () => {
    const of = (ready: readonly (boolean | undefined)[], init = true): Promise<readonly string[]> => {
      const containers = ready.map((_, index) => ({ name: `c${String(index)}` }));
      const status = (name: string, one: boolean | undefined, state: JsonObject): JsonObject => ({
        name,
        restartCount: 0,
        state,
        ...(one === undefined ? {} : { ready: one }),
      });
      const running = { running: { startedAt: ago(60) } };
      return stages(
        objectOf('Pod', 'web-1', {
          spec: { ...NODE, containers, ...(init ? { initContainers: [{ name: 'init' }] } : {}) },
          status: {
            phase: 'Running',
            startTime: ago(100),
            podIP: '10.0.0.1',
            ...(init ? { initContainerStatuses: [status('init', false, { terminated: { exitCode: 0 } })] } : {}),
            containerStatuses: ready.map((one, index) => status(`c${String(index)}`, one, running)),
          },
        }),
      );
    };
    expect((await of([true, true])).at(-1)).toBe('probes passed');
    expect((await of([true, false])).at(-1)).toBe('probes waiting not ready');
    expect((await of([true, undefined])).at(-1)).toBe('containers passed');
  });
});

describe('the pods of a workload', () => {
  const workload = (kind: string, replicas: number, current: number, metadata: JsonObject = {}): KubeObject =>
    objectOf(kind, 'web', { spec: { replicas }, status: { replicas: current } }, metadata);
  const controllers = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
    toldOf(await collected('milestone', objects));
  const toldOf = (facts: ReturnType<typeof factsIn>): readonly unknown[] =>
    facts.flatMap(({ stage, state, reason }) => (stage === 'controllers' ? [[stage, state, reason]] : []));

  it('are those that it wants, too few, or none', async () => {
    expect(await controllers(workload('Deployment', 2, 2))).toEqual([['controllers', 'passed', undefined]]);
    expect(await controllers(workload('Deployment', 1, 2))).toEqual([['controllers', 'passed', undefined]]);
    expect(await controllers(workload('Deployment', 2, 1))).toEqual([['controllers', 'waiting', '1 of 2 pods exist']]);
    expect(await controllers(workload('Deployment', 0, 0))).toEqual([['controllers', 'not-needed', 'scaled to zero']]);
    expect(await controllers(workload('Deployment', 0, 1))).toEqual([]);
    const owner = { name: 'web-a', ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] };
    expect(await controllers(workload('Deployment', 1, 1), workload('ReplicaSet', 2, 1, owner))).toEqual([
      ['controllers', 'passed', undefined],
    ]);
  });

  it('of a CronJob are those of its runs', async () => {
    const cron = (spec: JsonObject, status: JsonObject = {}): KubeObject =>
      objectOf('CronJob', 'web', { spec: { schedule: '0 0 * * *', ...spec }, status });
    const of = async (one: KubeObject, around: Parameters<typeof evidenceOf>[1] = {}): Promise<readonly unknown[]> =>
      toldOf(factsIn(await evidenceOf([one], around), 'milestone'));
    expect(await of(cron({}))).toEqual([['controllers', 'not-needed', 'it has not run yet']]);
    expect(await of(cron({ suspend: true }))).toEqual([['controllers', 'not-needed', 'it is suspended']]);
    expect(await of(cron({}, { lastScheduleTime: ago(60) }))).toEqual([
      ['controllers', 'not-needed', 'none of its runs is there any more'],
    ]);
    for (const kind of ['Pod', 'Job']) expect(await of(cron({}), { refused: [kind] }), kind).toEqual([]);
    const job = objectOf(
      'Job',
      'web-1',
      { spec: {}, status: {} },
      { ownerReferences: [{ kind: 'CronJob', name: 'web', uid: 'CronJob-web', controller: true }] },
    );
    expect((await collected('milestone', [cron({}), job])).filter(({ reason }) => reason === 'it has not run yet')).toEqual([]);
  });
});
