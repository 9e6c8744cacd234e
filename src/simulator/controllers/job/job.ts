import type { Json } from '../../../base/json.ts';
import { asList, asObject, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { controllerOf, labelsOf } from '../../../model/kube-object.ts';
import type { Failure } from '../../apiserver/request.ts';
import { labelSelectorMatcher } from '../../apiserver/selectors.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOfObject } from '../../store/store.ts';
import { timeOf } from '../../time/api-times.ts';
import type { SyncResult, WorkQueue } from '../../components/work-queue.ts';
import { findCondition, withoutCondition } from '../conditions.ts';
import { Expectations } from '../expectations.ts';
import { claim, controllerKey, isDeleted, splitKey, withOwnerIndex } from '../ownership.ts';
import { isActive, isTerminating } from '../pod-state.ts';
import { isTracked } from './pods.ts';
import type { Work, Controller } from './work.ts';
import { WORDS, isSuspended, condition } from './work.ts';
import { failuresOf, endingOf, endingByIndex, deadlineIn, isComplete, successesOf, withReleased } from './ending.ts';
import { manage, stopPods } from './manage-pods.ts';
import { track, untrack } from './tracking.ts';

/** Runs pods until enough of them succeeded or too many failed. Source: pkg/controller/job/job_controller.go. */
export const JOB_CONTROLLER: ComponentDefinition = { name: 'job-controller', process: 'kube-controller-manager', start };

/** Changes of pods and of what is not in the spec are gathered for so long. */
const BATCH_MILLISECONDS = 1000;
const RETRY_FROM_MILLISECONDS = 1000;
const RETRY_TO_MILLISECONDS = 60_000;

function start(host: ComponentHost): void {
  const jobs = host.informer({ kind: 'Job' }).addIndex('namespace', (job) => [job.metadata.namespace ?? '']);
  const pods = withOwnerIndex(host.informer({ kind: 'Pod' }));
  const controller: Controller = { host, jobs, pods, expectations: new Expectations(), released: new Set() };
  const queue = host.queue({ name: 'job', retryFrom: RETRY_FROM_MILLISECONDS, retryTo: RETRY_TO_MILLISECONDS }, (key) =>
    sync(controller, queue, key),
  );
  const orphans = host.queue({ name: 'job_orphan_pod' }, (key) => releaseOrphan(controller, key));
  jobs.onChange(({ object, type, previous }) => {
    const isBatched = type === 'MODIFIED' && previous?.metadata['generation'] === object.metadata['generation'];
    if (isBatched) queue.addAfter(keyOfObject(object), BATCH_MILLISECONDS);
    else queue.add(keyOfObject(object));
    if (type === 'DELETED')
      for (const pod of pods.by('controller', object.metadata.uid ?? '')) if (isTracked(pod)) orphans.add(keyOfObject(pod));
  });
  pods.onChange(({ object, type }) => {
    const key = controllerKey(object, 'Job');
    const uid = object.metadata.uid ?? '';
    const tracked = type !== 'DELETED' && isTracked(object);
    if (!tracked) controller.released.delete(uid);
    if (key !== undefined) {
      if (type === 'ADDED') controller.expectations.created(key);
      if (type === 'DELETED' || isDeleted(object)) controller.expectations.deleted(key, uid);
      queue.addAfter(key, BATCH_MILLISECONDS);
    }
    if (key === undefined && type !== 'DELETED' && controllerOf(object) === undefined)
      for (const job of adoptive(object, jobs)) queue.add(job);
    if (tracked && isOrphan(object, key, jobs)) orphans.add(keyOfObject(object));
  });
}

/** The Jobs that a pod without a controller fits. Source: pkg/controller/job/job_controller.go (getPodJobs). */
function adoptive(pod: KubeObject, jobs: Informer): readonly string[] {
  const fits = (job: KubeObject): boolean => !isFinishedJob(job) && labelSelectorMatcher(dig(job, 'spec', 'selector'))(labelsOf(pod));
  return jobs
    .by('namespace', pod.metadata.namespace ?? '')
    .filter(fits)
    .map(keyOfObject);
}

/** Whether no Job counts the pod: it has no controller, or one that is gone. */
function isOrphan(pod: KubeObject, key: string | undefined, jobs: Informer): boolean {
  const owner = controllerOf(pod);
  if (key === undefined) return owner === undefined;
  return jobs.synced && jobs.get(...splitKey(key))?.metadata.uid !== owner?.uid;
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
  work.status = withReleased(work, uncounted);
  if (work.status['startTime'] === undefined && !isSuspended(job)) work.status = withFields(work.status, { startTime: timeOf(host.now()) });
  const succeeded = successesOf(work, uncounted);
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
