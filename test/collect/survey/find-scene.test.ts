import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { memoryReader } from '../../../src/clusters/memory-reader.ts';
import { findScene } from '../../../src/collect/survey/find-scene.ts';
import type { CollectRequest } from '../../../src/collect/survey/scene.ts';
import { Survey } from '../../../src/collect/survey/survey.ts';
import type { ClusterReader } from '../../../src/model/cluster-reader.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { ago, eventOn, NOW, objectOf } from '../../support/collected.ts';

const KINDS = [
  'Pod',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'ReplicationController',
  'Service',
  'Node',
  'Namespace',
  'Event',
  'ConfigMap',
];

interface Cluster {
  readonly unread?: readonly string[];
  readonly live?: boolean;
}

function readerOf(objects: readonly KubeObject[], { unread = [], live = false }: Cluster): ClusterReader {
  const stored = memoryReader({
    objects,
    collected: KINDS.filter((kind) => !unread.includes(kind)).map((kind) => ({ kind, complete: true })),
    absent: [],
    refused: unread.map((kind) => ({ kind, why: 'forbidden', detail: `${kind} is forbidden` })),
    logs: [],
    now: NOW,
  });
  if (!live) return stored;
  return {
    get: (ref) => stored.get(ref),
    list: (kind, scope) => stored.list(kind, scope),
    logs: (...asked) => stored.logs(...asked),
    now: () => NOW,
  };
}

async function sceneOf(objects: readonly KubeObject[], request: CollectRequest, cluster: Cluster = {}) {
  const { scene, gaps } = await findScene(new Survey(readerOf(objects, cluster)), request);
  const names = (list: readonly KubeObject[]): readonly string[] => list.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted();
  return {
    pods: names(scene.pods),
    workloads: names(scene.workloads),
    others: names(scene.others),
    unlisted: [...scene.unlisted].toSorted(),
    superseded: [...scene.superseded].toSorted(),
    gaps: gaps.map(([fact, about]) => `${fact} ${about.kind} ${about.name}`),
  };
}

function owned(
  kind: string,
  name: string,
  [ownerKind, owner]: readonly [string, string],
  more: JsonObject = {},
  metadata: JsonObject = {},
): KubeObject {
  return objectOf(kind, name, more, { ownerReferences: [{ kind: ownerKind, name: owner, controller: true }], ...metadata });
}

const WEB = { app: 'web' };
const DEPLOYMENT = objectOf('Deployment', 'web', {
  spec: { selector: { matchLabels: WEB }, template: { metadata: { labels: WEB } } },
  status: {},
});
const SHOP: readonly KubeObject[] = [
  DEPLOYMENT,
  owned('ReplicaSet', 'web-a', ['Deployment', 'web'], {}, { labels: WEB }),
  owned('ReplicaSet', 'web-b', ['Deployment', 'web'], {}, { labels: WEB }),
  owned('ReplicaSet', 'shop-c', ['Deployment', 'other'], {}, { labels: WEB }),
  owned('Pod', 'web-a-1', ['ReplicaSet', 'web-a'], {}, { labels: WEB }),
  owned('Pod', 'shop-c-1', ['ReplicaSet', 'shop-c'], {}, { labels: WEB }),
  objectOf('Pod', 'web', {}, { labels: WEB }),
  owned('Pod', 'till-0', ['StatefulSet', 'till'], {}, { labels: { app: 'till' } }),
];

function target(kind: string, name: string): CollectRequest {
  return { target: ['Node', 'Namespace'].includes(kind) ? { kind, name } : { kind, namespace: 'shop', name } };
}

