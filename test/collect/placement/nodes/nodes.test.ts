import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { ago, collected, evidenceOf, factsIn, objectOf, podWith } from '../../../support/collected.ts';

function node(name: string, conditions: Readonly<Record<string, string>>, spec: JsonObject = {}): KubeObject {
  return objectOf('Node', name, {
    spec,
    status: {
      conditions: Object.entries(conditions).map(([type, status]) => ({
        type,
        status,
        reason: `${type}Is${status}`,
        message: `It is ${status}.`,
        lastTransitionTime: ago(90),
      })),
      nodeInfo: { kubeletVersion: 'v1.34.1', containerRuntimeVersion: 'containerd://2.1.4' },
    },
  });
}

function pod(name: string, ready: boolean, more: JsonObject = {}): KubeObject {
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: ago(60) }];
  return podWith(name, {}, { ready, state: { running: { startedAt: ago(600) } } }, { status: { conditions, ...more } });
}

describe('the node of the pod that is asked about', () => {
  const one = pod('web-1', false);
  const target = { kind: 'Pod', namespace: 'shop', name: 'web-1' };
  const names = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
    (await evidenceOf([one, ...objects], { target })).facts.filter(({ kind }) => kind === 'node').map(({ about }) => about.name);

  it('is the only one that is looked at', async () => {
    expect(await names(node('worker-1', { Ready: 'True' }), node('worker-2', { Ready: 'True' }))).toEqual(['worker-1']);
  });

  it('is a gap where it may not be read, and no node that is not there', async () => {
    const refused = await evidenceOf([one], { target, refused: ['Node'] });
    const gaps = refused.gaps.filter(({ about }) => about.kind === 'Node' && about.name === 'worker-1').map(({ kind }) => kind);
    expect(gaps).toEqual(expect.arrayContaining(['node', 'node-trouble']));
    expect(factsIn(refused, 'node')).toEqual([]);
    const absent = await evidenceOf([one], { target });
    expect(absent.gaps.some(({ kind, about }) => kind === 'node' && about.name === 'worker-1')).toBe(false);
  });
});

describe('a node', () => {
  it('has what its object says', async () => {
    const conditions = { Ready: 'False', MemoryPressure: 'True', DiskPressure: 'False', PIDPressure: 'False', NetworkUnavailable: 'False' };
    const taints = [{ key: 'shop/till', value: 'yes', effect: 'NoSchedule' }];
    expect(await collected('node', [node('worker-1', conditions, { taints, unschedulable: true })])).toEqual([
      {
        exists: true,
        ready: 'False',
        reason: 'ReadyIsFalse',
        message: 'It is False.',
        sinceSeconds: 90,
        schedulable: false,
        memoryPressure: true,
        diskPressure: false,
        pidPressure: false,
        networkUnavailable: false,
        taints: 'shop/till=yes:NoSchedule',
        kubelet: 'v1.34.1',
        runtime: 'containerd://2.1.4',
      },
    ]);
    const [well] = await collected('node', [node('worker-1', { Ready: 'True' })]);
    expect(well).toMatchObject({ ready: 'True', schedulable: true, taints: '' });
    expect(well).not.toHaveProperty('memoryPressure');
  });

  it.each<readonly [string, Readonly<Record<string, string>>, boolean]>([
    ['that is ready', { Ready: 'True', MemoryPressure: 'False' }, false],
    ['that is not', { Ready: 'False' }, true],
    ['that nothing is known of', { Ready: 'Unknown' }, true],
    ['short of memory', { Ready: 'True', MemoryPressure: 'True' }, true],
    ['short of disk', { Ready: 'True', DiskPressure: 'True' }, true],
    ['short of processes', { Ready: 'True', PIDPressure: 'True' }, true],
    ['without a network', { Ready: 'True', NetworkUnavailable: 'True' }, true],
    ['without a condition', {}, false],
  ])('%s is one that its pods suffer from, or not', async (_, conditions, isSick) => {
    const uses = await collected('node-use', [node('worker-1', conditions), pod('web-1', false)]);
    expect(uses).toEqual(isSick ? [{ node: 'worker-1', how: 'bound', ready: false, started: true }] : []);
  });

  it('does not matter to a pod that is over', async () => {
    expect(await collected('node-use', [node('worker-1', { Ready: 'False' }), pod('web-1', false, { phase: 'Failed' })])).toEqual([]);
  });

  it('is wanted by a workload whose template names it', async () => {
    const workload = objectOf('Deployment', 'web', { spec: { replicas: 1, template: { spec: { nodeName: 'worker-1', containers: [] } } } });
    expect(await collected('node-use', [node('worker-1', { Ready: 'False' }), workload])).toEqual([{ node: 'worker-1', how: 'named' }]);
    expect(await collected('node-use', [node('worker-1', { Ready: 'True' }), workload])).toEqual([]);
  });
});

describe('a node of which only a row was seen', () => {
  it('has no more than its row', async () => {
    const row: KubeObject = { ...node('worker-1', { Ready: 'True' }), [OBSERVED]: ['metadata.name', 'status.conditions'] };
    const [fact] = await collected('node', [{ ...row, spec: {} }]);
    expect(fact).toMatchObject({ ready: 'True' });
    expect(fact).not.toHaveProperty('schedulable');
    expect(fact).not.toHaveProperty('taints');
  });
});

describe('a node that is gone', () => {
  const other = node('worker-2', { Ready: 'True' });
  const gone = (...pods: readonly KubeObject[]): ReturnType<typeof collected> => collected('node', [other, ...pods]);

  it('was there where a pod has begun on it, and was perhaps never there where none has', async () => {
    expect(await gone(pod('web-1', false))).toContainEqual({ exists: false, evidence: 'deleted' });
    const neverBegun = podWith('web-1', {}, {}, { status: { phase: 'Pending', startTime: undefined } });
    expect(await gone(neverBegun)).toContainEqual({ exists: false, evidence: 'named' });
  });

  it('is there all the same where its pods are ready', async () => {
    expect((await gone(pod('web-1', true))).filter(({ exists }) => exists === false)).toEqual([]);
    expect((await gone(pod('web-1', true), pod('web-2', false))).filter(({ exists }) => exists === false)).toHaveLength(1);
  });

  it.each(['RemovingNode', 'DeletingNode'])('is told by the event %s', async (reason) => {
    const event = (name: string, why: string): KubeObject =>
      objectOf('Event', `${name}.1`, {
        reason: why,
        message: 'Node is gone',
        type: 'Normal',
        lastTimestamp: ago(30),
        involvedObject: { kind: 'Node', name },
      });
    expect(await gone(event('worker-9', reason))).toContainEqual({ exists: false, evidence: 'deleted' });
    expect(await gone(event('worker-2', reason), event('worker-9', 'NodeReady'))).toHaveLength(1);
  });
});
