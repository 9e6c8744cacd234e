import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { ago, collected, eventOn, evidenceOf, factsIn, objectOf } from '../../../support/collected.ts';
import { waiting } from '../../../support/waiting-pod.ts';

type Around = Parameters<typeof evidenceOf>[1];

function node(name: string, spec: JsonObject = {}, labels: JsonObject = {}): KubeObject {
  return objectOf('Node', name, { spec, status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } } }, { labels });
}

async function gaps(kind: string, objects: readonly KubeObject[], around: Around = {}): Promise<readonly string[]> {
  const found = (await evidenceOf(objects, around)).gaps.filter((gap) => gap.kind === kind);
  return found.map(({ about, reason }) => `${about.kind}/${about.name}: ${reason}`);
}

async function quotes(kind: string, objects: readonly KubeObject[]): Promise<readonly unknown[]> {
  return (await evidenceOf(objects)).facts.filter((fact) => fact.kind === kind).map(({ source, quote }) => [source, quote]);
}

const CPU = '0/3 nodes are available: 3 Insufficient cpu.';
const ASKS = { containers: [{ name: 'web', resources: { requests: { cpu: '5' } } }] };

describe('whether a node would take a pod', () => {
  it('is quoted from the node', async () => {
    expect(await quotes('node-fit', [waiting('web'), node('worker-1')])).toEqual([['Node/worker-1', 'passes all scheduler filters']]);
    expect(await quotes('node-fit', [waiting('web', { spec: ASKS }), node('worker-1')])).toEqual([
      ['Node/worker-1', 'cpu: 5 requested, 4 of 4 free'],
    ]);
  });

  it('is a gap where nodes were not read, or something of a node was not', async () => {
    expect(await gaps('node-fit', [waiting('web')], { refused: ['Node'] })).toEqual(['Pod/web: Node is forbidden']);
    expect(await gaps('node-fit', [waiting('web'), node('worker-1')])).toEqual([]);
    const row: KubeObject = { ...node('worker-1'), [OBSERVED]: ['metadata', 'status'] };
    expect(await gaps('node-fit', [waiting('web'), row])).toEqual([
      'Pod/web: cannot check whether pod web fits node worker-1: not read: unschedulable, taint',
    ]);
    expect(await gaps('node-fit', [waiting('web', { spec: ASKS }), row])).toEqual([]);
  });

  it('is told for fifty nodes, those that are nearest to fitting first', async () => {
    const nodes = Array.from({ length: 60 }, (_, index) => node(`worker-${String(index)}`, index === 59 ? {} : { unschedulable: true }));
    const fits = await collected('node-fit', [waiting('web', { spec: ASKS }), ...nodes]);
    expect(fits).toHaveLength(50);
    expect(fits[0]).toMatchObject({ node: 'worker-59', blocker: 'resource' });
  });

  it('is told for each pod that is no replica of a Deployment', async () => {
    const owned = (name: string, kind: string, labels: JsonObject = {}): KubeObject =>
      waiting(name, { spec: ASKS, metadata: { labels, ownerReferences: [{ kind, name: 'web', controller: true }] } });
    const set = objectOf('StatefulSet', 'web', { spec: { replicas: 2 }, status: {} });
    const hash = { 'pod-template-hash': 'a' };
    expect(
      await collected('node-fit', [owned('web-0', 'StatefulSet', hash), owned('web-1', 'StatefulSet', hash), set, node('worker-1')]),
    ).toHaveLength(2);
    const deployment = objectOf('Deployment', 'web', { spec: { replicas: 2 }, status: {} });
    expect(
      await collected('node-fit', [owned('web-0', 'Deployment'), owned('web-1', 'Deployment'), deployment, node('worker-1')]),
    ).toHaveLength(2);
  });
});

