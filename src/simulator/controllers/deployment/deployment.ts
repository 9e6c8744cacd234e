import { asList, asObject, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import { labelSelectorMatcher } from '../../apiserver/selectors.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOfObject } from '../../store/store.ts';
import type { SyncResult, WorkQueue } from '../../components/work-queue.ts';
import { conditionOf, setCondition } from '../conditions.ts';
import { claim, controllerKey, isDeleted, ownedBy, splitKey, withOwnerIndex } from '../ownership.ts';
import { isFinished } from '../pod-state.ts';
import { isRolling, replicasOf, statusNumber, sum } from './arithmetic.ts';
import { desiredOn, findNew } from './replica-sets.ts';
import type { Rollout, Step } from './rollout.ts';
import { deadlineIn, rollRecreate, rollRolling, scaleOnly, writeStatus } from './rollout.ts';
import type { Sets } from './status.ts';
import { allOf, calculateStatus, condition, hasDeadline } from './status.ts';
import { WORDS } from './deployment-messages.ts';

/** Rolls templates out over ReplicaSets. Source: pkg/controller/deployment/deployment_controller.go. */
export const DEPLOYMENT_CONTROLLER: ComponentDefinition = { name: 'deployment-controller', process: 'kube-controller-manager', start };

const MAX_RETRIES = 15;

interface Controller {
  readonly host: ComponentHost;
  readonly deployments: Informer;
  readonly sets: Informer;
  readonly pods: Informer;
}

function start(host: ComponentHost): void {
  const deployments = host.informer({ kind: 'Deployment' }).addIndex('namespace', (deployment) => [deployment.metadata.namespace ?? '']);
  const sets = withOwnerIndex(host.informer({ kind: 'ReplicaSet' }));
  const pods = withOwnerIndex(host.informer({ kind: 'Pod' }));
  const controller: Controller = { host, deployments, sets, pods };
  const queue = host.queue({ name: 'deployment', maxRetries: MAX_RETRIES }, (key) => sync(controller, queue, key));
  deployments.onChange(({ object }) => queue.add(keyOfObject(object)));
  sets.onChange(({ object, previous, type }) => {
    const key = controllerKey(object, 'Deployment');
    const before = previous === undefined ? undefined : controllerKey(previous, 'Deployment');
    if (before !== undefined && before !== key) queue.add(before);
    if (key !== undefined) queue.add(key);
    else if (type !== 'DELETED' && asList(object.metadata['ownerReferences']).length === 0) enqueueMatching(deployments, queue, object);
  });
  pods.onChange(({ object, type }) => {
    if (type === 'DELETED') podGone(controller, queue, object);
  });
}

function enqueueMatching(deployments: Informer, queue: WorkQueue, set: KubeObject): void {
  for (const deployment of deployments.by('namespace', set.metadata.namespace ?? '')) {
    if (labelSelectorMatcher(dig(deployment, 'spec', 'selector'))(labelsOf(set))) queue.add(keyOfObject(deployment));
  }
}

/** A Recreate rollout goes on when the last old pod is gone. */
function podGone({ deployments, sets, pods }: Controller, queue: WorkQueue, pod: KubeObject): void {
  const setKey = controllerKey(pod, 'ReplicaSet');
  const set = setKey === undefined ? undefined : sets.get(...splitKey(setKey));
  const key = set === undefined ? undefined : controllerKey(set, 'Deployment');
  const deployment = key === undefined ? undefined : deployments.get(...splitKey(key));
  if (key === undefined || deployment === undefined || isRolling(deployment)) return;
  if (ownedBy(sets, deployment).every((owned) => ownedBy(pods, owned).length === 0)) queue.add(key);
}

function* sync(controller: Controller, queue: WorkQueue, key: string): Routine<SyncResult> {
  const { host, deployments, sets } = controller;
  const found = deployments.get(...splitKey(key));
  if (found === undefined) return;
  const selector = asObject(dig(found, 'spec', 'selector'));
  if (Object.keys(selector).length === 0) {
    host.events.event(found, { type: 'Warning', ...WORDS.selectingAll });
    return;
  }
  const owned = yield* claim(host, sets, found, labelSelectorMatcher(selector));
  const step = yield* syncOwned(controller, found, owned);
  if (!step.ok) return step.failure.code === 404 ? undefined : { retry: step.failure.message };
  const wait = isDeleted(found) || dig(found, 'spec', 'paused') === true ? undefined : deadlineIn(step.value, host.now());
  if (wait !== undefined) queue.addAfter(key, wait, { background: true });
}

function* syncOwned({ host, pods }: Controller, found: KubeObject, owned: readonly KubeObject[]): Routine<Step<KubeObject>> {
  const sets = split(found, owned);
  if (isDeleted(found)) return yield* writeStatus(host, found, calculateStatus(found, sets, host.now()));
  const checked = yield* notePause(host, found);
  if (!checked.ok) return checked;
  const rollout: Rollout = { host, deployment: checked.value, sets };
  if (dig(found, 'spec', 'paused') === true || wasScaled(found, sets)) return yield* scaleOnly(rollout);
  return isRolling(found) ? yield* rollRolling(rollout) : yield* rollRecreate(rollout, (now) => oldPodsRun(pods, now));
}

function split(deployment: KubeObject, owned: readonly KubeObject[]): Sets {
  const current = findNew(deployment, owned);
  return { current, old: owned.filter((set) => set !== current) };
}

/** Source: pkg/controller/deployment/sync.go (isScalingEvent). */
function wasScaled(deployment: KubeObject, sets: Sets): boolean {
  return allOf(sets).some((set) => replicasOf(set) > 0 && desiredOn(set) !== undefined && desiredOn(set) !== replicasOf(deployment));
}

/** Source: pkg/controller/deployment/sync.go (checkPausedConditions). */
function* notePause(host: ComponentHost, deployment: KubeObject): Routine<Step<KubeObject>> {
  const current = conditionOf(deployment, 'Progressing');
  if (!hasDeadline(deployment) || current?.['reason'] === 'ProgressDeadlineExceeded') return { ok: true, value: deployment };
  const paused = dig(deployment, 'spec', 'paused') === true;
  const noted = current?.['reason'] === 'DeploymentPaused';
  if (paused === noted) return { ok: true, value: deployment };
  const conditions = setCondition(
    asList(dig(deployment, 'status', 'conditions')),
    condition('Progressing', 'Unknown', paused ? WORDS.paused : WORDS.resumed, host.now()),
  );
  return yield* writeStatus(host, deployment, { ...asObject(deployment['status']), conditions });
}

function oldPodsRun(pods: Informer, { old }: Sets): boolean {
  if (sum(old, (set) => statusNumber(set, 'replicas')) > 0) return true;
  return old.some((set) => ownedBy(pods, set).some((pod) => !isFinished(pod)));
}