describe('what is looked at', () => {
  it('for a Deployment are its ReplicaSets and their pods, by their owners', async () => {
    expect(await sceneOf(SHOP, target('Deployment', 'web'))).toMatchObject({
      pods: ['Pod web-a-1'],
      workloads: ['Deployment web', 'ReplicaSet web-a', 'ReplicaSet web-b'],
      gaps: [],
    });
  });

  it('for a pod are the controllers above it, as far as they are there', async () => {
    expect(await sceneOf(SHOP, target('Pod', 'web-a-1'))).toMatchObject({
      pods: ['Pod web-a-1'],
      workloads: ['Deployment web', 'ReplicaSet web-a'],
      gaps: [],
    });
    expect(await sceneOf(SHOP, target('Pod', 'shop-c-1'))).toMatchObject({
      workloads: ['ReplicaSet shop-c'],
      gaps: ['workload Deployment other'],
    });
    expect(await sceneOf(SHOP, target('Pod', 'web'))).toMatchObject({ workloads: [], gaps: [] });
    expect(await sceneOf([owned('Pod', 'proxy', ['Node', 'worker-1'])], target('Pod', 'proxy'))).toMatchObject({ workloads: [], gaps: [] });
  });

  it('for a ReplicaSet are the Deployment above it and its own pods alone', async () => {
    expect(await sceneOf(SHOP, target('ReplicaSet', 'web-a'))).toMatchObject({
      pods: ['Pod web-a-1'],
      workloads: ['Deployment web', 'ReplicaSet web-a'],
      gaps: [],
    });
  });

  it('are the pods that a workload selects: no others of the namespace are asked for', async () => {
    const asked = async (kind: string, spec: JsonObject): Promise<readonly unknown[]> => {
      const selectors: unknown[] = [];
      const reader = readerOf([objectOf(kind, 'web', { spec, status: {} })], { live: true });
      const list: ClusterReader['list'] = (of, scope) => {
        if (of === 'Pod') selectors.push(scope.labelSelector);
        return reader.list(of, scope);
      };
      await findScene(new Survey({ ...reader, list }), target(kind, 'web'));
      return selectors;
    };
    for (const kind of ['Deployment', 'StatefulSet', 'Job'])
      expect(await asked(kind, { selector: { matchLabels: WEB } })).toEqual(['app=web']);
    expect(await asked('ReplicationController', { selector: WEB })).toEqual(['app=web']);
    expect(await asked('StatefulSet', { selector: WEB })).toEqual([undefined]);
    expect(await asked('CronJob', { selector: { matchLabels: WEB } })).toEqual([undefined]);
  });

  it('for a CronJob are the Jobs that it made and their pods, whatever their labels', async () => {
    const runs = [
      objectOf('CronJob', 'report', { spec: {} }),
      owned('Job', 'report-1', ['CronJob', 'report'], { spec: {} }),
      owned('Job', 'other-1', ['CronJob', 'other'], { spec: {} }),
      owned('Pod', 'report-1-a', ['Job', 'report-1']),
      owned('Pod', 'other-1-a', ['Job', 'other-1']),
    ];
    expect(await sceneOf(runs, target('CronJob', 'report'))).toMatchObject({
      pods: ['Pod report-1-a'],
      workloads: ['CronJob report', 'Job report-1'],
    });
  });

  it('for a Job are the pods that a table shows without the labels which the Job selects by', async () => {
    const job = objectOf('Job', 'tally', { spec: { selector: { matchLabels: { 'controller-uid': 'ef81' } } } });
    const shown = { ...owned('Pod', 'tally-a', ['Job', 'tally']), [OBSERVED]: ['metadata.name', 'metadata.ownerReferences'] };
    expect(await sceneOf([job, shown], target('Job', 'tally'))).toMatchObject({ pods: ['Pod tally-a'] });
    expect(await sceneOf([job, owned('Pod', 'tally-a', ['Job', 'tally'])], target('Job', 'tally'))).toMatchObject({ pods: [] });
  });

  it('for a ReplicationController are the pods that its plain selector names', async () => {
    const objects = [
      objectOf('ReplicationController', 'old', { spec: { selector: { app: 'old' } } }),
      owned('Pod', 'old-1', ['ReplicationController', 'old'], {}, { labels: { app: 'old' } }),
      owned('Pod', 'old-2', ['ReplicationController', 'older'], {}, { labels: { app: 'old' } }),
    ];
    expect(await sceneOf(objects, target('ReplicationController', 'old'))).toMatchObject({ pods: ['Pod old-1'] });
  });

  it('for a Deployment whose ReplicaSets could not be listed are the pods with its name', async () => {
    const objects = [DEPLOYMENT, ...SHOP.filter(({ kind }) => kind === 'Pod')].concat(
      owned('Pod', 'web-x-1', ['ReplicaSet', 'web-5d4cf56db6'], {}, { labels: WEB }),
    );
    expect(await sceneOf(objects, target('Deployment', 'web'), { unread: ['ReplicaSet'] })).toMatchObject({
      pods: ['Pod web-a-1', 'Pod web-x-1'],
      unlisted: ['ReplicaSet'],
      gaps: ['workload ReplicaSet *'],
    });
    const front = owned('Pod', 'front', ['ReplicaSet', 'web-front-5d4'], {}, { labels: WEB });
    const set = owned('Pod', 'web-5d4-0', ['StatefulSet', 'web-5d4'], {}, { labels: WEB });
    for (const other of [front, set])
      expect((await sceneOf([DEPLOYMENT, other], target('Deployment', 'web'), { unread: ['ReplicaSet'] })).pods).toEqual([]);
  });

  it('for a Node are the pods on it', async () => {
    const on = (name: string, nodeName: string): KubeObject => objectOf('Pod', name, { spec: { nodeName } });
    expect(
      await sceneOf([objectOf('Node', 'worker-1', {}), on('a', 'worker-1'), on('b', 'worker-2')], target('Node', 'worker-1')),
    ).toMatchObject({ pods: ['Pod a'], others: ['Node worker-1'] });
  });

  it('for a Namespace are all that is in it', async () => {
    const elsewhere = objectOf('Pod', 'x', {}, { namespace: 'till' });
    expect(await sceneOf([...SHOP, elsewhere, objectOf('Namespace', 'shop', {})], target('Namespace', 'shop'))).toMatchObject({
      pods: ['Pod shop-c-1', 'Pod till-0', 'Pod web', 'Pod web-a-1'],
      others: ['Namespace shop'],
    });
  });

  it('for a Service are the pods that it selects with what made them; without any, what should make some', async () => {
    const service = (selector: JsonObject, name = 'front'): KubeObject => objectOf('Service', name, { spec: { selector } });
    expect(await sceneOf([...SHOP, service(WEB)], target('Service', 'front'))).toMatchObject({
      pods: ['Pod shop-c-1', 'Pod web', 'Pod web-a-1'],
      workloads: ['Deployment web', 'ReplicaSet shop-c', 'ReplicaSet web-a'],
    });
    const none = [
      DEPLOYMENT,
      objectOf('StatefulSet', 'till', { spec: { template: {} } }),
      objectOf('Job', 'web', { spec: { template: { metadata: { labels: WEB } } } }),
    ];
    expect(await sceneOf([...none, service(WEB)], target('Service', 'front'))).toMatchObject({ pods: [], workloads: ['Deployment web'] });
    expect(await sceneOf([...none, service({ app: 'x' }, 'till')], target('Service', 'till'))).toMatchObject({
      workloads: ['StatefulSet till'],
    });
    expect(await sceneOf([...SHOP, service({})], target('Service', 'front'))).toMatchObject({ pods: [], workloads: [] });
    expect(await sceneOf([...none, service({ ...WEB, tier: 'front' })], target('Service', 'front'))).toMatchObject({ workloads: [] });
  });

  it('for any other object is that object alone', async () => {
    expect(await sceneOf([...SHOP, objectOf('ConfigMap', 'web', {})], target('ConfigMap', 'web'))).toMatchObject({
      pods: [],
      workloads: [],
      others: ['ConfigMap web'],
    });
  });
});

