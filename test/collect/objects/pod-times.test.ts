import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { ago, collected, objectOf } from '../../support/collected.ts';

async function field(name: string, pod: KubeObject): Promise<unknown> {
  return (await collected('pod', [pod]))[0]?.[name];
}

describe('a pod that no kubelet has taken', () => {
  const scheduled = (seconds: number, status = 'True'): JsonObject => ({
    conditions: [{ type: 'PodScheduled', status, lastTransitionTime: ago(seconds) }],
  });
  const pod = (status: JsonObject): KubeObject => objectOf('Pod', 'web-1', { spec: { nodeName: 'worker-1' }, status });

  it.each<readonly [string, JsonObject, number | undefined]>([
    ['since it was scheduled', { phase: 'Pending', ...scheduled(90) }, 90],
    ['as of now, where that is to come', { phase: 'Pending', ...scheduled(-90) }, 0],
    ['not at all before it is scheduled', { phase: 'Pending', ...scheduled(90, 'False') }, undefined],
    ['nobody knows how long', { phase: 'Pending' }, undefined],
    ['not at all once it has begun', { phase: 'Running', ...scheduled(90) }, undefined],
    ['not at all once it was taken', { phase: 'Pending', startTime: ago(80), ...scheduled(90) }, undefined],
    ['not at all once it has containers', { phase: 'Pending', containerStatuses: [], ...scheduled(90) }, undefined],
    ['not at all once it has init containers', { phase: 'Pending', initContainerStatuses: [], ...scheduled(90) }, undefined],
  ])('waits %s', async (_, status, expected) => {
    expect(await field('untakenSeconds', pod(status))).toBe(expected);
  });

  it('is not told by a source that does not show when it was taken', async () => {
    const row = { ...pod({ phase: 'Pending', ...scheduled(90) }), [OBSERVED]: ['status.phase', 'status.conditions'] };
    expect(await field('untakenSeconds', row)).toBeUndefined();
  });
});

describe('a pod that is deleted', () => {
  const leaving = (until: string, more: JsonObject = { deletionGracePeriodSeconds: 30 }): KubeObject =>
    objectOf('Pod', 'web-1', { spec: {}, status: { phase: 'Running' } }, { deletionTimestamp: until, ...more });

  it.each<readonly [number, number]>([
    [-20, 10],
    [0, 30],
    [5, 35],
    [-60, 0],
  ])('and was to be gone %d s ago has been ending for %d s, with 30 s of grace', async (seconds, ending) => {
    const pod = leaving(ago(seconds));
    expect([await field('endingSeconds', pod), await field('graceSeconds', pod)]).toEqual([ending, 30]);
  });

  it('ends nobody knows since when, where its grace is not shown', async () => {
    expect(await field('endingSeconds', leaving(ago(5), {}))).toBeUndefined();
    expect(await field('deleting', leaving(ago(5), {}))).toBe(true);
  });
});
