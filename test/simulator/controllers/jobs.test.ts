import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asText, dig } from '../../../src/base/json.ts';
import { parseSchedule } from '../../../src/simulator/controllers/cronjob/schedule.ts';
import { zoneOffset } from '../../../src/simulator/controllers/cronjob/time-zone.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { send } from '../shop.ts';
import { apply, condition, eventsOf, exists, finish, get, list, names, workshop } from './workshop.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'shop/import:1.0' }] } };
const job = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'import' },
  spec: { template, ...spec },
});

/** The newest pod of an index. */
function podOf(cluster: ReturnType<typeof workshop>, index: string): KubeObject {
  const found = list(cluster, 'Pod').findLast(
    (pod) =>
      dig(pod, 'metadata', 'labels', 'batch.kubernetes.io/job-completion-index') === index && dig(pod, 'status', 'phase') === 'Pending',
  );
  if (found === undefined) throw new Error('no pod');
  return found;
}

describe('Jobs', () => {
  test('a Job is complete when its pod succeeded, and counts it once', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [job()]);
    const [pod] = list(cluster, 'Pod');
    if (pod === undefined) throw new Error('no pod');
    expect(pod.metadata['finalizers']).toEqual(['batch.kubernetes.io/job-tracking']);
    finish(cluster, pod, 0);
    cluster.advance(5000);
    const done = get(cluster, 'Job', 'import');
    expect(condition(done, 'SuccessCriteriaMet')).toBe('True CompletionsReached');
    expect(condition(done, 'Complete')).toBe('True CompletionsReached');
    expect(dig(done, 'status')).toMatchObject({ succeeded: 1, terminating: 0, ready: 0, uncountedTerminatedPods: {} });
    expect(eventsOf(cluster, 'Job', 'import').at(-1)).toBe('Normal Completed Job completed');
    expect(list(cluster, 'Pod')[0]?.metadata['finalizers']).toBeUndefined();
  });

  test('one of indexes counts those that are done, whatever number somebody writes', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [job({ completionMode: 'Indexed', completions: 2, parallelism: 2 })]);
    const patch = { type: 'merge' as const, body: { status: { succeeded: 2 } } };
    send(cluster, 'patch', 'Job', 'import', { subresource: 'status', patch });
    cluster.advance(5000);
    expect(condition(get(cluster, 'Job', 'import'), 'Complete')).toBeUndefined();
    expect(dig(get(cluster, 'Job', 'import'), 'status', 'active')).toBe(2);
  });

  test('what was listed as seen and is not there any more counts, and ends it', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [job()]);
    const patch = { type: 'merge' as const, body: { status: { uncountedTerminatedPods: { succeeded: ['a', 'b'], failed: ['c'] } } } };
    send(cluster, 'patch', 'Job', 'import', { subresource: 'status', patch });
    const status = (): unknown => dig(get(cluster, 'Job', 'import'), 'status');
    cluster.advance(900);
    expect(status()).toMatchObject({ uncountedTerminatedPods: { succeeded: ['a', 'b'] } });
    cluster.advance(10_000);
    expect(status()).toMatchObject({ succeeded: 2, failed: 1, uncountedTerminatedPods: {} });
    expect(condition(get(cluster, 'Job', 'import'), 'Complete')).toBe('True CompletionsReached');
    expect(list(cluster, 'Pod')).toEqual([]);
  });

  test('more failures than the limit end it', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [job({ backoffLimit: 0 })]);
    for (const pod of list(cluster, 'Pod')) finish(cluster, pod, 1);
    cluster.advance(10_000);
    expect(condition(get(cluster, 'Job', 'import'), 'Failed')).toBe('True BackoffLimitExceeded');
    expect(eventsOf(cluster, 'Job', 'import').at(-1)).toBe('Warning BackoffLimitExceeded Job has reached the specified backoff limit');
  });

  test('a failed pod is replaced after ten seconds', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [job()], 8000);
    for (const pod of list(cluster, 'Pod')) finish(cluster, pod, 1);
    cluster.advance(4000);
    expect(list(cluster, 'Pod')).toHaveLength(1);
    cluster.advance(14_000);
    expect(list(cluster, 'Pod')).toHaveLength(2);
  });

  test('a rule of the podFailurePolicy ends it in its own words', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [job({ podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] } })]);
    const [pod] = list(cluster, 'Pod');
    if (pod === undefined) throw new Error('no pod');
    finish(cluster, pod, 42);
    cluster.advance(5000);
    expect(eventsOf(cluster, 'Job', 'import').at(-1)).toBe(
      `Warning PodFailurePolicy Container web for pod shop/${pod.metadata.name} failed with exit code 42 matching FailJob rule at index 0`,
    );
  });

  test('a suspended Job makes no pods until it is resumed, and one past its deadline fails', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [job({ suspend: true })]);
    expect(condition(get(cluster, 'Job', 'import'), 'Suspended')).toBe('True JobSuspended');
    expect(names(cluster, 'Pod')).toEqual([]);
    apply(cluster, [job({ suspend: false, activeDeadlineSeconds: 20 })], 5000);
    expect(eventsOf(cluster, 'Job', 'import')).toContain('Normal Resumed Job resumed');
    expect(list(cluster, 'Pod')).toHaveLength(1);
    cluster.advance(30_000);
    expect(condition(get(cluster, 'Job', 'import'), 'Failed')).toBe('True DeadlineExceeded');
  });

  test('an indexed Job gives each pod its number', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [job({ completionMode: 'Indexed', completions: 3, parallelism: 3 })]);
    expect(
      list(cluster, 'Pod')
        .map((pod) => asText(dig(pod, 'spec', 'hostname')) ?? '')
        .toSorted(),
    ).toEqual(['import-0', 'import-1', 'import-2']);
    for (const pod of list(cluster, 'Pod')) finish(cluster, pod, 0);
    cluster.advance(5000);
    expect(dig(get(cluster, 'Job', 'import'), 'status', 'completedIndexes')).toBe('0-2');
  });

  test('an index that failed too often is given up, and the Job fails when the others are done', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [job({ completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 1 })]);
    finish(cluster, podOf(cluster, '0'), 1);
    finish(cluster, podOf(cluster, '1'), 0);
    cluster.advance(25_000);
    const again = podOf(cluster, '0');
    expect(dig(again, 'metadata', 'annotations', 'batch.kubernetes.io/job-index-failure-count')).toBe('1');
    finish(cluster, again, 1);
    cluster.advance(5000);
    const done = get(cluster, 'Job', 'import');
    expect(dig(done, 'status')).toMatchObject({ completedIndexes: '1', failedIndexes: '0' });
    expect(condition(done, 'Failed')).toBe('True FailedIndexes');
    expect(eventsOf(cluster, 'Job', 'import').at(-1)).toBe('Warning FailedIndexes Job has failed indexes');
  });

  test('more failed indexes than it may have end it at once, and FailIndex gives one up at its first failure', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    const policy = { podFailurePolicy: { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [42] } }] } };
    apply(cluster, [
      job({ completionMode: 'Indexed', completions: 3, parallelism: 3, backoffLimitPerIndex: 5, maxFailedIndexes: 0, ...policy }),
    ]);
    finish(cluster, podOf(cluster, '1'), 42);
    cluster.advance(40_000);
    expect(condition(get(cluster, 'Job', 'import'), 'Failed')).toBe('True MaxFailedIndexesExceeded');
    expect(dig(get(cluster, 'Job', 'import'), 'status', 'failedIndexes')).toBe('1');
  });

  test('a success policy ends it before all are done', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [
      job({
        completionMode: 'Indexed',
        completions: 3,
        parallelism: 3,
        successPolicy: { rules: [{ succeededIndexes: '2' }, { succeededIndexes: '0-1', succeededCount: 1 }] },
      }),
    ]);
    finish(cluster, podOf(cluster, '0'), 0);
    cluster.advance(40_000);
    const done = get(cluster, 'Job', 'import');
    expect(condition(done, 'SuccessCriteriaMet')).toBe('True SuccessPolicy');
    expect(condition(done, 'Complete')).toBe('True SuccessPolicy');
    expect(asText(dig(done, 'status', 'conditions', 0, 'message'))).toBe('Matched rules at index 1');
  });

  test('what ended is deleted when its time is over', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [job({ ttlSecondsAfterFinished: 30 })]);
    for (const pod of list(cluster, 'Pod')) finish(cluster, pod, 0);
    cluster.advance(20_000);
    expect(exists(cluster, 'Job', 'import')).toBe(true);
    cluster.advance(30_000);
    expect(exists(cluster, 'Job', 'import')).toBe(false);
    expect(names(cluster, 'Pod')).toEqual([]);
  });
});

