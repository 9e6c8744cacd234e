import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { ago, collected, objectOf } from '../../../support/collected.ts';

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
    expect((await idle(agent, node('worker-1', { disk: 'slow' })))[0]).not.toHaveProperty('label');
    expect((await idle(agent, node('worker-1', {}, { taints: [{ key: 'a', effect: 'NoSchedule' }] })))[0]).not.toHaveProperty('node');
  });
});
