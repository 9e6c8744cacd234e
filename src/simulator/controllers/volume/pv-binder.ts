import type { Json, JsonObject } from '../../../base/json.ts';
import { asObject, asList, asText, dig } from '../../../base/json.ts';
import { sameJson, withFields, withPath } from '../../../base/json-edit.ts';
import { withoutUndefined } from '../../../base/without-undefined.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import type { Failure } from '../../apiserver/request.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOf, keyOfObject } from '../../store/store.ts';
import type { SyncResult, WorkQueue } from '../../components/work-queue.ts';
import { isDeleted, splitKey } from '../ownership.ts';
import { isFinished, nodeNameOf } from '../pod-state.ts';
import {
  BETA_STORAGE_PROVISIONER,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  classOf,
  findVolume,
  isReservedFor,
  mismatch,
  SELECTED_NODE,
  STORAGE_PROVISIONER,
} from './matching.ts';
import { VOLUME_WORDS } from './volume-messages.ts';

/** Brings claims and volumes together. Source: pkg/controller/volume/persistentvolume/pv_controller.go. */
export const PV_BINDER: ComponentDefinition = {
  name: 'persistent-volume-binder',
  process: 'kube-controller-manager',
  eventSource: 'persistentvolume-controller',
  start,
};

/** All claims and volumes are looked at anew this often; what is not ready says so each time. */
const RESYNC_MILLISECONDS = 15_000;
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

interface Controller {
  readonly host: ComponentHost;
  readonly begun: number;
  readonly claims: Informer;
  readonly volumes: Informer;
  readonly classes: Informer;
  readonly pods: Informer;
  readonly claimQueue: WorkQueue;
  readonly volumeQueue: WorkQueue;
  /** Claims that are not bound yet. */
  readonly pending: Set<string>;
}

function start(host: ComponentHost): void {
  const claims = host.informer({ kind: 'PersistentVolumeClaim' });
  const volumes = host.informer({ kind: 'PersistentVolume' }).addIndex('claim', claimKeys);
  const classes = host.informer({ kind: 'StorageClass' });
  const pods = host.informer({ kind: 'Pod' }).addIndex('claim', podClaimKeys);
  const claimQueue = host.queue({ name: 'claims', workers: 1 }, (key) => syncClaim(controller, key));
  const volumeQueue = host.queue({ name: 'volumes', workers: 1 }, (name) => syncVolume(controller, name));
  const controller: Controller = { host, begun: host.now(), claims, volumes, classes, pods, claimQueue, volumeQueue, pending: new Set() };
  claims.onChange(({ object, type }) => {
    const key = keyOfObject(object);
    if (type === 'DELETED') {
      controller.pending.delete(key);
      for (const volume of volumes.by('claim', key)) volumeQueue.add(volume.metadata.name);
    } else claimQueue.add(key);
  });
  volumes.onChange(({ object, type }) => {
    const [key] = claimKeys(object);
    if (type === 'DELETED') {
      if (key !== undefined) claimQueue.add(key);
      return;
    }
    volumeQueue.add(object.metadata.name);
    if (type === 'ADDED') resyncSoon(controller);
  });
  classes.onChange(({ type }) => type === 'ADDED' && resyncSoon(controller));
}

/** Claims that wait learn of a new volume or class with the next resync. */
function resyncSoon({ host, claimQueue, pending, begun }: Controller): void {
  for (const key of pending) claimQueue.addAfter(key, nextResync(begun, host.now()));
}

function nextResync(begun: number, now: number): number {
  return RESYNC_MILLISECONDS - ((now - begun) % RESYNC_MILLISECONDS);
}

function claimKeys(volume: KubeObject): readonly string[] {
  const name = asText(dig(volume, 'spec', 'claimRef', 'name'));
  return name === undefined ? [] : [keyOf(asText(dig(volume, 'spec', 'claimRef', 'namespace')), name)];
}

/** The claims a pod uses, by key: those it names, and those made for its ephemeral volumes. */
export function podClaimKeys(pod: KubeObject): readonly string[] {
  const volumes = asList(dig(pod, 'spec', 'volumes'));
  // Asked at every change of every pod, and most use no claim.
  if (!volumes.some((volume) => dig(volume, 'persistentVolumeClaim') !== undefined || dig(volume, 'ephemeral') !== undefined))
    return NO_CLAIMS;
  return volumes.flatMap((volume) => {
    const claim = asText(dig(volume, 'persistentVolumeClaim', 'claimName'));
    if (claim !== undefined) return [keyOf(pod.metadata.namespace, claim)];
    return dig(volume, 'ephemeral') === undefined
      ? []
      : [keyOf(pod.metadata.namespace, `${pod.metadata.name}-${asText(dig(volume, 'name')) ?? ''}`)];
  });
}

const NO_CLAIMS: readonly string[] = [];

