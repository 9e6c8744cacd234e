import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, podWith } from '../../support/collected.ts';

const livenessProbe = {
  httpGet: { path: '/healthz', port: 8080 },
  initialDelaySeconds: 10,
  periodSeconds: 10,
  failureThreshold: 3,
  timeoutSeconds: 1,
};

/** A pod whose container ended, time after time, so many seconds after its start. */
function killed(seconds: number, spec: { readonly terminationGracePeriodSeconds?: number } = {}): KubeObject {
  const lastState = { terminated: { exitCode: 137, reason: 'Error', startedAt: ago(seconds + 20), finishedAt: ago(20) } };
  return podWith('web-1', { livenessProbe }, { restartCount: 4, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState }, { spec });
}

function event(reason: string, message: string): KubeObject {
  const involvedObject = { kind: 'Pod', namespace: 'shop', name: 'web-1', fieldPath: 'spec.containers{web}' };
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `web-1.${reason.toLowerCase()}`, namespace: 'shop' },
    type: 'Warning',
    reason,
    message,
    count: 4,
    firstTimestamp: ago(400),
    lastTimestamp: ago(20),
    involvedObject,
  };
}

const KILLS = [
  event('Unhealthy', 'Liveness probe failed: Get "http://10.0.0.9:8080/healthz": context deadline exceeded'),
  event('Killing', 'Container web failed liveness probe, will be restarted'),
];

describe('a container that its liveness probe ends', () => {
  it('never outlived its first window when it lived no longer than probe, timeouts and grace together', async () => {
    // 10 s delay, 3 periods of 10 s, 3 timeouts of 1 s, a grace of 30 s where the pod says none, and 5 s to spare.
    expect(await collected('probe', [killed(78), ...KILLS])).toMatchObject([{ probe: 'liveness', kills: 4, firstWindow: true }]);
    expect(await collected('probe', [killed(79), ...KILLS])).toMatchObject([{ firstWindow: false }]);
    expect(await collected('probe', [killed(54, { terminationGracePeriodSeconds: 5 }), ...KILLS])).toMatchObject([{ firstWindow: false }]);
    expect(await collected('probe', [killed(53, { terminationGracePeriodSeconds: 5 }), ...KILLS])).toMatchObject([{ firstWindow: true }]);
  });

  it('is known by the time it lived where no event tells of it, with the grace that the pod gives', async () => {
    expect(await collected('probe', [killed(75)])).toMatchObject([{ probe: 'liveness', kills: 4 }]);
    expect(await collected('probe', [killed(76)])).toEqual([]);
    expect(await collected('probe', [killed(29)])).toEqual([]);
    expect(await collected('probe', [killed(76, { terminationGracePeriodSeconds: 60 })])).toMatchObject([{ probe: 'liveness', kills: 4 }]);
  });
});

describe('a readiness probe of which nobody tells that it failed', () => {
  it('has to have had the time to succeed as often as it must', async () => {
    const unready = (seconds: number, successThreshold: number): KubeObject =>
      podWith(
        'web-1',
        { readinessProbe: { exec: { command: ['true'] }, periodSeconds: 10, successThreshold } },
        { ready: false, state: { running: { startedAt: ago(seconds) } } },
      );
    expect(await collected('probe', [unready(32, 1)])).toMatchObject([{ probe: 'readiness' }]);
    expect(await collected('probe', [unready(32, 3)])).toEqual([]);
    expect(await collected('probe', [unready(52, 3)])).toMatchObject([{ probe: 'readiness' }]);
  });
});
