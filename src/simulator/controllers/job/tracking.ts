import type { JsonObject } from '../../../base/json.ts';
import { asList, asText } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import type { Failure } from '../../apiserver/request.ts';
import type { ComponentHost } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { timeOf } from '../../time/api-times.ts';
import { isDeleted } from '../ownership.ts';
import { isReady, phaseOf } from '../pod-state.ts';
import { failedIndexes, failsByIndex } from './indexes.ts';
import { countsAsFailed, formatIndexes, indexOf, isIndexed, matchPolicy, parseIndexes, TRACKING } from './pods.ts';
import type { Work, Ending, Controller } from './work.ts';
import { countOf, condition } from './work.ts';

/**
 * Counts what ended without counting twice: first the pods are listed as seen, then let go, then counted, and last the Job ends.
 * Source: job_controller.go (trackJobStatusAndRemoveFinalizers).
 */
export function* track(controller: Controller, work: Work, uncounted: readonly KubeObject[]): Routine<Failure | undefined> {
  const { host, released } = controller;
  const { job, ending } = work;
  const done = uncounted.filter((pod) => phaseOf(pod) === 'Succeeded');
  const lost = uncounted.filter((pod) => !done.includes(pod) && (countsAsFailed(job, pod) || ending !== undefined || isDeleted(job)));
  // What still runs when a Job fails has failed; where it succeeds, nothing has.
  const counted = lost.filter(
    (pod) =>
      (ending?.type === 'Failed' || countsAsFailed(job, pod)) && (phaseOf(pod) !== 'Failed' || matchPolicy(job, pod)?.action !== 'Ignore'),
  );
  const seen = { ...(done.length === 0 ? {} : { succeeded: uids(done) }), ...(counted.length === 0 ? {} : { failed: uids(counted) }) };
  const base = statusOf(work, seen, countOf(work, 'succeeded'), countOf(work, 'failed'), asText(work.status['completedIndexes']));
  const first = yield* writeStatus(host, job, base);
  if (!first.ok) return first.failure;
  let failure: Failure | undefined;
  for (const pod of [...done, ...lost]) {
    const failed = yield* untrack(host, pod);
    if (failed === undefined) released.add(pod.metadata.uid ?? '');
    failure ??= failed;
  }
  if (failure !== undefined) return failure;
  const completed = completedIndexes(work, done);
  const final = statusOf(
    work,
    {},
    completed === undefined ? countOf(work, 'succeeded') + done.length : parseIndexes(completed).size,
    countOf(work, 'failed') + counted.length,
    completed,
  );
  const ended = ending !== undefined && work.terminating === 0 ? finished(host, work, final, ending) : final;
  const second = yield* writeStatus(host, first.job, ended);
  if (!second.ok) return second.failure;
  if (ended !== final && ending !== undefined) announce(host, job, ending);
  return undefined;
}

function completedIndexes(work: Work, done: readonly KubeObject[]): string | undefined {
  if (!isIndexed(work.job)) return undefined;
  const indexes = parseIndexes(asText(work.status['completedIndexes']) ?? '');
  for (const pod of done) {
    const index = indexOf(pod);
    if (index !== undefined) indexes.add(index);
  }
  return formatIndexes(indexes);
}

function statusOf(work: Work, uncounted: JsonObject, succeeded: number, failed: number, completed: string | undefined): JsonObject {
  const { startTime } = work.status as { readonly startTime?: string };
  return {
    ...(work.conditions.length === 0 ? {} : { conditions: work.conditions }),
    ...(startTime === undefined ? {} : { startTime }),
    ...(work.active.length === 0 ? {} : { active: work.active.length }),
    ...(succeeded === 0 ? {} : { succeeded }),
    ...(failed === 0 ? {} : { failed }),
    ...(completed === undefined || completed === '' ? {} : { completedIndexes: completed }),
    ...(failsByIndex(work.job) ? { failedIndexes: formatIndexes(failedIndexes(work.job, work.status, work.pods)) } : {}),
    terminating: work.terminating,
    uncountedTerminatedPods: uncounted,
    ready: work.active.filter(isReady).length,
  };
}

function finished(host: ComponentHost, work: Work, status: JsonObject, ending: Ending): JsonObject {
  const conditions = [...work.conditions, condition(host, ending.type, 'True', ending)];
  return { ...status, conditions, ...(ending.type === 'Complete' ? { completionTime: timeOf(host.now()) } : {}) };
}

function announce(host: ComponentHost, job: KubeObject, ending: Ending): void {
  if (ending.type === 'Complete') host.events.event(job, { type: 'Normal', reason: 'Completed', message: 'Job completed' });
  else host.events.event(job, { type: 'Warning', reason: ending.reason, message: ending.message });
}

type Written = { readonly ok: true; readonly job: KubeObject } | { readonly ok: false; readonly failure: Failure };

function* writeStatus(host: ComponentHost, job: KubeObject, status: JsonObject): Routine<Written> {
  if (sameJson(job['status'], status)) return { ok: true, job };
  const answer = yield* host.client.updateStatus(withFields(job, { status }));
  return answer.ok ? { ok: true, job: answer.object } : { ok: false, failure: answer };
}

export function* untrack(host: ComponentHost, pod: KubeObject): Routine<Failure | undefined> {
  const kept = asList(pod.metadata['finalizers']).filter((finalizer) => finalizer !== TRACKING);
  const answer = yield* host.client.patch(refOf(pod), 'merge', {
    metadata: { uid: pod.metadata.uid ?? null, finalizers: kept.length === 0 ? null : kept },
  });
  return answer.ok || answer.code === 404 ? undefined : answer;
}

function uids(pods: readonly KubeObject[]): readonly string[] {
  return pods.map((pod) => pod.metadata.uid ?? '');
}