describe('why no node takes a pod', () => {
  it('counts the nodes that were seen, or those of the words', async () => {
    const summary = async (...objects: readonly KubeObject[]): Promise<Readonly<Record<string, unknown>>> =>
      (await collected('fit-summary', objects))[0] ?? {};
    const all = ['worker-1', 'worker-2', 'worker-3'].map((name) => node(name));
    expect(await summary(waiting('web', { said: CPU, spec: ASKS }), ...all)).toMatchObject({ nodes: 3, from: 'nodes', blocked: 3 });
    expect(await summary(waiting('web', { said: CPU, spec: ASKS }), node('worker-1'))).toMatchObject({
      nodes: 3,
      from: 'scheduler',
      blocked: 3,
    });
    expect(await quotes('fit-summary', [waiting('web', { spec: ASKS }), waiting('till', { spec: ASKS, said: CPU }), ...all])).toEqual([
      ['Pod/shop/web and its nodes', expect.stringContaining('worker-1: cpu: 5 requested, 4 of 4 free; worker-2: cpu')],
      ['Pod/shop/till condition PodScheduled', CPU],
    ]);
  });

  it('is a gap where something that decides was not read, with the words of the scheduler', async () => {
    const row: KubeObject = { ...node('worker-1'), [OBSERVED]: ['metadata', 'status'] };
    expect(await gaps('fit-summary', [waiting('web'), row])).toEqual([
      'Pod/web: cannot check why no node fits pod web: not read: unschedulable, taint',
    ]);
    const wish = "0/2 nodes are available: 1 node(s) were unschedulable, 1 node(s) didn't match Pod's node affinity/selector.";
    const unseen: KubeObject = { ...waiting('web', { said: wish }), [OBSERVED]: ['metadata', 'spec.nodeName', 'status'] };
    expect(await gaps('fit-summary', [unseen, node('worker-1')])).toEqual([
      `Pod/web: cannot check why no node fits pod web: not read: node-selector, node-affinity; the scheduler: ${wish}`,
    ]);
    expect(await gaps('fit-summary', [waiting('web')], { refused: ['Node'] })).toEqual(['Pod/web: Node is forbidden']);
    expect(await gaps('fit-summary', [waiting('web'), node('worker-1')])).toEqual([]);
  });

  it('is not told by the nodes of the control plane alone, where the words were not seen', async () => {
    const control = node('cp', { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] });
    const silent = [waiting('web'), control];
    expect(await gaps('fit-summary', silent)).toEqual(["Pod/web: the scheduler's message about pod web was not seen"]);
    expect(await collected('fit-summary', silent)).toEqual([]);
    expect(await collected('fit-summary', [waiting('web'), control, node('worker-1', { unschedulable: true })])).toHaveLength(1);
    const said = '0/1 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }.';
    expect(await collected('fit-summary', [waiting('web', { said }), control])).toHaveLength(1);
  });

  it('keeps a pod off each node whose condition is a taint', async () => {
    const sick = { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] };
    expect(await quotes('node-use', [waiting('web'), node('worker-1', sick), node('worker-2', sick)])).toEqual([
      ['Pod/shop/web status', 'worker-1: taint node.kubernetes.io/not-ready:NoSchedule is not tolerated'],
      ['Pod/shop/web status', 'worker-2: taint node.kubernetes.io/not-ready:NoSchedule is not tolerated'],
    ]);
  });
});

