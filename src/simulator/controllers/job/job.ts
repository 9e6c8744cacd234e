import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { parseInstant } from '../../../base/instant.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { controllerOf, refOf } from '../../../model/kube-object.ts';
import type { Failure } from '../../apiserver/request.ts';
import { labelSelectorMatcher } from '../../apiserver/selectors.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { together } from '../../time/routine.ts';
import { keyOfObject } from '../../store/store.ts';
import { timeOf } from '../../time/api-times.ts';
import type { SyncResult, WorkQueue } from '../../components/work-queue.ts';
import { findCondition, withoutCondition } from '../conditions.ts';
import { Expectations } from '../expectations.ts';
import { claim, controllerKey, isDeleted, splitKey, withOwnerIndex } from '../ownership.ts';
import { createPod, deletePod, isNamespaceTerminating, slowStart } from '../pod-control.ts';
import { isActive, isReady, isTerminating, phaseOf } from '../pod-state.ts';
import { chooseVictims } from '../replicaset/victims.ts';
import { failedIndexes, failsByIndex, failuresByIndex, indexEnding, openIndexes, succeededIndexes, successMatch } from './indexes.ts';
import {
  backoffOf,
  countsAsFailed,
  formatIndexes,
  indexOf,
  isIndexed,
  isTracked,
  jobPod,
  matchPolicy,
  parseIndexes,
  restartSum,
  TRACKING,
} from './pods.ts';

/** Runs pods until enough of them succeeded or too many failed. Source: pkg/controller/job/job_controller.go. */
export const JOB_CONTROLLER: ComponentDefinition = { name: 'job-controller', process: 'kube-controller-manager', start };

/** Changes of pods are gathered for so long. */
const BATCH_MILLISECONDS = 1000;
const RETRY_FROM_MILLISECONDS = 1000;
const RETRY_TO_MILLISECONDS = 60_000;
const MAX_POD_CREATIONS = 500;

