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
  { list = 'containers', phase = 'Running', restartPolicy = 'Always' } = {},
): ContainerHealth['condition'] | undefined {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1', namespace: 'shop' },
    spec: { restartPolicy, [list]: [{ name: 'web' }] },
    status: { phase, [list.replace(/s$/, 'Statuses')]: status === undefined ? [] : [{ name: 'web', ...status }] },
  };
  return healthOf(pod, NOW)[0]?.condition;
}

function ended(exitCode: number, lasted: number, since: number): Json {
  return { terminated: { exitCode, startedAt: ago(since + lasted), finishedAt: ago(since) } };
}

/** The times of a run that took so long. */
function lasting(seconds: number): Readonly<Record<string, Json>> {
  return { startedAt: ago(9000), finishedAt: ago(9000 - seconds) };
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
    ['restarting', { ready: true, state: { running: { startedAt: ago(5) } }, lastState: ended(1, 5, 6) }],
    ['well', { ready: true, restartCount: 0, state: { running: { startedAt: ago(5) } }, lastState: ended(1, 5, 6) }],
    ['well', { ready: true, restartCount: 1, state: { running: {} }, lastState: ended(1, 5, 6) }],
    ['unknown', {}],
    ['unknown', { ready: false }],
    ['unknown', { ready: true, lastState: ended(1, 5, 6) }],
    ['failed', { ready: false, lastState: ended(1, 5, 6) }],
    ['well', { ready: true, restartCount: 0, state: { running: { startedAt: ago(30) } }, lastState: ended(1, 5, 31) }],
    ['failed', { ready: false, lastState: ended(1, 5, 2) }],
    ['unknown', { ready: true, lastState: ended(1, 5, 2) }],
  ] as const)('is %s with the status %j', (condition, status) => {
    expect(conditionOf(status)).toBe(condition);
  });

  it.each<[condition: string, runs: number, last: Readonly<Record<string, Json>>]>([
    ['restarting', 59, { exitCode: 1, ...lasting(20) }],
    ['well', 60, { exitCode: 1, ...lasting(20) }],
    ['restarting', 62, { exitCode: 1, ...lasting(21) }],
    ['well', 63, { exitCode: 1, ...lasting(21) }],
    ['restarting', 599, { exitCode: 1, ...lasting(3599) }],
    ['well', 600, { exitCode: 1, ...lasting(3599) }],
    ['well', 1, { exitCode: 1, ...lasting(3600) }],
    ['restarting', 599, { exitCode: 137, reason: 'OOMKilled', ...lasting(3600) }],
    ['restarting', 59, { exitCode: 1 }],
    ['well', 60, { exitCode: 1 }],
    ['restarting', 59, { exitCode: 137, reason: 'OOMKilled' }],
    ['well', 60, { exitCode: 137, reason: 'OOMKilled' }],
    ['well', 1, { exitCode: 255, reason: 'Unknown', ...lasting(20) }],
    ['well', 1, { exitCode: 137, reason: 'ContainerStatusUnknown', ...lasting(20) }],
  ])('is %s %d s after a restart, with the last run %j', (condition, runs, last) => {
    const status = { ready: true, restartCount: 1, state: { running: { startedAt: ago(runs) } }, lastState: { terminated: last } };
    expect(conditionOf(status)).toBe(condition);
  });

  it('of a container that may end is done when it has', () => {
    expect(conditionOf({ state: ended(0, 5, 2) }, { restartPolicy: 'Never' })).toBe('done');
    expect(conditionOf({ state: ended(0, 5, 2) }, { phase: 'Succeeded' })).toBe('done');
    expect(conditionOf({ state: ended(0, 5, 2) }, { list: 'initContainers' })).toBe('done');
    expect(conditionOf({ state: { running: { startedAt: ago(5) } } }, { list: 'initContainers' })).toBe('busy');
    expect(conditionOf({ state: ended(0, 5, 2) }, { restartPolicy: 'OnFailure' })).toBe('done');
    expect(conditionOf({ state: ended(1, 5, 2) }, { restartPolicy: 'Never' })).toBe('failed');
    expect(conditionOf({ state: ended(1, 5, 2) }, { list: 'initContainers' })).toBe('failed');
    expect(conditionOf({ state: ended(0, 5, 2) }, { list: 'ephemeralContainers' })).toBe('done');
  });
});
