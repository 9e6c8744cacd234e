import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import type { ContainerHealth } from '../../../src/collect/containers/container-health.ts';
import { healthOf } from '../../../src/collect/containers/container-health.ts';

const NOW = Date.parse('2026-01-15T12:00:00Z');

function ago(seconds: number): string {
  return new Date(NOW - seconds * 1000).toISOString();
}

function conditionOf(
  status: Readonly<Record<string, Json>> | undefined,
  { init = false, phase = 'Running', restartPolicy = 'Always' } = {},
): ContainerHealth['condition'] | undefined {
  const [specs, statuses] = init ? ['initContainers', 'initContainerStatuses'] : ['containers', 'containerStatuses'];
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1', namespace: 'shop' },
    spec: { restartPolicy, [specs]: [{ name: 'web' }] },
    status: { phase, [statuses]: status === undefined ? [] : [{ name: 'web', ...status }] },
  };
  return healthOf(pod, NOW)[0]?.condition;
}

function ended(exitCode: number, lasted: number, since: number): Json {
  return { terminated: { exitCode, startedAt: ago(since + lasted), finishedAt: ago(since) } };
}

describe('the condition of a container', () => {
  it.each([
    ['unstarted', undefined],
    ['unstarted', { state: { waiting: { reason: 'ContainerCreating' } } }],
    ['unstarted', { state: { waiting: { reason: 'PodInitializing' } } }],
    ['unstarted', { state: { waiting: {} } }],
    ['failed', { state: { waiting: { reason: 'PodInitializing' } }, lastState: ended(0, 5, 2) }],
    ['failed', { state: { waiting: { reason: 'CrashLoopBackOff' } } }],
    ['failed', { state: { waiting: { reason: 'CreateContainerConfigError' } } }],
    ['failed', { state: ended(1, 5, 2) }],
    ['failed', { state: ended(0, 5, 2) }],
    ['unready', { ready: false, state: { running: { startedAt: ago(30) } } }],
    ['well', { ready: true, state: { running: { startedAt: ago(30) } } }],
    ['restarting', { ready: true, restartCount: 2, state: { running: { startedAt: ago(30) } }, lastState: ended(1, 5, 31) }],
    ['well', { ready: true, restartCount: 2, state: { running: { startedAt: ago(90) } }, lastState: ended(1, 5, 91) }],
    ['restarting', { ready: true, restartCount: 2, state: { running: { startedAt: ago(300) } }, lastState: ended(1, 200, 301) }],
    ['well', { ready: true, restartCount: 2, state: { running: { startedAt: ago(700) } }, lastState: ended(1, 5000, 701) }],
  ] as const)('is %s with the status %j', (condition, status) => {
    expect(conditionOf(status)).toBe(condition);
  });

  it('of a container that may end is done when it has', () => {
    expect(conditionOf({ state: ended(0, 5, 2) }, { restartPolicy: 'Never' })).toBe('done');
    expect(conditionOf({ state: ended(0, 5, 2) }, { phase: 'Succeeded' })).toBe('done');
    expect(conditionOf({ state: ended(0, 5, 2) }, { init: true })).toBe('done');
    expect(conditionOf({ state: { running: { startedAt: ago(5) } } }, { init: true })).toBe('busy');
  });
});
