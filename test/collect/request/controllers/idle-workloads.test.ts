import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { ago, answerTo, collected, evidenceOf, factsIn, objectOf } from '../../../support/collected.ts';

const LABELS = { app: 'web' };

function workload(kind: string, spec: JsonObject, status: JsonObject = {}, pod: JsonObject = {}): KubeObject {
  const template = { metadata: { labels: LABELS }, spec: { containers: [{ name: 'web', image: 'a' }], ...pod } };
  return objectOf(kind, 'web', { spec: { selector: { matchLabels: LABELS }, template, ...spec }, status });
}

const idle = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('idle', objects);

describe('a workload that makes no pods', () => {
  it.each<readonly [string, KubeObject, object | undefined]>([
    ['is scaled to zero', workload('Deployment', { replicas: 0 }), { why: 'replicas', wanted: 1 }],
    ['is scaled to one', workload('Deployment', { replicas: 1 }), undefined],
    ['is a StatefulSet scaled to zero', workload('StatefulSet', { replicas: 0 }), { why: 'replicas', wanted: 1 }],
    [
      'is paused behind',
      workload('Deployment', { replicas: 2, paused: true }, { replicas: 2, updatedReplicas: 1 }),
      { why: 'paused', wanted: 1 },
    ],
    ['is paused, with all its pods', workload('Deployment', { replicas: 2, paused: true }, { replicas: 2, updatedReplicas: 2 }), undefined],
    ['is a suspended Job', workload('Job', { suspend: true }), { why: 'suspended', wanted: 1 }],
    ['is a suspended CronJob', workload('CronJob', { suspend: true }), { why: 'suspended', wanted: 1 }],
    [
      'is left to another controller',
      workload('Job', { managedBy: 'shop.example/jobs' }),
      { why: 'managed-by', wanted: 1, manager: 'shop.example/jobs' },
    ],
    ['is left to the usual controller', workload('Job', { managedBy: 'kubernetes.io/job-controller' }), undefined],
    ['is run by another controller', workload('Job', { managedBy: 'shop.example/jobs' }, { startTime: ago(60) }), undefined],
    ['is on no node', workload('DaemonSet', {}, { desiredNumberScheduled: 0, observedGeneration: 1 }), { why: 'no-node', wanted: 1 }],
    ['is on no node yet', workload('DaemonSet', {}, { desiredNumberScheduled: 0 }), undefined],
    ['is on a node', workload('DaemonSet', {}, { desiredNumberScheduled: 1, observedGeneration: 1 }), undefined],
  ])('%s', async (_, one, expected) => {
    expect(await idle(one)).toEqual(expected === undefined ? [] : [expected]);
  });

  it('is suspicious where a Service has no other pods', async () => {
    const service = objectOf('Service', 'front', { spec: { selector: LABELS, ports: [{ port: 80 }] } });
    const zero = workload('Deployment', { replicas: 0 });
    expect(await idle(zero, service)).toEqual([
      { why: 'replicas', suspicion: 'Service front selects its pods and has no others', wanted: 1, service: 'front' },
    ]);
    const other = objectOf('Pod', 'other', { spec: { containers: [] }, status: { phase: 'Running' } }, { labels: LABELS });
    expect((await idle(zero, service, other))[0]).not.toHaveProperty('suspicion');
    const unrelated = objectOf('Service', 'till', { spec: { selector: { app: 'till' }, ports: [] } });
    expect((await idle(zero, unrelated))[0]).not.toHaveProperty('service');
    const all = objectOf('Service', 'all', { spec: { selector: {}, ports: [] } });
    expect((await idle(zero, all))[0]).not.toHaveProperty('service');
  });

  it('may be given a node by a label that none has', async () => {
    const agent = workload('DaemonSet', {}, { desiredNumberScheduled: 0, observedGeneration: 1 }, { nodeSelector: { disk: 'fast' } });
    const node = (name: string, labels: JsonObject, spec: JsonObject = {}): KubeObject =>
      objectOf('Node', name, { spec, status: {} }, { labels });
    expect(await idle(agent, node('cordoned', {}, { unschedulable: true }), node('worker-1', {}))).toMatchObject([
      { label: 'disk=fast', node: 'worker-1' },
    ]);
    expect(await idle(agent, node('worker-1', {}), node('worker-2', {}))).toMatchObject([{ node: 'worker-1' }]);
    expect((await idle(agent, node('worker-1', { disk: 'slow' })))[0]).not.toHaveProperty('label');
    expect((await idle(agent, node('worker-1', {}, { taints: [{ key: 'a', effect: 'NoSchedule' }] })))[0]).not.toHaveProperty('node');
  });

  it('is suspicious where its manifest, or somebody who calls it, wants pods', async () => {
    const zero = workload('Deployment', { replicas: 0 });
    const applied = (kind: string, name: string, spec: JsonObject, metadata: JsonObject = {}): KubeObject =>
      objectOf(
        'AppliedManifest',
        'm',
        { spec: { file: 'web.yaml', object: { kind, metadata: { name, ...metadata }, spec } } },
        { namespace: null },
      );
    const says = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> => {
      const [fact] = await idle(zero, ...objects);
      return [fact?.['suspicion'], fact?.['wanted']];
    };
    expect(await says(applied('Deployment', 'web', { replicas: 3 }))).toEqual(['web.yaml requests 3 replicas', 3]);
    expect(await says(applied('Deployment', 'web', { replicas: 1 }))).toEqual(['web.yaml requests 1 replica', 1]);
    expect(await says(applied('Deployment', 'web', {}))).toEqual(['web.yaml requests 1 replica', 1]);
    for (const other of [
      applied('Deployment', 'web', { replicas: 0 }),
      applied('Deployment', 'web', { replicas: 3, paused: true }),
      applied('Deployment', 'web', { replicas: 3, suspend: true }),
      applied('Deployment', 'till', { replicas: 3 }),
      applied('StatefulSet', 'web', { replicas: 3 }),
      applied('Deployment', 'web', { replicas: 3 }, { namespace: 'till' }),
    ])
      expect(await says(other)).toEqual([undefined, 1]);
    const set = workload('StatefulSet', { replicas: 0 });
    expect(await idle(set, applied('StatefulSet', 'web', {}))).toMatchObject([{ suspicion: 'web.yaml requests 1 replica' }]);
    const sets = workload('ReplicaSet', { replicas: 0 });
    expect((await idle(sets, applied('ReplicaSet', 'web', {})))[0]).not.toHaveProperty('suspicion');
  });

  it('is suspicious where somebody changed it in the session, or asks about it', async () => {
    const zero = workload('Deployment', { replicas: 0 });
    const after = async (command: string, output: string): Promise<unknown> =>
      (await idle(zero, answerTo(command, output)))[0]?.['suspicion'];
    expect(await after('kubectl -n shop scale deploy web --replicas 0', 'deployment.apps/web scaled')).toBe(
      'it was scaled by kubectl -n shop scale deploy web --replicas 0',
    );
    expect(await after('kubectl scale deploy web --replicas 0', 'deployment.apps/web scaled')).toBeDefined();
    expect(await after('kubectl -n till scale deploy web --replicas 0', 'deployment.apps/web scaled')).toBeUndefined();
    expect(await after('kubectl -n shop scale deploy till --replicas 0', 'deployment.apps/till scaled')).toBeUndefined();
    expect(await after('kubectl -n shop scale sts web --replicas 0', 'statefulset.apps/web scaled')).toBeUndefined();
    expect(await after('kubectl -n shop apply -f a --dry-run=server', 'deployment.apps/web configured (server dry run)')).toBeUndefined();
    const asked = async (one: KubeObject): Promise<unknown> =>
      factsIn(await evidenceOf([one], { target: { kind: one.kind, namespace: 'shop', name: 'web' } }), 'idle')[0]?.['suspicion'];
    expect(await asked(zero)).toBe('it is the object asked about');
    expect(await asked({ ...zero, metadata: { ...zero.metadata, ownerReferences: [{ kind: 'Gadget', name: 'x' }] } })).toBeUndefined();
  });

  it('quotes the switch, with the ground for suspicion', async () => {
    const quote = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
      (await evidenceOf(objects)).facts.filter(({ kind }) => kind === 'idle').map(({ source, quote: words }) => [source, words]);
    const zero = workload('Deployment', { replicas: 0 });
    expect(await quote(zero)).toEqual([['Deployment/shop/web spec', 'replicas: 0']]);
    const service = objectOf('Service', 'front', { spec: { selector: LABELS, ports: [{ port: 80 }] } });
    expect(await quote(zero, service)).toEqual([
      ['Deployment/shop/web spec', 'replicas: 0; Service front selects its pods and has no others'],
    ]);
    const { facts } = await evidenceOf([zero, service]);
    expect(facts.filter(({ kind, about }) => kind === 'dependency' && about.kind === 'Service')).toMatchObject([
      { about: { name: 'front' }, fields: { on: 'Deployment/shop/web', host: 'front', exists: true } },
    ]);
  });

  it('is the one on top of those that make pods', async () => {
    const owner = { ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] };
    const under = workload('ReplicaSet', { replicas: 0 });
    expect(
      await idle(workload('Deployment', { replicas: 1 }), { ...under, metadata: { ...under.metadata, name: 'web-a', ...owner } }),
    ).toEqual([]);
    expect(await idle(workload('CronJob', { schedule: '0 0 * * *' }))).toEqual([]);
    expect(await idle(workload('Deployment', { replicas: 2, paused: true }, { replicas: 1, updatedReplicas: 2 }))).toMatchObject([
      { why: 'paused' },
    ]);
    expect(await idle(workload('Deployment', { replicas: 2, paused: true }, {}))).toMatchObject([{ why: 'paused' }]);
    const elsewhere = objectOf('Service', 'front', { spec: { selector: LABELS } }, { namespace: 'till' });
    expect((await idle(workload('Deployment', { replicas: 0 }), elsewhere))[0]).not.toHaveProperty('service');
  });

  it('is given no label where its pods wish for more than one, or what nodes there are is not known', async () => {
    const agent = (pod: JsonObject): KubeObject => workload('DaemonSet', {}, { desiredNumberScheduled: 0, observedGeneration: 1 }, pod);
    const node = objectOf('Node', 'worker-1', { spec: {}, status: {} });
    const label = async (pod: JsonObject, around: Parameters<typeof evidenceOf>[1] = {}): Promise<unknown> =>
      factsIn(await evidenceOf([agent(pod), node], around), 'idle')[0]?.['label'];
    expect(await label({ nodeSelector: { disk: 'fast' } })).toBe('disk=fast');
    expect(await label({ nodeSelector: { disk: 'fast', zone: 'a' } })).toBeUndefined();
    expect(await label({ nodeSelector: { disk: 'fast' }, affinity: {} })).toBeUndefined();
    expect(await label({})).toBeUndefined();
    expect(await label({ nodeSelector: { disk: 'fast' } }, { refused: ['Node'] })).toBeUndefined();
  });
});