function* syncClaim(controller: Controller, key: string): Routine<SyncResult> {
  const { host, claims, claimQueue, pending, begun } = controller;
  const claim = claims.get(...splitKey(key));
  if (claim === undefined) return;
  const bound = annotationsOf(claim)[BIND_COMPLETED] !== undefined;
  const failure = bound ? yield* syncBound(controller, claim) : yield* syncUnbound(controller, claim);
  if (failure !== undefined) return failure.code === 409 ? { againAfter: 2 } : { retry: failure.message };
  if (bound || isDeleted(claim)) pending.delete(key);
  else {
    pending.add(key);
    claimQueue.addAfter(key, nextResync(begun, host.now()), { background: true });
  }
}

function* syncUnbound(controller: Controller, claim: KubeObject): Routine<Failure | undefined> {
  const { host, volumes } = controller;
  const wanted = asText(dig(claim, 'spec', 'volumeName')) ?? '';
  if (wanted === '') return yield* findFor(controller, claim);
  const volume = volumes.get(undefined, wanted);
  if (volume === undefined) return yield* writeUnbound(host, claim, 'Pending');
  if (dig(volume, 'spec', 'claimRef') === undefined) {
    const why = mismatch(volume, claim);
    if (why === undefined) return yield* bind(host, volume, claim);
    host.events.event(claim, VOLUME_WORDS.mismatch(wanted, why));
    return yield* writeUnbound(host, claim, 'Pending');
  }
  if (isReservedFor(volume, claim)) return yield* bind(host, volume, claim);
  host.events.event(claim, VOLUME_WORDS.taken(wanted));
  return yield* writeUnbound(host, claim, 'Pending');
}

/** Source: pv_controller.go (syncUnboundClaim without a volume). */
function* findFor(controller: Controller, claim: KubeObject): Routine<Failure | undefined> {
  const { host, volumes, classes } = controller;
  const name = classOf(claim);
  const storageClass = classes.get(undefined, name);
  const delayed = dig(storageClass, 'volumeBindingMode') === 'WaitForFirstConsumer' && annotationsOf(claim)[SELECTED_NODE] === undefined;
  const volume = findVolume(claim, volumes.list(), delayed);
  if (volume !== undefined) return yield* bind(host, volume, claim);
  if (delayed) {
    host.events.event(claim, consumerWords(controller, claim));
    return yield* writeUnbound(host, claim, 'Pending');
  }
  if (name === '') {
    host.events.event(claim, VOLUME_WORDS.noClass);
    return yield* writeUnbound(host, claim, 'Pending');
  }
  if (storageClass === undefined) {
    host.events.event(claim, VOLUME_WORDS.noSuchClass(name));
    return undefined;
  }
  return yield* provision(host, claim, asText(dig(storageClass, 'provisioner')) ?? '');
}

function consumerWords({ pods }: Controller, claim: KubeObject) {
  const waiting = pods
    .by('claim', keyOfObject(claim))
    .filter((pod) => nodeNameOf(pod) === '' && !isFinished(pod) && !isDeleted(pod))
    .map((pod) => pod.metadata.name)
    .sort();
  return waiting.length === 0 ? VOLUME_WORDS.waitForConsumer : VOLUME_WORDS.waitForPods(waiting);
}

function* provision(host: ComponentHost, claim: KubeObject, provisioner: string): Routine<Failure | undefined> {
  if (provisioner === NO_PROVISIONER) return undefined;
  const annotations = annotationsOf(claim);
  let current = claim;
  if (annotations[STORAGE_PROVISIONER] !== provisioner) {
    const next = { ...annotations, [BETA_STORAGE_PROVISIONER]: provisioner, [STORAGE_PROVISIONER]: provisioner };
    const answer = yield* host.client.update(withFields(claim, { metadata: withFields(claim.metadata, { annotations: next }) }));
    if (!answer.ok) return answer;
    current = answer.object;
  }
  host.events.event(current, VOLUME_WORDS.external(provisioner));
  return undefined;
}

function* syncBound(controller: Controller, claim: KubeObject): Routine<Failure | undefined> {
  const { host, volumes } = controller;
  const name = asText(dig(claim, 'spec', 'volumeName')) ?? '';
  const volume = name === '' ? undefined : volumes.get(undefined, name);
  if (volume === undefined) return yield* lose(host, claim, name === '' ? VOLUME_WORDS.lostReference : VOLUME_WORDS.lost);
  if (dig(volume, 'spec', 'claimRef') === undefined || isReservedFor(volume, claim)) return yield* bind(host, volume, claim);
  return yield* lose(host, claim, VOLUME_WORDS.misbound);
}

function* lose(
  host: ComponentHost,
  claim: KubeObject,
  words: { readonly type: 'Warning'; readonly reason: string; readonly message: string },
): Routine<Failure | undefined> {
  if (dig(claim, 'status', 'phase') === 'Lost') return undefined;
  const failure = yield* writeUnbound(host, claim, 'Lost');
  if (failure === undefined) host.events.event(claim, words);
  return failure;
}

