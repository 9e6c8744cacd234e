import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { answerTo, ago, collected, eventOn, evidenceOf, objectOf, podWith } from '../../../support/collected.ts';

const SAID = '0/1 nodes are available: 1 Insufficient cpu.';

function pending(more: JsonObject = {}, status: JsonObject = {}): KubeObject {
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: SAID }];
  return objectOf('Pod', 'web-1', {
    spec: { containers: [{ name: 'web' }], ...more },
    status: { phase: 'Pending', conditions, ...status },
  });
}

function made(kind: string, name: string): KubeObject {
  const conditions = [{ type: 'Ready', status: 'False', reason: 'NotLaunched', message: 'no capacity' }];
  return { apiVersion: 'karpenter.sh/v1', kind, metadata: { name }, status: { conditions } };
}

async function conditions(objects: readonly KubeObject[], around: Parameters<typeof evidenceOf>[1] = {}): Promise<readonly string[]> {
  const { facts } = await evidenceOf(objects, around);
  return facts.filter(({ kind, about }) => kind === 'condition' && about.kind !== 'Pod').map(({ about }) => `${about.kind} ${about.name}`);
}

describe('what makes nodes', () => {
  it('is told where a pod fits none', async () => {
    expect(await conditions([pending(), made('NodePool', 'default')])).toEqual(['NodePool default']);
    expect(await conditions([podWith('web-1', {}, {}), made('NodePool', 'default')])).toEqual([]);
    const gated = pending({ schedulingGates: [{ name: 'shop.example/till' }] });
    expect(await conditions([gated, made('NodePool', 'default')])).toEqual([]);
    expect(await conditions([pending({}, { conditions: [] }), made('NodePool', 'default')])).toEqual([]);
  });

  it('are the nodes that an event promises to a pod', async () => {
    const nominated = eventOn(pending(), 'Nominated', 'Pod should schedule on: nodeclaim/default-x7f2p, node/worker-9', 5, {
      type: 'Normal',
    });
    expect(await conditions([pending(), nominated, made('NodeClaim', 'default-x7f2p'), made('NodeClaim', 'other')])).toEqual([
      'NodeClaim default-x7f2p',
    ]);
    const other = eventOn(pending(), 'Scheduled', 'Pod should schedule on: nodeclaim/default-x7f2p', 5, { type: 'Normal' });
    expect(await conditions([pending(), other, made('NodeClaim', 'default-x7f2p')])).toEqual([]);
    const { gaps } = await evidenceOf([pending(), nominated], { refused: ['NodeClaim'] });
    expect(gaps.filter(({ kind }) => kind === 'condition')).toMatchObject([{ about: { kind: 'NodeClaim', name: 'default-x7f2p' } }]);
  });

  it('may not be listed, which matters where Karpenter is at work', async () => {
    const gaps = async (...objects: readonly KubeObject[]): Promise<number> =>
      (await evidenceOf([pending(), ...objects], { refused: ['NodePool'] })).gaps.filter(
        ({ kind, about }) => kind === 'condition' && about.kind === 'NodePool',
      ).length;
    expect(await gaps()).toBe(0);
    const nominated = eventOn(pending(), 'Nominated', 'Pod should schedule on: a node', 5, { source: { component: 'karpenter' } });
    expect(await gaps(nominated)).toBeGreaterThan(0);
  });

  it('is told by its events, for who asks about one pod', async () => {
    const target = { kind: 'Pod', namespace: 'shop', name: 'web-1' };
    const launch = (kind: string): KubeObject =>
      objectOf(
        'Event',
        `launch-${kind}`,
        {
          reason: 'InsufficientCapacity',
          message: 'no capacity',
          type: 'Warning',
          lastTimestamp: ago(5),
          involvedObject: { kind, name: 'default' },
        },
        { namespace: 'default' },
      );
    const told = async (pod: KubeObject, kind: string): Promise<number> =>
      (await evidenceOf([pod, launch(kind)], { target })).facts.filter((fact) => fact.kind === 'event' && fact.about.kind === kind).length;
    expect(await told(pending(), 'NodePool')).toBe(1);
    expect(await told(pending(), 'NodeClaim')).toBe(1);
    expect(await told(pending(), 'EC2NodeClass')).toBe(0);
    expect(await told(podWith('web-1', {}, {}), 'NodePool')).toBe(0);
  });
});

