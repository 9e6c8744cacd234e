import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { timeOf } from '../../time/api-times.ts';
import type { Unwritten } from '../../outside/unwritten.ts';
import { conditionOf, findCondition, setCondition, withoutCondition } from '../conditions.ts';
import { maxUnavailable, replicasOf, statusNumber, sum } from './arithmetic.ts';
import { WORDS } from './deployment-messages.ts';

/** The new set if there is one, and the others. */
export interface Sets {
  readonly current: KubeObject | undefined;
  readonly old: readonly KubeObject[];
}

export function allOf({ current, old }: Sets): readonly KubeObject[] {
  return current === undefined ? old : [...old, current];
}

/** What the Deployment's sets say of it. Source: pkg/controller/deployment/sync.go (calculateStatus). */
export function calculateStatus(deployment: KubeObject, sets: Sets, now: Instant): JsonObject {
  const all = allOf(sets);
  const available = sum(all, (set) => statusNumber(set, 'availableReplicas'));
  const unavailable = Math.max(0, sum(all, replicasOf) - available);
  const enough = available >= replicasOf(deployment) - maxUnavailable(deployment);
  const conditions = setCondition(
    asList(dig(deployment, 'status', 'conditions')),
    condition('Available', enough ? 'True' : 'False', enough ? WORDS.available : WORDS.unavailable, now),
  );
  const terminating = all.every((set) => asNumber(dig(set, 'status', 'terminatingReplicas')) !== undefined);
  return counted(
    {
      observedGeneration: asNumber(deployment.metadata['generation']) ?? 0,
      replicas: sum(all, (set) => statusNumber(set, 'replicas')),
      updatedReplicas: sets.current === undefined ? 0 : statusNumber(sets.current, 'replicas'),
      readyReplicas: sum(all, (set) => statusNumber(set, 'readyReplicas')),
      availableReplicas: available,
      unavailableReplicas: unavailable,
    },
    {
      ...(terminating ? { terminatingReplicas: sum(all, (set) => statusNumber(set, 'terminatingReplicas')) } : {}),
      ...(dig(deployment, 'status', 'collisionCount') === undefined
        ? {}
        : { collisionCount: asNumber(dig(deployment, 'status', 'collisionCount')) ?? 0 }),
      conditions,
    },
  );
}

/** The status with how the rollout is getting on. Source: pkg/controller/deployment/progress.go (syncRolloutStatus). */
export function rolloutStatus(deployment: KubeObject, sets: Sets, now: Instant, unwritten: Unwritten): JsonObject {
  const status = calculateStatus(deployment, sets, now);
  let conditions = asList(status['conditions']);
  if (!hasDeadline(deployment)) conditions = withoutCondition(conditions, 'Progressing');
  const current = conditionOf(deployment, 'Progressing');
  const finished = number(status, 'replicas') === number(status, 'updatedReplicas') && current?.['reason'] === 'NewReplicaSetAvailable';
  if (hasDeadline(deployment) && !finished) conditions = progressed(deployment, sets, { ...status, conditions }, unwritten, now);
  const failure = [...(sets.current === undefined ? [] : [sets.current]), ...sets.old]
    .map((set) => conditionOf(set, 'ReplicaFailure'))
    .find((found) => found !== undefined);
  if (failure === undefined) conditions = withoutCondition(conditions, 'ReplicaFailure');
  else {
    const { type, status: state, reason, message, lastTransitionTime } = failure;
    conditions = setCondition(conditions, {
      type: type ?? '',
      status: state ?? '',
      lastUpdateTime: lastTransitionTime ?? timeOf(now),
      lastTransitionTime: lastTransitionTime ?? timeOf(now),
      reason: reason ?? '',
      message: message ?? '',
    });
  }
  return { ...status, conditions };
}

/** All replicas are of the new template and available. */
export function isComplete(deployment: KubeObject, status: JsonObject): boolean {
  const wanted = replicasOf(deployment);
  return (
    number(status, 'updatedReplicas') === wanted &&
    number(status, 'replicas') === wanted &&
    number(status, 'availableReplicas') === wanted &&
    number(status, 'observedGeneration') >= (asNumber(deployment.metadata['generation']) ?? 0)
  );
}

export function hasDeadline(deployment: KubeObject): boolean {
  const seconds = deadlineSeconds(deployment);
  return seconds !== undefined && seconds !== NEVER;
}

export function deadlineSeconds(deployment: KubeObject): number | undefined {
  return asNumber(dig(deployment, 'spec', 'progressDeadlineSeconds'));
}

export function condition(
  type: string,
  status: string,
  { reason, message }: { readonly reason: string; readonly message: string },
  now: Instant,
): JsonObject {
  return { type, status, lastUpdateTime: timeOf(now), lastTransitionTime: timeOf(now), reason, message };
}

/** A deadline of so many seconds (2^31-1) is none. */
const NEVER = 2_147_483_647;

function progressed(deployment: KubeObject, sets: Sets, status: JsonObject, unwritten: Unwritten, now: Instant): readonly Json[] {
  const conditions = asList(status['conditions']);
  const what = sets.current === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${sets.current.metadata.name}"`;
  if (isComplete(deployment, status)) return setCondition(conditions, condition('Progressing', 'True', WORDS.complete(what), now));
  if (isProgressing(deployment, status)) return goneOn(conditions, what, now);
  if (!isTimedOut(deployment, conditions, now)) return conditions;
  const ready = unwritten.lastReady(sets.current?.metadata.uid ?? '', now);
  return ready !== undefined && now <= ready + (deadlineSeconds(deployment) ?? 0) * 1000
    ? goneOn(conditions, what, ready)
    : setCondition(conditions, condition('Progressing', 'False', WORDS.timedOut(what), now));
}

function goneOn(conditions: readonly Json[], what: string, now: Instant): readonly Json[] {
  const current = findCondition(conditions, 'Progressing');
  const next = condition('Progressing', 'True', WORDS.progressing(what), now);
  if (current === undefined) return [...conditions, next];
  const kept = current['status'] === 'True' ? { ...next, lastTransitionTime: current['lastTransitionTime'] ?? null } : next;
  return [...withoutCondition(conditions, 'Progressing'), kept];
}

function isProgressing(deployment: KubeObject, status: JsonObject): boolean {
  const old = (field: string): number => statusNumber(deployment, field);
  return (
    number(status, 'updatedReplicas') > old('updatedReplicas') ||
    number(status, 'replicas') - number(status, 'updatedReplicas') < old('replicas') - old('updatedReplicas') ||
    number(status, 'readyReplicas') > old('readyReplicas') ||
    number(status, 'availableReplicas') > old('availableReplicas')
  );
}

function isTimedOut(deployment: KubeObject, conditions: readonly Json[], now: Instant): boolean {
  const current = findCondition(conditions, 'Progressing');
  if (current === undefined || current['reason'] === 'NewReplicaSetAvailable') return false;
  if (current['reason'] === 'ProgressDeadlineExceeded') return true;
  const from = parseInstant(asText(current['lastUpdateTime'])) ?? now;
  return now > from + (deadlineSeconds(deployment) ?? 0) * 1000;
}

function number(status: JsonObject, field: string): number {
  return asNumber(status[field]) ?? 0;
}

/** Counts that are nothing are left out, as Go leaves them out. */
function counted(counts: Readonly<Record<string, number>>, rest: JsonObject): JsonObject {
  return Object.assign(Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)), rest);
}