describe('what could not be looked at', () => {
  it('is a gap: of pods for the pods and their containers, of others for workloads', async () => {
    expect(await sceneOf(SHOP, { namespace: 'shop' }, { unread: ['Pod', 'Job'] })).toMatchObject({
      unlisted: ['Job', 'Pod'],
      gaps: ['pod Pod *', 'container Pod *', 'workload Job *'],
    });
    expect(await sceneOf(SHOP, { namespace: 'shop' })).toMatchObject({ unlisted: [], gaps: [] });
    const around = [
      objectOf('Namespace', 'shop', {}),
      objectOf('Node', 'worker-1', {}),
      objectOf('Service', 'front', { spec: { selector: WEB } }),
    ];
    const gaps = ['pod Pod *', 'container Pod *'];
    expect(await sceneOf(around, target('Node', 'worker-1'), { unread: ['Pod'] })).toMatchObject({
      others: ['Node worker-1'],
      unlisted: ['Pod'],
      gaps,
    });
    expect(await sceneOf(around, target('Service', 'front'), { unread: ['Pod'] })).toMatchObject({
      others: ['Service front'],
      unlisted: ['Pod'],
      gaps,
    });
  });

  it('may be the target itself: nothing is known of its pods then, unless it does not exist', async () => {
    expect(await sceneOf([], target('Deployment', 'web'))).toMatchObject({ unlisted: [], gaps: ['workload Deployment web'] });
    expect(await sceneOf([], target('Pod', 'web'))).toMatchObject({ gaps: ['pod Pod web'] });
    const refused = await sceneOf([], target('Deployment', 'web'), { unread: ['Deployment'] });
    expect(refused.unlisted).toEqual(expect.arrayContaining(['Pod', 'ReplicaSet', 'Deployment']));
  });

  it('is nothing where what was asked about is no object of the cluster', async () => {
    for (const kind of ['Manifest', 'Cluster'])
      expect(await sceneOf([], { target: { kind, name: 'x' } })).toMatchObject({ gaps: [], unlisted: [] });
  });

  it('are the pods of a workload whose status counts some though a live cluster lists none', async () => {
    const counted = (kind: string, status: JsonObject): KubeObject =>
      objectOf(kind, 'web', { spec: { selector: { matchLabels: WEB } }, status });
    const gaps = async (one: KubeObject, live = true): Promise<readonly string[]> =>
      (await sceneOf([one], target(one.kind, 'web'), { live })).gaps;
    expect(await gaps(counted('StatefulSet', { replicas: 2 }))).toContain('pod Pod *');
    expect(await gaps(counted('StatefulSet', { replicas: 2 }))).toContain('any StatefulSet web');
    expect(await gaps(counted('DaemonSet', { currentNumberScheduled: 2 }))).toContain('pod Pod *');
    expect(await gaps(counted('Job', { active: 1 }))).toContain('pod Pod *');
    expect(await gaps(counted('StatefulSet', { replicas: 0 }))).toEqual([]);
    expect(await gaps(counted('Job', { succeeded: 1 }))).toEqual([]);
    expect(await gaps(counted('StatefulSet', { replicas: 2 }), false)).toEqual([]);
  });

  it('are pods that events say are gone, where pods could not be listed', async () => {
    const killed = eventOn(objectOf('Pod', 'web-1', {}), 'Killing', 'Stopping container web', 5, { type: 'Normal' });
    const deleted = eventOn(objectOf('ReplicaSet', 'web', {}), 'SuccessfulDelete', 'Deleted pod: web-1', 4, { type: 'Normal' });
    expect((await sceneOf([killed, deleted], { namespace: 'shop' }, { unread: ['Pod'] })).superseded).toEqual(['Pod/shop/web-1']);
    expect((await sceneOf([killed, deleted], { namespace: 'shop' })).superseded).toEqual([]);
  });
});

