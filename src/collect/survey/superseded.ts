import { parseInstant } from '../../base/instant.ts';
import type { Instant } from '../../base/instant.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { largest } from '../../base/lists.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, controllerOf, formatRef, objectKey } from '../../model/kube-object.ts';

/**
 * Failed attempts that a later one made good, by key: a failed pod of a Job whose next pod succeeded, and a failed Job of a CronJob whose
 * next Job did, with its pods; and failed pods of a ReplicaSet that its Deployment has scaled down to 0. They stay until somebody cleans
 * up,
 * and nothing has to be done about them.
 */
export function supersededIn(pods: readonly KubeObject[], workloads: readonly KubeObject[]): ReadonlySet<string> {
  const jobs = new Set(failedBeforeSuccess(workloads).map(objectKey));
  const ofJobs = jobs.size === 0 ? [] : pods.filter((pod) => isOwnedBy(pod, jobs));
  return new Set([...jobs, ...[...ofJobs, ...failedBeforeSuccess(pods), ...ofOldRevisions(pods, workloads)].map(objectKey)]);
}

function ofOldRevisions(pods: readonly KubeObject[], workloads: readonly KubeObject[]): readonly KubeObject[] {
  const old = new Set(
    workloads
      .filter((one) => one.kind === 'ReplicaSet' && controllerOf(one)?.kind === 'Deployment' && dig(one, 'spec', 'replicas') === 0)
      .map(objectKey),
  );
  return pods.filter((pod) => hasFailed(pod) && isOwnedBy(pod, old));
}

function isOwnedBy(pod: KubeObject, owners: ReadonlySet<string>): boolean {
  const owner = controllerOf(pod);
  return owner !== undefined && owners.has(formatRef(owner));
}

function failedBeforeSuccess(objects: readonly KubeObject[]): readonly KubeObject[] {
  const attempts = objects.filter((object) => lineOf(object) !== undefined);
  const successes = new Map<string, Instant>();
  for (const object of attempts) {
    const [line, at] = [lineOf(object), createdAt(object)];
    if (line !== undefined && at !== undefined && hasSucceeded(object)) successes.set(line, Math.max(at, successes.get(line) ?? at));
  }
  return attempts.filter((object) => {
    const [line, at] = [lineOf(object), createdAt(object)];
    const success = line === undefined ? undefined : successes.get(line);
    return success !== undefined && at !== undefined && success > at && success >= (endedAt(object) ?? at) && hasFailed(object);
  });
}

/** Attempts at the same thing: of one Job, and of an indexed Job of one index; of one CronJob. */
function lineOf(object: KubeObject): string | undefined {
  const owner = controllerOf(object);
  const isAttempt = (object.kind === 'Pod' && owner?.kind === 'Job') || (object.kind === 'Job' && owner?.kind === 'CronJob');
  return owner === undefined || !isAttempt
    ? undefined
    : `${formatRef(owner)} ${annotationsOf(object)['batch.kubernetes.io/job-completion-index'] ?? ''}`;
}

function hasSucceeded(object: KubeObject): boolean {
  return object.kind === 'Pod' ? dig(object, 'status', 'phase') === 'Succeeded' : hasCondition(object, 'Complete');
}

function hasFailed(object: KubeObject): boolean {
  return object.kind === 'Pod' ? dig(object, 'status', 'phase') === 'Failed' : hasCondition(object, 'Failed');
}

function hasCondition(object: KubeObject, type: string): boolean {
  return asList(dig(object, 'status', 'conditions')).some(
    (condition) => dig(condition, 'type') === type && dig(condition, 'status') === 'True',
  );
}

function createdAt({ metadata }: KubeObject): Instant | undefined {
  return parseInstant(metadata['creationTimestamp']);
}

/** When a failed attempt was over. */
function endedAt(object: KubeObject): Instant | undefined {
  const times = [
    ...asList(dig(object, 'status', 'containerStatuses')).map((status) => dig(status, 'state', 'terminated', 'finishedAt')),
    ...asList(dig(object, 'status', 'conditions'))
      .filter((condition) => asText(dig(condition, 'type')) === 'Failed')
      .map((condition) => dig(condition, 'lastTransitionTime')),
  ].flatMap((time) => parseInstant(time) ?? []);
  return times.length === 0 ? undefined : largest(times);
}