/** Four updates, each left out when it says nothing new. Source: pv_controller.go (bind). */
function* bind(host: ComponentHost, volume: KubeObject, claim: KubeObject): Routine<Failure | undefined> {
  const reserved = yield* reserveVolume(host, volume, claim);
  if (!reserved.ok) return reserved;
  const phased = yield* writeVolumePhase(host, reserved.object, 'Bound');
  if (phased !== undefined) return phased;
  const completed = yield* completeClaim(host, volume, claim);
  if (!completed.ok) return completed;
  return yield* writePhase(host, completed.object, {
    phase: 'Bound',
    accessModes: dig(volume, 'spec', 'accessModes') ?? [],
    capacity: dig(completed.object, 'status', 'capacity') ?? dig(volume, 'spec', 'capacity') ?? {},
  });
}

type Bound = { readonly ok: true; readonly object: KubeObject } | Failure;

/** Source: pv_controller.go (bindVolumeToClaim). */
function* reserveVolume(host: ComponentHost, volume: KubeObject, claim: KubeObject): Routine<Bound> {
  const { name, namespace, uid } = claim.metadata;
  if (dig(volume, 'spec', 'claimRef', 'uid') === uid) return { ok: true, object: volume };
  const claimRef: JsonObject = {
    kind: 'PersistentVolumeClaim',
    namespace: namespace ?? '',
    name,
    uid: uid ?? '',
    apiVersion: 'v1',
    resourceVersion: asText(claim.metadata['resourceVersion']) ?? '',
  };
  const byController = dig(volume, 'spec', 'claimRef') === undefined;
  const annotations = byController ? { ...annotationsOf(volume), [BOUND_BY_CONTROLLER]: 'yes' } : volume.metadata['annotations'];
  return yield* host.client.update(
    withFields(volume, {
      metadata: withFields(volume.metadata, { annotations }),
      spec: withFields(asObject(volume['spec']), { claimRef }),
    }),
  );
}

/** Source: pv_controller.go (bindClaimToVolume). */
function* completeClaim(host: ComponentHost, volume: KubeObject, claim: KubeObject): Routine<Bound> {
  const annotations = annotationsOf(claim);
  const volumeName = dig(claim, 'spec', 'volumeName');
  if (annotations[BIND_COMPLETED] !== undefined && volumeName === volume.metadata.name) return { ok: true, object: claim };
  const byController = (asText(volumeName) ?? '') === '';
  const next = { ...annotations, [BIND_COMPLETED]: 'yes', ...(byController ? { [BOUND_BY_CONTROLLER]: 'yes' } : {}) };
  return yield* host.client.update(
    withFields(claim, {
      metadata: withFields(claim.metadata, { annotations: next }),
      spec: withFields(asObject(claim['spec']), { volumeName: volume.metadata.name }),
    }),
  );
}

function* writePhase(host: ComponentHost, claim: KubeObject, status: Readonly<Record<string, Json>>): Routine<Failure | undefined> {
  // What others say of a bound claim (that it is being resized) is theirs.
  const { allocatedResources, allocatedResourceStatuses, conditions } = asObject(claim['status']);
  const whole = status['phase'] === 'Bound' ? withFields(status, { allocatedResources, allocatedResourceStatuses, conditions }) : status;
  if (sameJson(claim['status'], whole)) return undefined;
  const answer = yield* host.client.updateStatus(withFields(claim, { status: whole }));
  return answer.ok || answer.code === 404 ? undefined : answer;
}

/** Of a claim that waits, what a volume would say must be gone. Source: pv_controller.go (updateClaimStatus). */
function* writeUnbound(host: ComponentHost, claim: KubeObject, phase: 'Pending' | 'Lost'): Routine<Failure | undefined> {
  const { phase: before, accessModes, capacity, currentVolumeAttributesClassName: className, ...rest } = asObject(claim['status']);
  if (before === phase && accessModes === undefined && capacity === undefined && className === undefined) return undefined;
  return yield* writePhase(host, claim, { phase, ...withoutUndefined(rest) });
}

function* writeVolumePhase(host: ComponentHost, volume: KubeObject, phase: string): Routine<Failure | undefined> {
  if (dig(volume, 'status', 'phase') === phase) return undefined;
  const answer = yield* host.client.updateStatus(withPath(volume, ['status', 'phase'], phase));
  return answer.ok || answer.code === 404 ? undefined : answer;
}

/** Source: pv_controller.go (syncVolume). */
function* syncVolume(controller: Controller, name: string): Routine<SyncResult> {
  const { host, volumes, claims, claimQueue } = controller;
  const volume = volumes.get(undefined, name);
  if (volume === undefined) return;
  const [key] = claimKeys(volume);
  if (key === undefined || (asText(dig(volume, 'spec', 'claimRef', 'uid')) ?? '') === '')
    return result(yield* writeVolumePhase(host, volume, 'Available'));
  const claim = claims.get(...splitKey(key));
  if (claim === undefined || !isReservedFor(volume, claim)) return result(yield* writeVolumePhase(host, volume, 'Released'));
  if (asText(dig(claim, 'spec', 'volumeName')) === name) return result(yield* writeVolumePhase(host, volume, 'Bound'));
  if ((asText(dig(claim, 'spec', 'volumeName')) ?? '') === '') claimQueue.add(key);
}

function result(failure: Failure | undefined): SyncResult {
  return failure === undefined ? undefined : failure.code === 409 ? { againAfter: 2 } : { retry: failure.message };
}