describe('CronJobs', () => {
  const cron = (spec: JsonObject = {}): JsonObject => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'report' },
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template } }, ...spec },
  });

  test('a Job is made at the minute, and when it is done the CronJob has seen it', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [cron()], 62_000);
    const [made] = names(cluster, 'Job');
    expect(made).toMatch(/^report-\d+$/);
    for (const pod of list(cluster, 'Pod')) finish(cluster, pod, 0);
    cluster.advance(4000);
    expect(eventsOf(cluster, 'CronJob', 'report')).toEqual([
      `Normal SuccessfulCreate Created job ${made ?? ''}`,
      `Normal SawCompletedJob Saw completed job: ${made ?? ''}, condition: Complete`,
    ]);
    expect(dig(get(cluster, 'CronJob', 'report'), 'status', 'active')).toBeUndefined();
  });

  test('Forbid starts none while one runs; a suspended one starts none at all', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [cron({ concurrencyPolicy: 'Forbid' })], 130_000);
    expect(list(cluster, 'Job')).toHaveLength(1);
    expect(eventsOf(cluster, 'CronJob', 'report')).toContain(
      'Normal JobAlreadyActive Not starting job because prior execution is running and concurrency policy is Forbid',
    );
    apply(cluster, [cron({ suspend: true })], 130_000);
    expect(list(cluster, 'Job')).toHaveLength(1);
  });

  test('a day that no month has is told as an invalid schedule', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [cron({ schedule: '59 23 31 2 *' })], 62_000);
    expect(eventsOf(cluster, 'CronJob', 'report')).toEqual([
      'Warning InvalidSchedule invalid schedule: 59 23 31 2 * : time difference between two schedules is less than 1 second',
    ]);
  });

  test('schedules are read as robfig/cron reads them', () => {
    const after = Date.UTC(2026, 10, 20, 9, 30);
    const next = (text: string): string => {
      const parsed = parseSchedule(text);
      return parsed.ok ? new Date(parsed.schedule.next(after) ?? Number.NaN).toISOString() : parsed.error;
    };
    expect(next('*/15 * * * *')).toBe('2026-11-20T09:45:00.000Z');
    expect(next('0 3 * * mon-fri')).toBe('2026-11-23T03:00:00.000Z');
    expect(next('0 0 1 * 0')).toBe('2026-11-22T00:00:00.000Z');
    expect(next('@yearly')).toBe('2027-01-01T00:00:00.000Z');
    expect(next('61 * * * *')).toBe('end of range (61) above maximum (59): 61');
    expect(next('* * * *')).toBe('expected exactly 5 fields, found 4: [* * * *]');
  });

  test('time zones move the schedule', () => {
    const after = Date.UTC(2026, 10, 20, 9, 30);
    const parsed = parseSchedule('0 12 * * *', (at) => zoneOffset('Europe/Berlin', at) ?? 0);
    expect(parsed.ok && new Date(parsed.schedule.next(after) ?? 0).toISOString()).toBe('2026-11-20T11:00:00.000Z');
    expect(zoneOffset('Mars/Olympus', after)).toBeUndefined();
  });
});
