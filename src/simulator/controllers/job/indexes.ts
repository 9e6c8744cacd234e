import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import type { Instant } from '../../../base/instant.ts';
import { parseInteger } from '../../../base/number.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import { isActive, phaseOf } from '../pod-state.ts';
import { countsAsFailed, FAILURE_COUNT, finishedAt, indexOf, isIndexed, matchPolicy, parseIndexes } from './pods.ts';

/** Jobs whose indexes fail and succeed one by one. Source: pkg/controller/job/{indexed_job_utils,backoff_utils,success_policy}.go. */

export function failsByIndex(job: KubeObject): boolean {
  return isIndexed(job) && dig(job, 'spec', 'backoffLimitPerIndex') !== undefined;
}

/** Indexes that were done before, and those whose pods have succeeded since. */
export function succeededIndexes(job: KubeObject, status: Json, pods: readonly KubeObject[]): ReadonlySet<number> {
  const indexes = parseIndexes(asText(dig(status, 'completedIndexes')) ?? '');
  for (const pod of pods) {
    const index = indexOf(pod);
    if (index !== undefined && phaseOf(pod) === 'Succeeded') indexes.add(index);
  }
  return isIndexed(job) ? indexes : new Set();
}

/** Indexes that failed more often than they may, or once in a way the policy says is enough. */
export function failedIndexes(job: KubeObject, status: Json, pods: readonly KubeObject[]): ReadonlySet<number> {
  const indexes = parseIndexes(asText(dig(status, 'failedIndexes')) ?? '');
  if (!failsByIndex(job)) return indexes;
  const limit = asNumber(dig(job, 'spec', 'backoffLimitPerIndex')) ?? 0;
  for (const [index, { count, last }] of failuresByIndex(job, pods)) {
    if (count > limit || matchPolicy(job, last)?.action === 'FailIndex') indexes.add(index);
  }
  return indexes;
}

interface IndexFailures {
  readonly count: number;
  /** The pod that failed last. */
  readonly last: KubeObject;
}

/** Pods that fail for a reason the policy ignores count for nothing. */
export function failuresByIndex(job: KubeObject, pods: readonly KubeObject[]): ReadonlyMap<number, IndexFailures> {
  const failures = new Map<number, IndexFailures>();
  for (const pod of pods) {
    const index = indexOf(pod);
    if (index === undefined || !countsAsFailed(job, pod)) continue;
    const before = parseInteger(annotationsOf(pod)[FAILURE_COUNT]) ?? 0;
    const count = matchPolicy(job, pod)?.action === 'Ignore' ? before : before + 1;
    const known = failures.get(index);
    if (known === undefined || finishedAt(known.last) <= finishedAt(pod)) failures.set(index, { count, last: pod });
  }
  return failures;
}

export interface OpenIndexes {
  readonly indexes: readonly number[];
  /** Milliseconds until the next one that has to wait may be tried again; undefined when none waits. */
  readonly wait: number | undefined;
}

const BACKOFF_MILLISECONDS = 10_000;
const LONGEST_BACKOFF_MILLISECONDS = 600_000;

/** Indexes that need a pod, lowest first. Where indexes fail by themselves, each waits by itself. */
export function openIndexes(
  job: KubeObject,
  status: Json,
  pods: readonly KubeObject[],
  { count, completions, now }: { readonly count: number; readonly completions: number; readonly now: Instant },
): OpenIndexes {
  const taken = new Set([...succeededIndexes(job, status, pods), ...failedIndexes(job, status, pods)]);
  for (const pod of pods) {
    const index = indexOf(pod);
    if (index !== undefined && isActive(pod)) taken.add(index);
  }
  const failures = failsByIndex(job) ? failuresByIndex(job, pods) : new Map<number, IndexFailures>();
  const open: number[] = [];
  let wait: number | undefined;
  for (let index = 0; index < completions && open.length < count; index++) {
    if (taken.has(index)) continue;
    const failed = failures.get(index);
    const rest =
      failed === undefined || failed.count === 0
        ? 0
        : finishedAt(failed.last) +
          Math.min(LONGEST_BACKOFF_MILLISECONDS, BACKOFF_MILLISECONDS * 2 ** Math.min(30, failed.count - 1)) -
          now;
    if (rest > 0) wait = Math.min(wait ?? rest, rest);
    else open.push(index);
  }
  return { indexes: open, wait };
}

/** Why the Job fails by its indexes; undefined when it does not. */
export function indexEnding(
  job: KubeObject,
  failed: number,
  succeeded: number,
): { readonly reason: string; readonly message: string } | undefined {
  if (!failsByIndex(job) || failed === 0) return undefined;
  const most = asNumber(dig(job, 'spec', 'maxFailedIndexes'));
  if (most !== undefined && failed > most)
    return { reason: 'MaxFailedIndexesExceeded', message: 'Job has exceeded the specified maximal number of failed indexes' };
  return failed + succeeded >= (asNumber(dig(job, 'spec', 'completions')) ?? 0)
    ? { reason: 'FailedIndexes', message: 'Job has failed indexes' }
    : undefined;
}

/** The words of the first success rule that is met. */
export function successMatch(
  job: KubeObject,
  succeeded: ReadonlySet<number>,
): { readonly reason: string; readonly message: string } | undefined {
  if (!isIndexed(job) || succeeded.size === 0) return undefined;
  for (const [index, rule] of asList(dig(job, 'spec', 'successPolicy', 'rules')).entries()) {
    const [named, count] = [asText(dig(rule, 'succeededIndexes')), asNumber(dig(rule, 'succeededCount'))];
    const wanted = named === undefined ? succeeded : parseIndexes(named);
    const done = [...wanted].filter((one) => succeeded.has(one)).length;
    if (count === undefined ? done === wanted.size && named !== undefined : done >= count)
      return { reason: 'SuccessPolicy', message: `Matched rules at index ${index}` };
  }
  return undefined;
}
