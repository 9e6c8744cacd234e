import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import { parseInstant } from '../../../base/instant.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { ComponentHost } from '../../components/component.ts';
import { findCondition } from '../conditions.ts';
import { phaseOf } from '../pod-state.ts';
import { failedIndexes, indexEnding, succeededIndexes, successMatch } from './indexes.ts';
import { countsAsFailed, isIndexed, matchPolicy, restartSum } from './pods.ts';
import type { Work, Ending, Controller } from './work.ts';
import { WORDS, isSuspended, countOf } from './work.ts';

export function failuresOf(work: Work, uncounted: readonly KubeObject[]): { readonly failed: number; readonly policy: string | undefined } {
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

/**
 * The status with what was listed as seen and is not there any more in its counts. Source: pkg/controller/job/job_controller.go
 * (cleanUncountedPodsWithoutFinalizers).
 */
export function withReleased(work: Work, uncounted: readonly KubeObject[]): JsonObject {
  const held = new Set<Json | undefined>(uncounted.map((pod) => pod.metadata.uid));
  const counts = ['succeeded', 'failed'].map((field) => {
    const released = asList(dig(work.status, 'uncountedTerminatedPods', field)).filter((uid) => !held.has(uid)).length;
    return [field, released === 0 ? work.status[field] : countOf(work, field) + released] as const;
  });
  return withFields(work.status, Object.fromEntries(counts));
}

/** Of indexes, those that are done count, whatever number the status has. */
export function successesOf(work: Work, uncounted: readonly KubeObject[]): number {
  if (isIndexed(work.job)) return succeededIndexes(work.job, work.status, work.pods).size;
  return countOf(work, 'succeeded') + uncounted.filter((pod) => phaseOf(pod) === 'Succeeded').length;
}

export function endingOf({ host }: Controller, work: Work, failed: number, policy: string | undefined): Ending | undefined {
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
export function endingByIndex({ job, status, pods }: Work): Ending | undefined {
  const succeeded = succeededIndexes(job, status, pods);
  const failed = indexEnding(job, failedIndexes(job, status, pods).size, succeeded.size);
  if (failed !== undefined) return { type: 'Failed', ...failed };
  const met = successMatch(job, succeeded);
  return met === undefined ? undefined : { type: 'Complete', ...met };
}

export function deadlineIn(host: ComponentHost, work: Work): number | undefined {
  const seconds = asNumber(dig(work.job, 'spec', 'activeDeadlineSeconds'));
  const started = parseInstant(work.status['startTime']);
  if (seconds === undefined || started === undefined || isSuspended(work.job) || work.ending !== undefined) return undefined;
  return started + seconds * 1000 - host.now();
}

export function isComplete(work: Work, succeeded: number): boolean {
  const completions = asNumber(dig(work.job, 'spec', 'completions'));
  if (completions === undefined) return succeeded > 0 && work.active.length === 0;
  return succeeded >= completions;
}