describe('a pod that waits for a node', () => {
  const untried = (spec: JsonObject = {}, more: { readonly name?: string; readonly metadata?: JsonObject } = {}): KubeObject =>
    objectOf('Pod', more.name ?? 'web', { spec: { containers: [{ name: 'web' }], ...spec }, status: { phase: 'Pending' } }, more.metadata);

  it('is quoted with what nobody did about it', async () => {
    expect(await quotes('unscheduled', [untried()])).toEqual([
      ['Pod/shop/web status', 'Pending, for 120m, no event or condition of a scheduler'],
    ]);
    expect(await quotes('unscheduled', [untried({ schedulerName: 'till' }, { metadata: { creationTimestamp: null } })])).toEqual([
      ['Pod/shop/web status', 'Pending, no event or condition of a scheduler, schedulerName: till'],
    ]);
    expect(await quotes('unscheduled', [waiting('web')])).toEqual([['Pod/shop/web status', 'Pending, for 120m']]);
    expect(await quotes('unscheduled', [untried({ schedulingGates: [{ name: 'shop/a' }, { name: 'shop/b' }] })])).toEqual([
      ['Pod/shop/web status', 'Pending, for 120m, no event or condition of a scheduler, schedulingGates: shop/a, shop/b'],
    ]);
    const gated = waiting('web', { status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] } });
    expect(await quotes('unscheduled', [gated])).toEqual([['Pod/shop/web status', 'Pending, for 120m, SchedulingGated']]);
    const failed = eventOn(untried(), 'FailedScheduling', 'no', 5);
    expect(await quotes('unscheduled', [untried(), failed])).toEqual([['event on Pod/shop/web', 'no']]);
  });

  it('is quoted with how many others wait as long', async () => {
    const all = ['a', 'b', 'c'].map((name) => untried({}, { name }));
    const quote = async (pods: readonly KubeObject[]): Promise<unknown> =>
      ((await quotes('missing-scheduler', pods))[0] as readonly unknown[])[1];
    const words = 'Pending for 120m, no event or condition of a scheduler';
    expect(await quote(all.slice(0, 1))).toBe(words);
    expect(await quote(all.slice(0, 2))).toBe(`${words} (1 other pod too)`);
    expect(await quote(all)).toBe(`${words} (2 other pods too)`);
    expect(await quote([untried({}, { metadata: { creationTimestamp: null } })])).toBe('Pending, no event or condition of a scheduler');
  });

  it('is a gap where its conditions and events, or its scheduler, were not seen', async () => {
    const row: KubeObject = { ...untried(), [OBSERVED]: ['metadata', 'spec.nodeName', 'status.phase'] };
    expect(await gaps('unscheduled', [row], { refused: ['Event'] })).toEqual([
      'Pod/web: the conditions and events of pod web were not read',
    ]);
    expect(await gaps('unscheduled', [untried()])).toEqual([]);
    const described: KubeObject = { ...untried(), [OBSERVED]: ['metadata', 'spec.nodeName', 'status'] };
    expect(await gaps('missing-scheduler', [described])).toEqual(['Pod/web: spec.schedulerName of pod web was not seen']);
    expect(await collected('missing-scheduler', [described])).toEqual([]);
    expect(await gaps('missing-scheduler', [untried()])).toEqual([]);
  });

  it('had to make room where a pod of its controller, or of its name, was preempted', async () => {
    const displaced = async (pod: KubeObject, victim: JsonObject, more: JsonObject = {}): Promise<readonly unknown[]> => {
      const event = objectOf('Event', 'e', {
        reason: 'Preempted',
        message: 'Preempted by a pod',
        type: 'Normal',
        lastTimestamp: ago(5),
        involvedObject: { kind: 'Pod', namespace: 'shop', ...victim },
        related: { kind: 'Pod', namespace: 'till', name: 'cash' },
        ...more,
      });
      const [fact] = factsIn(await evidenceOf([pod, event]), 'unscheduled');
      return [fact?.['displaced'], fact?.['displacedBy']];
    };
    const replica = waiting('web-5d4f8-abcde');
    expect(await displaced(replica, { name: 'web-5d4f8-fghij' })).toEqual([true, 'till/cash']);
    expect(await displaced(replica, { name: 'web-5d4f8-fghij' }, { related: null })).toEqual([true, undefined]);
    expect(await displaced(replica, { name: 'web-5d4f9-fghij' })).toEqual([false, undefined]);
    expect(await displaced(replica, { name: 'web-5d4f8-fghij', namespace: 'till' })).toEqual([false, undefined]);
    expect(await displaced(replica, { name: 'web-5d4f8-fghij' }, { reason: 'Killing' })).toEqual([false, undefined]);
    const named = waiting('web-0');
    expect(await displaced(named, { name: 'web-0', uid: 'before' })).toEqual([true, 'till/cash']);
    expect(await displaced(named, { name: 'web-0', uid: 'Pod-web-0' })).toEqual([false, undefined]);
    expect(await displaced(named, { name: 'web-0' })).toEqual([false, undefined]);
    expect(await displaced(named, { name: 'web-1', uid: 'before' })).toEqual([false, undefined]);
    const ended = waiting('web-5d4f8-abcde', { status: { phase: 'Failed' } });
    expect(await displaced(ended, { name: 'web-5d4f8-fghij' })).toEqual([undefined, undefined]);
  });
});
