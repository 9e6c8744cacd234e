import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { StageTimes } from '../../src/watch/stage-times.ts';
import { pod, START } from './told.ts';

const OWN = { isNew: true, isOwn: () => true };

function time(seconds: number): string {
  return new Date(START + seconds * 1000).toISOString();
}

/** A pod that was made at a second, and came up 2, 5, 9 and 30 s later. */
function ready(created: number, isReady = true): KubeObject {
  const one = pod(1, 'ready');
  const condition = (type: string, seconds: number): object => ({ type, status: 'True', lastTransitionTime: time(created + seconds) });
  const conditions = [
    condition('PodScheduled', 2),
    condition('PodReadyToStartContainers', 5),
    ...(isReady ? [condition('Ready', 30)] : []),
  ];
  return {
    ...one,
    metadata: { ...one.metadata, creationTimestamp: time(created) },
    status: { conditions, containerStatuses: [{ state: { running: { startedAt: time(created + 9) } } }] } as never,
  };
}

describe('how long pods are in a stage', () => {
  it('is counted once, when they are Ready for the first time', () => {
    const times = new StageTimes();
    times.seen(ready(5, false), OWN, START);
    expect(times.times()).toEqual([]);
    for (let seen = 0; seen < 3; seen++) times.seen(ready(5), { ...OWN, isNew: false }, START + 40_000);
    expect(times.times().map(({ stage, sum, count }) => [stage, sum, count])).toEqual([
      ['scheduling', 2, 1],
      ['sandbox', 3, 1],
      ['containers', 4, 1],
      ['probes', 21, 1],
    ]);
    expect(times.times()[3]?.counts).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
  });

  it('is not counted of pods that were there before the watch, are gone, or are counted by another replica', () => {
    const times = new StageTimes();
    times.seen(ready(-600), OWN, START);
    times.seen(ready(5, false), OWN, START);
    times.gone(ready(5).metadata.uid ?? '');
    times.seen(ready(5), { ...OWN, isNew: false }, START);
    times.seen(ready(6), { isNew: true, isOwn: () => false }, START);
    expect(times.times()).toEqual([]);
  });
});