describe('a node that is not there', () => {
  const worker = objectOf('Node', 'worker-1', { spec: {}, status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  const gone = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
    (await evidenceOf([worker, ...objects])).facts
      .filter(({ kind, fields }) => kind === 'node' && fields['exists'] === false)
      .map(({ about, fields }) => [about.name, fields['evidence']]);

  it('was deleted by a command', async () => {
    expect(await gone(answerTo('kubectl delete node worker-9', 'node "worker-9" deleted'))).toEqual([['worker-9', 'deleted']]);
    expect(await gone(answerTo('kubectl delete node worker-9', 'node/worker-9 deleted'))).toEqual([['worker-9', 'deleted']]);
    expect(await gone(answerTo('kubectl delete node worker-1', 'node "worker-1" deleted'))).toEqual([]);
    expect(await gone(answerTo('kubectl delete pod web', 'pod "web" deleted'))).toEqual([]);
  });

  const asking = (nodeName: string, metadata: JsonObject = {}, kind = 'Pod'): KubeObject =>
    objectOf('AppliedManifest', 'm', {
      spec: { file: 'a.yaml', object: { kind, metadata: { name: 'web', ...metadata }, spec: { nodeName } } },
    });

  it('is asked for by the manifest of a pod that was collected again', async () => {
    expect(await gone(asking('worker-9'))).toEqual([['worker-9', 'named']]);
    expect(await collected('node-use', [worker, asking('worker-9')])).toEqual([{ node: 'worker-9', how: 'named', started: false }]);
    expect(await gone(asking('worker-1'))).toEqual([]);
    const ran = podWith('web-2', {}, {}, { spec: { nodeName: 'worker-9' } });
    expect(await gone(asking('worker-9'), ran)).toEqual([['worker-9', 'deleted']]);
    expect(await gone(asking('worker-9', {}, 'ConfigMap'))).toEqual([]);
    const there = { ...podWith('web', {}, {}), metadata: { name: 'web', namespace: 'shop' } };
    expect(await gone(asking('worker-9'), there)).toEqual([]);
    expect(await gone(asking('worker-9', { namespace: 'till' }), there)).toEqual([['worker-9', 'named']]);
  });

  it('is asked for by a template, though no pod was made', async () => {
    const template = objectOf('Deployment', 'web', { spec: { replicas: 1, template: { spec: { nodeName: 'worker-9' } } }, status: {} });
    expect(await gone(template)).toEqual([['worker-9', 'named']]);
  });

  it('keeps off the pods for which there is no node at all', async () => {
    const waiting = objectOf('Pod', 'web', {
      spec: { containers: [] },
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', message: 'no nodes available to schedule pods' }] },
    });
    const deleted = answerTo('kubectl delete node worker-9', 'node "worker-9" deleted');
    expect(await collected('node-use', [waiting, deleted])).toEqual([{ node: 'worker-9', how: 'kept-off', ready: false, started: false }]);
    expect(await collected('node-use', [pending(), deleted])).toEqual([]);
  });

  it('is a gap where nodes could not be read', async () => {
    const { gaps } = await evidenceOf([podWith('web-1', {}, {})], { refused: ['Node'] });
    expect(gaps.filter(({ about }) => about.kind === 'Node').map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['node', 'node-trouble']),
    );
  });

  it('is looked for by name for one pod, and told by its events where it is not well', async () => {
    const sick = objectOf('Node', 'worker-1', { spec: {}, status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } });
    const target = { kind: 'Pod', namespace: 'shop', name: 'web-1' };
    const rebooted = eventOn(sick, 'Rebooted', 'it was rebooted', 5);
    const event = { ...rebooted, metadata: { ...rebooted.metadata, namespace: 'default' } };
    const told = async (node: KubeObject): Promise<readonly unknown[]> =>
      (await evidenceOf([podWith('web-1', {}, {}), node, event, objectOf('Node', 'worker-2', { status: {} })], { target })).facts
        .filter(({ about }) => about.kind === 'Node')
        .map(({ kind, about }) => `${kind} ${about.name}`);
    expect(await told(sick)).toEqual(expect.arrayContaining(['node worker-1', 'node-trouble worker-1', 'event worker-1']));
    expect(await told(worker)).toEqual(['node worker-1']);
    const { facts } = await evidenceOf([podWith('web-1', {}, {}, { status: { conditions: [{ type: 'Ready', status: 'False' }] } })], {
      target,
      none: ['Node'],
    });
    expect(facts.filter(({ kind }) => kind === 'node').map(({ fields }) => fields)).toEqual([{ exists: false, evidence: 'deleted' }]);
  });
});
