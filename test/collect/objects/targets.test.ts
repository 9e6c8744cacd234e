import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { podState } from '../../../src/collect/objects/targets.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { formatRef, OBSERVED } from '../../../src/model/kube-object.ts';
import { ago, evidenceOf, objectOf } from '../../support/collected.ts';

const LABELS = { app: 'web' };

function pod(status: JsonObject, more: { readonly spec?: JsonObject; readonly metadata?: JsonObject } = {}): KubeObject {
  return objectOf(
    'Pod',
    'web-1',
    { spec: { containers: [{ name: 'web', image: 'a' }], ...more.spec }, status: { phase: 'Running', ...status } },
    { labels: LABELS, ...more.metadata },
  );
}

function ready(value: string): JsonObject {
  return { conditions: [{ type: 'Ready', status: value }] };
}

function inState(state: JsonObject): JsonObject {
  return { phase: 'Pending', ...ready('False'), containerStatuses: [{ name: 'web', ready: false, restartCount: 0, state }] };
}

const OWNED = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'ReplicaSet-web', controller: true }] };

describe('the state of a pod', () => {
  it.each<readonly [string, KubeObject, string, string | undefined]>([
    ['that is ready', pod(ready('True')), 'healthy', undefined],
    ['that is not ready', pod(ready('False')), 'unhealthy', 'not ready'],
    ['that waits', pod(inState({ waiting: { reason: 'CrashLoopBackOff' } })), 'unhealthy', 'CrashLoopBackOff'],
    ['that ended', pod(inState({ terminated: { reason: 'OOMKilled' } })), 'unhealthy', 'OOMKilled'],
    ['that is initializing', pod(inState({ waiting: { reason: 'PodInitializing' } })), 'unhealthy', 'Pending'],
    [
      'that is unschedulable',
      pod({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False' }] }),
      'unhealthy',
      'Unschedulable',
    ],
    ['that succeeded', pod({ phase: 'Succeeded' }), 'healthy', undefined],
    ['that failed', pod({ phase: 'Failed' }), 'unhealthy', 'Failed'],
    ['that was evicted', pod({ phase: 'Failed', reason: 'Evicted' }), 'unhealthy', 'Evicted'],
    ['that is being deleted', pod(ready('False'), { metadata: { deletionTimestamp: ago(5) } }), 'progressing', 'Terminating'],
    ['with gates', pod({ phase: 'Pending' }, { spec: { schedulingGates: [{ name: 'shop/gate' }] } }), 'healthy', 'has scheduling gates'],
    ['that nobody has shown', { ...pod({ phase: undefined }), [OBSERVED]: ['metadata.name'] }, 'unknown', 'its status was not seen'],
  ])('%s', (_, one, state, reason) => {
    expect(podState(one)).toEqual({ state, ...(reason === undefined ? {} : { reason }) });
  });
});

function workload(kind: string, spec: JsonObject, status: JsonObject): KubeObject {
  const template = { metadata: { labels: LABELS }, spec: { containers: [{ name: 'web', image: 'a' }] } };
  return objectOf(kind, 'web', { spec: { selector: { matchLabels: LABELS }, template, ...spec }, status });
}

async function targets(...objects: readonly KubeObject[]): Promise<readonly string[]> {
  const found = (await evidenceOf(objects)).targets;
  return found.map(({ ref, state, reason, pods }) =>
    [formatRef(ref), state, reason, pods === undefined ? undefined : `${String(pods.ready)}/${String(pods.desired)}`]
      .filter((part) => part !== undefined)
      .join(' '),
  );
}

describe('the state of a pod beside what tells it', () => {
  const evicted = objectOf('Event', 'e', {
    reason: 'Evicted',
    message: 'low on memory',
    type: 'Warning',
    lastTimestamp: ago(5),
    involvedObject: { kind: 'Pod', name: 'web-1', namespace: 'shop' },
  });

  it('that ended well is unhealthy where it was evicted, and nothing makes it again', async () => {
    expect(await targets(pod({ phase: 'Succeeded' }), evicted)).toEqual(['Pod/shop/web-1 unhealthy Evicted']);
    expect(await targets(pod({ phase: 'Succeeded' }))).toEqual(['Pod/shop/web-1 healthy']);
    const kept = { deletionTimestamp: '2026-01-15T12:00:00Z', finalizers: ['shop.example/till'] };
    expect(await targets(pod({ phase: 'Succeeded' }, { metadata: kept }))).toEqual(['Pod/shop/web-1 progressing Terminating']);
    expect(await targets(pod({ phase: 'Succeeded' }, { metadata: OWNED }), evicted)).toEqual(['Pod/shop/web-1 healthy']);
  });

  it('is unknown where a source shows neither its phase nor its containers', () => {
    const row = (status: JsonObject, shown: readonly string[]): unknown =>
      podState({ ...pod(status), [OBSERVED]: ['metadata.name', ...shown] });
    const unknown = { state: 'unknown', reason: 'its status was not seen' };
    expect(row({ phase: 'Running' }, ['status.phase'])).toEqual(unknown);
    expect(row({ phase: 'Running' }, ['status.phase', 'status.containerStatuses.ready'])).toEqual({
      state: 'unhealthy',
      reason: 'not ready',
    });
    expect(row({ phase: undefined }, ['status.containerStatuses.ready'])).toEqual(unknown);
    expect(podState(pod({ phase: 'Pending' }))).toEqual({ state: 'unhealthy', reason: 'Pending' });
  });

  it('is what its first container that tells something waits for', () => {
    const of = (...states: readonly JsonObject[]): unknown =>
      podState(
        pod(
          {
            ...ready('False'),
            reason: 'Own',
            containerStatuses: states.map((state, index) => ({ name: `c${String(index)}`, ready: false, restartCount: 0, state })),
          },
          { spec: { containers: states.map((_, index) => ({ name: `c${String(index)}` })) } },
        ),
      ).reason;
    expect(of({ terminated: { reason: 'Completed' } }, { waiting: { reason: 'ErrImagePull' } })).toBe('ErrImagePull');
    expect(of({ waiting: { reason: 'PodInitializing' } }, { terminated: { reason: 'Error' } })).toBe('Error');
    expect(of({ terminated: { reason: 'Completed' } })).toBe('Own');
  });

  it('that was printed as unsettled is unknown, ready or not', () => {
    const printed = pod(ready('True'), { metadata: { annotations: { 'podcheck/printed-unsettled': 'restarted 5s ago' } } });
    expect(podState(printed)).toEqual({ state: 'unknown', reason: 'restarted 5s ago' });
  });
});

describe('what is told of an object', () => {
  const asked = async (
    target: { readonly kind: string; readonly name: string },
    ...objects: readonly KubeObject[]
  ): Promise<readonly unknown[]> =>
    (await evidenceOf(objects, { target: { namespace: 'shop', ...target } })).targets.map(({ ref, state, members }) => [
      `${ref.kind}/${ref.name}`,
      state,
      members.map(({ kind, name }) => `${kind}/${name}`),
    ]);
  const set = workload('ReplicaSet', { replicas: 1 }, { replicas: 1, readyReplicas: 0 });
  const top = workload('Deployment', { replicas: 1 }, { replicas: 1, readyReplicas: 0, updatedReplicas: 1 });
  const under = {
    ...set,
    metadata: {
      ...set.metadata,
      name: 'web-a',
      labels: LABELS,
      uid: 'ReplicaSet-web-a',
      ownerReferences: [{ kind: 'Deployment', name: 'web', uid: 'Deployment-web', controller: true }],
    },
  };
  const made = pod(ready('True'), {
    metadata: { ownerReferences: [{ kind: 'ReplicaSet', name: 'web-a', uid: 'ReplicaSet-web-a', controller: true }] },
  });

  it('is about the one that is asked for, with what is above and below it', async () => {
    expect(await asked({ kind: 'Deployment', name: 'web' }, top, under, made)).toEqual([
      ['Deployment/web', 'unhealthy', ['ReplicaSet/web-a', 'Pod/web-1']],
    ]);
    expect(await asked({ kind: 'ReplicaSet', name: 'web-a' }, top, under, made)).toEqual([
      ['ReplicaSet/web-a', 'unhealthy', expect.arrayContaining(['Pod/web-1', 'Deployment/web'])],
    ]);
    expect(await asked({ kind: 'Pod', name: 'web-1' }, top, under, made)).toEqual([['Pod/web-1', 'healthy', ['Deployment/web']]]);
    expect(await asked({ kind: 'Pod', name: 'web-1' }, pod(ready('True')))).toEqual([['Pod/web-1', 'healthy', []]]);
  });

  it('is about the top of each in a scope', async () => {
    expect(await targets(top, under, made)).toEqual(['Deployment/shop/web unhealthy 0/1 ready 0/1']);
    expect(await targets(under, made)).toEqual(['ReplicaSet/shop/web-a unhealthy 0/1 ready 0/1']);
  });

  it('of another kind is about what is being deleted', async () => {
    const claim = objectOf('PersistentVolumeClaim', 'data', { spec: {} }, { deletionTimestamp: ago(60) });
    expect(await asked({ kind: 'PersistentVolumeClaim', name: 'data' }, claim)).toEqual([
      ['PersistentVolumeClaim/data', 'progressing', []],
    ]);
  });
});

describe('the state of a workload', () => {
  it.each<readonly [string, KubeObject, string]>([
    [
      'that has its pods',
      workload('Deployment', { replicas: 2 }, { replicas: 2, readyReplicas: 2, updatedReplicas: 2 }),
      'Deployment/shop/web healthy 2/2',
    ],
    [
      'that lacks one',
      workload('Deployment', { replicas: 2 }, { replicas: 2, readyReplicas: 1, updatedReplicas: 2 }),
      'Deployment/shop/web unhealthy 1/2 ready 1/2',
    ],
    ['that has none', workload('StatefulSet', { replicas: 2 }, { replicas: 0 }), 'StatefulSet/shop/web unhealthy 0/2 ready 0/2'],
    [
      'that no node matches',
      workload('DaemonSet', {}, { desiredNumberScheduled: 0, numberReady: 0 }),
      'DaemonSet/shop/web healthy no node matches it',
    ],
    ['scaled to zero', workload('Deployment', { replicas: 0 }, {}), 'Deployment/shop/web healthy scaled to zero'],
    [
      'that is rolling out',
      workload('Deployment', { replicas: 2 }, { replicas: 3, readyReplicas: 2, updatedReplicas: 1 }),
      'Deployment/shop/web progressing 1/2 updated 2/2',
    ],
    [
      'that is paused',
      workload('Deployment', { replicas: 2, paused: true }, { replicas: 3, readyReplicas: 2, updatedReplicas: 1 }),
      'Deployment/shop/web healthy 2/2',
    ],
    ['that has completed', workload('Job', {}, { conditions: [{ type: 'Complete', status: 'True' }] }), 'Job/shop/web healthy'],
    ['that has failed', workload('Job', {}, { conditions: [{ type: 'Failed', status: 'True' }] }), 'Job/shop/web unhealthy failed'],
    ['that is suspended', workload('Job', { suspend: true }, {}), 'Job/shop/web healthy suspended'],
    ['that may run no pods', workload('Job', { parallelism: 0 }, {}), 'Job/shop/web healthy parallelism 0'],
    ['that has not begun', workload('Job', {}, {}), 'Job/shop/web progressing not started'],
    ['that has begun', workload('Job', {}, { startTime: ago(60) }), 'Job/shop/web unknown none of its pods was seen'],
    ['that has counted its ends', workload('Job', { completions: 2 }, { startTime: ago(60), succeeded: 2 }), 'Job/shop/web healthy'],
    [
      'that has counted too few',
      workload('Job', { completions: 2 }, { startTime: ago(60), succeeded: 1 }),
      'Job/shop/web unknown none of its pods was seen',
    ],
    ['that has counted one end', workload('Job', {}, { startTime: ago(60), succeeded: 1 }), 'Job/shop/web healthy'],
    ['that wants no ends', workload('Job', { completions: 0 }, { startTime: ago(60) }), 'Job/shop/web unknown none of its pods was seen'],
    [
      'whose start is not shown',
      { ...workload('Job', {}, {}), [OBSERVED]: ['metadata.name', 'spec'] },
      'Job/shop/web unknown none of its pods was seen',
    ],
    [
      'whose describe counts those available',
      {
        ...workload('Deployment', { replicas: 2 }, { availableReplicas: 2, updatedReplicas: 2 }),
        [OBSERVED]: ['spec', 'status.availableReplicas'],
      },
      'Deployment/shop/web healthy 2/2',
    ],
    [
      'whose describe counts too few available',
      { ...workload('Deployment', { replicas: 2 }, { availableReplicas: 1 }), [OBSERVED]: ['spec.replicas', 'status.availableReplicas'] },
      'Deployment/shop/web unknown its status was not seen',
    ],
    [
      'whose describe counts too few, who are available at once',
      {
        ...workload('Deployment', { replicas: 2, minReadySeconds: 0 }, { availableReplicas: 1 }),
        [OBSERVED]: ['spec.replicas', 'spec.minReadySeconds', 'status.availableReplicas'],
      },
      'Deployment/shop/web unhealthy 1/2 ready 1/2',
    ],
    [
      'whose status is not shown',
      { ...workload('Deployment', { replicas: 2 }, {}), [OBSERVED]: ['spec.replicas'] },
      'Deployment/shop/web unknown its status was not seen',
    ],
    ['between two runs', workload('CronJob', { schedule: '0 0 * * *' }, {}), 'CronJob/shop/web healthy'],
    ['without any more runs', workload('CronJob', { schedule: '0 0 * * *', suspend: true }, {}), 'CronJob/shop/web healthy suspended'],
    [
      'on its nodes',
      workload('DaemonSet', {}, { desiredNumberScheduled: 3, currentNumberScheduled: 3, numberReady: 2 }),
      'DaemonSet/shop/web unhealthy 2/3 ready 2/3',
    ],
  ])('%s', async (_, one, expected) => {
    expect(await targets(one)).toEqual([expected]);
  });

  it('is that of a pod it has too many of, where all others are ready', async () => {
    const set = workload('ReplicaSet', { replicas: 1 }, { replicas: 1, readyReplicas: 1 });
    expect(await targets(set, pod(ready('False'), { metadata: OWNED }))).toEqual([
      'ReplicaSet/shop/web unhealthy a surplus pod is unhealthy 1/1',
    ]);
    expect(await targets(set, pod(ready('True'), { metadata: OWNED }))).toEqual(['ReplicaSet/shop/web healthy 1/1']);
  });

  it('of a Job or a CronJob is that of the worst of its pods', async () => {
    const of = (name: string, status: JsonObject): KubeObject => ({
      ...pod(status),
      metadata: {
        ...pod(status).metadata,
        name,
        uid: name,
        ownerReferences: [{ kind: 'Job', name: 'web', uid: 'Job-web', controller: true }],
      },
    });
    const job = workload('Job', {}, { startTime: ago(60) });
    const told = async (...pods: readonly KubeObject[]): Promise<readonly string[]> =>
      (await targets(job, ...pods)).filter((line) => line.startsWith('Job/'));
    expect(await told(of('a', ready('True')))).toEqual(['Job/shop/web healthy']);
    expect(await told(of('a', { phase: 'Succeeded' }), of('b', ready('False')))).toEqual(['Job/shop/web unhealthy not ready']);
    const leaving = { ...of('c', ready('False')), metadata: { ...of('c', {}).metadata, deletionTimestamp: ago(5) } };
    expect(await told(leaving, of('b', inState({ waiting: { reason: 'ErrImagePull' } })))).toEqual(['Job/shop/web unhealthy ErrImagePull']);
    expect(await told(of('a', ready('True')), leaving)).toEqual(['Job/shop/web progressing Terminating']);
  });

  it('is told of pods only where nothing above them was seen', async () => {
    expect(await targets(pod(ready('True')))).toEqual(['Pod/shop/web-1 healthy']);
    expect(await targets(pod(ready('True'), { metadata: OWNED }))).toEqual(['Pod/shop/web-1 healthy']);
  });
});

describe('the state of a Service', () => {
  const service = (spec: JsonObject): KubeObject =>
    objectOf('Service', 'web', { spec: { ports: [{ port: 80 }], selector: LABELS, ...spec } });
  const told = async (...objects: readonly KubeObject[]): Promise<string | undefined> =>
    (await targets(...objects)).find((line) => line.startsWith('Service/'));

  it('is that of the pods behind it, where it has a selector', async () => {
    expect(await told(service({}), pod(ready('True')))).toBe('Service/shop/web healthy');
    expect(await told(service({}), pod(ready('False')))).toBe('Service/shop/web unhealthy no ready endpoint');
    expect(await told(service({}))).toBe('Service/shop/web progressing no pod was seen that it selects');
    expect(await told(service({ selector: {} }))).toBe('Service/shop/web healthy');
    expect(await told(service({ type: 'ExternalName' }))).toBe('Service/shop/web healthy');
    expect(await told(service({}), workload('Deployment', { replicas: 0 }, {}))).toBe('Service/shop/web progressing no ready endpoint');
  });
});

describe('the state of an object that is neither pod nor workload', () => {
  const told = async (object: KubeObject): Promise<unknown> => {
    const ref = {
      kind: object.kind,
      name: object.metadata.name,
      ...(object.metadata.namespace === undefined ? {} : { namespace: 'shop' }),
    };
    const { targets: found } = await evidenceOf([object], { target: ref });
    return found.map(({ state, reason }) => [state, reason]);
  };
  const phased = (kind: string, phase: string): KubeObject => objectOf(kind, 'data', { status: { phase } });

  it('is its phase, where that tells', async () => {
    expect(await told(phased('PersistentVolumeClaim', 'Bound'))).toEqual([['healthy', 'Bound']]);
    expect(await told(phased('PersistentVolumeClaim', 'Lost'))).toEqual([['unhealthy', 'Lost']]);
    expect(await told(phased('PersistentVolumeClaim', 'Pending'))).toEqual([]);
    expect(await told(phased('PersistentVolume', 'Available'))).toEqual([['healthy', 'Available']]);
  });

  it('of a node is whether it is ready, and whether it takes pods', async () => {
    const node = (status: string, spec: JsonObject = {}): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'worker-1' },
      spec,
      status: { conditions: [{ type: 'Ready', status }] },
    });
    expect(await told(node('True'))).toEqual([['healthy', 'Ready']]);
    expect(await told(node('True', { unschedulable: true }))).toEqual([['healthy', 'Ready, cordoned']]);
    expect(await told(node('Unknown'))).toEqual([['unhealthy', 'NotReady']]);
  });
});
