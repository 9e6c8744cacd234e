import { describe, expect, it } from 'vitest';
import { collect } from '../../../src/collect/collect.ts';
import type { CollectRequest } from '../../../src/collect/survey/scene.ts';
import type { Json } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { countingReader } from '../../support/counting-reader.ts';

const CRASHED = {
  restartCount: 3,
  ready: false,
  state: { waiting: { reason: 'CrashLoopBackOff' } },
  lastState: { terminated: { exitCode: 1, startedAt: '2026-01-15T11:59:00Z', finishedAt: '2026-01-15T11:59:01Z' } },
};
const RUNNING = { restartCount: 0, ready: true, state: { running: { startedAt: '2026-01-15T11:00:00Z' } } };
const AGAIN = { ...RUNNING, restartCount: 3, lastState: CRASHED.lastState, state: { running: { startedAt: '2026-01-15T11:59:50Z' } } };

function pod(name: string, statuses: Readonly<Record<string, { readonly [field: string]: Json }>>, owner?: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      ...(owner === undefined ? {} : { ownerReferences: [{ kind: 'ReplicaSet', name: owner, controller: true }] }),
    },
    spec: { nodeName: 'worker-1', containers: Object.keys(statuses).map((container) => ({ name: container, image: 'shop/web:1' })) },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'False' }],
      containerStatuses: Object.entries(statuses).map(([container, status]) => ({ name: container, ...status })),
    },
  };
}

async function logReads(objects: readonly KubeObject[], request: CollectRequest): Promise<readonly string[]> {
  const { reader, reads } = countingReader(objects);
  await collect(reader, request, []);
  return reads.filter((read) => read.startsWith('logs'));
}

const TARGET = { target: { kind: 'Pod', namespace: 'shop', name: 'web-1' } };

describe('the logs that are read of a live cluster', () => {
  it('are those of the containers that are not well', async () => {
    expect(await logReads([pod('web-1', { web: RUNNING, exporter: CRASHED })], TARGET)).toEqual(['logs web-1 exporter']);
    expect(await logReads([pod('web-1', { web: RUNNING })], TARGET)).toEqual([]);
  });

  it('have the run before the present one where a container runs again', async () => {
    expect(await logReads([pod('web-1', { web: AGAIN })], TARGET)).toEqual(['logs web-1 web previous', 'logs web-1 web']);
  });

  it('are at most four for one target, however many containers crash', async () => {
    const containers = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, CRASHED]));
    expect(await logReads([pod('web-1', containers)], TARGET)).toHaveLength(4);
  });

  it('are first those of containers that are down, then of those that were just started again', async () => {
    const unready = { ...RUNNING, ready: false };
    const containers = { a: unready, b: unready, c: unready, d: AGAIN, e: CRASHED };
    expect(await logReads([pod('web-1', containers)], TARGET)).toEqual([
      'logs web-1 e',
      'logs web-1 d previous',
      'logs web-1 d',
      'logs web-1 a',
    ]);
  });

  it('are not those of init containers that have not had their turn', async () => {
    const waits = { restartCount: 0, ready: false, state: { waiting: { reason: 'ContainerCreating' } } };
    expect(await logReads([pod('web-1', { web: waits })], TARGET)).toEqual([]);
    const table = { restartCount: 2, ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } };
    expect(await logReads([pod('web-1', { web: table })], TARGET)).toEqual(['logs web-1 web', 'logs web-1 web previous']);
  });

  it('are those of two replicas of a workload, and bounded for a whole scope', async () => {
    const replicas = ['1', '2', '3', '4'].map((name) => pod(`web-${name}`, { web: CRASHED }, 'web-6d4'));
    expect(await logReads(replicas, { namespace: 'shop' })).toHaveLength(2);
    const many = Array.from({ length: 200 }, (_, index) => pod(`p-${String(index)}`, { web: CRASHED }));
    expect((await logReads(many, { namespace: 'shop' })).length).toBeLessThanOrEqual(60);
  });
});
