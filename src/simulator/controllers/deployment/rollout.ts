import type { JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import { parseInstant } from '../../../base/instant.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf, refOf } from '../../../model/kube-object.ts';
import type { Failure } from '../../apiserver/request.ts';
import type { ComponentHost } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { conditionOf, setCondition } from '../conditions.ts';
import { isControlledBy, isDeleted } from '../ownership.ts';
import { isNamespaceTerminating } from '../pod-control.ts';
import { isRolling, maxSurge, maxUnavailable, newReplicas, proportionOf, replicasOf, statusNumber, sum } from './arithmetic.ts';
import {
  byAge,
  compareRevisions,
  desiredOn,
  hasTemplateOf,
  lastRevision,
  markedNew,
  newReplicaSet,
  resized,
  REVISION,
  revisionOf,
} from './replica-sets.ts';
import type { Sets } from './status.ts';
import { allOf, calculateStatus, condition, deadlineSeconds, hasDeadline, isComplete, rolloutStatus } from './status.ts';
import { WORDS } from './deployment-messages.ts';

/** What a step of a sync came to: a failure to try again for, or what goes on from here. */
export type Step<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export interface Rollout {
  readonly host: ComponentHost;
  readonly deployment: KubeObject;
  readonly sets: Sets;
}

/**
 * Moves pods from the old sets to the new one, never above or below what the strategy allows. Source: pkg/controller/deployment/rolling.go.
 */
export function* rollRolling(start: Rollout): Routine<Step<KubeObject>> {
  const prepared = yield* withCurrent(start);
  if (!prepared.ok) return prepared;
  const rollout = prepared.value;
  const { deployment, sets } = rollout;
  if (sets.current !== undefined) {
    const scaled = yield* growCurrent(rollout, sets.current);
    if (!scaled.ok) return scaled;
    if (scaled.value !== sets.current) return yield* writeRollout({ ...rollout, sets: { ...sets, current: scaled.value } });
    const shrunk = yield* shrinkOld(rollout, sets.current);
    if (!shrunk.ok) return shrunk;
    if (shrunk.value.some((set, index) => set !== sets.old[index]))
      return yield* writeRollout({ ...rollout, sets: { ...sets, old: shrunk.value } });
  }
  if (isComplete(deployment, asObject(deployment['status']))) yield* forgetOldRevisions(rollout);
  return yield* writeRollout(rollout);
}

/** Ends every old pod before the first new one is made. Source: pkg/controller/deployment/recreate.go. */
export function* rollRecreate(start: Rollout, oldPodsRun: (sets: Sets) => boolean): Routine<Step<KubeObject>> {
  const active = start.sets.old.filter((set) => replicasOf(set) > 0);
  if (active.length > 0) {
    const old = [...start.sets.old];
    for (const [index, set] of start.sets.old.entries()) {
      if (replicasOf(set) === 0) continue;
      const scaled = yield* scale(start, set, 0);
      if (!scaled.ok) return scaled;
      old[index] = scaled.value;
    }
    return yield* writeRollout({ ...start, sets: { ...start.sets, old } });
  }
  if (oldPodsRun(start.sets)) return yield* writeRollout(start);
  const prepared = yield* withCurrent(start);
  if (!prepared.ok) return prepared;
  const rollout = prepared.value;
  let { current } = rollout.sets;
  if (current !== undefined) {
    const scaled = yield* scale(rollout, current, replicasOf(rollout.deployment));
    if (!scaled.ok) return scaled;
    current = scaled.value;
  }
  if (isComplete(rollout.deployment, asObject(rollout.deployment['status']))) yield* forgetOldRevisions(rollout);
  return yield* writeRollout({ ...rollout, sets: { ...rollout.sets, current } });
}

/** A Deployment that is paused, or was scaled: sizes change, templates do not. Source: pkg/controller/deployment/sync.go (sync, scale). */
export function* scaleOnly(start: Rollout): Routine<Step<KubeObject>> {
  const marked = start.sets.current === undefined ? ({ ok: true, value: start } as const) : yield* markCurrent(start, start.sets.current);
  if (!marked.ok) return marked;
  const scaled = yield* scaleAll(marked.value);
  if (!scaled.ok) return scaled;
  if (dig(scaled.value.deployment, 'spec', 'paused') === true) yield* forgetOldRevisions(scaled.value);
  const { host, deployment, sets } = scaled.value;
  return yield* writeStatus(host, deployment, calculateStatus(deployment, sets, host.now()));
}

/** Writes a status if it says something new; the Deployment as it is then. */
export function* writeStatus(host: ComponentHost, deployment: KubeObject, status: JsonObject): Routine<Step<KubeObject>> {
  if (sameJson(deployment['status'], status)) return { ok: true, value: deployment };
  const answer = yield* host.client.updateStatus(withFields(deployment, { status }));
  return answer.ok ? { ok: true, value: answer.object } : { ok: false, failure: answer };
}

/** Milliseconds until it is known whether the deadline was kept; undefined when nobody waits for it. */
export function deadlineIn(deployment: KubeObject, now: number): number | undefined {
  const current = conditionOf(deployment, 'Progressing');
  if (!hasDeadline(deployment) || current === undefined) return undefined;
  if (
    isComplete(deployment, asObject(deployment['status'])) ||
    current['reason'] === 'ProgressDeadlineExceeded' ||
    current['reason'] === 'NewReplicaSetAvailable'
  )
    return undefined;
  const from = parseInstant(asText(current['lastUpdateTime'])) ?? now;
  return Math.max(0, from + (deadlineSeconds(deployment) ?? 0) * 1000 - now) + 1000;
}

function* writeRollout({ host, deployment, sets }: Rollout): Routine<Step<KubeObject>> {
  return yield* writeStatus(host, deployment, rolloutStatus(deployment, sets, host.now(), host.world.unwritten));
}

/** Source: pkg/controller/deployment/sync.go (getNewReplicaSet). */
function* withCurrent(rollout: Rollout): Routine<Step<Rollout>> {
  const { current } = rollout.sets;
  return current === undefined ? yield* createCurrent(rollout) : yield* markCurrent(rollout, current);
}

function* markCurrent(rollout: Rollout, current: KubeObject): Routine<Step<Rollout>> {
  const { host, deployment, sets } = rollout;
  const revision = lastRevision(sets.old) + 1n;
  const marked = markedNew(deployment, current, revision);
  let set = current;
  if (marked !== current) {
    const answer = yield* host.client.update(marked);
    if (!answer.ok) return { ok: false, failure: answer };
    set = answer.object;
  }
  const found =
    hasDeadline(deployment) && conditionOf(deployment, 'Progressing') === undefined ? WORDS.found(current.metadata.name) : undefined;
  const noted = yield* note(rollout, String(revisionOf(set)), found);
  return noted.ok ? { ok: true, value: { host, deployment: noted.value, sets: { ...sets, current: set } } } : noted;
}

function* createCurrent(rollout: Rollout): Routine<Step<Rollout>> {
  const { host, deployment, sets } = rollout;
  const revision = lastRevision(sets.old) + 1n;
  const replicas = newReplicas(deployment, sets.old, 0);
  const wanted = newReplicaSet(deployment, revision, replicas);
  const name = asText(wanted.metadata['name']) ?? '';
  const answer = yield* host.client.create(wanted);
  let set = answer.ok ? answer.object : undefined;
  if (!answer.ok) {
    if (answer.reason !== 'AlreadyExists') return yield* creationFailed(rollout, name, answer);
    const there = yield* host.client.get({
      kind: 'ReplicaSet',
      ...(deployment.metadata.namespace === undefined ? {} : { namespace: deployment.metadata.namespace }),
      name,
    });
    if (!there.ok) return { ok: false, failure: there };
    if (!isControlledBy(there.object, deployment) || !hasTemplateOf(there.object, deployment)) return yield* collided(rollout, answer);
    set = there.object;
  }
  if (answer.ok && replicas > 0) host.events.event(deployment, { type: 'Normal', ...WORDS.scaled('up', name, 0, replicas) });
  const noted = yield* note(rollout, String(revision), answer.ok && hasDeadline(deployment) ? WORDS.created(name) : undefined);
  return noted.ok ? { ok: true, value: { host, deployment: noted.value, sets: { ...sets, current: set } } } : noted;
}

function* creationFailed({ host, deployment }: Rollout, name: string, failure: Failure): Routine<Step<Rollout>> {
  if (isNamespaceTerminating(failure)) return { ok: false, failure };
  const words = WORDS.createFailed(name, failure.message);
  if (hasDeadline(deployment)) {
    const conditions = setCondition(asList(dig(deployment, 'status', 'conditions')), condition('Progressing', 'False', words, host.now()));
    yield* writeStatus(host, deployment, { ...asObject(deployment['status']), conditions });
  }
  host.events.event(deployment, { type: 'Warning', ...words });
  return { ok: false, failure };
}

/** The name is taken by a set of another template: the next hash will be another. */
function* collided({ host, deployment }: Rollout, failure: Failure): Routine<Step<Rollout>> {
  const collisionCount = (asNumber(dig(deployment, 'status', 'collisionCount')) ?? 0) + 1;
  yield* writeStatus(host, deployment, { ...asObject(deployment['status']), collisionCount });
  return { ok: false, failure };
}

/** Writes the revision, and what has begun, on the Deployment. */
function* note(
  { host, deployment }: Rollout,
  revision: string,
  words: { readonly reason: string; readonly message: string } | undefined,
): Routine<Step<KubeObject>> {
  const annotations = annotationsOf(deployment);
  const sameRevision = annotations[REVISION] === revision;
  if (sameRevision && words === undefined) return { ok: true, value: deployment };
  const metadata = sameRevision
    ? deployment.metadata
    : withFields(deployment.metadata, { annotations: { ...annotations, [REVISION]: revision } });
  const status = asObject(deployment['status']);
  const conditions =
    words === undefined
      ? status['conditions']
      : setCondition(asList(status['conditions']), condition('Progressing', 'True', words, host.now()));
  const answer = yield* host.client.updateStatus(withFields(deployment, { metadata, status: withFields(status, { conditions }) }));
  return answer.ok ? { ok: true, value: answer.object } : { ok: false, failure: answer };
}

function* growCurrent(rollout: Rollout, current: KubeObject): Routine<Step<KubeObject>> {
  const wanted = replicasOf(rollout.deployment);
  if (replicasOf(current) === wanted) return { ok: true, value: current };
  if (replicasOf(current) > wanted) return yield* scale(rollout, current, wanted);
  return yield* scale(rollout, current, newReplicas(rollout.deployment, allOf(rollout.sets), replicasOf(current)));
}

/** Source: rolling.go (reconcileOldReplicaSets): first those that are not healthy, then as many as availability allows. */
function* shrinkOld(rollout: Rollout, current: KubeObject): Routine<Step<readonly KubeObject[]>> {
  const { deployment, sets } = rollout;
  const result = [...sets.old];
  if (sum(result, replicasOf) === 0) return { ok: true, value: result };
  const least = replicasOf(deployment) - maxUnavailable(deployment);
  const newUnavailable = replicasOf(current) - statusNumber(current, 'availableReplicas');
  let budget = sum(allOf(sets), replicasOf) - least - newUnavailable;
  if (budget <= 0) return { ok: true, value: result };
  for (const set of byAge(sets.old)) {
    const unhealthy = replicasOf(set) - statusNumber(set, 'availableReplicas');
    if (budget <= 0 || unhealthy <= 0) continue;
    const step = Math.min(budget, unhealthy);
    const scaled = yield* scale(rollout, set, replicasOf(set) - step);
    if (!scaled.ok) return scaled;
    result[sets.old.indexOf(set)] = scaled.value;
    budget -= step;
  }
  let surplus = sum([...result, current], (set) => statusNumber(set, 'availableReplicas')) - least;
  for (const set of byAge(result)) {
    if (surplus <= 0 || replicasOf(set) === 0) continue;
    const step = Math.min(replicasOf(set), surplus);
    const scaled = yield* scale(rollout, set, replicasOf(set) - step);
    if (!scaled.ok) return scaled;
    result[result.indexOf(set)] = scaled.value;
    surplus -= step;
  }
  return { ok: true, value: result };
}

function* scaleAll(rollout: Rollout): Routine<Step<Rollout>> {
  const { deployment, sets } = rollout;
  const wanted = replicasOf(deployment);
  const active = allOf(sets).filter((set) => replicasOf(set) > 0);
  const only = active.length === 1 ? active[0] : active.length === 0 ? (sets.current ?? byAge(sets.old).at(-1)) : undefined;
  if (only !== undefined) return replicasOf(only) === wanted ? { ok: true, value: rollout } : yield* rescaled(rollout, [[only, wanted]]);
  if (sets.current !== undefined && isSaturated(deployment, sets.current))
    return yield* rescaled(
      rollout,
      sets.old.filter((set) => replicasOf(set) > 0).map((set) => [set, 0] as const),
    );
  if (!isRolling(deployment) || active.length === 0) return { ok: true, value: rollout };
  const allowed = wanted > 0 ? wanted + maxSurge(deployment) : 0;
  const toAdd = allowed - sum(active, replicasOf);
  const ordered = [...active].sort(
    (a, b) => replicasOf(b) - replicasOf(a) || (toAdd > 0 ? compareRevisions(b, a) : compareRevisions(a, b)),
  );
  let added = 0;
  const sizes = ordered.map((set): [KubeObject, number] => {
    const share = toAdd === 0 ? 0 : proportionOf(deployment, set, toAdd, added);
    added += share;
    return [set, replicasOf(set) + share];
  });
  const [first] = sizes;
  if (first !== undefined && toAdd !== 0) first[1] = Math.max(0, first[1] + toAdd - added);
  return yield* rescaled(rollout, sizes);
}

function isSaturated(deployment: KubeObject, set: KubeObject): boolean {
  const wanted = replicasOf(deployment);
  return replicasOf(set) === wanted && desiredOn(set) === wanted && statusNumber(set, 'availableReplicas') === wanted;
}

function* rescaled(rollout: Rollout, sizes: readonly (readonly [KubeObject, number])[]): Routine<Step<Rollout>> {
  let { current, old } = rollout.sets;
  for (const [set, size] of sizes) {
    const scaled = yield* scale(rollout, set, size);
    if (!scaled.ok) return scaled;
    if (set === current) current = scaled.value;
    else old = old.map((other) => (other === set ? scaled.value : other));
  }
  return { ok: true, value: { ...rollout, sets: { current, old } } };
}

function* scale({ host, deployment }: Rollout, set: KubeObject, size: number): Routine<Step<KubeObject>> {
  const from = replicasOf(set);
  const wanted = resized(deployment, set, size);
  if (wanted === set) return { ok: true, value: set };
  const answer = yield* host.client.update(wanted);
  if (!answer.ok) return { ok: false, failure: answer };
  if (from !== size)
    host.events.event(deployment, { type: 'Normal', ...WORDS.scaled(from < size ? 'up' : 'down', set.metadata.name, from, size) });
  return { ok: true, value: answer.object };
}

/** Source: pkg/controller/deployment/sync.go (cleanupDeployment). */
function* forgetOldRevisions({ host, deployment, sets }: Rollout): Routine {
  const limit = asNumber(dig(deployment, 'spec', 'revisionHistoryLimit'));
  if (limit === undefined) return;
  const candidates = sets.old.filter((set) => !isDeleted(set));
  const surplus = candidates.length - limit;
  if (surplus <= 0) return;
  const oldest = [...candidates].sort(compareRevisions).slice(0, surplus);
  for (const set of oldest) {
    const settled =
      statusNumber(set, 'replicas') === 0 &&
      replicasOf(set) === 0 &&
      (asNumber(set.metadata['generation']) ?? 0) <= statusNumber(set, 'observedGeneration');
    if (settled) yield* host.client.delete(refOf(set));
  }
}
