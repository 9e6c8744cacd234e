import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { ago, collected, evidenceOf, objectOf } from '../../../support/collected.ts';

function cronJob(spec: JsonObject, status: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return objectOf(
    'CronJob',
    'nightly',
    { spec: { schedule: '0 * * * *', ...spec }, status },
    { creationTimestamp: ago(9000), ...metadata },
  );
}

function job(name: string, seconds: number, status: JsonObject = {}, namespace = 'shop'): KubeObject {
  return objectOf('Job', name, { spec: {}, status }, { namespace, creationTimestamp: ago(seconds) });
}

const schedule = async (...objects: readonly KubeObject[]): Promise<Readonly<Record<string, unknown>>> =>
  (await collected('schedule', objects))[0] ?? {};
const quote = async (...objects: readonly KubeObject[]): Promise<unknown> =>
  (await evidenceOf(objects)).facts.find(({ kind }) => kind === 'schedule')?.quote;

describe('a CronJob', () => {
  it('has missed the starts that were due since the last one, or since it was made', async () => {
    expect(await schedule(cronJob({}))).toEqual({ policy: 'Allow', cron: '0 * * * *', active: 0, missed: 3 });
    expect(await schedule(cronJob({}, { lastScheduleTime: ago(3600) }))).toMatchObject({ missed: 1 });
    expect(await schedule(cronJob({ schedule: '* * * * *' }))).toMatchObject({ missed: 100 });
    for (const unknown of [
      cronJob({ timeZone: 'Asia/Kathmandu' }),
      cronJob({ schedule: 'nonsense' }),
      cronJob({}, {}, { creationTimestamp: null }),
    ])
      expect(await schedule(unknown)).not.toHaveProperty('missed');
  });

  it('has what its spec says', async () => {
    expect(await schedule(cronJob({ suspend: true, concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 30 }))).toMatchObject({
      suspended: true,
      policy: 'Forbid',
      deadlineSeconds: 30,
    });
    const row: KubeObject = { ...cronJob({}), [OBSERVED]: ['metadata', 'spec.schedule'] };
    expect(await schedule(row)).toEqual({ cron: '0 * * * *', missed: 3 });
    for (const [impossible, cron] of [
      [true, '0 0 31 2 *'],
      [true, '0 0 31 4,6,9,11 *'],
      [undefined, '0 0 29 2 *'],
      [undefined, '0 0 31 2 1'],
      [undefined, '0 0 * 2 1'],
    ] as const)
      expect((await schedule(cronJob({ schedule: cron })))['impossible'], cron).toBe(impossible);
    expect(await schedule(cronJob({ timeZone: 'Asia/Kathmandu' }))).toMatchObject({ timeZone: 'Asia/Kathmandu' });
  });

  it('names the Job that still runs, and for how long', async () => {
    const active = cronJob({}, { active: [{ name: 'nightly-1' }, { name: 'nightly-2' }], lastScheduleTime: ago(60) });
    expect(await schedule(active, job('nightly-1', 300))).toMatchObject({ active: 2, job: 'nightly-1', runningSeconds: 300 });
    expect(await schedule(active, job('nightly-1', 300, { startTime: ago(290) }))).toMatchObject({ runningSeconds: 290 });
    for (const other of [job('nightly-2', 300), objectOf('Deployment', 'nightly-1', { spec: {} })]) {
      const found = await schedule(active, other);
      expect(found).toMatchObject({ job: 'nightly-1' });
      expect(found).not.toHaveProperty('runningSeconds');
    }
    expect(await schedule(active, job('nightly-1', -5))).toMatchObject({ runningSeconds: 0 });
  });

  it('is quoted with its schedule', async () => {
    expect(await quote(cronJob({}))).toBe('schedule 0 * * * *, concurrencyPolicy Allow, active Jobs: 0, missed starts: 3');
    expect(await quote(cronJob({ timeZone: 'UTC', concurrencyPolicy: 'Replace' }))).toBe(
      'schedule 0 * * * *, concurrencyPolicy Replace, active Jobs: 0',
    );
    expect(await quote({ ...cronJob({ schedule: null }), [OBSERVED]: ['metadata'] })).toBe(
      'schedule ?, concurrencyPolicy ?, active Jobs: 0',
    );
  });

  it('is none of the other workloads', async () => {
    expect(await collected('schedule', [job('nightly-1', 5), objectOf('Deployment', 'web', { spec: {} })])).toEqual([]);
  });
});
