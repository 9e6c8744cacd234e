import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../src/base/instant.ts';
import { newestTime } from '../../../src/clusters/snapshot/snapshot-time.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';

function newest(...objects: readonly object[]): string | undefined {
  const at = newestTime(objects.map((object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, ...object })) as KubeObject[]);
  return at === undefined ? undefined : formatInstant(at);
}

describe('the time of a snapshot', () => {
  it('is the newest time that something happened at', () => {
    expect(
      newest({ metadata: { name: 'web', creationTimestamp: '2026-11-20T10:00:00Z', managedFields: [{ time: '2026-11-20T10:05:00Z' }] } }),
    ).toBe('2026-11-20T10:05:00Z');
    expect(newest({ status: { containerStatuses: [{ state: { running: { startedAt: '2026-11-20T10:06:00Z' } } }] } })).toBe(
      '2026-11-20T10:06:00Z',
    );
    expect(newest({ metadata: { name: 'web', annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-20T10:07:00+00:00' } } })).toBe(
      '2026-11-20T10:07:00Z',
    );
    expect(
      newest(
        { kind: 'Event', lastTimestamp: '2026-11-20T10:08:00Z' },
        { kind: 'Event', lastTimestamp: null, series: { lastObservedTime: '2026-11-20T10:09:00.5Z' } },
      ),
    ).toBe('2026-11-20T10:09:00Z');
    expect(newest({ kind: 'CronJob', status: { lastScheduleTime: '2026-11-20T10:10:00Z' } })).toBe('2026-11-20T10:10:00Z');
    expect(newest({ kind: 'Lease', spec: { renewTime: '2026-11-20T10:11:00.000000Z' } })).toBe('2026-11-20T10:11:00Z');
    expect(newest({ kind: 'Basket', status: { conditions: [{ lastTransitionTime: '2026-11-20T10:12:00Z' }] } })).toBe(
      '2026-11-20T10:12:00Z',
    );
  });

  it('is none where nothing is dated', () => expect(newest({ spec: { nodeName: 'worker-1' } })).toBeUndefined());

  it('does not follow times of the future: certificates, deadlines, next runs, specs', () => {
    const happened = { metadata: { name: 'web', creationTimestamp: '2026-11-20T10:00:00Z', deletionTimestamp: '2026-11-20T10:30:00Z' } };
    expect(
      newest(
        happened,
        { spec: { expirationTime: '2030-01-01T00:00:00Z', startTime: '2030-01-01T00:00:00Z' } },
        { metadata: { name: 'web', annotations: { 'auth.example/certificate-not-after': '2030-01-01T00:00:00Z' } } },
        {
          status: {
            renewalTime: '2030-01-01T00:00:00Z',
            expirationTimestamp: '2030-01-01T00:00:00Z',
            nextScheduleTime: '2030-01-01T00:00:00Z',
          },
        },
        { kind: 'Certificate', status: { notAfter: '2030-01-01T00:00:00Z', finishedAt: '2030-01-01T00:00:00Z' } },
      ),
    ).toBe('2026-11-20T10:00:00Z');
  });
});