describe('an attempt that a later one made good', () => {
  const at = (seconds: number): JsonObject => ({ creationTimestamp: ago(seconds) });
  const attempt = (
    name: string,
    phase: string,
    created: number,
    more: JsonObject = {},
    owner: readonly [string, string] = ['Job', 'load'],
  ): KubeObject => owned('Pod', name, owner, { status: { phase, ...more } }, at(created));
  const over = async (...objects: readonly KubeObject[]): Promise<readonly string[]> =>
    (await sceneOf([objectOf('Job', 'load', { spec: {} }), ...objects], { namespace: 'shop' })).superseded;

  it('is over: a failed pod of a Job whose next pod succeeded', async () => {
    expect(await over(attempt('a', 'Failed', 90), attempt('b', 'Succeeded', 60))).toEqual(['Pod/shop/a']);
    expect(await over(attempt('a', 'Failed', 60), attempt('b', 'Succeeded', 90))).toEqual([]);
    expect(await over(attempt('a', 'Failed', 90), attempt('b', 'Running', 60))).toEqual([]);
    expect(await over(attempt('a', 'Running', 90), attempt('b', 'Succeeded', 60))).toEqual([]);
    expect(await over(attempt('a', 'Failed', 90), attempt('b', 'Succeeded', 60, {}, ['Job', 'other']))).toEqual([]);
  });

  it('may have failed only after the other had begun', async () => {
    const ended = (seconds: number): JsonObject => ({
      containerStatuses: [{ name: 'load', state: { terminated: { finishedAt: ago(seconds) } } }],
    });
    expect(await over(attempt('a', 'Failed', 90, ended(60)), attempt('b', 'Succeeded', 60))).toEqual(['Pod/shop/a']);
    expect(await over(attempt('a', 'Failed', 90, ended(59)), attempt('b', 'Succeeded', 60))).toEqual([]);
  });

  it('is of the same index of an indexed Job', async () => {
    const indexed = (one: KubeObject, index: string): KubeObject => ({
      ...one,
      metadata: { ...one.metadata, annotations: { 'batch.kubernetes.io/job-completion-index': index } },
    });
    expect(await over(indexed(attempt('a', 'Failed', 90), '0'), indexed(attempt('b', 'Succeeded', 60), '1'))).toEqual([]);
    expect(await over(indexed(attempt('a', 'Failed', 90), '1'), indexed(attempt('b', 'Succeeded', 60), '1'))).toEqual(['Pod/shop/a']);
  });

  it('may be a Job of a CronJob, with its pods', async () => {
    const job = (name: string, type: string, created: number, more: JsonObject = {}): KubeObject =>
      owned('Job', name, ['CronJob', 'report'], { status: { conditions: [{ type, status: 'True', ...more }] } }, at(created));
    const failed = [job('a', 'Failed', 90), attempt('a-1', 'Failed', 89, {}, ['Job', 'a'])];
    expect(await over(...failed, job('b', 'Complete', 60))).toEqual(['Job/shop/a', 'Pod/shop/a-1']);
    expect(await over(...failed, job('b', 'Suspended', 60))).toEqual([]);
    expect(await over(job('a', 'Failed', 90, { lastTransitionTime: ago(50) }), job('b', 'Complete', 60))).toEqual([]);
    expect(await over(job('a', 'Failed', 90, { status: 'False' }), job('b', 'Complete', 60))).toEqual([]);
  });

  it('may be a pod of a ReplicaSet that was scaled down', async () => {
    const set = (replicas: number, owner: readonly [string, string] = ['Deployment', 'web']): KubeObject =>
      owned('ReplicaSet', 'web-a', owner, { spec: { replicas } });
    const pod = (phase: string): KubeObject => attempt('web-a-1', phase, 90, {}, ['ReplicaSet', 'web-a']);
    expect(await over(set(0), pod('Failed'))).toEqual(['Pod/shop/web-a-1']);
    expect(await over(set(1), pod('Failed'))).toEqual([]);
    expect(await over(set(0), pod('Running'))).toEqual([]);
    expect(await over(set(0, ['Rollout', 'web']), pod('Failed'))).toEqual([]);
  });
});

