import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { evictionOf } from '../../../src/collect/events/evictions.ts';
import { readEvent } from '../../../src/collect/events/events.ts';
import { saysWhy } from '../../../src/collect/events/says-why.ts';
import { eventOn, objectOf } from '../../support/collected.ts';

function evicted(
  status: JsonObject,
  { spec = {}, said }: { readonly spec?: JsonObject; readonly said?: readonly [type: string, message: string][] } = {},
): unknown {
  const pod = objectOf('Pod', 'web-1', { spec, status });
  const events = (said ?? []).map(([type, message]) => readEvent(eventOn(pod, 'Evicted', message, 5, { type })));
  return evictionOf(pod, events)?.message;
}

describe('the eviction of a pod', () => {
  it('is told by the reason of a failed pod, and explained by its message, or by the last event', () => {
    expect(evicted({ phase: 'Failed', reason: 'Evicted', message: 'low on memory' })).toBe('low on memory');
    expect(
      evicted(
        { phase: 'Failed', reason: 'Evicted' },
        {
          said: [
            ['Warning', 'first'],
            ['Warning', 'last'],
          ],
        },
      ),
    ).toBe('last');
    expect(evicted({ phase: 'Failed', reason: 'Evicted' })).toBe('');
    expect(evicted({ phase: 'Failed', reason: 'NodeLost' })).toBeUndefined();
    expect(evicted({ phase: 'Running', reason: 'Evicted' })).toBeUndefined();
  });

  it('of a pod that ended well is told by the condition of the kubelet, or by a warning', () => {
    const condition = (more: JsonObject = {}): JsonObject => ({
      phase: 'Succeeded',
      conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message: 'low on disk', ...more }],
    });
    expect(evicted(condition())).toBe('low on disk');
    expect(evicted(condition({ message: null }))).toBe('');
    for (const other of [{ type: 'Ready' }, { status: 'False' }, { reason: 'PreemptionByScheduler' }])
      expect(evicted(condition(other))).toBeUndefined();
    expect(evicted({ phase: 'Succeeded' }, { said: [['Warning', 'over its limit']] })).toBe('over its limit');
    expect(evicted({ phase: 'Succeeded' }, { said: [['Normal', 'over its limit']] })).toBeUndefined();
    const twice: readonly [string, string][] = [
      ['Warning', 'first'],
      ['Warning', 'last'],
      ['Normal', 'other'],
    ];
    expect(evicted({ phase: 'Succeeded' }, { said: [...twice] })).toBe('last');
    expect(evicted(condition(), { said: [...twice] })).toBe('low on disk');
  });

  it('is not seen in a pod that runs once and has succeeded', () => {
    expect(evicted({ phase: 'Succeeded' }, { spec: { restartPolicy: 'Never' }, said: [['Warning', 'a']] })).toBeUndefined();
    expect(evicted({ phase: 'Succeeded' }, { spec: { restartPolicy: 'OnFailure' }, said: [['Warning', 'a']] })).toBe('a');
  });
});

describe('a message', () => {
  it.each([
    ['Error: ErrImagePull', false],
    ['ImagePullBackOff', false],
    ['Back-off pulling image "web:1.0"', false],
    ['', false],
    [' ', false],
    ['failed to pull image "web:1.0": not found', true],
    ['Error: secret "till" not found', true],
  ])('%j says why: %s', (message, expected) => {
    expect(saysWhy(message)).toBe(expected);
  });
});