/** Source: staging/src/k8s.io/api/batch/v1/types.go, job_controller.go. */
const WORDS = {
  complete: { reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' },
  backoff: { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' },
  deadline: { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' },
  suspended: { reason: 'JobSuspended', message: 'Job suspended' },
  resumed: { reason: 'JobResumed', message: 'Job resumed' },
} as const;

interface Controller {
  readonly host: ComponentHost;
  readonly jobs: Informer;
  readonly pods: Informer;
  readonly expectations: Expectations;
  /** Uids of pods whose finalizer was taken away, until the cache has seen it. */
  readonly released: Set<string>;
}

function start(host: ComponentHost): void {
  const jobs = host.informer({ kind: 'Job' });
  const pods = withOwnerIndex(host.informer({ kind: 'Pod' }));
  const controller: Controller = { host, jobs, pods, expectations: new Expectations(), released: new Set() };
  const queue = host.queue({ name: 'job', retryFrom: RETRY_FROM_MILLISECONDS, retryTo: RETRY_TO_MILLISECONDS }, (key) =>
    sync(controller, queue, key),
  );
  const orphans = host.queue({ name: 'job_orphan_pod' }, (key) => releaseOrphan(controller, key));
  jobs.onChange(({ object, type }) => {
    queue.add(keyOfObject(object));
    if (type === 'DELETED')
      for (const pod of pods.by('controller', object.metadata.uid ?? '')) if (isTracked(pod)) orphans.add(keyOfObject(pod));
  });
  pods.onChange(({ object, type }) => {
    const key = controllerKey(object, 'Job');
    const uid = object.metadata.uid ?? '';
    if (type === 'DELETED' || !isTracked(object)) controller.released.delete(uid);
    if (key === undefined) {
      if (type !== 'DELETED' && isTracked(object) && controllerOf(object) === undefined) orphans.add(keyOfObject(object));
      return;
    }
    if (type === 'ADDED') controller.expectations.created(key);
    if (type === 'DELETED' || isDeleted(object)) controller.expectations.deleted(key, uid);
    queue.addAfter(key, BATCH_MILLISECONDS);
    if (type !== 'DELETED' && isTracked(object) && jobs.synced && jobs.get(...splitKey(key))?.metadata.uid !== controllerOf(object)?.uid)
      orphans.add(keyOfObject(object));
  });
}

/** A pod whose Job is gone is not counted by anyone any more. */
function* releaseOrphan({ host, pods, jobs }: Controller, key: string): Routine<SyncResult> {
  const pod = pods.get(...splitKey(key));
  if (pod === undefined || !isTracked(pod)) return;
  const owner = controllerKey(pod, 'Job');
  if (owner !== undefined && jobs.get(...splitKey(owner))?.metadata.uid === controllerOf(pod)?.uid) return;
  const failure = yield* untrack(host, pod);
  return failure === undefined ? undefined : { retry: failure.message };
}

function* untrack(host: ComponentHost, pod: KubeObject): Routine<Failure | undefined> {
  const kept = asList(pod.metadata['finalizers']).filter((finalizer) => finalizer !== TRACKING);
  const answer = yield* host.client.patch(refOf(pod), 'merge', {
    metadata: { uid: pod.metadata.uid ?? null, finalizers: kept.length === 0 ? null : kept },
  });
  return answer.ok || answer.code === 404 ? undefined : answer;
}

/** What a sync has found out so far. */
interface Work {
  readonly job: KubeObject;
  readonly key: string;
  readonly pods: readonly KubeObject[];
  /** Neither finished nor being deleted. */
  active: readonly KubeObject[];
  terminating: number;
  status: JsonObject;
  conditions: readonly Json[];
  /** How the Job ends, once it does. */
  ending: Ending | undefined;
}

interface Ending {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

function* sync(controller: Controller, queue: WorkQueue, key: string): Routine<SyncResult> {
  const { host, jobs, pods, expectations, released } = controller;
  const job = jobs.get(...splitKey(key));
  if (job === undefined) {
    expectations.forget(key);
    return;
  }
  if (isFinishedJob(job) || isOfAnother(job)) return;
  const owned = yield* claim(host, pods, job, labelSelectorMatcher(dig(job, 'spec', 'selector')));
  const ready = expectations.satisfied(key, host.now());
  const work: Work = {
    job,
    key,
    pods: owned,
    active: owned.filter(isActive),
    terminating: owned.filter(isTerminating).length,
    status: asObject(job['status']),
    conditions: asList(dig(job, 'status', 'conditions')),
    ending: undefined,
  };
  const uncounted = owned.filter((pod) => isTracked(pod) && !released.has(pod.metadata.uid ?? ''));
  if (work.status['startTime'] === undefined && !isSuspended(job)) work.status = withFields(work.status, { startTime: timeOf(host.now()) });
  const succeededPods = uncounted.filter((pod) => phaseOf(pod) === 'Succeeded');
  const succeeded = countOf(work, 'succeeded') + succeededPods.length;
  const { failed, policy } = failuresOf(work, uncounted);
  work.ending = endingOf(controller, work, failed, policy) ?? endingByIndex(work);
  let failure: Failure | undefined;
  if (work.ending !== undefined) yield* stopPods(controller, work);
  else {
    if (ready && !isDeleted(job)) failure = yield* manage(controller, queue, work, succeeded);
    if (isComplete(work, succeeded)) work.ending = { type: 'Complete', ...WORDS.complete };
    noteSuspension(controller, work);
  }
  if (work.ending !== undefined) work.conditions = withInterim(work, host);
  const outcome = yield* track(controller, work, uncounted);
  if (outcome !== undefined) return { retry: outcome.message };
  if (failure !== undefined) return { retry: failure.message };
  const deadline = deadlineIn(host, work);
  if (deadline !== undefined) queue.addAfter(key, deadline, { background: true });
}

function isFinishedJob(job: KubeObject): boolean {
  return asList(dig(job, 'status', 'conditions')).some(
    (condition) => (dig(condition, 'type') === 'Complete' || dig(condition, 'type') === 'Failed') && dig(condition, 'status') === 'True',
  );
}

/** Whether another controller is to run it: this one leaves it alone. Source: pkg/controller/job/job_controller.go (controllerName). */
function isOfAnother(job: KubeObject): boolean {
  const manager = dig(job, 'spec', 'managedBy');
  return manager !== undefined && manager !== 'kubernetes.io/job-controller';
}

function isSuspended(job: KubeObject): boolean {
  return dig(job, 'spec', 'suspend') === true;
}

function countOf({ status }: Pick<Work, 'status'>, field: string): number {
  return asNumber(status[field]) ?? 0;
}

function failuresOf(work: Work, uncounted: readonly KubeObject[]): { readonly failed: number; readonly policy: string | undefined } {
  let failed = countOf(work, 'failed');
  let policy: string | undefined;
  for (const pod of uncounted) {
    if (!countsAsFailed(work.job, pod)) continue;
    const match = phaseOf(pod) === 'Failed' ? matchPolicy(work.job, pod) : undefined;
    if (match?.action === 'FailJob') policy ??= match.message;
    if (match?.action !== 'Ignore') failed++;
  }
  return { failed, policy };
}

function endingOf({ host }: Controller, work: Work, failed: number, policy: string | undefined): Ending | undefined {
  const known = findCondition(work.conditions, 'FailureTarget') ?? findCondition(work.conditions, 'SuccessCriteriaMet');
  if (known !== undefined)
    return {
      type: known['type'] === 'FailureTarget' ? 'Failed' : 'Complete',
      reason: asText(known['reason']) ?? '',
      message: asText(known['message']) ?? '',
    };
  if (policy !== undefined) return { type: 'Failed', reason: 'PodFailurePolicy', message: policy };
  const limit = asNumber(dig(work.job, 'spec', 'backoffLimit')) ?? 6;
  const restarts = dig(work.job, 'spec', 'template', 'spec', 'restartPolicy') === 'OnFailure' ? restartSum(work.pods) : 0;
  if (failed > limit || (restarts > 0 && restarts >= limit)) return { type: 'Failed', ...WORDS.backoff };
  const wait = deadlineIn(host, work);
  return wait !== undefined && wait <= 0 ? { type: 'Failed', ...WORDS.deadline } : undefined;
}

/** Indexes that failed end a Job before those that succeeded do. */
function endingByIndex({ job, status, pods }: Work): Ending | undefined {
  const succeeded = succeededIndexes(job, status, pods);
  const failed = indexEnding(job, failedIndexes(job, status, pods).size, succeeded.size);
  if (failed !== undefined) return { type: 'Failed', ...failed };
  const met = successMatch(job, succeeded);
  return met === undefined ? undefined : { type: 'Complete', ...met };
}

function deadlineIn(host: ComponentHost, work: Work): number | undefined {
  const seconds = asNumber(dig(work.job, 'spec', 'activeDeadlineSeconds'));
  const started = parseInstant(work.status['startTime']);
  if (seconds === undefined || started === undefined || isSuspended(work.job) || work.ending !== undefined) return undefined;
  return started + seconds * 1000 - host.now();
}

function isComplete(work: Work, succeeded: number): boolean {
  const completions = asNumber(dig(work.job, 'spec', 'completions'));
  if (completions === undefined) return succeeded > 0 && work.active.length === 0;
  return succeeded >= completions;
}

function* stopPods({ host, expectations }: Controller, work: Work): Routine {
  if (work.active.length === 0) return;
  expectations.expectDeletions(
    work.key,
    work.active.map((pod) => pod.metadata.uid ?? ''),
    host.now(),
  );
  const answers = yield* together(work.active.map((pod) => deletePod(host, work.job, pod)));
  for (const [index, answer] of answers.entries()) if (!answer.ok) expectations.deleted(work.key, work.active[index]?.metadata.uid ?? '');
  work.terminating += work.active.length;
  work.active = [];
}

function* stopSurplus({ host, expectations }: Controller, work: Work, surplus: number): Routine {
  const victims = chooseVictims(work.active, surplus, host.now());
  expectations.expectDeletions(
    work.key,
    victims.map((pod) => pod.metadata.uid ?? ''),
    host.now(),
  );
  yield* together(victims.map((pod) => deletePod(host, work.job, pod)));
  work.active = work.active.filter((pod) => !victims.includes(pod));
  work.terminating += victims.length;
}

/** How many pods a Job wants to run now. */
function wantedPods({ job, status, pods, active }: Work, succeeded: number): number {
  const parallelism = asNumber(dig(job, 'spec', 'parallelism')) ?? 1;
  const completions = asNumber(dig(job, 'spec', 'completions'));
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.min(Math.max(0, completions - succeeded - failedIndexes(job, status, pods).size), parallelism);
}

/** Makes pods that are missing, ends those that are too many. Source: job_controller.go (manageJob). */
function* manage(controller: Controller, queue: WorkQueue, work: Work, succeeded: number): Routine<Failure | undefined> {
  const { host, expectations } = controller;
  const { job, key } = work;
  if (isSuspended(job)) {
    yield* stopPods(controller, work);
    return undefined;
  }
  const completions = asNumber(dig(job, 'spec', 'completions'));
  const wanted = wantedPods(work, succeeded);
  const surplus = work.active.length - wanted;
  if (surplus > 0) {
    yield* stopSurplus(controller, work, surplus);
    return undefined;
  }
  const held =
    dig(job, 'spec', 'podReplacementPolicy') === 'Failed' || dig(job, 'spec', 'podFailurePolicy') !== undefined ? work.terminating : 0;
  const missing = Math.min(wanted - work.active.length - held, MAX_POD_CREATIONS);
  if (missing <= 0) return undefined;
  const wait = failsByIndex(job)
    ? 0
    : backoffOf(
        work.pods.filter((pod) => countsAsFailed(job, pod)),
        work.pods.filter((pod) => phaseOf(pod) === 'Succeeded'),
        0,
        host.now(),
      );
  if (wait > 0) {
    queue.addAfter(key, wait);
    return undefined;
  }
  const open = isIndexed(job)
    ? openIndexes(job, work.status, work.pods, { count: missing, completions: completions ?? 0, now: host.now() })
    : undefined;
  if (open?.wait !== undefined) queue.addAfter(key, open.wait);
  const count = open?.indexes.length ?? missing;
  if (count === 0) return undefined;
  const failures = failsByIndex(job) ? failuresByIndex(job, work.pods) : undefined;
  expectations.expectCreations(key, count, host.now());
  const created: KubeObject[] = [];
  const { made, failure } = yield* slowStart(count, function* make(index) {
    const number = open?.indexes[index];
    const answer = yield* createPod(
      host,
      job,
      jobPod(job, number, failures === undefined ? undefined : (failures.get(number ?? -1)?.count ?? 0)),
    );
    if (answer.ok) created.push(answer.object);
    return answer;
  });
  if (made < count) expectations.created(key, count - made);
  work.active = [...work.active, ...created];
  return failure !== undefined && isNamespaceTerminating(failure) ? undefined : failure;
}

/** Source: job_controller.go (syncJob, setting of JobSuspended). */
function noteSuspension({ host }: Controller, work: Work): void {
  const known = findCondition(work.conditions, 'Suspended');
  if (isSuspended(work.job)) {
    if (work.ending !== undefined || known?.['status'] === 'True') return;
    work.conditions = [...withoutCondition(work.conditions, 'Suspended'), condition(host, 'Suspended', 'True', WORDS.suspended)];
    work.status = withFields(work.status, { startTime: undefined });
    host.events.event(work.job, { type: 'Normal', reason: 'Suspended', message: WORDS.suspended.message });
  } else if (known?.['status'] === 'True') {
    work.conditions = [...withoutCondition(work.conditions, 'Suspended'), condition(host, 'Suspended', 'False', WORDS.resumed)];
    work.status = withFields(work.status, { startTime: timeOf(host.now()) });
    host.events.event(work.job, { type: 'Normal', reason: 'Resumed', message: WORDS.resumed.message });
  }
}

/** What says that the Job will end, before its pods are gone. */
function withInterim({ ending, conditions }: Work, host: ComponentHost): readonly Json[] {
  const type = ending?.type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  if (ending === undefined || findCondition(conditions, type) !== undefined) return conditions;
  return [...conditions, condition(host, type, 'True', ending)];
}

function condition(
  host: ComponentHost,
  type: string,
  status: string,
  words: { readonly reason: string; readonly message: string },
): JsonObject {
  return {
    type,
    status,
    lastProbeTime: timeOf(host.now()),
    lastTransitionTime: timeOf(host.now()),
    reason: words.reason,
    message: words.message,
  };
}

/**
 * Counts what ended without counting twice: first the pods are listed as seen, then let go, then counted, and last the Job ends.
 * Source: job_controller.go (trackJobStatusAndRemoveFinalizers).
 */
function* track(controller: Controller, work: Work, uncounted: readonly KubeObject[]): Routine<Failure | undefined> {
  const { host, released } = controller;
  const { job, ending } = work;
  const done = uncounted.filter((pod) => phaseOf(pod) === 'Succeeded');
  const lost = uncounted.filter((pod) => !done.includes(pod) && (countsAsFailed(job, pod) || ending !== undefined || isDeleted(job)));
  const counted = lost.filter((pod) => phaseOf(pod) !== 'Failed' || matchPolicy(job, pod)?.action !== 'Ignore');
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

function uids(pods: readonly KubeObject[]): readonly string[] {
  return pods.map((pod) => pod.metadata.uid ?? '');
}