describe('the scene of a node that is asked for live', () => {
  const on = (name: string, phase: string, owner?: readonly [string, string]): KubeObject => ({
    ...objectOf(
      'Pod',
      name,
      { spec: { nodeName: 'worker-1' }, status: { phase } },
      owner === undefined
        ? {}
        : {
            ownerReferences: [{ apiVersion: 'apps/v1', kind: owner[0], name: owner[1], controller: true }],
          },
    ),
  });
  const node: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' } };
  const judged = async (live: boolean, ...pods: readonly KubeObject[]): Promise<readonly string[]> => {
    const request = { target: { kind: 'Node', name: 'worker-1' } };
    const { scene } = await findScene(new Survey(readerOf([node, ...pods], { live })), request);
    return scene.judged.map(({ metadata }) => metadata.name);
  };

  it('looks at its agents, and at one pod of each controller that it does not start', async () => {
    const pods = [
      on('agent-1', 'Running', ['DaemonSet', 'agent']),
      on('static-1', 'Running', ['Node', 'worker-1']),
      on('web-1', 'Running', ['ReplicaSet', 'web']),
      on('stuck-1', 'Pending', ['ReplicaSet', 'stuck']),
      on('stuck-2', 'Pending', ['ReplicaSet', 'stuck']),
      on('lone', 'Failed'),
    ];
    expect(await judged(true, ...pods)).toEqual(['agent-1', 'static-1', 'stuck-2', 'lone']);
    expect(await judged(false, ...pods)).toHaveLength(6);
    const many = Array.from({ length: 20 }, (_, index) => on(`job-${String(index)}`, 'Pending'));
    expect(await judged(true, ...many)).toHaveLength(8);
  });
});
