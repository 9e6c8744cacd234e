import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, objectOf, podWith } from '../../support/collected.ts';

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
