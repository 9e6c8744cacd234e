import type { Instant } from '../../../base/instant.ts';
import { asNumber, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Failure } from '../../apiserver/request.ts';
import type { Routine } from '../../time/routine.ts';
import { together } from '../../time/routine.ts';
import type { WorkQueue } from '../../components/work-queue.ts';
import { createPod, deletePod, isNamespaceTerminating, slowStart } from '../pod-control.ts';
import { phaseOf } from '../pod-state.ts';
import { chooseVictims } from '../replicaset/victims.ts';
import { failedIndexes, failsByIndex, failuresByIndex, openIndexes } from './indexes.ts';
import { backoffOf, countsAsFailed, isIndexed, jobPod } from './pods.ts';
import type { Work, Controller } from './work.ts';
import { isSuspended } from './work.ts';

/** Makes pods that are missing, ends those that are too many. Source: job_controller.go (manageJob). */
export function* manage(controller: Controller, queue: WorkQueue, work: Work, succeeded: number): Routine<Failure | undefined> {
  const { host } = controller;
  const { job, key } = work;
  if (isSuspended(job)) {
    yield* stopPods(controller, work);
    return undefined;
  }
  const wanted = wantedPods(work, succeeded);
  const surplus = work.active.length - wanted;
  if (surplus > 0) {
    yield* stopSurplus(controller, work, surplus);
    return undefined;
  }
  const missing = Math.min(wanted - work.active.length - heldBack(work), MAX_POD_CREATIONS);
  if (missing <= 0) return undefined;
  const wait = failsByIndex(job) ? 0 : backoffNow(work, host.now());
  if (wait > 0) {
    queue.addAfter(key, wait);
    return undefined;
  }
  return yield* makePods(controller, queue, work, missing);
}

/** Pods that are ending and whose places are not free yet. */
function heldBack({ job, terminating }: Work): number {
  return dig(job, 'spec', 'podReplacementPolicy') === 'Failed' || dig(job, 'spec', 'podFailurePolicy') !== undefined ? terminating : 0;
}

function backoffNow({ job, pods }: Work, now: Instant): number {
  return backoffOf(
    pods.filter((pod) => countsAsFailed(job, pod)),
    pods.filter((pod) => phaseOf(pod) === 'Succeeded'),
    0,
    now,
  );
}

function* makePods({ host, expectations }: Controller, queue: WorkQueue, work: Work, missing: number): Routine<Failure | undefined> {
  const { job, key } = work;
  const completions = asNumber(dig(job, 'spec', 'completions')) ?? 0;
  const open = isIndexed(job) ? openIndexes(job, work.status, work.pods, { count: missing, completions, now: host.now() }) : undefined;
  if (open?.wait !== undefined) queue.addAfter(key, open.wait);
  const count = open?.indexes.length ?? missing;
  if (count === 0) return undefined;
  const failures = failsByIndex(job) ? failuresByIndex(job, work.pods) : undefined;
  expectations.expectCreations(key, count, host.now());
  const created: KubeObject[] = [];
  const { made, failure } = yield* slowStart(count, function* make(index) {
    const number = open?.indexes[index];
    const failed = failures === undefined ? undefined : (failures.get(number ?? -1)?.count ?? 0);
    const answer = yield* createPod(host, job, jobPod(job, number, failed));
    if (answer.ok) created.push(answer.object);
    return answer;
  });
  if (made < count) expectations.created(key, count - made);
  work.active = [...work.active, ...created];
  return failure !== undefined && isNamespaceTerminating(failure) ? undefined : failure;
}

/** How many pods a Job wants to run now. */
function wantedPods({ job, status, pods, active }: Work, succeeded: number): number {
  const parallelism = asNumber(dig(job, 'spec', 'parallelism')) ?? 1;
  const completions = asNumber(dig(job, 'spec', 'completions'));
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.min(Math.max(0, completions - succeeded - failedIndexes(job, status, pods).size), parallelism);
}

export function* stopPods({ host, expectations }: Controller, work: Work): Routine {
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

const MAX_POD_CREATIONS = 500;
